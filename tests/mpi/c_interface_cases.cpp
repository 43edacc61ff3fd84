// The C interface: results, errors, settings; freeing a communicator frees all that belongs to it.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/network/network_json.hpp"
#include "isthmus.h"
#include "tests/mpi/cases.hpp"
#include "tests/mpi/element_cases.hpp"

extern "C" int wrong_forms(MPI_Comm comm);

// Communicators that the library makes and frees, for itself and in calls of the program, are counted on their way to
// MPI.
namespace {

int comms_alive = 0;

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int counted(int code, const MPI_Comm* made) {
  if (code == MPI_SUCCESS && *made != MPI_COMM_NULL) ++comms_alive;
  return code;
}

}  // namespace
extern "C" int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  return counted(next<int(MPI_Comm, MPI_Group, MPI_Comm*)>("PMPI_Comm_create")(comm, group, made), made);
}
extern "C" int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* part) {
  return counted(next<int(MPI_Comm, int, int, MPI_Comm*)>("PMPI_Comm_split")(comm, color, key, part), part);
}
extern "C" int PMPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  return counted(
      next<int(MPI_Comm, int, int, MPI_Info, MPI_Comm*)>("PMPI_Comm_split_type")(comm, type, key, info, part), part);
}
extern "C" int PMPI_Comm_free(MPI_Comm* comm) {
  --comms_alive;
  return next<int(MPI_Comm*)>("PMPI_Comm_free")(comm);
}

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

// Sets an environment variable while a communicator is made and used; rank 0's value counts.
class Setting {
 public:
  Setting(const std::string& name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name.c_str()); before != nullptr) before_ = before;
    setenv(name.c_str(), value.c_str(), 1);
  }
  ~Setting() {
    if (before_)
      setenv(name_.c_str(), before_->c_str(), 1);
    else
      unsetenv(name_.c_str());
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

// One machine has one group of ranks: without a plan, everything would be left to the MPI.
const Setting always("ISTHMUS_BROADCAST", "multilevel");

// A plan for each collective, so that none is left to the MPI.
class AskedForEverything {
 public:
  AskedForEverything() {
    for (const char* collective : {"BARRIER", "REDUCE", "ALLREDUCE", "GATHER", "SCATTER", "ALLGATHER", "ALLGATHERV",
                                   "ALLTOALL", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "SCAN", "EXSCAN"})
      settings_.push_back(std::make_unique<Setting>(variable(collective), "multilevel"));
    for (const char* collective : {"GATHERV", "SCATTERV", "ALLTOALLV", "ALLTOALLW"})
      settings_.push_back(std::make_unique<Setting>(variable(collective), "linear"));
  }

 private:
  static std::string variable(const char* collective) { return std::string("ISTHMUS_") + collective; }

  std::vector<std::unique_ptr<Setting>> settings_;
};

void check_broadcast(World& world, const ElementCase& element, std::int64_t count, int root, MPI_Comm comm,
                     const std::string& where) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const auto right = element.filled(count, static_cast<std::uint64_t>(root) + 1);
  auto buffer = rank == root ? right : element.blank(count);
  const int code = isthmus_broadcast(buffer.data(), static_cast<int>(count), element.type(), root, comm);
  world.expect_equal(code, MPI_SUCCESS, where + ": code");
  world.expect(buffer == right,
               where + ": " + element.name() + ", count " + std::to_string(count) + ", root " + std::to_string(root));
}

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

MPI_CASE(BroadcastsAnyTypeFromAnyRoot) {
  const ElementCase elements[] = {an_int(), a_double(), a_vector(), a_struct_with_holes(), a_shifted_type()};
  for (const ElementCase& element : elements)
    for (const std::int64_t count : {0, 1, 7, 1000, 100003})
      for (int root = 0; root < world.size(); ++root)
        if (count < 100000 || root == world.size() / 2)
          check_broadcast(world, element, count, root, MPI_COMM_WORLD, "world");
}

MPI_CASE(ProgramsThatAreNoLongerKeptAreMadeAgain) {
  const TestComm comm(world.comm());
  for (int round = 0; round < 2; ++round)
    for (std::int64_t count = 1; count <= 200; ++count)
      check_broadcast(world, an_int(), count, static_cast<int>(count) % world.size(), comm, "round");
}

