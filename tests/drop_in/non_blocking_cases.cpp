// Non-blocking collectives: several in progress, completed in any order and by any call that completes requests, while
// ranks wait for each other's messages.
#include <algorithm>
#include <array>

#include "conformance.hpp"

namespace {

// The sum over ranks of value(rank, i).
int sum_of(int ranks, int i) { return 1000 * (ranks * (ranks + 1) / 2) + ranks * i; }

struct Several {
  static constexpr int calls = 6;
  explicit Several(Ranks& r) : r_(r) {
    for (int i = 0; i < calls; ++i) {
      own_[i] = value(r.rank, i);
      message_[i] = r.rank == i % r.size ? 500 + i : -1;
      all_[i].assign(r.size, -1);
      if (i % 3 == 0) MPI_Iallreduce(&own_[i], &sum_[i], 1, MPI_INT, MPI_SUM, r.comm, &requests_[i]);
      if (i % 3 == 1) MPI_Ibcast(&message_[i], 1, MPI_INT, i % r.size, r.comm, &requests_[i]);
      if (i % 3 == 2) MPI_Iallgather(&own_[i], 1, MPI_INT, all_[i].data(), 1, MPI_INT, r.comm, &requests_[i]);
    }
  }
  MPI_Request* requests() { return requests_.data(); }
  void check(int i) {
    if (i % 3 == 0) r_.expect(sum_[i] == sum_of(r_.size, i), "sum " + std::to_string(i));
    if (i % 3 == 1) r_.expect(message_[i] == 500 + i, "message " + std::to_string(i));
    for (int rank = 0; i % 3 == 2 && rank < r_.size; ++rank)
      r_.expect(all_[i][rank] == value(rank, i), "block " + std::to_string(i));
    r_.expect(requests_[i] == MPI_REQUEST_NULL, "request " + std::to_string(i));
  }
  void check_all() {
    for (int i = 0; i < calls; ++i) check(i);
  }

 private:
  Ranks& r_;
  std::array<MPI_Request, calls> requests_ = {};
  std::array<int, calls> own_ = {}, sum_ = {}, message_ = {};
  std::array<std::vector<int>, calls> all_;
};

CONFORMANCE_CASE("waitall", waitall_ends_several) {
  Several several(r);
  std::array<MPI_Status, Several::calls> statuses;
  r.expect(MPI_Waitall(Several::calls, several.requests(), statuses.data()) == MPI_SUCCESS, "code");
  several.check_all();
}

CONFORMANCE_CASE("wait-order", wait_in_any_order) {
  Several several(r);
  // Ranks differ in the order.
  for (int i = 0; i < Several::calls; ++i)
    MPI_Wait(several.requests() + (i * 5 + r.rank) % Several::calls, MPI_STATUS_IGNORE);
  several.check_all();
}

CONFORMANCE_CASE("waitany", waitany_names_each_once) {
  Several several(r);
  std::array<int, Several::calls> seen = {};
  for (int i = 0; i < Several::calls; ++i) {
    int index = -1;
    MPI_Waitany(Several::calls, several.requests(), &index, MPI_STATUS_IGNORE);
    if (index < 0 || index >= Several::calls) return r.expect(false, "index");
    ++seen[index];
    several.check(index);
  }
  r.expect(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }), "each once");
}

CONFORMANCE_CASE("some", waitsome_and_testsome) {
  for (const bool wait : {true, false}) {
    Several several(r);
    for (int done = 0; done < Several::calls;) {
      int some = 0;
      std::array<int, Several::calls> indices;
      const auto ending = wait ? MPI_Waitsome : MPI_Testsome;
      ending(Several::calls, several.requests(), &some, indices.data(), MPI_STATUSES_IGNORE);
      for (int i = 0; i < some; ++i) several.check(indices[i]);
      done += some;
    }
    several.check_all();
  }
}

CONFORMANCE_CASE("tests", test_testall_and_testany) {
  Several first(r);
  for (int i = Several::calls - 1; i >= 0; --i)
    for (int done = 0; done == 0;) MPI_Test(first.requests() + i, &done, MPI_STATUS_IGNORE);
  first.check_all();
  Several second(r);
  for (int done = 0; done == 0;) MPI_Testall(Several::calls, second.requests(), &done, MPI_STATUSES_IGNORE);
  second.check_all();
  Several third(r);
  for (int ended = 0; ended < Several::calls;) {
    int index = MPI_UNDEFINED;
    int done = 0;
    MPI_Testany(Several::calls, third.requests(), &index, &done, MPI_STATUS_IGNORE);
    if (done != 0) ++ended;
  }
  third.check_all();
}

