#include "algorithms/mpi/library/topologies.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "algorithms/mapping/crossings.hpp"
#include "algorithms/mapping/neighbour_graph.hpp"
#include "algorithms/mpi/executor/mpi_error.hpp"
#include "algorithms/mpi/library/coordinates.hpp"
#include "algorithms/mpi/library/default_floating_point.hpp"
#include "algorithms/tuning/neighbour_choice.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

std::vector<int> in_order(int size) {
  std::vector<int> ranks(size);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

Reordering compare(const NeighbourGraph& graph, const Topology& topology, const std::vector<int>& rank_of_position) {
  const std::vector<int> plain = in_order(graph.size());
  return {.in_order = rank_of_position == plain,
          .crossings_before = crossings(graph, topology, plain).front(),
          .crossings = crossings(graph, topology, rank_of_position).front()};
}

std::vector<int> positions_of_ranks(const std::vector<int>& rank_of_position, int size) {
  std::vector<int> position_of_rank(size, -1);
  for (std::size_t position = 0; position < rank_of_position.size(); ++position)
    position_of_rank[rank_of_position[position]] = static_cast<int>(position);
  return position_of_rank;
}

/// The ranks that have a position, in the order of the positions; freed with this object.
class OrderedComm {
 public:
  OrderedComm(MPI_Comm comm, const std::vector<int>& rank_of_position) {
    int rank = 0;
    int size = 0;
    check_mpi(PMPI_Comm_rank(comm, &rank), {.call = "MPI_Comm_rank"});
    check_mpi(PMPI_Comm_size(comm, &size), {.call = "MPI_Comm_size"});
    position_ = positions_of_ranks(rank_of_position, size)[rank];
    check_mpi(PMPI_Comm_split(comm, position_ >= 0 ? 0 : MPI_UNDEFINED, position_, &comm_), {.call = "MPI_Comm_split"});
  }
  ~OrderedComm() {
    if (comm_ != MPI_COMM_NULL) PMPI_Comm_free(&comm_);
  }
  OrderedComm(const OrderedComm&) = delete;
  OrderedComm& operator=(const OrderedComm&) = delete;

  MPI_Comm comm() const { return comm_; }
  /// Negative where this rank has none; then comm() is MPI_COMM_NULL.
  int position() const { return position_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int position_ = -1;
};

/// The grid that the arguments describe; no value when the MPI would refuse them.
std::optional<CartesianGrid> grid_of(int dimensions, const int sizes[], const int periodic[], int ranks) {
  if (dimensions < 1 || sizes == nullptr || periodic == nullptr) return std::nullopt;
  CartesianGrid grid;
  std::int64_t all = 1;
  for (int d = 0; d < dimensions; ++d) {
    if (sizes[d] < 1 || (all *= sizes[d]) > ranks) return std::nullopt;
    grid.sizes.push_back(sizes[d]);
    grid.periodic.push_back(periodic[d] != 0);
  }
  return grid;
}

/// The graph of MPI_Graph_create; no value when the MPI would refuse it.
std::optional<NeighbourGraph> graph_of(int nodes, const int index[], const int edges[], int ranks) {
  if (nodes < 1 || nodes > ranks || index == nullptr || edges == nullptr) return std::nullopt;
  std::vector<NeighbourGraph::Pair> pairs;
  for (int node = 0; node < nodes; ++node) {
    const int begin = node == 0 ? 0 : index[node - 1];
    if (begin < 0 || index[node] < begin) return std::nullopt;
    for (int i = begin; i < index[node]; ++i) {
      if (edges[i] < 0 || edges[i] >= nodes) return std::nullopt;
      pairs.push_back({node, edges[i], 1});
    }
  }
  return NeighbourGraph(nodes, std::move(pairs));
}

// The graph of all ranks' lists, without MPI_PROC_NULL; no value where they name a rank that there is not, which MPICH
// takes. Weights are those of the sources' lists; MPI asks that both ends of an edge give the same.
std::optional<NeighbourGraph> graph_of(const std::vector<WeightedNeighbours>& lists) {
  const int size = static_cast<int>(lists.size());
  const auto may_be = [&](int neighbour) { return neighbour == MPI_PROC_NULL || (neighbour >= 0 && neighbour < size); };
  std::vector<NeighbourGraph::Pair> pairs;
  for (int rank = 0; rank < size; ++rank) {
    const WeightedNeighbours& own = lists[rank];
    if (!std::all_of(own.sources.begin(), own.sources.end(), may_be)) return std::nullopt;
    for (std::size_t i = 0; i < own.destinations.size(); ++i) {
      const int to = own.destinations[i];
      if (!may_be(to)) return std::nullopt;
      if (to != MPI_PROC_NULL)
        pairs.push_back({rank, to, own.destination_weights.empty() ? 1 : own.destination_weights[i]});
    }
  }
  return NeighbourGraph(size, std::move(pairs));
}

template <typename Neighbours>
std::vector<int> mapping_of(const CommGroups& groups, const Neighbours& neighbours) {
  const DefaultFloatingPoint of_isthmus;
  return choose_mapping(groups.placed, neighbours, groups.effort_messages);
}

}  // namespace

Reordering reorder_cart(MPI_Comm comm, int dimensions, const int sizes[], const int periodic[],
                        const CommGroups& groups, MPI_Comm* made) {
  const Topology& topology = groups.topology();
  const std::optional<CartesianGrid> grid = grid_of(dimensions, sizes, periodic, topology.size());
  if (!grid || made == nullptr) return {};
  std::vector<int> mapping = mapping_of(groups, *grid);
  Reordering reordering = compare(isthmus::graph_of(*grid), topology, mapping);
  if (reordering.in_order) return reordering;
  const auto make = [&](MPI_Comm over) {
    check_mpi(PMPI_Cart_create(over, dimensions, sizes, periodic, 0, made), {.call = "MPI_Cart_create"});
  };
  if (groups.reorder == ReorderForm::coordinates) {
    if (grid->size() < topology.size()) return {};       // the ranks without a position would be others
    if (!topology.connectivity().complete()) return {};  // collectives among neighbours are left to the MPI
    make(comm);
    permute_coordinates(*made, *grid, std::move(mapping));
  } else {
    const OrderedComm ordered(comm, mapping);
    *made = MPI_COMM_NULL;
    if (ordered.position() >= 0) make(ordered.comm());
  }
  reordering.made = true;
  return reordering;
}

Reordering reorder_graph(MPI_Comm comm, int nodes, const int index[], const int edges[], const CommGroups& groups,
                         MPI_Comm* made) {
  const std::optional<NeighbourGraph> graph = graph_of(nodes, index, edges, groups.topology().size());
  if (!graph || made == nullptr) return {};
  const std::vector<int> mapping = mapping_of(groups, *graph);
  Reordering reordering = compare(*graph, groups.topology(), mapping);
  if (reordering.in_order) return reordering;
  const OrderedComm ordered(comm, mapping);
  *made = MPI_COMM_NULL;
  if (ordered.position() >= 0)
    check_mpi(PMPI_Graph_create(ordered.comm(), nodes, index, edges, 0, made), {.call = "MPI_Graph_create"});
  reordering.made = true;
  return reordering;
}

Reordering reorder_dist_graph(MPI_Comm comm, MPI_Comm plain, MPI_Info info, const CommGroups& groups, MPI_Comm* made) {
  const std::vector<WeightedNeighbours> lists = all_weighted_neighbours(plain);
  const std::optional<NeighbourGraph> graph = graph_of(lists);
  if (!graph) return {};
  const std::vector<int> mapping = mapping_of(groups, *graph);
  Reordering reordering = compare(*graph, groups.topology(), mapping);
  if (reordering.in_order) return reordering;
  int weighted = 0;
  int in = 0;
  int out = 0;
  check_mpi(PMPI_Dist_graph_neighbors_count(plain, &in, &out, &weighted), {.call = "MPI_Dist_graph_neighbors_count"});
  const OrderedComm ordered(comm, mapping);
  const WeightedNeighbours& own = lists[ordered.position()];
  const auto weights = [&](const std::vector<int>& given) -> const int* {
    if (weighted == 0) return MPI_UNWEIGHTED;
    return given.empty() ? MPI_WEIGHTS_EMPTY : given.data();
  };
  check_mpi(PMPI_Dist_graph_create_adjacent(ordered.comm(), static_cast<int>(own.sources.size()), own.sources.data(),
                                            weights(own.source_weights), static_cast<int>(own.destinations.size()),
                                            own.destinations.data(), weights(own.destination_weights), info, 0, made),
            {.call = "MPI_Dist_graph_create_adjacent"});
  PMPI_Comm_free(&plain);
  reordering.made = true;
  return reordering;
}

WeightedNeighbours weighted_neighbours(MPI_Comm dist_graph) {
  int in = 0;
  int out = 0;
  int weighted = 0;
  check_mpi(PMPI_Dist_graph_neighbors_count(dist_graph, &in, &out, &weighted),
            {.call = "MPI_Dist_graph_neighbors_count"});
  // One element more than there are: MPI libraries do not take null for an empty list.
  WeightedNeighbours lists;
  lists.sources.resize(static_cast<std::size_t>(in) + 1);
  lists.destinations.resize(static_cast<std::size_t>(out) + 1);
  if (weighted != 0) {
    lists.source_weights.resize(static_cast<std::size_t>(in) + 1);
    lists.destination_weights.resize(static_cast<std::size_t>(out) + 1);
  }
  check_mpi(PMPI_Dist_graph_neighbors(
                dist_graph, in, lists.sources.data(), weighted != 0 ? lists.source_weights.data() : MPI_UNWEIGHTED, out,
                lists.destinations.data(), weighted != 0 ? lists.destination_weights.data() : MPI_UNWEIGHTED),
            {.call = "MPI_Dist_graph_neighbors"});
  for (std::vector<int>* list :
       {&lists.sources, &lists.destinations, &lists.source_weights, &lists.destination_weights})
    if (!list->empty()) list->pop_back();
  return lists;
}

std::vector<WeightedNeighbours> all_weighted_neighbours(MPI_Comm dist_graph) {
  const WeightedNeighbours own = weighted_neighbours(dist_graph);
  int size = 0;
  check_mpi(PMPI_Comm_size(dist_graph, &size), {.call = "MPI_Comm_size"});
  const bool weighted = !own.source_weights.empty() || !own.destination_weights.empty();
  // Per rank: both degrees, whether there are weights, then the lists.
  std::vector<int> packed = {static_cast<int>(own.sources.size()), static_cast<int>(own.destinations.size()),
                             weighted ? 1 : 0};
  for (const std::vector<int>* list : {&own.sources, &own.destinations, &own.source_weights, &own.destination_weights})
    packed.insert(packed.end(), list->begin(), list->end());
  const int length = static_cast<int>(packed.size());
  std::vector<int> lengths(size);
  check_mpi(PMPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, dist_graph), {.call = "MPI_Allgather"});
  std::vector<int> begins(size);
  std::int64_t all = 0;
  for (int rank = 0; rank < size; ++rank) {
    begins[rank] = static_cast<int>(all);
    all += lengths[rank];
  }
  if (all > std::numeric_limits<int>::max())
    throw BadInput("a graph of " + std::to_string(all) + " neighbours and weights; fewer than 2^31 would be right");
  std::vector<int> received(all);
  check_mpi(PMPI_Allgatherv(packed.data(), length, MPI_INT, received.data(), lengths.data(), begins.data(), MPI_INT,
                            dist_graph),
            {.call = "MPI_Allgatherv"});
  std::vector<WeightedNeighbours> lists(size);
  for (int rank = 0; rank < size; ++rank) {
    const int* from = received.data() + begins[rank];
    const int in = from[0];
    const int out = from[1];
    const int weights = from[2];
    from += 3;
    const auto take = [&](std::vector<int>& list, int count) {
      list.assign(from, from + count);
      from += count;
    };
    take(lists[rank].sources, in);
    take(lists[rank].destinations, out);
    take(lists[rank].source_weights, weights * in);
    take(lists[rank].destination_weights, weights * out);
  }
  return lists;
}

