// Networks that cannot be emulated, or not here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "algorithms/errors.hpp"
#include "emulator/client/footprint.hpp"
#include "emulator/plan/host_names.hpp"
#include "emulator/plan/plan.hpp"
#include "tests/emulator/plans.hpp"

namespace isthmus {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(EmulationPlan, RefusesHostNamesThatAreNone) {
  for (const std::string name : {"a;reboot", "$(id)", "", "-x", "a b", "10.0.0.1", "localhost", "a\nb", "x_"}) {
    Network network = test::mesh({.clusters = 2, .hosts = 1});
    network.hosts[0].name = name;
    EXPECT_THAT(test::refusal(network), HasSubstr("cannot be emulated under this name")) << name;
    EXPECT_THAT(test::refusal(network), Not(HasSubstr("\n")));
  }
}

TEST(EmulationPlan, HasNamesInAsciiForHostsOfAnyLanguage) {
  Network network = test::mesh({.clusters = 2, .hosts = 2});
  network.hosts[1].name = "東京-0";
  network.hosts[2].name = "host-3";
  network.hosts[3].name = "São-Paulo-0";
  EXPECT_THAT(emulated_names(network), testing::ElementsAre("c0-0", "host-1", "host-3", "host-3-x"));
  EXPECT_EQ(emulated_name("São-Paulo-0", network), "host-3-x");
  EXPECT_EQ(emulated_name("a b", network), "a b");
  Conditions conditions;
  conditions.traffic.push_back({.from = "東京-0", .to = "c0-0"});
  conditions = with_emulated_names(std::move(conditions), network);
  EXPECT_EQ(conditions.traffic[0].from, "host-1");
  EXPECT_EQ(conditions.traffic[0].to, "c0-0");
  EXPECT_EQ(test::plan_of(with_emulated_names(network)).containers[1].name, "host-1");
  network.hosts[1].name = "\xc2\x9b";  // a control
  EXPECT_THAT(test::refusal(with_emulated_names(network)), HasSubstr("host `\\u{009b}`: cannot be emulated"));
}

TEST(EmulationPlan, RefusesTwoHostsOfOneName) {
  Network network = test::mesh({.clusters = 2, .hosts = 1});
  network.hosts[1].name = "C0-0";
  EXPECT_THAT(test::refusal(network), HasSubstr("two hosts of this name"));
}

std::string refusal_for_room(const Room& room, double timeout_s) {
  Substrate substrate;
  substrate.own_kernel = true;
  const EmulationPlan plan = test::plan_of(test::mesh({.clusters = 4, .hosts = 16}));
  try {
    check_room(footprint(plan, substrate, 100), room, timeout_s);
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "accepted";
}

TEST(Footprint, IsRefusedWithTheEstimateWhereThereIsNoRoom) {
  EXPECT_EQ(refusal_for_room({100000, 100000}, 600), "accepted");
  EXPECT_EQ(refusal_for_room({100000, 100000}, 0), "accepted");
  EXPECT_THAT(refusal_for_room({500, 100000}, 600),
              HasSubstr("this machine has 500 MiB left; fewer ranks, or --force"));
  EXPECT_THAT(refusal_for_room({100000, 50}, 600), HasSubstr("this machine has room for 50 processes"));
  EXPECT_THAT(refusal_for_room({100000, 100000}, 1), HasSubstr("all is to be done after 1 s"));
  EXPECT_GT(room_here().memory_MiB, 100);
  EXPECT_GT(room_here().processes, 100);
}

TEST(EmulationPlan, RefusesHostsWithoutARoute) {
  Network network = test::mesh({.clusters = 3, .hosts = 1});
  network.trunks.erase({2, 0});
  EXPECT_THAT(test::refusal(network), HasSubstr("no route from host `c2-0` to host `c0-0`"));
}

TEST(EmulationPlan, RefusesRoutesThatDependOnMoreThanTheDestination) {
  // Two routes from one node to one destination: 0 and 1 share their uplink, then take different links to 2.
  Network network = test::hub(4);
  network.links.push_back({"detour", 1e6, 1e-3, Sharing::shared});
  const int detour = static_cast<int>(network.links.size()) - 1;
  network.trunks[{0, 2}].links = {0, 5};
  network.trunks[{1, 2}].links = {0, detour};
  EXPECT_THAT(test::refusal(network), HasSubstr("depend on more than where they lead"));
}

}  // namespace
}  // namespace isthmus
