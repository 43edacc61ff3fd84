#include "platforms/link_settings.hpp"

#include <gmock/gmock.h>

#include "algorithms/errors.hpp"
#include "algorithms/network/link_names.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using testing::HasSubstr;

Network changed(const std::string& setting) {
  Network network = tests::das(2, 1);
  const LinkSetting settings[] = {parse_link_setting(setting)};
  set_links(network, settings);
  return network;
}

const Link& link_of(const Network& network, const std::string& name) {
  return network.links[links_named(network, name).front()];
}

TEST(LinkSetting, IsAValueAFactorOrAPercentage) {
  EXPECT_DOUBLE_EQ(link_of(changed("wan0-1.bandwidth=x2"), "wan0-1").bandwidth_Bps, 2e6);
  EXPECT_DOUBLE_EQ(link_of(changed("wan0-1.bandwidth=+10%"), "wan0-1").bandwidth_Bps, 1.1e6);
  EXPECT_DOUBLE_EQ(link_of(changed("wan0-1.bandwidth=-10%"), "wan0-1").bandwidth_Bps, 0.9e6);
  EXPECT_DOUBLE_EQ(link_of(changed("wan0-1.bandwidth=100Mbps"), "wan0-1").bandwidth_Bps, 12.5e6);
  EXPECT_DOUBLE_EQ(link_of(changed("wan0-1.latency=50ms"), "wan0-1").latency_s, 0.05);
  EXPECT_DOUBLE_EQ(link_of(changed("wan0-1.latency=x0.5"), "wan0-1").latency_s, 0.005);
}

TEST(LinkSetting, HoldsForTheLinksOfItsPatternAlone) {
  const Network network = changed("wan*.latency=50ms");
  EXPECT_DOUBLE_EQ(link_of(network, "wan1-0").latency_s, 0.05);
  EXPECT_DOUBLE_EQ(link_of(network, "c0-0_UP").latency_s, 10e-6);
  EXPECT_DOUBLE_EQ(link_of(changed("c0-0.bandwidth=x2"), "c0-0_DOWN").bandwidth_Bps, 100e6);
}

TEST(LinkSetting, TakesALinkOutOfItsMeasuredClassWhenItsBandwidthChanges) {
  Network network = tests::das(2, 1);
  for (Link& link : network.links) link.link_class = 0;
  const LinkSetting settings[] = {parse_link_setting("wan0-1.bandwidth=x2"), parse_link_setting("wan1-0.latency=x2")};
  set_links(network, settings);
  EXPECT_EQ(link_of(network, "wan0-1").link_class, -1);
  EXPECT_EQ(link_of(network, "wan1-0").link_class, 0);
}

TEST(LinkSetting, ChangesAProfileInProportion) {
  Network network = tests::das(2, 1);
  const int link = links_named(network, "wan0-1").front();
  network.profiles[link] = {{1, 5e5, 0.02}};
  const LinkSetting settings[] = {parse_link_setting("wan0-1.bandwidth=x2"), parse_link_setting("wan0-1.latency=5ms")};
  set_links(network, settings);
  EXPECT_DOUBLE_EQ(network.profiles[link][0].bandwidth_Bps, 1e6);
  EXPECT_DOUBLE_EQ(network.profiles[link][0].latency_s, 0.01);
}

TEST(LinkSetting, ThatMakesNoSenseIsRefused) {
  const auto refusal = [](const std::string& setting) -> std::string {
    try {
      changed(setting);
    } catch (const BadInput& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal("wan0-1"), HasSubstr("LINK.bandwidth=VALUE"));
  EXPECT_THAT(refusal("wan0-1.bandwith=x2"), HasSubstr("did you mean `bandwidth`?"));
  EXPECT_THAT(refusal("wan0-1.bandwidth=x0"), HasSubstr("no factor above 0"));
  EXPECT_THAT(refusal("wan0-1.latency=-100%"), HasSubstr("no factor above 0"));
  EXPECT_THAT(refusal("wan0-1.bandwidth=fast"), HasSubstr("`fast`; a rate above 0 like 10Gbps"));
  EXPECT_THAT(refusal("wan0-1.latency=50"), HasSubstr("a time like 25us"));
  EXPECT_THAT(refusal("wann.latency=50ms"), HasSubstr("link `wann`: none of this name"));
}

}  // namespace
}  // namespace isthmus
