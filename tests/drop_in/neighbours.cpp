// neighbours [ROUNDS]: grids and graphs of random shapes, in plain MPI. Checks that communicators with a topology are
// what MPI says, whatever the order of their processes, and that neighbourhood collectives give what messages to the
// neighbours give. Prints the number of failures.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

int failures = 0;

void expect(bool right, const std::string& what) {
  if (right) return;
  if (++failures <= 10) std::fprintf(stderr, "wrong: %s\n", what.c_str());
}

// The same on all ranks.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed * 2654435761u + 12345u) {}
  int below(int limit) {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<int>((state_ >> 8) % static_cast<std::uint32_t>(limit));
  }

 private:
  std::uint32_t state_;
};

// Open MPI takes no null pointer for an empty list.
template <typename Value>
Value* data(std::vector<Value>& list) {
  list.reserve(1);
  return list.data();
}
template <typename Value>
const Value* data(const std::vector<Value>& list) {
  static const Value none{};
  return list.empty() ? &none : list.data();
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

struct Neighbours {
  std::vector<int> sources, destinations;
};

Neighbours neighbours_of(MPI_Comm comm) {
  Neighbours found;
  int kind = MPI_UNDEFINED;
  MPI_Topo_test(comm, &kind);
  if (kind == MPI_CART) {
    int dimensions = 0;
    MPI_Cartdim_get(comm, &dimensions);
    for (int d = 0; d < dimensions; ++d) {
      int below = 0;
      int above = 0;
      MPI_Cart_shift(comm, d, 1, &below, &above);
      found.sources.insert(found.sources.end(), {below, above});
    }
    found.destinations = found.sources;
  } else if (kind == MPI_GRAPH) {
    int count = 0;
    MPI_Graph_neighbors_count(comm, rank_in(comm), &count);
    found.sources.resize(static_cast<std::size_t>(count) + 1);
    MPI_Graph_neighbors(comm, rank_in(comm), count, data(found.sources));
    found.sources.pop_back();
    found.destinations = found.sources;
  } else {
    int in = 0;
    int out = 0;
    int weighted = 0;
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    found.sources.resize(static_cast<std::size_t>(in) + 1);
    found.destinations.resize(static_cast<std::size_t>(out) + 1);
    MPI_Dist_graph_neighbors(comm, in, data(found.sources), MPI_UNWEIGHTED, out, data(found.destinations),
                             MPI_UNWEIGHTED);
    found.sources.pop_back();
    found.destinations.pop_back();
  }
  return found;
}

// What rank `from` has at place `i` of its block for its neighbour number `slot`.
int value(int from, int slot, int i) { return from * 10000 + slot * 100 + i % 100; }

// Waits for a started call, or makes the blocking one.
int complete(bool blocking, const std::function<int()>& blocks, const std::function<int(MPI_Request*)>& starts) {
  if (blocking) return blocks();
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = starts(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return code;
}

// The block that arrives from a source is the one for the slot in which this rank is among the source's destinations;
// in a grid that is the slot of the opposite direction. The slots are exchanged by messages.
std::vector<int> slots_of_sources(MPI_Comm comm, const Neighbours& own) {
  int kind = MPI_UNDEFINED;
  MPI_Topo_test(comm, &kind);
  const bool grid = kind == MPI_CART;
  std::vector<int> numbers(own.destinations.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  std::vector<int> slots(own.sources.size(), -1);
  std::vector<MPI_Request> requests;
  for (std::size_t i = 0; i < slots.size(); ++i)
    MPI_Irecv(&slots[i], 1, MPI_INT, own.sources[i], grid ? static_cast<int>(i) : 0, comm, &requests.emplace_back());
  for (std::size_t k = 0; k < numbers.size(); ++k)
    MPI_Isend(&numbers[k], 1, MPI_INT, own.destinations[k], grid ? static_cast<int>(k) ^ 1 : 0, comm,
              &requests.emplace_back());
  MPI_Waitall(static_cast<int>(requests.size()), data(requests), MPI_STATUSES_IGNORE);
  return slots;
}

// Whether a rank of a grid is a neighbour of another in both directions.
bool twice(MPI_Comm comm) {
  int kind = MPI_UNDEFINED;
  MPI_Topo_test(comm, &kind);
  if (kind != MPI_CART) return false;
  int dimensions = 0;
  MPI_Cartdim_get(comm, &dimensions);
  std::vector<int> sizes(dimensions), periodic(dimensions), place(dimensions);
  MPI_Cart_get(comm, dimensions, sizes.data(), periodic.data(), place.data());
  for (int d = 0; d < dimensions; ++d)
    if (periodic[d] != 0 && sizes[d] < 3) return true;
  return false;
}

void check_collectives(MPI_Comm comm, Random& random, const std::string& where) {
  const Neighbours own = neighbours_of(comm);
  const std::vector<int> slots = slots_of_sources(comm, own);
  const int me = rank_in(comm);
  const int in = static_cast<int>(own.sources.size());
  const int out = static_cast<int>(own.destinations.size());
  const int count = 1 + random.below(40);
  const auto count_of = [&](int from, int slot) { return (from * 7 + slot * 3 + count) % 5; };
  for (const bool blocking : {true, false}) {
    // Open MPI 4.1 confuses the two neighbours there.
    if (!blocking && twice(comm)) continue;
    const std::string kind = where + (blocking ? " blocking " : " non-blocking ");
    const auto check = [&](const char* what, const std::vector<int>& received, const std::vector<int>& places,
                           const std::vector<int>& counts, bool slotted) {
      for (int i = 0; i < in; ++i)
        for (int j = 0; own.sources[i] != MPI_PROC_NULL && j < counts[i]; ++j)
          expect(received[places[i] + j] == value(own.sources[i], slotted ? slots[i] : 0, j), kind + what);
    };
    std::vector<int> same(in, count), order(in), from_counts(in), from_places(in), v_counts(in), v_places(in);
    int all = 0;
    int all_v = 0;
    for (int i = 0; i < in; ++i) {
      const bool none = own.sources[i] == MPI_PROC_NULL;
      order[i] = i * count;
      from_counts[i] = none ? 1 : count_of(own.sources[i], 0);
      from_places[i] = all;
      all += from_counts[i] + 1;  // with gaps
      v_counts[i] = none ? 1 : count_of(own.sources[i], slots[i]);
      v_places[i] = all_v;
      all_v += v_counts[i] + i % 2;
    }
    std::vector<int> block(count);
    for (int j = 0; j < count; ++j) block[j] = value(me, 0, j);
    std::vector<int> received(static_cast<std::size_t>(in) * count + 1, -1);
    complete(
        blocking,
        [&] { return MPI_Neighbor_allgather(data(block), count, MPI_INT, data(received), count, MPI_INT, comm); },
        [&](MPI_Request* r) {
          return MPI_Ineighbor_allgather(data(block), count, MPI_INT, data(received), count, MPI_INT, comm, r);
        });
    check("allgather", received, order, same, false);

    std::vector<int> gathered(all + 1, -1);
    const int mine = count_of(me, 0);
    block.resize(std::max(mine, 1));
    for (int j = 0; j < mine; ++j) block[j] = value(me, 0, j);
    complete(
        blocking,
        [&] {
          return MPI_Neighbor_allgatherv(data(block), mine, MPI_INT, data(gathered), data(from_counts),
                                         data(from_places), MPI_INT, comm);
        },
        [&](MPI_Request* r) {
          return MPI_Ineighbor_allgatherv(data(block), mine, MPI_INT, data(gathered), data(from_counts),
                                          data(from_places), MPI_INT, comm, r);
        });
    check("allgatherv", gathered, from_places, from_counts, false);

    std::vector<int> sent(static_cast<std::size_t>(out) * count + 1);
    for (int k = 0; k < out; ++k)
      for (int j = 0; j < count; ++j) sent[k * count + j] = value(me, k, j);
    std::fill(received.begin(), received.end(), -1);
    complete(
        blocking,
        [&] { return MPI_Neighbor_alltoall(data(sent), count, MPI_INT, data(received), count, MPI_INT, comm); },
        [&](MPI_Request* r) {
          return MPI_Ineighbor_alltoall(data(sent), count, MPI_INT, data(received), count, MPI_INT, comm, r);
        });
    check("alltoall", received, order, same, true);

    std::vector<int> out_counts(out), out_places(out);
    int all_out = 0;
    for (int k = 0; k < out; ++k) {
      out_counts[k] = own.destinations[k] == MPI_PROC_NULL ? 2 : count_of(me, k);
      out_places[k] = all_out;
      all_out += out_counts[k];
    }
    sent.assign(all_out + 1, 0);
    for (int k = 0; k < out; ++k)
      for (int j = 0; j < out_counts[k]; ++j) sent[out_places[k] + j] = value(me, k, j);
    std::vector<int> exchanged(all_v + 1, -1);
    complete(
        blocking,
        [&] {
          return MPI_Neighbor_alltoallv(data(sent), data(out_counts), data(out_places), MPI_INT, data(exchanged),
                                        data(v_counts), data(v_places), MPI_INT, comm);
        },
        [&](MPI_Request* r) {
          return MPI_Ineighbor_alltoallv(data(sent), data(out_counts), data(out_places), MPI_INT, data(exchanged),
                                         data(v_counts), data(v_places), MPI_INT, comm, r);
        });
    check("alltoallv", exchanged, v_places, v_counts, true);

    std::vector<MPI_Aint> out_bytes(out), in_bytes(in);
    for (int k = 0; k < out; ++k) out_bytes[k] = static_cast<MPI_Aint>(out_places[k] * sizeof(int));
    for (int i = 0; i < in; ++i) in_bytes[i] = static_cast<MPI_Aint>(v_places[i] * sizeof(int));
    std::vector<MPI_Datatype> out_types(out, MPI_INT), in_types(in, MPI_INT);
    std::fill(exchanged.begin(), exchanged.end(), -1);
    complete(
        blocking,
        [&] {
          return MPI_Neighbor_alltoallw(data(sent), data(out_counts), data(out_bytes), data(out_types), data(exchanged),
                                        data(v_counts), data(in_bytes), data(in_types), comm);
        },
        [&](MPI_Request* r) {
          return MPI_Ineighbor_alltoallw(data(sent), data(out_counts), data(out_bytes), data(out_types),
                                         data(exchanged), data(v_counts), data(in_bytes), data(in_types), comm, r);
        });
    check("alltoallw", exchanged, v_places, v_counts, true);
  }
}

// The first call on a duplicate that MPI_Comm_idup makes, where it must not wait for other ranks, gives what MPI says,
// or is refused.
void check_first_call(MPI_Comm cart, const std::string& where) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_idup(cart, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  const Neighbours own = neighbours_of(copy);
  const int me = rank_in(copy);
  std::vector<int> received(own.sources.size(), MPI_PROC_NULL);
  const int code = MPI_Ineighbor_allgather(&me, 1, MPI_INT, data(received), 1, MPI_INT, copy, &request);
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  if (error_class == MPI_SUCCESS) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(received == own.sources, where + ": the first call on a duplicate");
  } else {
    expect(error_class == MPI_ERR_UNSUPPORTED_OPERATION, where + ": the error of the first call on a duplicate");
  }
  MPI_Comm_free(&copy);
}

// `ranks_keep`: the numbers of the ranks stay (ISTHMUS_REORDER=coordinates), and then coordinates are not row-major.
void check_grid(MPI_Comm comm, Random& random, bool ranks_keep) {
  const int dimensions = 1 + random.below(3);
  std::vector<int> sizes(dimensions), periodic(dimensions), remain(dimensions);
  MPI_Dims_create(size_of(comm) - (random.below(3) == 0 && size_of(comm) > 1 ? 1 : 0), dimensions, data(sizes));
  std::string where = "grid";
  for (int d = 0; d < dimensions; ++d) {
    periodic[d] = random.below(2);
    remain[d] = random.below(2);
    where.append(" ").append(std::to_string(sizes[d])).append(periodic[d] != 0 ? "p" : "");
  }
  MPI_Comm cart = MPI_COMM_NULL;
  MPI_Cart_create(comm, dimensions, data(sizes), data(periodic), 1, &cart);
  const int collectives = random.below(2);
  Random apart = random;
  if (cart == MPI_COMM_NULL) return;
  const int all = std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>());
  expect(size_of(cart) == all, where + ": size");
  if (ranks_keep) expect(rank_in(cart) == rank_in(comm), where + ": rank stays");
  std::vector<int> place(dimensions), got_sizes(dimensions), got_periodic(dimensions), coordinates(dimensions);
  MPI_Cart_get(cart, dimensions, data(got_sizes), data(got_periodic), data(place));
  expect(got_sizes == sizes && got_periodic == periodic, where + ": Cart_get");
  std::vector<char> taken(all);
  for (int rank = 0; rank < all; ++rank) {
    MPI_Cart_coords(cart, rank, dimensions, data(coordinates));
    if (rank == rank_in(cart)) expect(coordinates == place, where + ": own coordinates");
    int position = 0;
    for (int d = 0; d < dimensions; ++d) position = position * sizes[d] + coordinates[d];
    expect(taken[position]++ == 0, where + ": two ranks in one place");
    if (!ranks_keep) expect(position == rank, where + ": row-major order");
    int back = -1;
    MPI_Cart_rank(cart, data(coordinates), &back);
    expect(back == rank, where + ": Cart_rank");
  }
  for (int d = 0; d < dimensions; ++d) {
    const int step = 1 + apart.below(2);
    int below = 0;
    int above = 0;
    MPI_Cart_shift(cart, d, step, &below, &above);
    coordinates = place;
    coordinates[d] += step;
    int there = MPI_PROC_NULL;
    if (periodic[d] != 0 || coordinates[d] < sizes[d]) MPI_Cart_rank(cart, data(coordinates), &there);
    expect(there == above, where + ": Cart_shift");
  }
  if (collectives != 0) check_collectives(cart, apart, where);
  check_first_call(cart, where);

  MPI_Comm part = MPI_COMM_NULL;
  MPI_Cart_sub(cart, data(remain), &part);
  int left = 0;
  MPI_Cartdim_get(part, &left);
  expect(left == std::accumulate(remain.begin(), remain.end(), 0), where + ": Cart_sub");
  if (left > 0) {
    std::vector<int> there(left), part_sizes(left), part_periodic(left);
    MPI_Cart_get(part, left, data(part_sizes), data(part_periodic), data(there));
    for (int d = 0, i = 0; d < dimensions; ++d)
      if (remain[d] != 0) {
        expect(there[i] == place[d] && part_sizes[i] == sizes[d], where + ": Cart_sub's coordinates");
        ++i;
      }
  }
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(cart, &copy);
  MPI_Comm_free(&cart);
  MPI_Cart_coords(copy, rank_in(copy), dimensions, data(coordinates));
  expect(coordinates == place, where + ": a duplicate has other coordinates");
  if (collectives != 0) check_collectives(copy, apart, where + " duplicate");
  MPI_Comm_free(&copy);
  MPI_Comm_free(&part);
}

// Every position has the same neighbours on every rank that computes them.
struct GraphOfPositions {
  std::vector<Neighbours> of;
};

GraphOfPositions random_graph(int size, Random& random, bool symmetric) {
  GraphOfPositions graph{std::vector<Neighbours>(size)};
  const int edges = random.below(4 * size + 1);
  for (int i = 0; i < edges; ++i) {
    const int a = random.below(size);
    const int b = random.below(size);
    // Few of the edges are long, so that another order pays; no edge twice, and none of a rank with itself.
    const int to = random.below(3) == 0 ? b : (a + size / 2) % size;
    const auto& known = graph.of[a].destinations;
    if (a == to || std::find(known.begin(), known.end(), to) != known.end()) continue;
    graph.of[a].destinations.push_back(to);
    graph.of[to].sources.push_back(a);
    if (!symmetric) continue;
    graph.of[to].destinations.push_back(a);
    graph.of[a].sources.push_back(to);
  }
  return graph;
}

void check_graph(MPI_Comm comm, Random& random) {
  const int size = size_of(comm);
  const int kind = random.below(3);
  const GraphOfPositions graph = random_graph(size, random, kind == 0);
  const std::vector<Neighbours>& of = graph.of;
  MPI_Comm made = MPI_COMM_NULL;
  const Neighbours& own = of[rank_in(comm)];
  const std::string where = "graph of kind " + std::to_string(kind);
  if (kind == 0) {
    std::vector<int> index, edges;
    for (const Neighbours& each : of) {
      edges.insert(edges.end(), each.destinations.begin(), each.destinations.end());
      index.push_back(static_cast<int>(edges.size()));
    }
    edges.push_back(0);
    MPI_Graph_create(comm, size, data(index), data(edges), 1, &made);
  } else if (kind == 1) {
    const std::vector<int> weights(own.sources.size() + own.destinations.size() + 1, 1);
    const bool weighted = random.below(2) != 0;
    MPI_Dist_graph_create_adjacent(comm, static_cast<int>(own.sources.size()), data(own.sources),
                                   weighted ? data(weights) : MPI_UNWEIGHTED, static_cast<int>(own.destinations.size()),
                                   data(own.destinations), weighted ? data(weights) : MPI_UNWEIGHTED, MPI_INFO_NULL, 1,
                                   &made);
  } else {
    // Each rank tells the edges of the next one.
    const int about = (rank_in(comm) + 1) % size;
    const int degree = static_cast<int>(of[about].destinations.size());
    MPI_Dist_graph_create(comm, 1, &about, &degree, data(of[about].destinations), MPI_UNWEIGHTED, MPI_INFO_NULL, 1,
                          &made);
  }
  Neighbours found = neighbours_of(made);
  Neighbours wanted = of[rank_in(made)];
  if (kind == 2)
    for (std::vector<int>* list : {&found.sources, &wanted.sources, &found.destinations, &wanted.destinations})
      std::sort(list->begin(), list->end());
  if (kind == 0) wanted.sources = wanted.destinations;
  expect(found.sources == wanted.sources && found.destinations == wanted.destinations, where + ": neighbours");
  check_collectives(made, random, where);
  MPI_Comm_free(&made);
}

// Ranks without neighbours have nothing to list.
void check_null_lists(MPI_Comm comm) {
  const int last = size_of(comm) - 1;
  const int me = rank_in(comm);
  const bool alone = me != 0 && me != last;
  const int there = last - me;
  const int degree = alone ? 0 : 1;
  MPI_Comm pair = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(comm, degree, &there, MPI_UNWEIGHTED, degree, &there, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &pair);
  const int one = 1;
  const MPI_Aint place = 0;
  const MPI_Datatype type = MPI_INT;
  int received = -1;
  MPI_Neighbor_alltoallw(&me, alone ? nullptr : &one, alone ? nullptr : &place, alone ? nullptr : &type, &received,
                         alone ? nullptr : &one, alone ? nullptr : &place, alone ? nullptr : &type, pair);
  expect(received == (alone ? -1 : there), "alltoallw with null lists");
  MPI_Comm_free(&pair);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
  const bool ranks_keep = argc > 2 && std::string(argv[2]) == "ranks-stay";
  for (int round = 0; round < rounds; ++round) {
    Random random(static_cast<std::uint32_t>(round));
    if (round % 2 == 0)
      check_grid(MPI_COMM_WORLD, random, ranks_keep);
    else
      check_graph(MPI_COMM_WORLD, random);
  }
  check_null_lists(MPI_COMM_WORLD);
  int all = 0;
  MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0) std::printf("%d failures\n", all);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
