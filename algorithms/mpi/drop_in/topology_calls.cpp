#include "algorithms/mpi/drop_in/topology_calls.hpp"

#include <optional>
#include <string>

#include "algorithms/mpi/drop_in/lost_peers.hpp"
#include "algorithms/mpi/drop_in/report.hpp"
#include "algorithms/mpi/drop_in/session.hpp"
#include "algorithms/mpi/library/coordinates.hpp"
#include "algorithms/mpi/library/topologies.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {
namespace {

// The groups of the ranks, if they and the settings allow for another order.
std::optional<CommGroups> groups_to_reorder(MPI_Comm comm, int reorder) {
  if (session() == nullptr || reorder == 0 || comm == MPI_COMM_NULL) return std::nullopt;
  try {
    std::optional<CommGroups> groups = groups_of(comm);
    if (groups && (groups->reorder == ReorderForm::none || groups->topology().levels() == 0)) groups.reset();
    return groups;
  } catch (const Error&) {
    return std::nullopt;  // the MPI beneath reports what is wrong with the communicator
  }
}

std::string words(const Reordering& reordering) {
  if (!reordering.made) return reordering.in_order ? "MPI: no order is better" : "MPI: not reordered";
  return "reordered: " + std::to_string(reordering.crossings) + " edges between sites, not " +
         std::to_string(reordering.crossings_before);
}

int done(int code, const MPI_Comm* comm) { return code == MPI_SUCCESS ? made(*comm) : code; }

// Calls `reorder_it` with the groups where there may be a better order, else `mpi` with the reorder argument for the
// MPI beneath: its own order if no other is better.
template <typename ReorderIt, typename Mpi>
int create(const char* name, MPI_Comm comm, int reorder, MPI_Comm* made, ReorderIt reorder_it, Mpi mpi) {
  const EndsWithLoss guard;
  return contained(comm, [&] {
    const std::optional<CommGroups> groups = groups_to_reorder(comm, reorder);
    if (!groups) return done(mpi(reorder), made);
    const ReportEntry entry(asked_report(), name, comm);
    const Reordering reordering = reorder_it(*groups);
    const int code = reordering.made ? MPI_SUCCESS : mpi(reordering.in_order ? 0 : reorder);
    if (entry.counts()) entry.end(words(reordering));
    return done(code, made);
  });
}

}  // namespace

int create_cart(MPI_Comm comm, int dimensions, const int sizes[], const int periodic[], int reorder, MPI_Comm* made) {
  return create(
      "Cart_create", comm, reorder, made,
      [&](const CommGroups& groups) { return reorder_cart(comm, dimensions, sizes, periodic, groups, made); },
      [&](int order) { return PMPI_Cart_create(comm, dimensions, sizes, periodic, order, made); });
}

int create_graph(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm* made) {
  return create(
      "Graph_create", comm, reorder, made,
      [&](const CommGroups& groups) { return reorder_graph(comm, nodes, index, edges, groups, made); },
      [&](int order) { return PMPI_Graph_create(comm, nodes, index, edges, order, made); });
}

// The MPI beneath makes the graph first, without another order: then every rank can ask for its own neighbours.
int create_dist_graph(const char* name, MPI_Comm comm, MPI_Info info, int reorder, MPI_Comm* made,
                      const std::function<int(int reorder)>& mpi) {
  const EndsWithLoss guard;
  return contained(comm, [&] {
    const std::optional<CommGroups> groups = groups_to_reorder(comm, reorder);
    if (!groups) return done(mpi(reorder), made);
    const ReportEntry entry(asked_report(), name, comm);
    if (const int code = mpi(0); code != MPI_SUCCESS) return code;
    const Reordering reordering = reorder_dist_graph(comm, *made, info, *groups, made);
    if (entry.counts()) entry.end(words(reordering));
    return done(MPI_SUCCESS, made);
  });
}

int sub_cart(MPI_Comm comm, const int remain[], MPI_Comm* made) {
  const EndsWithLoss guard;
  return done(cart_sub(comm, remain, made), made);
}

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
