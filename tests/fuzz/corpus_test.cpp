// Gives a harness every file of its corpus, whole and cut off at some places: corpus_test FOLDER. No fuzzer is needed.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/input.hpp"

namespace {

constexpr std::size_t cuts = 16;

void give(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::printf("%s\n", entry.path().filename().c_str());
    std::fflush(stdout);  // names the file if the harness aborts
    give(text);
    for (std::size_t cut = 0; cut < cuts; ++cut) give(text.substr(0, text.size() * cut / cuts));
    ++files;
  }
  return files > 0 ? 0 : 1;
}
