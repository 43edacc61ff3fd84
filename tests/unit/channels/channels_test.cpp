// The networks and channels files of Aumage 2003: its example, and every mistake with its line and column.
#include "algorithms/channels/channels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* networks_text = R"(networks : ({
    name : tcp_net;
    hosts : (foo0,foo1,foo2,
            goo0,goo1,goo2);
    dev  : tcp;
}, {
    name : sci_net;
    hosts : (foo0,foo1,foo2);
    dev  : sisci;
}, {
    name : bip_net;
    hosts : (foo2,
            goo0, goo1, goo2);
    dev : bip;
    mandatory_loader : bipload
});
)";

// The paper's text, in which tcp_channel names a host goo3 that tcp_net does not have.
constexpr const char* printed_channels = R"(application : {
  name      : sample;
  flavor    : mpi-flav;
  networks  : {
    include  : mynetworks.cfg;
    channels : ({
      name : tcp_channel;
      net  : tcp_net;
      hosts : (foo0, foo1, foo2,
              goo0, goo1, goo3);
    }, {
      name : sci_channel;
      net  : sci_net;
      hosts : (foo0, foo1, foo2);
    }, {
      name : sci_channel2;
      net  : sci_net;
      hosts : (foo0, foo1, foo2);
    }, {
      name : bip_channel;
      net  : bip_net;
      hosts : (foo2,
              goo0, goo1, goo2);
    }, {
      name : bip_channel2;
      net  : bip_net;
      hosts : (goo0, goo1, goo2);
    });
  };
  vchannels : {
    name : default;
    channels :
      (sci_channel, bip_channel);
  };
};
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no " + from);
  return text.replace(at, from.size(), to);
}

const std::string& right_channels() {
  static const std::string text = replaced(printed_channels, "goo3", "goo2");
  return text;
}

