// Points that cannot be simulated are refused in one line that names the point.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "algorithms/errors.hpp"
#include "algorithms/replay/replay.hpp"
#include "sim/in_flight.hpp"
#include "tests/smpi/simulating.hpp"

namespace isthmus {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

template <class Problem>
std::string message(const std::string& file, const Job& job, double timeout_s = 60) {
  try {
    simulate(file, job, timeout_s);
  } catch (const Problem& problem) {
    return problem.what();
  }
  return "nothing was refused";
}

Job one_point() {
  Job job = job_on("samples/asymmetric");
  job.points = {broadcast("binomial:segment=10", 1000, 2)};
  return job;
}

// The simulator with another run_job() (faulty_run_job.cpp).
class Faulty {
 public:
  explicit Faulty(const char* fault) {
    setenv("ISTHMUS_LIBEXEC", ISTHMUS_FAULTY, 1);
    setenv("ISTHMUS_FAULT", fault, 1);
    setenv("ASAN_OPTIONS", "handle_segv=0", 1);  // a sanitized one is to crash too
  }
  ~Faulty() {
    unsetenv("ISTHMUS_LIBEXEC");
    unsetenv("ISTHMUS_FAULT");
    unsetenv("ASAN_OPTIONS");
  }
};

struct Fault {
  const char* name;
  const char* complaint;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class AFaultySimulation : public testing::TestWithParam<Fault> {};

TEST_P(AFaultySimulation, IsRefusedByName) {
  const Job job = one_point();
  const Faulty faulty(GetParam().name);
  EXPECT_THAT(message<Refused>(platform("samples/asymmetric"), job, 1),
              AllOf(HasSubstr("broadcast/binomial:segment=10, 1000 bytes, 6 ranks, root 2: "),
                    HasSubstr(GetParam().complaint), Not(HasSubstr("\n"))));
}

INSTANTIATE_TEST_SUITE_P(Faults, AFaultySimulation,
                         testing::Values(Fault{"deadlock", "deadlocks"}, Fault{"abort", "MPI_Abort"},
                                         Fault{"crash", "signal 11"},
                                         Fault{"no-memory", "signal 9 (Killed), as Linux does"},
                                         Fault{"exception", "rank 5 is out of luck"},
                                         Fault{"hang", "still running after 1 s"}, Fault{"wrong-bytes", "wrong bytes"},
                                         Fault{"silence", "no result"}),
                         [](const auto& fault) {
                           std::string name = fault.param.name;
                           std::erase(name, '-');
                           return name;
                         });

TEST(ASimulation, NeedsASimGridPlatform) {
  EXPECT_THAT(message<BadInput>("/nowhere.xml", one_point()), HasSubstr("/nowhere.xml"));
  EXPECT_THAT(message<BadInput>("network.txt", one_point()), HasSubstr("(.xml) or a network (.json)"));
}

TEST(ASimulation, NeedsThePlatformOfItsNetwork) {
  EXPECT_THAT(message<BadInput>(platform("kielmann2000/das-4x1"), one_point()),
              AllOf(HasSubstr("das-4x1.xml: no host west-0"), Not(HasSubstr("\n"))));
}

TEST(ASimulation, ThatTakesTooLongIsRefusedByName) {
  Job job = job_on("kielmann2000/das-4x16");
  job.points = {broadcast("chain:segment=1", 100000)};
  EXPECT_THAT(message<Refused>(platform("kielmann2000/das-4x16"), job, 0.5),
              AllOf(HasSubstr("broadcast/chain:segment=1, 100000 bytes, 64 ranks, root 0"),
                    HasSubstr("still running after 0.5 s")));
}

TEST(ASimulation, WithoutARouteBetweenTwoRanksIsRefusedByName) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("isthmus-relay-" + std::to_string(getpid()) + ".xml")).string();
  std::ofstream(file) << R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="w" routing="Full">
<zone id="A" routing="Full"><host id="a" speed="1Gf"/></zone>
<zone id="G" routing="Full"><prop id="isthmus.role" value="gateway"/><host id="g" speed="1Gf"/></zone>
<zone id="B" routing="Full"><host id="b" speed="1Gf"/></zone>
<link id="ag" bandwidth="1MBps" latency="1ms"/><link id="gb" bandwidth="1MBps" latency="1ms"/>
<zoneRoute src="A" dst="G" gw_src="a" gw_dst="g"><link_ctn id="ag"/></zoneRoute>
<zoneRoute src="G" dst="B" gw_src="g" gw_dst="b"><link_ctn id="gb"/></zoneRoute>
</zone></platform>)";
  Job job;
  job.network = read_platform(file);
  job.placement = place_ranks(job.network, PlacementRule::block, 1);
  EXPECT_EQ(job.placement.size(), 2) << "the gateway runs no rank";
  EXPECT_FALSE(job.network.has_route(job.placement.host_of_rank[0], job.placement.host_of_rank[1]));
  job.points = {broadcast("linear", 10)};
  EXPECT_NEAR(
      simulate(file, job, 60).points[0].repetitions[0].seconds,
      replay({job.network, job.placement}, 1, source(job.points[0].plan, Topology::flat(2), job.points[0].problem))
          .seconds,
      1e-8)
      << "a forwarder on the gateway passes messages on";
  job.network.trunks.erase({1, 2});
  EXPECT_THAT(message<BadInput>(file, job),
              AllOf(HasSubstr("broadcast/linear"), HasSubstr("rank 0 has no way to rank 1"), Not(HasSubstr("\n"))));
  std::filesystem::remove(file);
}

// What is counted before a simulation is refused for want of memory.
TEST(BytesInFlight, AreThoseOfMessagesBetweenSendAndReceive) {
  const Job job = job_on("kielmann2000/das-4x4");
  const PlacedNetwork placed(job.network, job.placement);
  const auto in_flight = [&](Collective collective, const char* plan, std::int64_t bytes) {
    return most_bytes_in_flight(placed, {{collective, bytes, 1}, parse_plan(collective, plan)});
  };
  constexpr std::int64_t block = 2 << 20;
  EXPECT_EQ(in_flight(Collective::alltoall, "linear", block), 16 * 15 * block);  // all are sent at the start
  EXPECT_EQ(in_flight(Collective::allgather, "ring", block), 16 * block);        // each rank has sent one
  EXPECT_EQ(in_flight(Collective::broadcast, "chain", block), block);
  EXPECT_EQ(in_flight(Collective::alltoall, "linear", 5 << 20), 0);  // messages that wait for their receives
  EXPECT_EQ(in_flight(Collective::alltoall, "mpi", block), 0);
}

}  // namespace
}  // namespace isthmus