namespace {

Neighbourhood neighbourhood_of_cart(MPI_Comm comm) {
  if (const PermutedGrid* const permuted = permuted_grid(comm); permuted != nullptr)
    return Neighbourhood::of_grid(permuted->grid, permuted->rank_of_position);
  int dimensions = 0;
  check_mpi(PMPI_Cartdim_get(comm, &dimensions), {.call = "MPI_Cartdim_get"});
  std::vector<int> sizes(dimensions), periodic(dimensions), place(dimensions);
  check_mpi(PMPI_Cart_get(comm, dimensions, sizes.data(), periodic.data(), place.data()), {.call = "MPI_Cart_get"});
  CartesianGrid grid{.sizes = sizes, .periodic = {}};
  for (const int each : periodic) grid.periodic.push_back(each != 0);
  return Neighbourhood::of_grid(grid);
}

// Throws BadInput where the lists are none: Open MPI takes any.
Neighbourhood neighbourhood_of_graph(MPI_Comm comm) {
  int nodes = 0;
  int count = 0;
  check_mpi(PMPI_Graphdims_get(comm, &nodes, &count), {.call = "MPI_Graphdims_get"});
  std::vector<int> index(static_cast<std::size_t>(nodes) + 1), edges(static_cast<std::size_t>(count) + 1);
  check_mpi(PMPI_Graph_get(comm, nodes, count, index.data(), edges.data()), {.call = "MPI_Graph_get"});
  std::vector<NeighbourLists> lists(nodes);
  for (int node = 0; node < nodes; ++node) {
    const int begin = node == 0 ? 0 : index[node - 1];
    if (begin < 0 || index[node] < begin || index[node] > count)
      throw BadInput("a graph's index " + std::to_string(index[node]) + " of node " + std::to_string(node) + "; " +
                     std::to_string(std::max(0, begin)) + " to " + std::to_string(count) + " would be right");
    const auto wrong =
        std::find_if(edges.begin() + begin, edges.begin() + index[node], [&](int to) { return to < 0 || to >= nodes; });
    if (wrong != edges.begin() + index[node])
      throw BadInput("a graph's node " + std::to_string(node) + " has the neighbour " + std::to_string(*wrong) +
                     "; 0 to " + std::to_string(nodes - 1) + " would be right");
    lists[node].destinations.assign(edges.begin() + begin, edges.begin() + index[node]);
    lists[node].sources = lists[node].destinations;
  }
  return Neighbourhood::of_lists(lists);
}

Neighbourhood neighbourhood_of_dist_graph(MPI_Comm comm) {
  std::vector<NeighbourLists> lists;
  for (WeightedNeighbours& each : all_weighted_neighbours(comm)) {
    std::replace(each.sources.begin(), each.sources.end(), MPI_PROC_NULL, -1);
    std::replace(each.destinations.begin(), each.destinations.end(), MPI_PROC_NULL, -1);
    lists.push_back({std::move(each.sources), std::move(each.destinations)});
  }
  return Neighbourhood::of_lists(lists);
}

}  // namespace

