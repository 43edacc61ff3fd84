// Very many calls of isthmus.h on one communicator: started, persistent, and where tags are few.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "isthmus.h"
#include "tests/mpi/cases.hpp"

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

// One machine has one group of ranks: without plans, everything would be left to the MPI.
const int asked = setenv("ISTHMUS_ALLREDUCE", "recursive-doubling", 1) + setenv("ISTHMUS_BROADCAST", "binomial", 1) +
                  setenv("ISTHMUS_ALLGATHERV", "ring", 1) + setenv("ISTHMUS_ALLTOALLW", "linear", 1);

// A communicator that may use tags up to a limit; empty: as many as the MPI has.
class LimitedComm {
 public:
  LimitedComm(MPI_Comm of, const std::string& limit) : comm_(of) {
    setenv("ISTHMUS_TAG_LIMIT", limit.c_str(), 1);
    int levels = 0;
    isthmus_comm_levels(comm_, &levels);  // reads the settings
    unsetenv("ISTHMUS_TAG_LIMIT");
  }
  operator MPI_Comm() const { return comm_; }

 private:
  TestComm comm_;
};

class Sums {
 public:
  Sums(World& world, int calls) : world_(world), own_(calls), sums_(calls, -1), requests_(calls) {
    for (int i = 0; i < calls; ++i) own_[i] = value(world.rank(), i);
  }
  void start(MPI_Comm comm) {
    for (std::size_t i = 0; i < own_.size(); ++i)
      isthmus_iallreduce(&own_[i], &sums_[i], 1, MPI_LONG, MPI_SUM, comm, &requests_[i]);
  }
  void init(MPI_Comm comm) {
    for (std::size_t i = 0; i < own_.size(); ++i)
      world_.expect_equal(isthmus_allreduce_init(&own_[i], &sums_[i], 1, MPI_LONG, MPI_SUM, comm, &requests_[i]),
                          MPI_SUCCESS, "code of initialisation " + std::to_string(i));
  }
  // In another order on every rank.
  void start_persistent() {
    for (std::size_t i = 0; i < own_.size(); ++i)
      isthmus_start(&requests_[(i + static_cast<std::size_t>(world_.rank()) * 7) % own_.size()]);
  }
  void wait() {
    for (isthmus_request& each : requests_) isthmus_wait(&each);
  }
  void free() {
    for (isthmus_request& each : requests_) isthmus_request_free(&each);
  }
  void check(const std::string& where) {
    const long ranks = world_.size();
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const long right = 100000 * ranks * (ranks - 1) / 2 + ranks * static_cast<long>(i);
      world_.expect_equal(sums_[i], right, where + ", call " + std::to_string(i));
      sums_[i] = -1;
    }
  }

 private:
  static long value(int rank, int call) { return 100000L * rank + call; }

  World& world_;
  std::vector<long> own_, sums_;
  std::vector<isthmus_request> requests_;
};

MPI_CASE(ThousandsAreUnderWay) {
  for (const auto& [limit, calls] : {std::pair("", 5000), std::pair("32767", 2000), std::pair("1023", 200)}) {
    const LimitedComm comm(world.comm(), limit);
    Sums sums(world, calls);
    sums.start(comm);
    sums.wait();
    sums.check(std::string("tags to ") + limit);
  }
}

MPI_CASE(ThousandsArePersistent) {
  for (const auto& [limit, calls] : {std::pair("", 3000), std::pair("32767", 500), std::pair("1023", 5)}) {
    const LimitedComm comm(world.comm(), limit);
    Sums sums(world, calls);
    sums.init(comm);
    for (int round = 0; round < 3; ++round) {
      sums.start_persistent();
      sums.wait();
      sums.check(std::string("tags to ") + limit + ", round " + std::to_string(round));
    }
    sums.free();
  }
}

// A blocking call starts while calls in progress hold all tags; ranks start and complete those at different times.
MPI_CASE(BlockingCallsWaitForTags) {
  const LimitedComm comm(world.comm(), "1023");
  Sums before(world, 20);
  Sums after(world, 20);
  before.start(comm);
  if (world.rank() % 2 == 1) before.wait();
  long message = world.rank() == 0 ? 77 : -1;
  isthmus_broadcast(&message, 1, MPI_LONG, 0, comm);
  world.expect_equal(message, 77L, "message");
  after.start(comm);
  before.wait();
  after.wait();
  before.check("before");
  after.check("after");
}

// Blocks in reverse order, with gaps; the lists are freed before a call is waited for, or started.
MPI_CASE(ListsMayBeFreedWhenACallHasReturned) {
  const int size = world.size();
  std::vector<int> own(1, 10 + world.rank());
  for (int form = 0; form < 2; ++form) {
    std::vector<int> all(2 * size, -1), exchanged(2 * size, -1), send(2 * size, 10 + world.rank());
    isthmus_request requests[2] = {ISTHMUS_REQUEST_NULL, ISTHMUS_REQUEST_NULL};
    {
      std::vector<int> counts(size, 1), places(size), byte_places(size);
      MPI_Datatype type = MPI_DATATYPE_NULL;
      MPI_Type_vector(1, 1, 1, MPI_INT, &type);
      MPI_Type_commit(&type);
      std::vector<MPI_Datatype> types(size, type);
      for (int rank = 0; rank < size; ++rank) {
        places[rank] = 2 * (size - 1 - rank);
        byte_places[rank] = places[rank] * static_cast<int>(sizeof(int));
      }
      const auto gather = form == 0 ? isthmus_iallgatherv : isthmus_allgatherv_init;
      const auto exchange = form == 0 ? isthmus_ialltoallw : isthmus_alltoallw_init;
      gather(own.data(), 1, MPI_INT, all.data(), counts.data(), places.data(), type, world.comm(), &requests[0]);
      exchange(send.data(), counts.data(), byte_places.data(), types.data(), exchanged.data(), counts.data(),
               byte_places.data(), types.data(), world.comm(), &requests[1]);
      counts.assign(size, 1 << 20);
      places.assign(size, 1 << 24);
      byte_places.assign(size, 1 << 24);
      types.assign(size, MPI_DATATYPE_NULL);
      MPI_Type_free(&type);
    }
    for (int round = 0; round <= form; ++round) {
      for (isthmus_request& each : requests) {
        if (form == 1) isthmus_start(&each);
        world.expect_equal(isthmus_wait(&each), MPI_SUCCESS, "code");
      }
      for (int rank = 0; rank < size; ++rank)
        for (const std::vector<int>& in : {all, exchanged})
          world.expect(in[2 * (size - 1 - rank)] == 10 + rank && in[2 * rank + 1] == -1,
                       "block " + std::to_string(rank));
    }
    for (isthmus_request& each : requests)
      if (form == 1) isthmus_request_free(&each);
  }
}

}  // namespace

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
