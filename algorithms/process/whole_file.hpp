// Files as a whole: read at once, and written so that they appear complete or not at all.
#pragma once

#include <string>
#include <string_view>

#include "algorithms/process/descriptor.hpp"

namespace isthmus {

/// The content of a file, or of a pipe such as `<(command)` of a shell. A folder, a device and a socket are refused,
/// and so is what holds more than a gigabyte, and a pipe through which nothing comes. `needed`
/// says what would be right, as in `a decision table is needed`. Throws BadInput `FILE: cannot be read: why; NEEDED`.
std::string read_whole_file(const std::string& file, std::string_view needed);

/// A file that appears under its name when all is written, in place of the one that was there, and leaves that one as
/// it is otherwise, however this process ends. What is no regular file, such as /dev/stdout, is written to directly.
/// Throws BadInput `FILE: cannot be written: why`.
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
  std::string target_;  // the file itself where `file_` is a link to it; empty: written to directly
  std::string draft_;   // the name until it appears; empty: none
  unsigned mode_ = 0;   // of the file that is replaced; 0: there is none
  Descriptor out_;
};

/// An OutputFile of this content.
void write_whole_file(const std::string& file, std::string_view content);

}  // namespace isthmus