MPI_CASE(ServesAnyIntracommunicator) {
  check_broadcast(world, an_int(), 7, 0, MPI_COMM_SELF, "self");
  const TestComm halves(world.comm(), world.rank() % 2, -world.rank());
  int size = 0;
  MPI_Comm_size(halves, &size);
  for (int root = 0; root < size; ++root) check_broadcast(world, a_vector(), 100, root, halves, "half");
}

// Served, and left to the MPI.
MPI_CASE(EveryFormOfEveryCollectiveServesC) {
  world.expect_equal(wrong_forms(world.comm()), 0, "wrong forms where nothing but broadcast is asked for");
  const AskedForEverything asked;
  const TestComm comm(world.comm());
  world.expect_equal(wrong_forms(comm), 0, "wrong forms where isthmus serves");
}

MPI_CASE(RequestsAreChecked) {
  const TestComm comm(world.comm());
  isthmus_request request = ISTHMUS_REQUEST_NULL;
  int done = 0;
  world.expect_equal(isthmus_wait(&request), MPI_SUCCESS, "wait for nothing");
  world.expect_equal(isthmus_test(&request, &done), MPI_SUCCESS, "test of nothing");
  world.expect_equal(done, 1, "nothing is done");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  world.expect_equal(class_of(isthmus_start(&request)), MPI_ERR_REQUEST, "start of nothing");
  world.expect_equal(class_of(isthmus_request_free(&request)), MPI_ERR_REQUEST, "free of nothing");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  int value = world.rank();
  world.expect_equal(isthmus_ibroadcast(&value, 1, MPI_INT, 0, comm, &request), MPI_SUCCESS, "start");
  world.expect_equal(class_of(isthmus_start(&request)), MPI_ERR_REQUEST, "start of what is no persistent one");
  world.expect_equal(isthmus_wait(&request), MPI_SUCCESS, "end");
  world.expect(request == ISTHMUS_REQUEST_NULL, "a request that has ended is null");
  world.expect_equal(class_of(isthmus_ibroadcast(&value, 1, MPI_INT, -1, comm, &request)), MPI_ERR_ROOT, "root -1");
  world.expect(request == ISTHMUS_REQUEST_NULL, "a request that was refused is null");

  world.expect_equal(isthmus_broadcast_init(&value, 1, MPI_INT, 0, comm, &request), MPI_SUCCESS, "init");
  world.expect_equal(isthmus_wait(&request), MPI_SUCCESS, "wait for what has not been started");
  value = world.rank();
  world.expect_equal(isthmus_start(&request), MPI_SUCCESS, "start");
  isthmus_wait(&request);
  world.expect(request != ISTHMUS_REQUEST_NULL, "a persistent request stays");
  world.expect_equal(value, 0, "value");
  world.expect_equal(isthmus_request_free(&request), MPI_SUCCESS, "free");
}

// One group, since all ranks are on one machine.
MPI_CASE(TheTopologyCanBeAskedFor) {
  const TestComm comm(world.comm());
  int levels = 0;
  world.expect_equal(isthmus_comm_levels(comm, &levels), MPI_SUCCESS, "code");
  world.expect_equal(levels, 1, "levels");
  MPI_Comm group = MPI_COMM_NULL;
  world.expect_equal(isthmus_comm_group(comm, 0, &group), MPI_SUCCESS, "code of the group");
  int relation = MPI_UNEQUAL;
  MPI_Comm_compare(comm, group, &relation);
  world.expect_equal(relation, MPI_CONGRUENT, "everybody");
  MPI_Comm_free(&group);
  world.expect_equal(isthmus_comm_coordinators(comm, 0, &group), MPI_SUCCESS, "code of the coordinators");
  world.expect((group != MPI_COMM_NULL) == (world.rank() == 0), "rank 0 speaks for everybody");
  if (group != MPI_COMM_NULL) MPI_Comm_free(&group);
  world.expect_equal(class_of(isthmus_comm_group(comm, 1, &group)), MPI_ERR_ARG, "a level that there is not");
  world.expect_equal(class_of(isthmus_comm_coordinators(comm, -1, &group)), MPI_ERR_ARG, "level -1");
}

