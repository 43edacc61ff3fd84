// Point-to-point calls that wait: between neighbours in a ring, whose messages may be forwarded.
#include "conformance.hpp"

namespace {

constexpr int ring_tag = 8;

int next(const Ranks& r) { return (r.rank + 1) % r.size; }
int previous(const Ranks& r) { return (r.rank + r.size - 1) % r.size; }

// -1 if nothing comes within a while.
int next_message(Ranks& r) {
  constexpr double patience_s = 10;
  int message = -1;
  int done = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&message, 1, MPI_INT, previous(r), ring_tag, r.comm, &request);
  for (const double begin_s = MPI_Wtime(); done == 0 && MPI_Wtime() - begin_s < patience_s;)
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  if (done == 0) {
    MPI_Cancel(&request);
    MPI_Request_free(&request);
  }
  return message;
}

CONFORMANCE_CASE("exchange-refused", an_exchange_with_wrong_arguments_receives_nothing) {
  for (const bool replace : {false, true}) {
    const int own = value(r.rank, replace ? 1 : 0);
    int unused = -1;
    const int code = replace ? MPI_Sendrecv_replace(&unused, 1, MPI_INT, r.size + 5, ring_tag, previous(r), ring_tag,
                                                    r.comm, MPI_STATUS_IGNORE)
                             : MPI_Sendrecv(&own, 1, MPI_INT, r.size + 5, ring_tag, &unused, 1, MPI_INT, previous(r),
                                            ring_tag, r.comm, MPI_STATUS_IGNORE);
    r.expect_equal(class_of(code), MPI_ERR_RANK, "class");
    MPI_Barrier(r.comm);
    MPI_Request sends = MPI_REQUEST_NULL;
    MPI_Isend(&own, 1, MPI_INT, next(r), ring_tag, r.comm, &sends);
    r.expect_equal(next_message(r), value(previous(r), replace ? 1 : 0), "the next message");
    r.expect_equal(unused, -1, "buffer of the call that failed");
    MPI_Wait(&sends, MPI_STATUS_IGNORE);
  }
}

CONFORMANCE_CASE("from-nobody", receives_from_nobody_say_so) {
  const int own = value(r.rank, 0);
  int unused = -1;
  int message = -1;
  const auto expect_nobody = [&](auto receive, const char* what) {
    MPI_Status status = {};
    status.MPI_SOURCE = status.MPI_TAG = 77;
    r.expect_equal(receive(&status), MPI_SUCCESS, what);
    int count = -1;
    MPI_Get_count(&status, MPI_INT, &count);
    r.expect(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG && count == 0,
             std::string("status of ") + what);
  };
  expect_nobody([&](MPI_Status* status) { return MPI_Recv(&unused, 1, MPI_INT, MPI_PROC_NULL, 3, r.comm, status); },
                "a receive");
  expect_nobody(
      [&](MPI_Status* status) {
        return MPI_Sendrecv(&own, 1, MPI_INT, MPI_PROC_NULL, 3, &unused, 1, MPI_INT, MPI_PROC_NULL, 3, r.comm, status);
      },
      "an exchange");
  expect_nobody(
      [&](MPI_Status* status) {
        return MPI_Sendrecv_replace(&unused, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_PROC_NULL, 3, r.comm, status);
      },
      "an exchange in place");
  expect_nobody(
      [&](MPI_Status* status) {
        MPI_Message matched = MPI_MESSAGE_NULL;
        const int code = MPI_Mprobe(MPI_PROC_NULL, 3, r.comm, &matched, status);
        return code != MPI_SUCCESS ? code : MPI_Mrecv(&unused, 1, MPI_INT, &matched, status);
      },
      "a matched receive");
  r.expect_equal(unused, -1, "what nobody sent");
  MPI_Request receives = MPI_REQUEST_NULL;
  MPI_Irecv(&message, 1, MPI_INT, previous(r), ring_tag, r.comm, &receives);
  expect_nobody(
      [&](MPI_Status* status) {
        return MPI_Sendrecv(&own, 1, MPI_INT, next(r), ring_tag, &unused, 1, MPI_INT, MPI_PROC_NULL, 3, r.comm, status);
      },
      "an exchange that sends");
  MPI_Wait(&receives, MPI_STATUS_IGNORE);
  r.expect_equal(message, value(previous(r), 0), "what was sent");
}

int truncations = 0;
void count_truncation(MPI_Comm*, int*, ...) { ++truncations; }

// Raised on the communicator of the call, and not on MPI_COMM_WORLD, where errors end the job.
CONFORMANCE_CASE("truncated-message", messages_that_are_longer_than_the_buffer) {
  if (r.size == 1) return;  // Open MPI 4.1.4 does not find it where a rank sends to itself
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(r.comm, &comm);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(count_truncation, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  const std::vector<int> own = block(r.rank, 10);
  int one = -1;
  truncations = 0;
  MPI_Request sends = MPI_REQUEST_NULL;
  MPI_Isend(own.data(), 10, MPI_INT, next(r), ring_tag, comm, &sends);
  const int received = MPI_Recv(&one, 1, MPI_INT, previous(r), ring_tag, comm, MPI_STATUS_IGNORE);
  r.expect_equal(class_of(received), MPI_ERR_TRUNCATE, "receive");
  MPI_Wait(&sends, MPI_STATUS_IGNORE);
  const int exchanged = MPI_Sendrecv(own.data(), 10, MPI_INT, next(r), ring_tag, &one, 1, MPI_INT, previous(r),
                                     ring_tag, comm, MPI_STATUS_IGNORE);
  r.expect_equal(class_of(exchanged), MPI_ERR_TRUNCATE, "exchange");
  r.expect_equal(truncations, 2, "times that the error handler was called");
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
  int sum = 0;
  const int each = 1;
  MPI_Allreduce(&each, &sum, 1, MPI_INT, MPI_SUM, r.comm);
  r.expect_equal(sum, r.size, "sum afterwards");
}

}  // namespace
