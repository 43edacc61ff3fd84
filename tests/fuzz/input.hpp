// Shared by the harnesses: a fuzzer's bytes as a file, and which exceptions are answers.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "algorithms/errors.hpp"

namespace isthmus::fuzz {

/// A file in memory, for readers that take a file's name.
class InputFile {
 public:
  InputFile(const std::uint8_t* data, std::size_t size)
      : InputFile(std::string_view(reinterpret_cast<const char*>(data), size)) {}
  explicit InputFile(std::string_view text) : number_(memfd_create("input", 0)) {
    if (number_ < 0 || write(number_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() { close(number_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }

 private:
  int number_;
};

/// A finding if `holds` is false.
inline void require(bool holds) {
  if (!holds) std::abort();
}

/// Whether `task` returned. One of isthmus's own errors, in one line of reasonable length, is an answer too; every
/// other exception is a finding.
template <class Task>
bool answered(Task task) {
  try {
    task();
    return true;
  } catch (const Error& error) {
    const std::string_view what = error.what();
    constexpr std::size_t longest_line = 4000;
    require(!what.empty() && what.size() <= longest_line);
    for (const char c : what) require(static_cast<unsigned char>(c) >= ' ' && c != '\x7f');
    return false;
  }
}

}  // namespace isthmus::fuzz

/// A harness, a function of `data` and `size`: ISTHMUS_HARNESS(name) { ... return 0; }. A program of libFuzzer has one
/// harness; corpus_test.cpp finds all by their names.
#ifdef ISTHMUS_FUZZ
#define ISTHMUS_HARNESS(name) extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
#else
namespace isthmus::fuzz {

using Harness = int (*)(const std::uint8_t* data, std::size_t size);

inline std::map<std::string, Harness>& harnesses() {
  static std::map<std::string, Harness> all;
  return all;
}

}  // namespace isthmus::fuzz

#define ISTHMUS_HARNESS(name)                                                                              \
  static int harness_of_##name(const std::uint8_t* data, std::size_t size);                                \
  static const bool name##_is_known = isthmus::fuzz::harnesses().emplace(#name, harness_of_##name).second; \
  static int harness_of_##name(const std::uint8_t* data, std::size_t size)
#endif
