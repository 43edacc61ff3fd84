// The collectives of the MPIs that SMPI imitates, run by the same harness as isthmus's.
#include "algorithms/collective/mpi_own.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"
#include "tests/smpi/simulating.hpp"

namespace isthmus {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(TheMpisOwnCollectives, GiveTheirBytesUnderEverySelector) {
  Job job = job_on("kielmann2000/das-4x4");
  job.placement = place_ranks(job.network, PlacementRule::cyclic, 1);
  for (const std::string_view selector : smpi_selectors)
    for (int i = 0; i <= static_cast<int>(Collective::exscan); ++i) {
      const auto collective = static_cast<Collective>(i);
      // SMPI's imitation of MVAPICH2 crashes in an allreduce of less than 2 KiB where every rank has a host of its own.
      const std::int64_t count = carries_data(collective) ? 512 : 0;
      job.points.push_back(
          {{collective, count, 8, 0}, parse_plan(collective, "mpi:selector=" + std::string(selector))});
    }
  const Simulated simulated = simulate(platform("kielmann2000/das-4x4"), job, 120);  // refuses wrong bytes
  for (std::size_t i = 0; i < job.points.size(); ++i)
    EXPECT_GT(simulated.points[i].repetitions.at(0).seconds, 0.01) << to_string(job.points[i].plan);
}

// Selectors differ in what they select.
TEST(TheMpisOwnCollectives, AreThoseOfTheSelector) {
  Job job = job_on("kielmann2000/das-4x4");
  for (const char* plan : {"mpi", "mpi:selector=default", "mpi:selector=ompi", "mpi:selector=mpich"})
    job.points.push_back({{Collective::broadcast, 1 << 20, 1, 0}, parse_plan(Collective::broadcast, plan)});
  const Simulated simulated = simulate(platform("kielmann2000/das-4x4"), job, 60);
  const auto seconds = [&](int point) { return simulated.points[point].repetitions.at(0).seconds; };
  EXPECT_EQ(seconds(0), seconds(1));
  EXPECT_NE(seconds(1), seconds(2));
  EXPECT_NE(seconds(2), seconds(3));
}

TEST(TheMpisOwnCollectives, AreRefusedWithASelectorThatIsNotSmpis) {
  Job job = job_on("kielmann2000/das-4x4");
  job.points.push_back({{Collective::broadcast, 8, 1, 0}, parse_plan(Collective::broadcast, "mpi:selector=han")});
  EXPECT_THAT([&] { simulate(platform("kielmann2000/das-4x4"), job, 60); },
              testing::ThrowsMessage<BadInput>(AllOf(HasSubstr("broadcast/mpi:selector=han"), HasSubstr("ompi"))));
}

}  // namespace
}  // namespace isthmus
