// The hosts and sites of a communicator's ranks, determined at run time.
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

/// The name of the host that this rank runs on: ISTHMUS_HOST of its environment, or the processor's.
std::string own_host_name();

/// The name of the host that each rank runs on. Collective.
std::vector<std::string> host_names(MPI_Comm comm);

/// Site and node of every rank, without a network. Ranks on one node share memory. The site is the first group of the
/// pattern, a regular expression, in the host's name. Without a pattern it is the part after the first dot, else the
/// part before a dash and a number at the end: `delft` of delft-07. Collective. Throws BadInput, the same on all ranks,
/// for an invalid pattern or one that does not match a name.
std::vector<std::vector<std::string>> paths_of_ranks(const std::string& site_pattern, MPI_Comm comm);

/// The topology of these paths; no groups if all ranks are on one node.
Topology topology_of_paths(const std::vector<std::vector<std::string>>& paths);

/// Whether isthmus can gain nothing: all ranks reach each other and are in one site.
bool is_one_site(const Topology& topology);

/// The network of a file, which rank 0 reads, and the placement of the ranks on it: each on the host of its name
/// (ISTHMUS_HOST, or the processor's), with or without the part after the first dot. Collective. Throws BadInput, the
/// same on all ranks.
PlacedNetwork placed_on_network(const std::string& file, MPI_Comm comm);
/// The same on a network that every rank has. `source` is its name in errors.
PlacedNetwork placed_on_network(Network network, const std::string& source, MPI_Comm comm);

/// The decision table of a file, which rank 0 reads. Collective. Throws BadInput, the same on all ranks, also if it is
/// for another topology.
std::shared_ptr<const DecisionTable> table_of_rank_0(const std::string& file, const Topology& topology, MPI_Comm comm);
/// Whether there is a table and it is for this topology. A communicator of some of the ranks has another topology.
bool is_for(const std::shared_ptr<const DecisionTable>& table, const Topology& topology);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
