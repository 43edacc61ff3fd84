// A file for one test, removed at its end.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

namespace isthmus::tests {

class TextFile {
 public:
  TextFile(const std::string& name, const std::string& text)
      : folder_(std::filesystem::temp_directory_path() /
                ("isthmus-file-" + std::to_string(getpid()) + "-" + std::to_string(number++))) {
    std::filesystem::create_directory(folder_);
    path_ = folder_ / name;
    std::ofstream(path_, std::ios::binary) << text;
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile() { std::filesystem::remove_all(folder_); }

  std::string path() const { return path_.string(); }

 private:
  static inline std::atomic<int> number = 0;
  std::filesystem::path folder_, path_;
};

}  // namespace isthmus::tests
