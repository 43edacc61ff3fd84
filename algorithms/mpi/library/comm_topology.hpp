// Where the ranks of a communicator run, found out at run time.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "algorithms/mpi/executor/mpi_error.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/topology/topology.hpp"
#include "algorithms/tuning/decision_table.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Rank 0's text on every rank. Collective.
std::string share_text(const std::string& text, MPI_Comm comm);

/// The name of the host that each rank runs on: ISTHMUS_HOST of its environment, or the processor's. Collective.
std::vector<std::string> host_names(MPI_Comm comm);

/// Site and node of every rank, found out without a network. Nodes are what shares memory. A site is what the pattern,
/// a regular expression, finds in the host's name as its first group; without a pattern, what follows the first dot,
/// else what comes before a number at the end and its dash: `delft` of delft-07. Collective. Throws BadInput, the same
/// on all ranks, for a pattern that is none or does not match a name.
std::vector<std::vector<std::string>> paths_of_ranks(const std::string& site_pattern, MPI_Comm comm);

/// Their groups; no groups where all ranks are on one node.
Topology topology_of_paths(const std::vector<std::vector<std::string>>& paths);

/// Whether nothing lies between the ranks that a program of isthmus could spare: they are of one site, or each for
/// itself.
bool is_one_site(const Topology& topology);

/// The network of a file, which rank 0 reads, and where the ranks run on it: each on the host of its name
/// (ISTHMUS_HOST, or the processor's), with or without what follows the first dot. Collective. Throws BadInput, the
/// same on all ranks.
PlacedNetwork placed_on_network(const std::string& file, MPI_Comm comm);

/// The decision table of a file, which rank 0 reads. Collective. Throws BadInput, the same on all ranks, where it is
/// for another topology too.
std::shared_ptr<const DecisionTable> table_of_rank_0(const std::string& file, const Topology& topology, MPI_Comm comm);
/// Whether there is a table and it is for this topology, as it may not be for a part of the ranks.
bool is_for(const std::shared_ptr<const DecisionTable>& table, const Topology& topology);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
