// PROGRAM PLATFORM RANKS [CASE]: runs the cases on SMPI's simulated ranks.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/mpi/cases.hpp"
#include "tests/mpi/simulated_ranks.hpp"

int main(int argc, char** argv) {
  isthmus::test::SimulatedRanks simulated(argc, argv);
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s PLATFORM RANKS [CASE]\n", argv[0]);
    return 2;
  }
  const std::string filter = argc > 3 ? argv[3] : "";
  int failed = 0;
  const bool finished = simulated.run(argv[1], std::atoi(argv[2]), [&] { failed += isthmus::test::run_cases(filter); });
  return finished && failed == 0 ? 0 : 1;
}
