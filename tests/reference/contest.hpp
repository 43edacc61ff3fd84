// The executor and plain MPI, ready to do the same broadcast.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/mpi/executor/executor.hpp"
#include "tests/reference/plain_mpi.hpp"

namespace isthmus::reference {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// One algorithm, twice.
struct Contest {
  std::string plan;  ///< as the command line writes it
  bool pipelined = false;
  std::function<void(std::byte* buffer, int bytes, int root, MPI_Comm comm)> by_hand;
};

/// The three contests. `segment_bytes` is that of the pipelined ones.
inline std::vector<Contest> contests(int segment_bytes, const std::vector<int>& cluster_of_rank) {
  const std::string segment = ":segment=" + std::to_string(segment_bytes);
  return {
      {"binomial", false,
       [](std::byte* buffer, int bytes, int root, MPI_Comm comm) { binomial(buffer, bytes, MPI_BYTE, root, comm); }},
      {"chain" + segment, true,
       [=](std::byte* buffer, int bytes, int root, MPI_Comm comm) {
         chain(buffer, bytes, MPI_BYTE, root, segment_bytes, comm);
       }},
      {"kielmann" + segment, true, [=](std::byte* buffer, int bytes, int root, MPI_Comm comm) {
         two_layers(buffer, bytes, MPI_BYTE, root, segment_bytes, cluster_of_rank, comm);
       }}};
}

/// Clusters of equal size, of consecutive ranks.
inline std::vector<int> equal_clusters(int ranks, int clusters) {
  std::vector<int> cluster_of_rank;
  for (int rank = 0; rank < ranks; ++rank) cluster_of_rank.push_back(rank * clusters / ranks);
  return cluster_of_rank;
}

inline Topology topology_of(const std::vector<int>& cluster_of_rank) {
  std::vector<std::vector<std::string>> paths;
  for (const int cluster : cluster_of_rank) paths.push_back({std::to_string(cluster)});
  return Topology::from_paths(paths);
}

/// The executor of a contest's plan.
inline Executor executor_of(const Contest& contest, const Topology& topology, int bytes, int root, MPI_Comm comm) {
  const Plan plan = parse_plan(Collective::broadcast, contest.plan);
  const Problem problem{Collective::broadcast, bytes, 1, root};
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  Program program;
  source(plan, topology, problem)(rank, program);
  return Executor(std::move(program), comm);
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::reference
