// Large clusters, of which the reader loads a few hosts only: the networks are those of the whole platform.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/process/child.hpp"
#include "platforms/cluster_samples.hpp"
#include "platforms/network_sample.hpp"
#include "platforms/reader.hpp"

namespace isthmus {
namespace {

/// A platform file that is removed at the end.
class PlatformFile {
 public:
  explicit PlatformFile(const std::string& elements)
      : path_(std::filesystem::temp_directory_path() / ("isthmus-large-" + std::to_string(getpid()) + ".xml")) {
    std::ofstream(path_) << "<?xml version='1.0'?>\n"
                            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                            "<platform version=\"4.1\">\n<zone id=\"world\" routing=\"Full\">\n"
                         << elements << "</zone>\n</platform>\n";
  }
  ~PlatformFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// The line that the helper prints.
std::string told(const std::vector<std::string>& arguments) {
  std::string line;
  ChildOptions options;
  options.on_line = [&](const std::string& text) { line = text; };
  std::vector<std::string> argv{helper_program("isthmus-platform")};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  EXPECT_EQ(run_child(argv, options).exit_status, 0);
  return line;
}

std::string cluster(const std::string& id, const std::string& radical, const std::string& more) {
  return "<cluster id=\"" + id + "\" prefix=\"" + id + "-\" suffix=\"\" radical=\"" + radical +
         "\" speed=\"1Gf\" bw=\"125MBps\" lat=\"50us\" router_id=\"" + id + "-router\" " + more + "/>\n";
}

/// Links, then routes, as SimGrid wants them.
std::string joined(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string links, routes;
  for (const auto& [one, other] : pairs) {
    const std::string link = "wan-" + one + "-" + other;
    links += "<link id=\"" + link + "\" bandwidth=\"1MBps\" latency=\"10ms\" sharing_policy=\"SPLITDUPLEX\"/>\n";
    routes += "<zoneRoute src=\"" + one + "\" dst=\"" + other + "\" gw_src=\"" + one + "-router\" gw_dst=\"" + other +
              "-router\"><link_ctn id=\"" + link + "\" direction=\"UP\"/></zoneRoute>\n";
  }
  return links + routes;
}

struct ClustersCase {
  const char* name;
  std::string elements;
  std::size_t sampled;  ///< how many clusters
};

void PrintTo(const ClustersCase& one, std::ostream* out) { *out << one.name; }

const std::string and_another = cluster("b", "0-2", "") + joined({{"a", "b"}});

class LargeClusters : public testing::TestWithParam<ClustersCase> {};

TEST_P(LargeClusters, AreReadFromASampleAsFromTheWhole) {
  const PlatformFile file(GetParam().elements);
  const NetworkSample whole = network_sample_from(told({"--whole", file.path()}));
  EXPECT_TRUE(whole.clusters.empty());
  EXPECT_EQ(network_sample_from(told({file.path()})).clusters.size(), GetParam().sampled);
  EXPECT_EQ(to_json(read_platform(file.path())), to_json(whole.network));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, LargeClusters,
    testing::Values(
        ClustersCase{"Plain", cluster("a", "0-299", "") + and_another, 1},
        ClustersCase{"TwoOfThem", cluster("a", "0-299", "") + cluster("b", "100-999", "") + joined({{"a", "b"}}), 2},
        ClustersCase{"LinksOfBothWays", cluster("a", "7-399", "sharing_policy=\"SHARED\"") + and_another, 1},
        ClustersCase{"Fatpipes", cluster("a", "7-399", "sharing_policy=\"FATPIPE\"") + and_another, 1},
        ClustersCase{"ABackbone", cluster("a", "0-299", "bb_bw=\"1GBps\" bb_lat=\"1us\"") + and_another, 1},
        ClustersCase{
            "LoopbacksAndLimits",
            cluster("a", "0-299", "loopback_bw=\"9GBps\" loopback_lat=\"0us\" limiter_link=\"90MBps\"") + and_another,
            1},
        ClustersCase{"AllOfABackboneLoopbacksAndCores",
                     cluster("a", "0-299",
                             "core=\"4\" bb_bw=\"1GBps\" bb_lat=\"1us\" loopback_bw=\"9GBps\" loopback_lat=\"1us\"") +
                         cluster("b", "0-299", "loopback_bw=\"9GBps\" loopback_lat=\"1us\"") + joined({{"a", "b"}}),
                     2},
        ClustersCase{
            "ASuffix",
            "<cluster id=\"a\" prefix=\"node-\" suffix=\".a.org\" radical=\"1-300\" speed=\"1Gf\" bw=\"125MBps\" "
            "lat=\"50us\" router_id=\"a-router\"/>\n" +
                and_another,
            1},
        ClustersCase{"ATorus", cluster("a", "0-287", "topology=\"TORUS\" topo_parameters=\"16,18\""), 0},
        ClustersCase{"SmallOnes", cluster("a", "0-99", "") + and_another, 0},
        ClustersCase{"PartsOfARange", cluster("a", "0-199,300-399", "") + and_another, 0},
        ClustersCase{
            "APrefixThatEndsInADigit",
            "<cluster id=\"a\" prefix=\"a1\" suffix=\"\" radical=\"0-299\" speed=\"1Gf\" bw=\"125MBps\" lat=\"50us\" "
            "router_id=\"a-router\"/>\n" +
                and_another,
            0},
        ClustersCase{"AHostThatIsNamedElsewhere",
                     cluster("a", "0-299", "") + cluster("b", "0-2", "") +
                         "<link id=\"wan\" bandwidth=\"1MBps\" latency=\"10ms\"/>\n"
                         "<zoneRoute src=\"a\" dst=\"b\" gw_src=\"a-277\" gw_dst=\"b-router\"><link_ctn "
                         "id=\"wan\"/></zoneRoute>\n",
                     0},
        ClustersCase{"ALinkThatIsNamedElsewhere",
                     cluster("a", "0-299", "") + cluster("b", "0-2", "") +
                         "<zoneRoute src=\"a\" dst=\"b\" gw_src=\"a-router\" gw_dst=\"b-router\">"
                         "<link_ctn id=\"a_link_3\" direction=\"UP\"/></zoneRoute>\n",
                     0}),
    [](const auto& one) { return std::string(one.param.name); });

// What SimGrid loads and what the helper tells do not grow with the clusters.
TEST(LargeClusters, OfAMillionHostsTakeTheHelperNoMoreThanSmallOnes) {
  const auto text_of = [](const std::string& radical) {
    std::string elements;
    for (const std::string id : {"a", "b", "c", "d"}) elements += cluster(id, radical, "");
    elements += joined({{"a", "b"}, {"a", "c"}, {"a", "d"}, {"b", "c"}, {"b", "d"}, {"c", "d"}});
    return elements;
  };
  const PlatformFile file(text_of("0-262143"));
  const std::string line = told({file.path()});
  EXPECT_LT(line.size(), 20000U);
  EXPECT_EQ(network_sample_from(line).network.hosts.size(), 4U * sampled_hosts);

  const Network network = read_platform(file.path());
  EXPECT_EQ(network.hosts.size(), 1U << 20);
  EXPECT_EQ(network.links.size(), (2U << 20) + 12);
  EXPECT_EQ(network.hosts[0x7ffff].name, "b-262143");
  const Route route = network.route(0x7ffff, 0xbffff);
  std::vector<std::string> names;
  for (const int link : route.links) names.push_back(network.links[link].name);
  EXPECT_EQ(names, (std::vector<std::string>{"b_link_262143_UP", "wan-b-c_UP", "c_link_262143_DOWN"}));
}

// One line of a file can ask for any number of hosts: memory is not taken before it is known to be there.
TEST(LargeClusters, OfTooManyHostsAreRefused) {
  const PlatformFile file(cluster("a", "0-500000000", ""));
  try {
    read_platform(file.path());
    ADD_FAILURE() << "read";
  } catch (const BadInput& error) {
    EXPECT_NE(std::string(error.what()).find("fewer would be right"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace isthmus
