// Cases of a program in plain MPI: conformance [CASE...]. Nothing here uses isthmus.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <string>
#include <vector>

/// What a case gets: a communicator of all ranks, whose errors are returned.
struct Ranks {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int size = 1;
  int failures = 0;

  void expect(bool true_here, const std::string& what) {
    if (true_here) return;
    ++failures;
    std::printf("rank %d: %s\n", rank, what.c_str());
  }
  template <typename T>
  void expect_equal(const T& is, const T& should_be, const std::string& what) {
    expect(is == should_be, what);
  }
};

struct ConformanceCase {
  const char* name;
  void (*run)(Ranks& ranks);
  bool named_alone = false;  ///< the MPI itself may fail in it: not run unless it is named
};

/// The cases of the program, by file in the order in which they stand there.
inline std::vector<ConformanceCase>& conformance_cases() {
  static std::vector<ConformanceCase> cases;
  return cases;
}

struct ConformanceRegistration {
  explicit ConformanceRegistration(const ConformanceCase& one) { conformance_cases().push_back(one); }
};

/// Defines a case: CONFORMANCE_CASE("barrier", barrier_holds) { r.expect(...); }. A third argument of true: see
/// named_alone.
#define CONFORMANCE_CASE(name, function, ...)                                                               \
  void function(Ranks& ranks);                                                                              \
  const ConformanceRegistration registration_of_##function{ConformanceCase{name, function, ##__VA_ARGS__}}; \
  void function(Ranks& r)

inline int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

/// A value that depends on a rank and a position.
inline int value(int rank, int position) { return 1000 * (rank + 1) + position; }

inline std::vector<int> block(int rank, int count) {
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = value(rank, i);
  return values;
}

/// The communicator of the case over some of its ranks, and the same checks.
class Part {
 public:
  Part(Ranks& of, int color, int key) : of_(of) {
    MPI_Comm_split(of.comm, color, key, &ranks_.comm);
    if (ranks_.comm == MPI_COMM_NULL) return;
    MPI_Comm_rank(ranks_.comm, &ranks_.rank);
    MPI_Comm_size(ranks_.comm, &ranks_.size);
  }
  ~Part() {
    of_.failures += ranks_.failures;
    if (ranks_.comm != MPI_COMM_NULL) MPI_Comm_free(&ranks_.comm);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  Ranks& ranks() { return ranks_; }

 private:
  Ranks& of_;
  Ranks ranks_;
};

/// One call of each collective on a communicator, checked.
void every_collective(Ranks& ranks);
