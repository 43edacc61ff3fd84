// The parts of a SimGrid file that isthmus reads itself, before SimGrid reads the file.
#include "platforms/profiles.hpp"
#include "platforms/source_checks.hpp"
#include "tests/fuzz/input.hpp"

ISTHMUS_HARNESS(platform) {
  using namespace isthmus;
  const fuzz::InputFile file(data, size);
  fuzz::answered([&] {
    const SourceFile source(file.path());
    check_source(source);
    if (!source.is_parsed()) return;
    Network network;
    read_profiles(source, network);
  });
  return 0;
}
