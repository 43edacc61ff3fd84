// Communicators of all kinds; collectives never match the program's own messages.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "conformance.hpp"

namespace {

CONFORMANCE_CASE("one-rank", on_one_rank) {
  Ranks self;
  MPI_Comm_dup(MPI_COMM_SELF, &self.comm);
  every_collective(self);
  MPI_Comm_free(&self.comm);
  r.failures += self.failures;
}

CONFORMANCE_CASE("halves", on_halves_in_reverse) {
  Part part(r, r.rank % 2, -r.rank);
  every_collective(part.ranks());
}

CONFORMANCE_CASE("some-ranks", on_some_ranks) {
  Part part(r, r.rank == 0 && r.size > 1 ? MPI_UNDEFINED : 0, (r.rank * 3) % 5);
  if (part.ranks().comm != MPI_COMM_NULL) every_collective(part.ranks());
}

CONFORMANCE_CASE("duplicate", on_a_duplicate) {
  Part part(r, 0, r.rank);
  every_collective(part.ranks());
  Ranks dup = part.ranks();
  MPI_Comm_dup(part.ranks().comm, &dup.comm);
  every_collective(dup);
  MPI_Comm_free(&dup.comm);
  r.failures += dup.failures;
  every_collective(part.ranks());
}

CONFORMANCE_CASE("group", on_a_group) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group some = MPI_GROUP_NULL;
  MPI_Comm_group(r.comm, &all);
  const int range[1][3] = {{r.size - 1, 0, -1}};
  MPI_Group_range_incl(all, 1, const_cast<int(*)[3]>(range), &some);
  Ranks reversed;
  MPI_Comm_create(r.comm, some, &reversed.comm);
  MPI_Comm_rank(reversed.comm, &reversed.rank);
  MPI_Comm_size(reversed.comm, &reversed.size);
  every_collective(reversed);
  r.failures += reversed.failures;
  MPI_Comm_free(&reversed.comm);
  MPI_Group_free(&all);
  MPI_Group_free(&some);
}

CONFORMANCE_CASE("grid", on_a_grid) {
  std::array<int, 2> sizes = {};
  MPI_Dims_create(r.size, 2, sizes.data());
  const std::array<int, 2> periodic = {};
  Ranks grid;
  MPI_Cart_create(r.comm, 2, sizes.data(), periodic.data(), 0, &grid.comm);
  MPI_Comm_rank(grid.comm, &grid.rank);
  grid.size = r.size;
  every_collective(grid);
  const std::array<int, 2> remain = {0, 1};
  Ranks row;
  MPI_Cart_sub(grid.comm, remain.data(), &row.comm);
  MPI_Comm_rank(row.comm, &row.rank);
  MPI_Comm_size(row.comm, &row.size);
  every_collective(row);
  r.failures += grid.failures + row.failures;
  MPI_Comm_free(&row.comm);
  MPI_Comm_free(&grid.comm);
}

