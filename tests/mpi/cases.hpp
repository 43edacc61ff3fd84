// Test cases that every rank of an MPI program runs, both under a real MPI and under SMPI. (GoogleTest keeps its state
// in globals, which SMPI's ranks would share.)
#pragma once

#include <mpi.h>

#include <cstdio>
#include <string>
#include <vector>

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// What a case is run on, and what it found wrong on this rank.
class World {
 public:
  explicit World(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
  }

  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }

  void expect(bool holds, const std::string& what) {
    if (!holds) failures_.push_back(what);
  }
  template <typename A, typename B>
  void expect_equal(const A& found, const B& right, const std::string& what) {
    if (!(found == right))
      failures_.push_back(what + ": " + std::to_string(found) + " in place of " + std::to_string(right));
  }
  const std::vector<std::string>& failures() const { return failures_; }

 private:
  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 0;
  std::vector<std::string> failures_;
};

/// A communicator of its own for a case: errors are returned.
class TestComm {
 public:
  explicit TestComm(MPI_Comm of, int color = 0, int key = 0) {
    MPI_Comm_split(of, color, key, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  ~TestComm() { MPI_Comm_free(&comm_); }
  TestComm(const TestComm&) = delete;
  TestComm& operator=(const TestComm&) = delete;
  operator MPI_Comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

struct Case {
  const char* name;  ///< a sentence in CamelCase
  void (*run)(World& world);
};

/// The cases of the program, by file in the order in which they stand there.
inline std::vector<Case>& cases() {
  static std::vector<Case> cases;
  return cases;
}

struct Registration {
  explicit Registration(const Case& one) { cases().push_back(one); }
};

/// Defines a case: MPI_CASE(ServesAnyRoot) { world.expect(...); }
#define MPI_CASE(Name)                                          \
  void Name(World& world);                                      \
  const Registration registration_of_##Name{Case{#Name, Name}}; \
  void Name(World& world)

/// Runs the cases whose name contains `filter` and prints this rank's failures. Returns how many cases failed on any
/// rank.
inline int run_cases(const std::string& filter) {
  int failed = 0;
  int run = 0;
  for (const Case& each : cases()) {
    if (std::string(each.name).find(filter) == std::string::npos) continue;
    ++run;
    World world(MPI_COMM_WORLD);
    each.run(world);
    for (const std::string& failure : world.failures())
      std::printf("%s, rank %d of %d: %s\n", each.name, world.rank(), world.size(), failure.c_str());
    int mine = world.failures().empty() ? 0 : 1;
    int any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    failed += any;
    if (world.rank() == 0) std::printf("[%s] %s\n", any != 0 ? "FAILED" : "ok", each.name);
  }
  if (run == 0) std::printf("no case is called %s\n", filter.c_str());
  return run == 0 ? 1 : failed;
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