MPI_CASE(AGridIsACartesianCommunicator) {
  const TestComm comm(world.comm());
  const int size = world.size();
  const int around = 1;
  for (const int reorder : {0, 1}) {
    MPI_Comm ring = MPI_COMM_NULL;
    world.expect_equal(isthmus_cart_create(comm, 1, &size, &around, reorder, &ring), MPI_SUCCESS, "code");
    int kind = MPI_UNDEFINED;
    MPI_Topo_test(ring, &kind);
    world.expect_equal(kind, MPI_CART, "topology");
    int rank = -1;
    int place = -1;
    MPI_Comm_rank(ring, &rank);
    MPI_Cart_coords(ring, rank, 1, &place);
    world.expect_equal(place, rank, "coordinates");
    MPI_Comm_free(&ring);
  }
  const int more = size + 1;
  MPI_Comm none = MPI_COMM_NULL;
  world.expect(isthmus_cart_create(comm, 1, &more, &around, 1, &none) != MPI_SUCCESS, "more positions than ranks");
}

MPI_CASE(WrongArgumentsAreNamedByClass) {
  const TestComm comm(world.comm());
  int value = 0;
  world.expect_equal(class_of(isthmus_broadcast(&value, 1, MPI_INT, -1, comm)), MPI_ERR_ROOT, "root -1");
  world.expect_equal(class_of(isthmus_broadcast(&value, 1, MPI_INT, world.size(), comm)), MPI_ERR_ROOT, "root size");
  world.expect_equal(class_of(isthmus_broadcast(&value, -1, MPI_INT, 0, comm)), MPI_ERR_COUNT, "count -1");
  world.expect_equal(class_of(isthmus_broadcast(&value, 1, MPI_DATATYPE_NULL, 0, comm)), MPI_ERR_TYPE, "no type");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  world.expect_equal(class_of(isthmus_broadcast(&value, 1, MPI_INT, 0, MPI_COMM_NULL)), MPI_ERR_COMM,
                     "no communicator");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

MPI_CASE(IntercommunicatorsAreLeftToTheMpi) {
  if (world.size() < 2) return;
  const TestComm halves(world.comm(), world.rank() % 2);
  MPI_Comm inter = MPI_COMM_NULL;
  MPI_Intercomm_create(halves, 0, world.comm(), (world.rank() + 1) % 2, 1, &inter);
  int root = 0;
  if (world.rank() % 2 == 0) root = world.rank() == 0 ? MPI_ROOT : MPI_PROC_NULL;
  int value = world.rank() == 0 ? 42 : 0;
  world.expect_equal(isthmus_broadcast(&value, 1, MPI_INT, root, inter), MPI_SUCCESS, "code");
  world.expect_equal(value, world.rank() == 0 || world.rank() % 2 == 1 ? 42 : 0, "value");
  isthmus_request request = ISTHMUS_REQUEST_NULL;
  value = world.rank() == 0 ? 43 : 0;
  world.expect_equal(isthmus_ibroadcast(&value, 1, MPI_INT, root, inter, &request), MPI_SUCCESS, "code of the start");
  world.expect_equal(isthmus_wait(&request), MPI_SUCCESS, "code of the end");
  world.expect_equal(value, world.rank() == 0 || world.rank() % 2 == 1 ? 43 : 0, "value of the non-blocking form");
  MPI_Comm_free(&inter);
}

// The MPI serves it, which reads its lists until it ends.
MPI_CASE(ListsOfACallThatIsLeftToTheMpiMayBeFreedWhenItHasBeenStarted) {
  const TestComm comm(world.comm());
  const auto size = static_cast<std::size_t>(world.size());
  std::vector<int> sent(size, world.rank()), received(size, -1);
  isthmus_request request = ISTHMUS_REQUEST_NULL;
  {
    std::vector<int> ones(size, 1), places(size);
    for (std::size_t rank = 0; rank < size; ++rank) places[rank] = static_cast<int>(rank * sizeof(int));
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    std::vector<MPI_Datatype> types(size, type);
    isthmus_ialltoallw(sent.data(), ones.data(), places.data(), types.data(), received.data(), ones.data(),
                       places.data(), types.data(), comm, &request);
    MPI_Type_free(&type);
    std::fill(ones.begin(), ones.end(), 1 << 20);
    std::fill(places.begin(), places.end(), 1 << 24);
    std::fill(types.begin(), types.end(), MPI_DATATYPE_NULL);
  }
  world.expect_equal(isthmus_wait(&request), MPI_SUCCESS, "code");
  for (std::size_t rank = 0; rank < size; ++rank)
    world.expect_equal(received[rank], static_cast<int>(rank), "block of " + std::to_string(rank));
}

MPI_CASE(PersistentCallsThatAreLeftToTheMpiOutliveTheirCommunicator) {
  const int own = 1 + world.rank();
  int sum = -1;
  int most = -1;
  isthmus_request requests[2] = {ISTHMUS_REQUEST_NULL, ISTHMUS_REQUEST_NULL};
  {
    const TestComm comm(world.comm());
    isthmus_allreduce_init(&own, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[0]);
    isthmus_allreduce_init(&own, &most, 1, MPI_INT, MPI_MAX, comm, &requests[1]);
  }
  for (int round = 0; round < 2; ++round) {
    sum = most = -1;
    // In another order on every second rank.
    for (int i = 0; i < 2; ++i)
      world.expect_equal(isthmus_start(&requests[(i + world.rank()) % 2]), MPI_SUCCESS, "code of the start");
    for (isthmus_request& each : requests) isthmus_wait(&each);
    world.expect_equal(sum, world.size() * (world.size() + 1) / 2, "sum");
    world.expect_equal(most, world.size(), "the most");
  }
  for (isthmus_request& each : requests) isthmus_request_free(&each);
}

MPI_CASE(ThePlanIsTakenFromTheEnvironment) {
  for (const char* plan : {"linear", "kielmann:segment=100", "multilevel:levels=linear/binomial", "magpie",
                           "scatter-allgather", "chain:segment=1"}) {
    const Setting setting("ISTHMUS_BROADCAST", plan);
    const TestComm comm(world.comm());
    check_broadcast(world, a_struct_with_holes(), 500, world.size() - 1, comm, plan);
  }
}

MPI_CASE(AWrongSettingIsToldByTheError) {
  const struct {
    const char* variable;
    const char* value;
    const char* told;
  } settings[] = {{"ISTHMUS_BROADCAST", "kielman", "kielman"},
                  {"ISTHMUS_BROADCAST", "linear:degree=3", "degree"},
                  {"ISTHMUS_ALLTOALLV", "bruck", "ISTHMUS_ALLTOALLV"},
                  {"ISTHMUS_EFFORT", "some", "ISTHMUS_EFFORT"},
                  {"ISTHMUS_NETWORK", "/nowhere/network.json", "/nowhere/network.json"}};
  for (const auto& each : settings) {
    const Setting setting(each.variable, each.value);
    const TestComm comm(world.comm());
    int value = 0;
    for (int call = 0; call < 2; ++call) {
      const int code = isthmus_broadcast(&value, 1, MPI_INT, 0, comm);
      world.expect_equal(class_of(code), MPI_ERR_OTHER, each.value);
      char text[MPI_MAX_ERROR_STRING];
      int length = 0;
      MPI_Error_string(code, text, &length);
      world.expect(std::string(text, length).find(each.told) != std::string::npos, std::string(text, length));
    }
  }
}

// All ranks are on this machine, which the network knows as one host.
MPI_CASE(TheTopologyIsTakenFromANetworkFile) {
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  MPI_Get_processor_name(name, &length);
  Network network;
  network.links.push_back({"loopback", 1e9, 1e-7, Sharing::fatpipe});
  network.trunks[{0, 0}] = {{0}};
  Host host;
  host.cores = world.size();
  host.zones = {{"site", "here"}};
  for (const std::string& known_as : {std::string(name), std::string("elsewhere")}) {
    host.name = known_as;
    network.hosts.assign(1, host);
    char file[] = "/tmp/isthmus-network-XXXXXX.json";
    if (world.rank() == 0) {
      close(mkstemps(file, 5));
      write_network(network, file);
    }
    const Setting setting("ISTHMUS_NETWORK", file);
    const TestComm comm(world.comm());
    if (known_as == name) {
      check_broadcast(world, an_int(), 1000, 0, comm, "network");
    } else {
      int value = 0;
      world.expect_equal(class_of(isthmus_broadcast(&value, 1, MPI_INT, 0, comm)), MPI_ERR_OTHER, "unknown host");
    }
    MPI_Barrier(comm);
    if (world.rank() == 0) std::remove(file);
  }
}

MPI_CASE(WhatIsKeptIsFreedWithTheCommunicator) {
  const int before = comms_alive;
  for (int round = 0; round < 5; ++round) {
    const TestComm comm(world.comm());
    check_broadcast(world, an_int(), 10, 0, comm, "round");
    world.expect_equal(comms_alive, before + 2, "communicators while it lives");  // it and the library's
  }
  world.expect_equal(comms_alive, before, "communicators afterwards");
}

}  // namespace

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
