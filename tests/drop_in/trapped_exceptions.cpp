// A program that floating-point exceptions end, and that rounds upwards. MPI has to leave it as it is: what is computed
// to choose plans must raise nothing in it, and its operators must round as it does.
#include <mpi.h>

#include <cfenv>
#include <cstdio>
#include <vector>

namespace {

constexpr int fatal = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
int failures = 0;

void expect(bool right, const char* what) {
  if (right) return;
  ++failures;
  std::printf("wrong: %s\n", what);
}

void expect_unchanged(const char* after) {
  expect(std::fegetround() == FE_UPWARD, after);
  expect(fegetexcept() == fatal, after);
  expect(std::fetestexcept(fatal) == 0, after);
}

void add(void* in, void* inout, int* count, MPI_Datatype*) {
  expect(std::fegetround() == FE_UPWARD && fegetexcept() == fatal, "in an operator");
  for (int i = 0; i < *count; ++i) static_cast<double*>(inout)[i] += static_cast<double*>(in)[i];
}

void call_collectives(MPI_Comm comm, int count) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  std::vector<double> some(static_cast<std::size_t>(count), 1);
  std::vector<double> all(static_cast<std::size_t>(count) * ranks, 1);
  std::vector<double> more = all;
  std::vector<int> counts(ranks, count);
  std::vector<int> places(ranks);
  for (int rank = 0; rank < ranks; ++rank) places[rank] = rank * count;
  MPI_Op own = MPI_OP_NULL;
  MPI_Op_create(add, 1, &own);
  MPI_Barrier(comm);
  MPI_Bcast(some.data(), count, MPI_DOUBLE, ranks - 1, comm);
  MPI_Allreduce(some.data(), all.data(), count, MPI_DOUBLE, own, comm);
  expect(all.front() == ranks, "the sum");
  MPI_Reduce(some.data(), all.data(), count, MPI_DOUBLE, own, 0, comm);
  MPI_Scan(some.data(), all.data(), count, MPI_DOUBLE, own, comm);
  MPI_Allgather(some.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, comm);
  MPI_Alltoall(all.data(), count, MPI_DOUBLE, more.data(), count, MPI_DOUBLE, comm);
  for (int i = 0; i < 2; ++i)  // in the second call sizes may be exchanged
    MPI_Alltoallv(all.data(), counts.data(), places.data(), MPI_DOUBLE, more.data(), counts.data(), places.data(),
                  MPI_DOUBLE, comm);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(some.data(), all.data(), count, MPI_DOUBLE, own, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Op_free(&own);
}

void call_neighbours() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int periodic = 1;
  MPI_Comm ring = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 1, &ring);
  std::vector<double> sent(1000, 1);
  std::vector<double> received(2000);
  MPI_Neighbor_allgather(sent.data(), 1000, MPI_DOUBLE, received.data(), 1000, MPI_DOUBLE, ring);
  MPI_Comm_free(&ring);
}

}  // namespace

int main(int argc, char** argv) {
  std::fesetround(FE_UPWARD);
  feenableexcept(fatal);
  MPI_Init(&argc, &argv);
  expect_unchanged("after MPI_Init");
  for (const int count : {1, 100, 10000}) call_collectives(MPI_COMM_WORLD, count);
  expect_unchanged("after collectives");
  call_neighbours();
  expect_unchanged("after a grid");
  MPI_Comm duplicate = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
  call_collectives(duplicate, 7);
  MPI_Comm_free(&duplicate);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  expect_unchanged("at the end");
  if (rank == 0 && failures == 0) std::puts("nothing was trapped");
  return failures == 0 ? 0 : 1;
}
