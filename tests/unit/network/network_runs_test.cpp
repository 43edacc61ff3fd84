// Many hosts, links or trunks as one entry of a network's JSON.
#include "algorithms/network/network_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/network/placed_network.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

void expect_equal(const Network& one, const Network& other) {
  ASSERT_EQ(one.links.size(), other.links.size());
  for (std::size_t i = 0; i < one.links.size(); ++i) {
    ASSERT_EQ(one.links[i].name, other.links[i].name);
    ASSERT_TRUE(are_alike(one.links[i], other.links[i])) << one.links[i].name;
  }
  ASSERT_EQ(one.hosts.size(), other.hosts.size());
  for (std::size_t i = 0; i < one.hosts.size(); ++i) {
    const Host &a = one.hosts[i], &b = other.hosts[i];
    ASSERT_EQ(std::tie(a.name, a.up, a.down, a.loopback), std::tie(b.name, b.up, b.down, b.loopback));
    ASSERT_TRUE(are_alike(a, b)) << a.name;
  }
  ASSERT_EQ(one.trunks.size(), other.trunks.size());
  for (auto a = one.trunks.begin(), b = other.trunks.begin(); a != one.trunks.end(); ++a, ++b)
    ASSERT_EQ(std::tie(a->first, a->second.links), std::tie(b->first, b->second.links));
}

void expect_same_after_writing(const Network& network, std::size_t hosts, std::size_t links, std::size_t trunks) {
  const json written = to_json(network);
  EXPECT_EQ(written["hosts"].size(), hosts);
  EXPECT_EQ(written["links"].size(), links);
  EXPECT_EQ(written["trunks"].size(), trunks);
  expect_equal(network_from_json(written), network);
}

TEST(NetworkRuns, AreWrittenAndReadAsTheWhole) {
  expect_same_after_writing(tests::das(4, 300), 4, 4 + 12, 16);
  expect_same_after_writing(tests::star(256, 1e-6, 1e9), 1, 1, 1);
  expect_same_after_writing(tests::star(255, 1e-6, 1e9), 255, 510, 1);
  expect_same_after_writing(tests::das(2, 1), 2, 6, 4);
}

TEST(NetworkRuns, EndWhereSomethingDiffers) {
  Network network = tests::star(1000, 1e-6, 1e9);
  network.hosts[300].cores = 2;          // 300 alike, this one, 699 alike
  network.links[2 * 500].latency_s = 1;  // 500 pairs, this one; then pairs of a way in and the next way out
  network.profiles[2 * 700] = {{1, 2, 3}};
  network.hosts[650].up = {network.hosts[650].up.front(), 3};
  const json written = to_json(network);
  EXPECT_EQ(written["hosts"].size(), 1U + 1 + 1 + 1 + 1);
  EXPECT_EQ(written["hosts"][1]["name"], "c0-300");
  EXPECT_EQ(written["links"][0]["names"], json({"c0-[0-499]_UP", "c0-[0-499]_DOWN"}));
  const Network read = network_from_json(written);
  expect_equal(read, network);
  EXPECT_EQ(read.profiles.size(), 1U);
  EXPECT_TRUE(read.profiles.contains(1400));
}

// A mesh of many sites: an entry a site or two, not one for each pair.
TEST(NetworkRuns, OfTrunksGoFromOneEndpointToMany) {
  Network network;
  network.name = "mesh";
  constexpr int sites = 600;
  for (int from = 0; from < sites; ++from) {
    Host& host = network.hosts.emplace_back();
    host.name = fmt::format("h{}", from);
    host.endpoint = from;
    for (int to = 0; to < sites; ++to) {
      if (from == to) continue;
      network.trunks[{from, to}] = {{static_cast<int>(network.links.size())}};
      network.links.push_back({fmt::format("wan-{}-{}", from, to), 1e6, 0.01, Sharing::shared});
    }
  }
  const json written = to_json(network);
  // A short part before or after the own site stands link by link.
  EXPECT_LT(written["trunks"].size(), 2 * 256 * 256U);
  EXPECT_EQ(written["trunks"][0]["to"], json({1, sites - 1}));
  expect_equal(network_from_json(written), network);
}

TEST(NetworkRuns, CanBeWrittenByHand) {
  const Network network = network_from_json(json::parse(R"({
    "name": "two", "links": [
      {"names": ["a-[1-3]-out", "a-[1-3]-in"], "bandwidth_Bps": 1e9, "latency_s": 1e-5, "sharing": "shared"},
      {"names": ["wan-[0-1]"], "bandwidth_Bps": 1e6, "latency_s": 0.01, "sharing": "shared", "price_per_GB": 2}],
    "hosts": [
      {"names": "a-[1-3]", "speed_flops": 1e9, "cores": 4, "gateway": false, "zones": [{"level": "site", "name": "a"}],
       "endpoint": 0, "up": [{"first": 0, "step": 2}], "down": [{"first": 1, "step": 2}], "loopback": []},
      {"name": "b", "speed_flops": 1e9, "cores": 4, "gateway": false, "zones": [], "endpoint": 1,
       "up": [], "down": [], "loopback": []}],
    "trunks": [{"from": 0, "to": 0, "links": []},
      {"from": 0, "to": [1, 1], "links": [{"first": 6, "step": 0}]}, {"from": 1, "to": 0, "links": [7]}],
    "transport": {"header_bytes": 0, "eager_bytes": 1, "buffered_bytes": 1, "send_overhead_s": 0,
      "send_overhead_s_per_byte": 0, "receive_overhead_s": 0, "receive_overhead_s_per_byte": 0}})"));
  ASSERT_EQ(network.hosts.size(), 4U);
  EXPECT_EQ(network.hosts[2].name, "a-3");
  const Route route = network.route(2, 3);
  ASSERT_EQ(route.links.size(), 2U);
  EXPECT_EQ(network.links[route.links[0]].name, "a-3-out");
  EXPECT_EQ(network.links[route.links[1]].price_per_GB, 2);
  EXPECT_EQ(network.route(3, 0).links.size(), 2U);
}