BlockNumbers degrees_of(MPI_Comm comm) {
  int kind = MPI_UNDEFINED;
  BlockNumbers degrees;
  if (PMPI_Topo_test(comm, &kind) != MPI_SUCCESS) return degrees;
  if (kind == MPI_CART) {
    int dimensions = 0;
    PMPI_Cartdim_get(comm, &dimensions);
    degrees = {2 * dimensions, 2 * dimensions};
  } else if (kind == MPI_GRAPH) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &degrees.sent);
    degrees.received = degrees.sent;
  } else if (kind == MPI_DIST_GRAPH) {
    int weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &degrees.received, &degrees.sent, &weighted);
  }
  return degrees;
}

std::shared_ptr<const Neighbourhood> neighbourhood_of(MPI_Comm comm) {
  int kind = MPI_UNDEFINED;
  check_mpi(PMPI_Topo_test(comm, &kind), {.call = "MPI_Topo_test"});
  try {
    if (kind == MPI_CART) return std::make_shared<const Neighbourhood>(neighbourhood_of_cart(comm));
    if (kind == MPI_GRAPH) return std::make_shared<const Neighbourhood>(neighbourhood_of_graph(comm));
    if (kind == MPI_DIST_GRAPH) return std::make_shared<const Neighbourhood>(neighbourhood_of_dist_graph(comm));
  } catch (const BadInput&) {
    // A graph that MPI allows only where no collective among neighbours is called.
  }
  return nullptr;
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
