// Whole files: read at once, and written atomically.
#pragma once

#include <string>
#include <string_view>

#include "algorithms/process/descriptor.hpp"

namespace isthmus {

/// The content of a file, or of a pipe such as `<(command)` of a shell. Folders, devices, sockets, files above a
/// gigabyte and pipes without data are refused. `needed` says what would be right, as in `a decision table is needed`.
/// Throws BadInput `FILE: cannot be read: why; NEEDED`.
std::string read_whole_file(const std::string& file, std::string_view needed);

/// A file that replaces the one of its name when everything is written. Until then the old file is unchanged, however
/// this process ends. A target that is not a regular file, such as /dev/stdout, is written to directly. Throws
/// `FILE: cannot be written: why`: Missing where the disk is full or broken, else BadInput.
class OutputFile {
 public:
  explicit OutputFile(std::string file);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(std::string_view bytes);
  void appear();

 private:
  [[noreturn]] void fail() const;
  void open_without_name(const std::string& folder);

  std::string file_;    // as given
  std::string target_;  // the file itself if `file_` is a link to it; empty: written to directly
  std::string draft_;   // the name of the draft; empty: unnamed
  unsigned mode_ = 0;   // mode of the file that is replaced; 0: none
  Descriptor out_;
};

/// Throws what OutputFile would at its start: for a check before long work. Files without a name pass, and what is not
/// a regular file.
void check_output_file(const std::string& file);

/// Writes an OutputFile with this content.
void write_whole_file(const std::string& file, std::string_view content);

}  // namespace isthmus