/// The two files in a folder of their own.
class Files {
 public:
  Files(const std::string& channels, const std::string& networks = networks_text)
      : folder_(std::filesystem::temp_directory_path() / ("isthmus-channels-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "mynetworks.cfg") << networks;
    std::ofstream(folder_ / "channels.cfg") << channels;
  }
  ~Files() { std::filesystem::remove_all(folder_); }
  std::string networks() const { return (folder_ / "mynetworks.cfg").string(); }
  std::string channels() const { return (folder_ / "channels.cfg").string(); }

 private:
  std::filesystem::path folder_;
};

std::string refusal(const std::string& channels, const std::string& networks = networks_text) {
  const Files files(channels, networks);
  try {
    read_channels({files.channels()});
  } catch (const BadInput& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Channels, OfTheExampleOfAumage2003) {
  const Files files(right_channels());
  const Channels read = read_channels({files.channels()});
  EXPECT_EQ(read.application, "sample");
  ASSERT_EQ(read.networks.size(), 3);
  EXPECT_EQ(read.networks[2].device, "bip");
  ASSERT_EQ(read.channels.size(), 6);
  const Channel& whole = read.channels[5];
  EXPECT_EQ(whole.name, "default");
  EXPECT_THAT(whole.parts, ElementsAre(1, 3));
  EXPECT_THAT(whole.hosts, ElementsAre("foo0", "foo1", "foo2", "goo0", "goo1", "goo2"));
  EXPECT_THAT(whole.gateways, ElementsAre("foo2")) << "found by analysis";
  EXPECT_TRUE(read.channels[1].used_up) << "sci_channel is hidden";
  EXPECT_FALSE(read.channels[2].used_up);
  EXPECT_EQ(read.world, 5);
  EXPECT_THAT(read.seen_by("foo0"), ElementsAre(0, 2, 5));
  EXPECT_THAT(read.seen_by("foo2"), ElementsAre(0, 2, 5));
  EXPECT_THAT(read.seen_by("goo0"), ElementsAre(0, 4, 5));
}

TEST(Channels, OfTheExampleAsPrintedAreRefusedForGoo3) {
  EXPECT_THAT(
      refusal(printed_channels),
      testing::AllOf(HasSubstr("channels.cfg:10:27: host goo3 is not in the network tcp_net"), HasSubstr("goo2")));
}

TEST(Channels, MayComeFromTwoFilesInAnyOrderOrFromOne) {
  const Files files(replaced(right_channels(), "    include  : mynetworks.cfg;\n", ""));
  EXPECT_EQ(read_channels({files.channels(), files.networks()}).channels.size(), 6);
  EXPECT_EQ(read_channels({files.networks(), files.channels()}).channels.size(), 6);
  const Files one(networks_text + replaced(right_channels(), "    include  : mynetworks.cfg;\n", ""));
  EXPECT_EQ(read_channels({one.channels()}).channels.size(), 6);
}

TEST(Channels, ReadEachFileOnceWhateverItIsCalled) {
  const Files files(right_channels());  // which include the file of networks
  const std::string again = (std::filesystem::path(files.networks()).parent_path() / "." / "mynetworks.cfg").string();
  EXPECT_EQ(read_channels({files.channels(), files.networks()}).networks.size(), 3);
  EXPECT_EQ(read_channels({files.networks(), files.channels()}).networks.size(), 3);
  EXPECT_EQ(read_channels({again, files.channels(), files.channels()}).networks.size(), 3);
  const std::string relative = std::filesystem::relative(files.channels()).string();
  EXPECT_EQ(read_channels({relative, files.networks()}).networks.size(), 3);
}

TEST(Channels, MayBeginWithAByteOrderMark) {
  const Files files("\xef\xbb\xbf" + right_channels(), std::string("\xef\xbb\xbf") + networks_text);
  EXPECT_EQ(read_channels({files.channels()}).channels.size(), 6);
}

TEST(Channels, NamesMayHaveAnyLettersAndLinesAnyEnd) {
  const auto with_umlaut = [](std::string text) {
    for (std::size_t at = text.find("foo0"); at != std::string::npos; at = text.find("foo0"))
      text.replace(at, 4, "fö0");
    std::ranges::replace(text, '\n', '\r');
    return text;
  };
  const Files files(with_umlaut(right_channels()), with_umlaut(networks_text));
  EXPECT_EQ(read_channels({files.channels()}).networks.front().hosts.front(), "fö0");
  EXPECT_THAT(refusal("# application\rapplication : {\r  näme : \xff"), HasSubstr("channels.cfg:3:10: `\\xff`"));
}

TEST(Channels, AFileThatIsNotThereIsRefusedWhereItIsIncluded) {
  EXPECT_THAT(refusal(replaced(right_channels(), "mynetworks.cfg", "other.cfg")),
              testing::AllOf(HasSubstr("channels.cfg:5:16: "),
                             HasSubstr("other.cfg: cannot be read: No such file or directory; a file of networks or "
                                       "channels would be right")));
}

TEST(Channels, AVirtualOneHasItsPartsAsGroupsAndRoutesInsideThem) {
  const Files files(right_channels());
  const Topology topology =
      read_channels({files.channels()}).topology_of(5, {"foo0", "foo1", "foo2", "goo0", "goo1", "goo2", "goo2"});
  ASSERT_EQ(topology.group(0).children.size(), 2);
  EXPECT_EQ(topology.group(1).name, "sci_channel");
  EXPECT_THAT(topology.group(2).ranks, ElementsAre(3, 4, 5, 6));
  const Connectivity& connectivity = topology.connectivity();
  EXPECT_TRUE(connectivity.direct(0, 2));
  EXPECT_TRUE(connectivity.direct(2, 6));
  EXPECT_TRUE(connectivity.direct(5, 6));
  EXPECT_FALSE(connectivity.direct(0, 3));
  EXPECT_EQ(connectivity.classes_between(0, 3).size(), 1);
}

TEST(Channels, APhysicalOneReachesEverybody) {
  const Files files(right_channels());
  EXPECT_TRUE(read_channels({files.channels()}).topology_of(0, {"foo0", "goo2"}).connectivity().complete());
}

TEST(Channels, WithoutADefaultTheFirstThatSpansAllIsTheWorlds) {
  const Files files(replaced(right_channels(), "name : default", "name : everything"));
  EXPECT_EQ(read_channels({files.channels()}).world, 0);
}

struct Mistake {
  const char* name;
  const char* from;
  const char* to;
  const char* complaint;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

const Mistake mistakes[] = {
    {"MissingColon", "name      : sample", "name sample", "channels.cfg:2:8: `sample`; `:` and a value would be right"},
    {"MissingSemicolon", "flavor    : mpi-flav;", "flavor    : mpi-flav",
     "channels.cfg:4:3: `networks`; `;` or `}` would be right"},
    {"MissingComma", "(foo0, foo1, foo2,\n", "(foo0 foo1, foo2,\n",
     "channels.cfg:9:21: `foo1`; `,` or `)` would be right"},
    {"UnclosedList", "(sci_channel, bip_channel);\n  };\n};\n", "(sci_channel", "`,` or `)` would be right"},
    {"UnknownNetwork", "net  : sci_net", "net  : sci_nett",
     "channels.cfg:13:14: no network `sci_nett`; did you mean `sci_net`"},
    {"UnknownChannel", "(sci_channel, bip", "(sci_chanel, bip", "channels.cfg:33:8: no channel `sci_chanel`"},
    {"UnknownMember", "flavor ", "flavour ", "channels.cfg:3:3: no member `flavour`"},
    {"MemberTwice", "flavor  ", "name  ", "channels.cfg:3:3: `name` is given twice, first in line 2"},
    {"ChannelTwice", "name : sci_channel2", "name : sci_channel", "channels.cfg:16:14: a second channel `sci_channel`"},
    {"PartUsedTwice", "(sci_channel, bip_channel)", "(sci_channel, sci_channel)",
     "the channel sci_channel is used up already; another one over the network sci_net would be right"},
    {"PartsThatDoNotConnect", "(sci_channel, bip_channel)", "(sci_channel, bip_channel2)",
     "channels.cfg:33:7: the parts of the virtual channel default do not connect: sci_channel and bip_channel2 have no "
     "host in common"},
    {"DefaultThatLacksAHost", "(sci_channel, bip_channel)", "(sci_channel)", "the channel `default` lacks host goo0"},
    {"HostTwice", "(foo0, foo1, foo2,\n", "(foo0, foo1, foo0,\n", "host foo0 is given twice"},
    {"NoChannels", "channels : ({", "canals : ({", "no member `canals`"},
};

class AMistakeInChannels : public testing::TestWithParam<Mistake> {};

TEST_P(AMistakeInChannels, IsRefusedWithItsPlace) {
  const Mistake& mistake = GetParam();
  EXPECT_THAT(refusal(replaced(right_channels(), mistake.from, mistake.to)), HasSubstr(mistake.complaint));
}

INSTANTIATE_TEST_SUITE_P(Channels, AMistakeInChannels, testing::ValuesIn(mistakes),
                         [](const auto& mistake) { return mistake.param.name; });

TEST(Channels, FilesThatIncludeEachOtherEnd) {
  EXPECT_THAT(refusal(replaced(right_channels(), "mynetworks.cfg", "channels.cfg")),
              HasSubstr("no network `tcp_net`, since no file has a member `networks`"));
  EXPECT_THAT(refusal(right_channels(), "networks : (((((((((((((((((((((((((((((((((((((((((((a"),
              HasSubstr("at most 32"));
}

}  // namespace
}  // namespace isthmus
