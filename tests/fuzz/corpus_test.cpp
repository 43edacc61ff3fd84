// Gives a harness every file of its corpus, whole and cut off at some places: fuzz_corpus HARNESS FOLDER. No fuzzer is
// needed.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/input.hpp"

namespace {

constexpr std::size_t cuts = 16;

using isthmus::fuzz::Harness;

void give(Harness harness, const std::string& text) {
  harness(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || !isthmus::fuzz::harnesses().contains(argv[1])) return 2;
  const Harness harness = isthmus::fuzz::harnesses().at(argv[1]);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2])) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::printf("%s\n", entry.path().filename().c_str());
    std::fflush(stdout);  // names the file if the harness aborts
    give(harness, text);
    for (std::size_t cut = 0; cut < cuts; ++cut) give(harness, text.substr(0, text.size() * cut / cuts));
    ++files;
  }
  return files > 0 ? 0 : 1;
}