// Collectives among neighbours on a ring; persistent ones if the MPI has them.
CONFORMANCE_CASE("neighbours", with_neighbours) {
  const int left = (r.rank + r.size - 1) % r.size;
  const int right = (r.rank + 1) % r.size;
  const int around = 1;
  MPI_Comm ring = MPI_COMM_NULL;
  MPI_Cart_create(r.comm, 1, &r.size, &around, 0, &ring);
  std::array<int, 2> from = {};
  MPI_Neighbor_allgather(&r.rank, 1, MPI_INT, from.data(), 1, MPI_INT, ring);
  r.expect(from[0] == left && from[1] == right, "allgather");
  const std::array<int, 2> to = {value(r.rank, 0), value(r.rank, 1)};
  const std::array<int, 2> ones = {1, 1};
  const std::array<int, 2> places = {0, 1};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ineighbor_alltoallv(to.data(), ones.data(), places.data(), MPI_INT, from.data(), ones.data(), places.data(),
                          MPI_INT, ring, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  r.expect(r.size < 3 || (from[0] == value(left, 1) && from[1] == value(right, 0)), "alltoallv");
  every_collective(r);
#if MPI_VERSION >= 4
  int sum = 0;
  MPI_Allreduce_init(&around, &sum, 1, MPI_INT, MPI_SUM, ring, MPI_INFO_NULL, &request);
  for (int start = 0; start < 2; ++start) {
    sum = 0;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    r.expect(sum == r.size, "persistent");
  }
  MPI_Request_free(&request);
  MPI_Bcast_c(&sum, 1, MPI_INT, 0, ring);
  r.expect(sum == r.size, "large count");
#endif
  MPI_Comm_free(&ring);
}

CONFORMANCE_CASE("intercommunicator", on_an_intercommunicator) {
  if (r.size < 2) return;
  Part half(r, r.rank % 2, r.rank);
  MPI_Comm inter = MPI_COMM_NULL;
  MPI_Intercomm_create(half.ranks().comm, 0, r.comm, (r.rank + 1) % 2, 3, &inter);
  MPI_Barrier(inter);
  int remote = 0;
  MPI_Comm_remote_size(inter, &remote);
  int message = r.rank == 0 ? 44 : 0;
  const int root = r.rank % 2 == 1 ? 0 : r.rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Bcast(&message, 1, MPI_INT, root, inter);
  r.expect(r.rank % 2 == 0 || message == 44, "broadcast");
  const int one = 1;
  int others = 0;
  MPI_Allreduce(&one, &others, 1, MPI_INT, MPI_SUM, inter);
  r.expect(others == remote, "allreduce");
  std::vector<int> ranks(remote, -1);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(&r.rank, 1, MPI_INT, ranks.data(), 1, MPI_INT, inter, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < remote; ++i) r.expect(ranks[i] == 2 * i + (r.rank + 1) % 2, "allgather");
  Ranks merged;
  MPI_Intercomm_merge(inter, r.rank % 2, &merged.comm);
  MPI_Comm_rank(merged.comm, &merged.rank);
  merged.size = r.size;
  every_collective(merged);
  r.failures += merged.failures;
  MPI_Comm_free(&merged.comm);
  MPI_Comm_free(&inter);
}

CONFORMANCE_CASE("many-communicators", many_communicators) {
  for (int i = 0; i < 60; ++i) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(r.comm, i % 2 == 0 ? 0 : r.rank % 2, 0, &comm);
    int sum = 0;
    int size = 0;
    const int one = 1;
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    r.expect(sum == size, "sum " + std::to_string(i));
    MPI_Comm_free(&comm);
  }
}

// Not run unless it is named: not every MPI has so many.
CONFORMANCE_CASE("very-many-communicators", very_many_communicators_at_once, true) {
#ifdef OPEN_MPI
  std::vector<MPI_Comm> comms(4200, MPI_COMM_NULL);
#else
  std::vector<MPI_Comm> comms(1500, MPI_COMM_NULL);
#endif
  const int one = 1;
  for (MPI_Comm& comm : comms) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    r.expect_equal(sum, r.size, "sum");
  }
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

// Any source and any tag, on the same communicator.
CONFORMANCE_CASE("messages", messages_and_collectives_do_not_meet) {
  const int right = (r.rank + 1) % r.size;
  const int left = (r.rank + r.size - 1) % r.size;
  for (int tag = 0; tag < 20; ++tag) {
    int own = value(r.rank, tag);
    int got = -1;
    MPI_Request receive = MPI_REQUEST_NULL;
    MPI_Request send = MPI_REQUEST_NULL;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, r.comm, &receive);
    int message = r.rank == tag % r.size ? tag : -1;
    MPI_Bcast(&message, 1, MPI_INT, tag % r.size, r.comm);
    int sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, r.comm);
    MPI_Isend(&own, 1, MPI_INT, right, tag, r.comm, &send);
    MPI_Status status;
    MPI_Wait(&receive, &status);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    r.expect(got == value(left, tag) && status.MPI_TAG == tag && status.MPI_SOURCE == left, "message");
    r.expect(message == tag, "broadcast");
    MPI_Barrier(r.comm);
  }
}