struct WrongRun {
  const char* pointer;
  json value;
  const char* complaint;
};

TEST(NetworkRuns, WithMistakesAreRefusedWithTheirPlace) {
  const json right = to_json(tests::das(2, 300));
  for (const auto& [pointer, value, complaint] : std::vector<WrongRun>{
           {"/hosts/0/names", "c0", "such as \"c0-[0-65535]\", would be right"},
           {"/hosts/0/names", "c0-[5-4]", "such as"},
           {"/hosts/0/names", 7, "a text in quotes"},
           {"/hosts/0/names", "c1-[0-299]", "host c1-0 is there twice"},
           {"/hosts/0/names", "c0-[0-602]", "a whole number from 0 to"},
           {"/hosts/0/up", json::array({4}), "an object"},
           {"/hosts/0/up/0/first", 1202, "a whole number from 0 to 1201"},
           {"/hosts/0/down/0/step", 5, "a whole number from 0 to 4"},
           {"/hosts/0/down/0/step", -1, "a whole number from 0 to 4"},
           {"/links/0/names", "c0-[0-299]_UP", "a list with at least one name in it"},
           {"/links/0/names", json::array(), "a list with at least one name in it"},
           {"/links/0/names/1", "c0-[1-300]_DOWN", "another range of numbers than c0-[0-299]_UP"},
           {"/links/0/profile", json::array({{1, 2, 3}}), "is of one link"},
           {"/trunks/1/to", json::array({1}), "the first and the last"},
           {"/trunks/1/to", json::array({1, 0}), "a whole number from 1 to 1"},
           {"/trunks/1/to", json::array({0, 2}), "a whole number from 0 to 1"},
       }) {
    json wrong = right;
    wrong[json::json_pointer(pointer)] = value;
    try {
      network_from_json(wrong);
      ADD_FAILURE() << pointer << " = " << value;
    } catch (const BadInput& error) {
      EXPECT_THAT(error.what(), HasSubstr(complaint)) << pointer << " = " << value;
    }
  }
}

// A short text can ask for any number of hosts, links or trunks: no memory is taken for them before it is known to be
// there.
TEST(NetworkRuns, OfMoreThanFitInMemoryAreRefused) {
  const json right = to_json(tests::star(300, 1e-6, 1e9));
  const auto refusal = [](const json& wrong) {
    try {
      network_from_json(wrong);
      return std::string("read");
    } catch (const BadInput& error) {
      return std::string(error.what());
    }
  };
  json hosts = right, links = right, trunks = right;
  hosts["hosts"].push_back({{"names", "h[0-2147483646]"},
                            {"speed_flops", 1},
                            {"cores", 1},
                            {"gateway", false},
                            {"zones", json::array()},
                            {"endpoint", 0},
                            {"up", json::array()},
                            {"down", json::array()},
                            {"loopback", json::array()}});
  EXPECT_THAT(refusal(hosts), AllOf(HasSubstr("/hosts/1"), HasSubstr("hosts; at most 2147483647 would be right")));
  hosts["hosts"][1]["names"] = "h[0-2000000000]";
  EXPECT_THAT(refusal(hosts), AllOf(HasSubstr("/hosts/1"), HasSubstr("fewer would be right")));
  links["links"][0]["names"] = {"a[0-2000000000]"};
  EXPECT_THAT(refusal(links), AllOf(HasSubstr("/links/0"), HasSubstr("fewer would be right")));
  trunks["trunks"].push_back({{"from", 0}, {"to", {0, 2000000000}}, {"links", json::array()}});
  EXPECT_THAT(refusal(trunks), AllOf(HasSubstr("/trunks/1/to/1"), HasSubstr("a whole number from 0 to 0")));
}

// Whatever is done with the text, such as a digest, costs the same for a million hosts as for a thousand.
TEST(NetworkRuns, MakeTheTextOfAMillionHostsShort) {
  const Network network = tests::das(16, 1 << 16);
  const std::string text = to_json(network).dump();
  EXPECT_LT(text.size(), 2 * to_json(tests::das(16, 1 << 10)).dump().size());
  EXPECT_EQ(network_from_json(json::parse(text)).hosts.size(), 1U << 20);
}

}  // namespace
}  // namespace isthmus