CONFORMANCE_CASE("with-messages", collectives_and_messages_are_waited_for_together) {
  const int right = (r.rank + 1) % r.size;
  const int left = (r.rank + r.size - 1) % r.size;
  int own = r.rank;
  int sum = -1;
  int got = -1;
  std::array<MPI_Request, 4> requests = {};
  MPI_Irecv(&got, 1, MPI_INT, left, 0, r.comm, &requests[0]);
  MPI_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, r.comm, &requests[1]);
  MPI_Isend(&own, 1, MPI_INT, right, 0, r.comm, &requests[2]);
  requests[3] = MPI_REQUEST_NULL;
  std::array<MPI_Status, 4> statuses;
  MPI_Waitall(4, requests.data(), statuses.data());
  r.expect(got == left && statuses[0].MPI_SOURCE == left, "message");
  r.expect(sum == r.size * (r.size - 1) / 2, "sum");
}

// A rank that has completed a broadcast sends a message to the rank before it. That rank waits for the message only,
// not for the broadcast, but must do its part of it.
CONFORMANCE_CASE("progress-in-receive", a_rank_that_waits_for_a_message_plays_its_part) {
  for (int root = 0; root < r.size; ++root) {
    std::vector<int> message = r.rank == root ? block(root, 30000) : std::vector<int>(30000, -1);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(message.data(), 30000, MPI_INT, root, r.comm, &request);
    int token = 0;
    if (r.rank < r.size - 1) MPI_Recv(&token, 1, MPI_INT, r.rank + 1, 5, r.comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    r.expect(message == block(root, 30000), "root " + std::to_string(root));
    if (r.rank > 0) MPI_Ssend(&token, 1, MPI_INT, r.rank - 1, 5, r.comm);
  }
}

CONFORMANCE_CASE("progress-in-dup", a_rank_that_makes_a_communicator_plays_its_part) {
  std::vector<int> own = block(r.rank, 5000);
  std::vector<int> sum(5000);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(own.data(), sum.data(), 5000, MPI_INT, MPI_SUM, r.comm, &request);
  if (r.rank % 2 == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm dup = MPI_COMM_NULL;
  MPI_Comm_dup(r.comm, &dup);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  r.expect(sum[1] == sum_of(r.size, 1), "sum");
  MPI_Comm_free(&dup);
}

CONFORMANCE_CASE("blocking-between", blocking_calls_come_between) {
  int own = 1;
  int first = 0;
  int second = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&own, &first, 1, MPI_INT, MPI_SUM, r.comm, &request);
  if (r.rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Allreduce(&own, &second, 1, MPI_INT, MPI_MAX, r.comm);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  r.expect(first == r.size && second == 1, "both");
}

CONFORMANCE_CASE("blocking-in-parts", blocking_calls_in_parts_come_between) {
  Part part(r, r.rank / 2, r.rank);
  int own = 1;
  int all = 0;
  int of_part = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&own, &all, 1, MPI_INT, MPI_SUM, r.comm, &request);
  if (r.rank % 2 == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Allreduce(&own, &of_part, 1, MPI_INT, MPI_SUM, part.ranks().comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  r.expect(all == r.size && of_part == part.ranks().size, "both");
}

// MPI_Ibcast returns without waiting for other ranks, also on a communicator that has not been used before.
CONFORMANCE_CASE("start-is-local", starting_does_not_wait_for_others) {
  MPI_Comm fresh = MPI_COMM_NULL;
  MPI_Comm_dup(r.comm, &fresh);
  int message = r.rank == 0 ? 9 : 0;
  MPI_Request request = MPI_REQUEST_NULL;
  int token = 0;
  if (r.rank > 0) MPI_Recv(&token, 1, MPI_INT, r.rank - 1, 0, r.comm, MPI_STATUS_IGNORE);
  MPI_Ibcast(&message, 1, MPI_INT, 0, fresh, &request);
  if (r.rank < r.size - 1) MPI_Send(&token, 1, MPI_INT, r.rank + 1, 0, r.comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  r.expect(message == 9, "message");
  MPI_Comm_free(&fresh);
}

// The same where ranks may have to tell each other the sizes of their blocks.
CONFORMANCE_CASE("start-of-any-sizes-is-local", starting_with_any_sizes_does_not_wait_for_others) {
  const auto size = static_cast<std::size_t>(r.size);
  const std::vector<int> own = block(r.rank, r.size);
  std::vector<int> ones(size, 1), places(size), exchanged(size, -1), gathered(size, -1);
  for (int other = 0; other < r.size; ++other) places[other] = other;
  int scattered = -1;
  int token = 0;
  std::array<MPI_Request, 3> requests;
  if (r.rank > 0) MPI_Recv(&token, 1, MPI_INT, r.rank - 1, 0, r.comm, MPI_STATUS_IGNORE);
  MPI_Ialltoallv(own.data(), ones.data(), places.data(), MPI_INT, exchanged.data(), ones.data(), places.data(), MPI_INT,
                 r.comm, &requests[0]);
  MPI_Igatherv(own.data(), 1, MPI_INT, gathered.data(), ones.data(), places.data(), MPI_INT, 0, r.comm, &requests[1]);
  MPI_Iscatterv(own.data(), ones.data(), places.data(), MPI_INT, &scattered, 1, MPI_INT, 0, r.comm, &requests[2]);
  if (r.rank < r.size - 1) MPI_Send(&token, 1, MPI_INT, r.rank + 1, 0, r.comm);
  MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
  for (int from = 0; from < r.size; ++from) {
    r.expect(exchanged[from] == value(from, r.rank), "alltoallv");
    r.expect(gathered[from] == (r.rank == 0 ? value(from, 0) : -1), "gatherv");
  }
  r.expect(scattered == value(0, r.rank), "scatterv");
}

CONFORMANCE_CASE("non-blocking", every_collective_has_its_non_blocking_form) {
  const int n = r.size;
  const std::vector<int> own = block(r.rank, n);
  const std::vector<int> ones(n, 1);
  std::vector<int> places(n);
  for (int i = 0; i < n; ++i) places[i] = i;
  const std::vector<MPI_Datatype> ints(n, MPI_INT);
  std::vector<int> byte_places(n);
  for (int i = 0; i < n; ++i) byte_places[i] = static_cast<int>(i * sizeof(int));
  std::array<std::vector<int>, 17> in;
  for (auto& each : in) each.assign(n, -1);
  if (r.rank == 0) in[1] = own;
  std::array<MPI_Request, 17> q;
  MPI_Ibarrier(r.comm, &q[0]);
  MPI_Ibcast(in[1].data(), n, MPI_INT, 0, r.comm, &q[1]);
  MPI_Ireduce(own.data(), in[2].data(), n, MPI_INT, MPI_SUM, n - 1, r.comm, &q[2]);
  MPI_Iallreduce(own.data(), in[3].data(), n, MPI_INT, MPI_SUM, r.comm, &q[3]);
  MPI_Igather(own.data(), 1, MPI_INT, in[4].data(), 1, MPI_INT, 0, r.comm, &q[4]);
  MPI_Igatherv(own.data(), 1, MPI_INT, in[5].data(), ones.data(), places.data(), MPI_INT, 0, r.comm, &q[5]);
  MPI_Iscatter(own.data(), 1, MPI_INT, in[6].data(), 1, MPI_INT, n - 1, r.comm, &q[6]);
  MPI_Iscatterv(own.data(), ones.data(), places.data(), MPI_INT, in[7].data(), 1, MPI_INT, n - 1, r.comm, &q[7]);
  MPI_Iallgather(own.data(), 1, MPI_INT, in[8].data(), 1, MPI_INT, r.comm, &q[8]);
  MPI_Iallgatherv(own.data(), 1, MPI_INT, in[9].data(), ones.data(), places.data(), MPI_INT, r.comm, &q[9]);
  MPI_Ialltoall(own.data(), 1, MPI_INT, in[10].data(), 1, MPI_INT, r.comm, &q[10]);
  MPI_Ialltoallv(own.data(), ones.data(), places.data(), MPI_INT, in[11].data(), ones.data(), places.data(), MPI_INT,
                 r.comm, &q[11]);
  MPI_Ialltoallw(own.data(), ones.data(), byte_places.data(), ints.data(), in[12].data(), ones.data(),
                 byte_places.data(), ints.data(), r.comm, &q[12]);
  MPI_Ireduce_scatter(own.data(), in[13].data(), ones.data(), MPI_INT, MPI_SUM, r.comm, &q[13]);
  MPI_Ireduce_scatter_block(own.data(), in[14].data(), 1, MPI_INT, MPI_SUM, r.comm, &q[14]);
  MPI_Iscan(own.data(), in[15].data(), n, MPI_INT, MPI_SUM, r.comm, &q[15]);
  MPI_Iexscan(own.data(), in[16].data(), n, MPI_INT, MPI_SUM, r.comm, &q[16]);
  MPI_Waitall(17, q.data(), MPI_STATUSES_IGNORE);
  for (int i = 0; i < n; ++i) {
    r.expect(in[1][i] == value(0, i), "broadcast");
    r.expect(r.rank != n - 1 || in[2][i] == sum_of(n, i), "reduce");
    r.expect(in[3][i] == sum_of(n, i), "allreduce");
    r.expect(r.rank != 0 || (in[4][i] == value(i, 0) && in[5][i] == value(i, 0)), "gather");
    r.expect(in[8][i] == value(i, 0) && in[9][i] == value(i, 0), "allgather");
    r.expect(in[10][i] == value(i, r.rank) && in[11][i] == value(i, r.rank) && in[12][i] == value(i, r.rank),
             "alltoall");
    r.expect(in[15][i] == sum_of(r.rank + 1, i), "scan");
    r.expect(r.rank == 0 || in[16][i] == sum_of(r.rank, i), "exscan");
  }
  r.expect(in[6][0] == value(n - 1, r.rank) && in[7][0] == value(n - 1, r.rank), "scatter");
  r.expect(in[13][0] == sum_of(n, r.rank) && in[14][0] == sum_of(n, r.rank), "reduce_scatter");
}

void add(void* left, void* right, int* length, MPI_Datatype*) {
  for (int i = 0; i < *length; ++i) static_cast<int*>(right)[2 * i] += static_cast<int*>(left)[2 * i];
}

// A communicator, datatype or operator that is freed while in use remains until the call is complete.
CONFORMANCE_CASE("freed-meanwhile", operators_and_datatypes_may_be_freed_meanwhile) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type);
  MPI_Type_commit(&type);
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(add, 1, &op);
  std::vector<int> own(2000, 1), sum(2000, 0), message(2000, r.rank == 0 ? 4 : 0);
  std::array<MPI_Request, 2> requests = {};
  MPI_Iallreduce(own.data(), sum.data(), 1000, type, op, r.comm, &requests[0]);
  MPI_Ibcast(message.data(), 1000, type, 0, r.comm, &requests[1]);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  r.expect(op == MPI_OP_NULL && type == MPI_DATATYPE_NULL, "handles");
  MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2000; i += 2) r.expect(sum[i] == r.size && message[i] == 4, "element " + std::to_string(i));
}

CONFORMANCE_CASE("many-under-way", many_under_way) {
  constexpr int calls = 100;
  std::vector<int> own(calls), sum(calls);
  std::vector<MPI_Request> requests(calls);
  for (int i = 0; i < calls; ++i) {
    own[i] = value(r.rank, i);
    MPI_Iallreduce(&own[i], &sum[i], 1, MPI_INT, MPI_SUM, r.comm, &requests[i]);
  }
  MPI_Waitall(calls, requests.data(), MPI_STATUSES_IGNORE);
  for (int i = 0; i < calls; ++i) r.expect(sum[i] == sum_of(r.size, i), "sum " + std::to_string(i));
}

CONFORMANCE_CASE("status", the_status_is_empty) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(r.comm, &request);
  int done = 0;
  while (done == 0) MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
  MPI_Status status;
  r.expect(MPI_Wait(&request, &status) == MPI_SUCCESS, "code");
  int cancelled = 1;
  MPI_Test_cancelled(&status, &cancelled);
  r.expect(cancelled == 0, "not cancelled");
}

}  // namespace