CONFORMANCE_CASE("interleaved", calls_on_different_communicators_interleave) {
  Part one(r, 0, r.rank);
  Part other(r, r.rank % 2, -r.rank);
  for (int i = 0; i < 10; ++i) {
    int a = r.rank;
    int b = r.rank;
    MPI_Allreduce(MPI_IN_PLACE, &a, 1, MPI_INT, MPI_MAX, one.ranks().comm);
    MPI_Allreduce(MPI_IN_PLACE, &b, 1, MPI_INT, MPI_MAX, other.ranks().comm);
    r.expect(a == r.size - 1, "of all");
    r.expect(b == (((r.size - 1) % 2 == r.rank % 2) ? r.size - 1 : r.size - 2), "of half");
  }
}

// The neighbour MPI_PROC_NULL is none. Whether a rank that there is not may be one is the MPI's affair.
CONFORMANCE_CASE("no-neighbours", neighbours_that_are_none) {
  for (const int none : {MPI_PROC_NULL, r.size + 3, 1 << 30}) {
    const std::string where = "neighbour " + std::to_string(none);
    // Pairs of ranks, each of which is its own neighbour, too.
    const auto pair_of = [&](int rank) { return rank % 2 == 0 ? std::min(rank + 1, r.size - 1) : rank - 1; };
    const std::array<int, 3> neighbours = {pair_of(r.rank), none, r.rank};
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm plain = MPI_COMM_NULL;
    const auto make = [&](auto create, MPI_Comm* comm) {
      return create(r.comm, 3, neighbours.data(), MPI_UNWEIGHTED, 3, neighbours.data(), MPI_UNWEIGHTED, MPI_INFO_NULL,
                    1, comm);
    };
    const int code = make(MPI_Dist_graph_create_adjacent, &made);
    r.expect_equal(code == MPI_SUCCESS, make(PMPI_Dist_graph_create_adjacent, &plain) == MPI_SUCCESS, where);
    if (none == MPI_PROC_NULL) {
      r.expect_equal(code, MPI_SUCCESS, where + " is taken");
      int own = 0;
      MPI_Comm_rank(made, &own);
      std::array<int, 3> sources = {};
      std::array<int, 3> destinations = {};
      MPI_Dist_graph_neighbors(made, 3, sources.data(), MPI_UNWEIGHTED, 3, destinations.data(), MPI_UNWEIGHTED);
      const std::array<int, 3> right = {pair_of(own), none, own};
      r.expect(sources == right && destinations == right, where + ": neighbours");
    }
    for (MPI_Comm* comm : {&made, &plain})
      if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
  }
}

// Lists that are no graph: whether they are taken is the MPI's affair.
CONFORMANCE_CASE("no-graphs", graphs_that_are_none) {
  std::vector<int> index(r.size), edges(2 * r.size, 0);
  const auto fill = [&] {
    for (int node = 0; node < r.size; ++node) {
      index[node] = node + 1;
      edges[node] = (node + 1) % r.size;
    }
  };
  const auto check = [&](const std::string& where) {
    for (const int reorder : {0, 1}) {
      MPI_Comm made = MPI_COMM_NULL;
      MPI_Comm plain = MPI_COMM_NULL;
      const int code = MPI_Graph_create(r.comm, r.size, index.data(), edges.data(), reorder, &made);
      const int of_mpi = PMPI_Graph_create(r.comm, r.size, index.data(), edges.data(), reorder, &plain);
      r.expect_equal(code == MPI_SUCCESS, of_mpi == MPI_SUCCESS, where);
      for (MPI_Comm* comm : {&made, &plain})
        if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
    }
  };
  if (r.size < 3) return;
  fill();
  index[1] = 0;
  check("an index that falls");
  fill();
  index[0] = r.size + 1;
  check("an index beyond the last");
  fill();
  index[0] = -1;
  check("a negative index");
  fill();
  edges[0] = r.size;
  check("a neighbour that there is not");
  fill();
  edges[0] = -1;
  check("a negative neighbour");
}

}  // namespace
