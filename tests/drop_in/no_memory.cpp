// no_memory: calls of MPI on communicators of one rank in which each allocation by `new` fails in turn. They
// return MPI_SUCCESS or MPI_ERR_NO_MEM, and the same calls succeed afterwards. Prints how many failed; exit status 1
// when a code is another.
#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

namespace {

std::atomic<long> until_failure = -1;  // allocations; negative: none fails

void* allocate(std::size_t bytes) {
  if (until_failure >= 0 && until_failure-- == 0) throw std::bad_alloc();
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

int failures = 0, wrong = 0;

// Repeats the call until none of its allocations is left to fail.
template <typename Call>
void check(const std::string& what, Call call) {
  for (long fails = 0;; ++fails) {
    until_failure = fails;
    const int code = call();
    const bool has_failed = until_failure < 0;
    until_failure = -1;
    int of_class = MPI_SUCCESS;
    MPI_Error_class(code, &of_class);
    if (code != MPI_SUCCESS) ++failures;
    if (of_class == MPI_SUCCESS || (has_failed && of_class == MPI_ERR_NO_MEM)) {
      if (has_failed) continue;
      return;
    }
    ++wrong;
    std::printf("%s: class %d when allocation %ld fails\n", what.c_str(), of_class, fails);
    if (!has_failed) return;
  }
}

// A fresh communicator each time. `prepared`: only the call itself lacks memory, not what is made at a first call.
template <typename Call>
void check_on_duplicates(const std::string& what, bool prepared, Call call) {
  check(what, [&] {
    const long later = until_failure.exchange(-1);
    MPI_Comm comm = MPI_COMM_NULL;
    prepared ? MPI_Comm_dup(MPI_COMM_SELF, &comm) : PMPI_Comm_dup(MPI_COMM_SELF, &comm);
    until_failure = later;
    const int code = call(comm);
    const long left = until_failure.exchange(-1);
    MPI_Comm_free(&comm);
    until_failure = left;
    return code;
  });
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::array<int, 3> own = {rank, rank + 1, rank + 2};
  std::array<int, 3> result = {};
  for (const bool prepared : {false, true})
    check_on_duplicates("allreduce", prepared, [&](MPI_Comm comm) {
      return MPI_Allreduce(own.data(), result.data(), 3, MPI_INT, MPI_SUM, comm);
    });
  check_on_duplicates("iallreduce", true, [&](MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Iallreduce(own.data(), result.data(), 3, MPI_INT, MPI_SUM, comm, &request);
    return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
  check_on_duplicates("alltoall of a vector", true, [&](MPI_Comm comm) {
    const long later = until_failure.exchange(-1);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    until_failure = later;
    const int code = MPI_Alltoall(own.data(), 1, type, result.data(), 1, type, comm);
    const long left = until_failure.exchange(-1);
    MPI_Type_free(&type);
    until_failure = left;
    return code;
  });
  const auto freed = [](int code, MPI_Comm& made) {
    const long left = until_failure.exchange(-1);
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    until_failure = left;
    return code;
  };
  check("duplicate", [&] {
    MPI_Comm made = MPI_COMM_NULL;
    return freed(MPI_Comm_dup(MPI_COMM_SELF, &made), made);
  });
  check("grid", [&] {
    MPI_Comm made = MPI_COMM_NULL;
    const int one = 1;
    return freed(MPI_Cart_create(MPI_COMM_SELF, 1, &one, &one, 1, &made), made);
  });
  check("graph", [&] {
    MPI_Comm made = MPI_COMM_NULL;
    const int self = 0;
    const int code = MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, &self, MPI_UNWEIGHTED, 1, &self, MPI_UNWEIGHTED,
                                                    MPI_INFO_NULL, 1, &made);
    return freed(code, made);
  });
  MPI_Allreduce(&rank, result.data(), 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  std::printf("rank %d: %d calls failed, %s\n", rank, failures, wrong == 0 ? "all for want of memory" : "some wrongly");
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
