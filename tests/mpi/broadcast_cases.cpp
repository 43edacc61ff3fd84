// Every broadcast algorithm, run by the executor.
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/mpi/executor/executor.hpp"
#include "tests/mpi/cases.hpp"
#include "tests/mpi/element_cases.hpp"

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

// Uneven sites; three levels in one of them.
Topology grouped(int size) {
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < size; ++rank) {
    if (rank % 3 == 0)
      paths.push_back({"a"});
    else if (rank % 3 == 1)
      paths.push_back({"b", "machine-" + std::to_string(rank / 6)});
    else
      paths.push_back(rank < 6 ? std::vector<std::string>{} : std::vector<std::string>{"c"});
  }
  return Topology::from_paths(paths);
}

struct Sweep {
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> segment_elements;
};

void sweep(World& world, const ElementCase& element, const Topology& topology, const Sweep& over) {
  for (const Algorithm* algorithm : algorithms_of(Collective::broadcast))
    for (const std::int64_t segment : over.segment_elements) {
      if (segment > 0 && algorithm->parameters.find("segment") == std::string_view::npos) continue;
      for (const std::int64_t count : over.counts)
        for (const int root : {0, world.size() / 2, world.size() - 1}) {
          if (segment > 0 && count / segment > 200) continue;
          const Problem problem{Collective::broadcast, count, element.size(), root};
          Plan plan{algorithm, {}};
          plan.parameters.segment_bytes = segment * element.size();
          check(plan, topology, problem);
          Program program;
          source(plan, topology, problem)(world.rank(), program);
          Executor executor(program, world.comm(), {.buffered_bytes = 1000});
          const auto right = element.filled(count, static_cast<std::uint64_t>(root) + 1);
          auto buffer = world.rank() == root ? right : element.blank(count);
          executor.run({.output = buffer.data(), .datatype = element.type()});
          world.expect(buffer == right, to_string(plan) + ", " + element.name() + ", count " + std::to_string(count) +
                                            ", root " + std::to_string(root));
        }
    }
}

MPI_CASE(EveryAlgorithmBroadcastsInts) {
  sweep(world, an_int(), Topology::flat(world.size()), {{0, 1, 7, 1000, 100003}, {0, 1, 13, 4099}});
}
MPI_CASE(EveryAlgorithmBroadcastsStructsWithHoles) {
  sweep(world, a_struct_with_holes(), Topology::flat(world.size()), {{0, 1, 7, 1000}, {0, 1, 13}});
}
MPI_CASE(EveryAlgorithmBroadcastsDoublesAcrossUnevenGroups) {
  sweep(world, a_double(), grouped(world.size()), {{0, 1, 7, 1000, 100003}, {0, 1, 13, 4099}});
}
MPI_CASE(EveryAlgorithmBroadcastsVectorsAcrossUnevenGroups) {
  sweep(world, a_vector(), grouped(world.size()), {{0, 1, 7, 1000}, {0, 1, 13}});
}

}  // namespace

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
