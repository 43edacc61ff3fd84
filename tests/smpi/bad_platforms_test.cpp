// Every mistake in a platform file is one line: file, line, what is wrong, what would be right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "algorithms/errors.hpp"
#include "platforms/reader.hpp"
#include "tests/support/refusal.hpp"

namespace isthmus {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* good_platform = R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<zone id="w" routing="Full">
<host id="a" speed="1Gf"/>
<host id="b" speed="1Gf"/>
<link id="l" bandwidth="1MBps" latency="1ms"/>
<route src="a" dst="b"><link_ctn id="l"/></route>
</zone>
</platform>
)";

struct Mistake {
  const char* name;
  const char* from;  ///< in the good file
  const char* to;
  int line;
  const char* complaint;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

const Mistake mistakes[] = {
    {"UnknownUnit", "1MBps", "1XBps", 7, "unknown unit: XBps"},
    {"ZeroBandwidth", "1MBps", "0MBps", 7, "bandwidth \"0MBps\"; more than 0 would be right"},
    {"NegativeBandwidth", "1MBps", "-1MBps", 7, "bandwidth \"-1MBps\"; more than 0 would be right"},
    {"BandwidthThatIsNoNumber", "1MBps", "nanMBps", 7, "more than 0 would be right"},
    {"BandwidthInWords", "1MBps", "fast", 7, "link l: bandwidth \"fast\" is no number; one with a unit would be right"},
    {"BandwidthWithAComma", "1MBps", "1,5MBps", 7, "link l: bandwidth \"1,5MBps\"; a point instead of the comma"},
    {"NoBandwidth", "bandwidth=\"1MBps\" ", "", 7, "link l: no bandwidth; bandwidth=\"125MBps\", for instance"},
    {"NoLatency", " latency=\"1ms\"", "", 7, "link l: no latency; latency=\"10ms\", for instance, would be right"},
    {"RouteWithoutLinks", "<link_ctn id=\"l\"/>", "", 8, "the route from a to b has no links; a <link_ctn> for each"},
    {"NegativeLatency", "1ms", "-1ms", 7, "latency \"-1ms\"; 0 or more would be right"},
    {"NegativeSpeed", "<host id=\"b\" speed=\"1Gf\"", "<host id=\"b\" speed=\"-1Gf\"", 6, "speed \"-1Gf\""},
    {"OldVersion", "version=\"4.1\"", "version=\"3\"", 3, "4.1 is right"},
    {"NoVersion", " version=\"4.1\"", "", 3, "4.1 is right"},
    {"HostWithoutRoute", "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>", "", 5, "no route"},
    {"ThirdHostWithoutRoute", "<link id", "<host id=\"c\" speed=\"1Gf\"/>\n<link id", 7, "host c has no route"},
    {"HostsThatOthersMightRelay", "<route",
     "<host id=\"c\" speed=\"1Gf\"/>\n<route src=\"b\" dst=\"c\"><link_ctn id=\"l\"/></route>\n<route", 5,
     "host a has no route to and from host c; a <route> or <zoneRoute>, or isthmus.missing_routes = relayed in the "},
    {"TwoPartsWithoutAWayBetween",
     "<host id=\"a\" speed=\"1Gf\"/>\n<host id=\"b\" speed=\"1Gf\"/>\n<link id=\"l\" bandwidth=\"1MBps\" "
     "latency=\"1ms\"/>\n",
     "<prop id=\"isthmus.missing_routes\" value=\"relayed\"/>\n<host id=\"a\" speed=\"1Gf\"/>\n<host id=\"b\" "
     "speed=\"1Gf\"/>\n<host id=\"c\" speed=\"1Gf\"/>\n<host id=\"d\" speed=\"1Gf\"/>\n<link id=\"l\" "
     "bandwidth=\"1MBps\" latency=\"1ms\"/>\n<route src=\"c\" dst=\"d\"><link_ctn id=\"l\"/></route>\n",
     8, "host c has no route from host a, not even through others"},
    {"MissingRoutesOfAnUnknownKind", "<host id=\"a\"",
     "<prop id=\"isthmus.missing_routes\" value=\"yes\"/>\n<host id=\"a\"", 5, "\"relayed\" would be right"},
    {"HostTwice", "<host id=\"b\"", "<host id=\"a\"", 6, "the name \"a\" is taken by line 5"},
    {"LinkTwice", "<route", "<link id=\"l\" bandwidth=\"1MBps\" latency=\"1ms\"/>\n<route", 8, "taken by line 7"},
    {"RouteTwice", "</zone>", "<route src=\"b\" dst=\"a\"><link_ctn id=\"l\"/></route>\n</zone>", 9, "twice"},
    {"UnknownLink", "<link_ctn id=\"l\"/>", "<link_ctn id=\"m\"/>", 8, "Link not found: m"},
    {"UnknownHost", "dst=\"b\"", "dst=\"q\"", 8, "q"},
    {"UnknownRouting", "Full", "Fool", 4, "routing \"Fool\" is unknown"},
    {"UnknownElement", "<host id=\"a\"", "<hots id=\"a\"", 5, "Invalid XML"},
    {"UnknownAttribute", "<host id=\"a\"", "<host id=\"a\" colour=\"red\"", 5, "colour"},
    {"MissingEnd", "</zone>\n", "", 9, "</zone>"},
    {"NoDoctype", "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n", "", 2,
     "no DOCTYPE; `<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">` after the first line would be "
     "right"},
    {"OtherDoctype", "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">", "<!DOCTYPE html>", 2,
     "Bad declaration <!DOCTYPE html>; `<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">` and a "
     "<platform> "
     "would be right"},
    {"CoordinatesInsteadOfLinks", "Full", "Vivaldi", 4, "routes over links would be right"},
};

class BadPlatform : public testing::TestWithParam<Mistake> {};

std::string write(const std::string& text) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("isthmus-bad-" + std::to_string(getpid()) + ".xml")).string();
  std::ofstream(file) << text;
  return file;
}

std::string message(const std::string& file) {
  return tests::refusal_of([&] { read_platform(file); });
}

TEST_P(BadPlatform, IsRefusedWithItsLine) {
  std::string text = good_platform;
  text.replace(text.find(GetParam().from), std::string(GetParam().from).size(), GetParam().to);
  const std::string file = write(text);
  const std::string found = message(file);
  EXPECT_THAT(found, StartsWith(file + ":" + std::to_string(GetParam().line) + ": "));
  EXPECT_THAT(found, HasSubstr(GetParam().complaint));
  EXPECT_THAT(found, Not(HasSubstr("\n")));
  std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Mistakes, BadPlatform, testing::ValuesIn(mistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

TEST(APlatform, WithoutMistakeIsAccepted) {
  const std::string file = write(good_platform);
  EXPECT_EQ(read_platform(file).hosts.size(), 2);
  std::filesystem::remove(file);
}

TEST(APlatform, OfAnotherFormatIsRefusedWithWhatReadsIt) {
  const std::string graph = write("<?xml version=\"1.0\"?>\n<graphml><graph/></graphml>\n");
  EXPECT_THAT(message(graph), HasSubstr("a graph in GraphML, no SimGrid platform; `isthmus platform --graphml FILE`"));
  for (const char* header : {"latency_ms,ams,nyc", "source,destination,throughput_Gbps"}) {
    const std::string table = write(std::string(header) + "\nams,,40\n");
    EXPECT_THAT(message(table), HasSubstr("`isthmus platform --from-table LATENCY THROUGHPUT` makes one"));
  }
  std::filesystem::remove(graph);
}

TEST(APlatform, WithoutAHostIsRefused) {
  const std::string file = write(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n<zone id=\"w\" routing=\"Full\">\n</zone>\n</platform>\n");
  EXPECT_THAT(message(file), StartsWith(file + ":3: no host"));
  std::filesystem::remove(file);
}

TEST(APlatform, MayGiveHostsNamesThatAShellWouldMind) {
  std::string text = good_platform;
  for (std::size_t at; (at = text.find("\"b\"")) != std::string::npos;) text.replace(at, 3, "\"$(touch x);b\"");
  const std::string file = write(text);
  EXPECT_EQ(read_platform(file).hosts[1].name, "$(touch x);b");
  std::filesystem::remove(file);
}

TEST(APlatform, WithATransportThatIsNoNumberIsRefused) {
  std::string text = good_platform;
  text.insert(text.find("<host id=\"a\""), "<prop id=\"isthmus.header_bytes\" value=\"many\"/>\n");
  const std::string file = write(text);
  EXPECT_THAT(message(file), StartsWith(file + ":5: isthmus.header_bytes: \"many\""));
  std::filesystem::remove(file);
}

TEST(APlatform, WithAPriceBelowNothingIsRefused) {
  std::string text = good_platform;
  const std::string link = "latency=\"1ms\"/>";
  text.replace(text.find(link), link.size(),
               "latency=\"1ms\">\n<prop id=\"isthmus.price_per_GB\" value=\"-2\"/></link>");
  const std::string file = write(text);
  EXPECT_THAT(message(file), StartsWith(file + ":8: isthmus.price_per_GB: \"-2\" is not right; a number of 0 or more"));
  std::filesystem::remove(file);
}

TEST(APlatform, ThatIsNotThereIsRefused) {
  EXPECT_THAT(message("/nowhere/p.xml"), StartsWith("/nowhere/p.xml: no such file"));
  EXPECT_THAT(message("/tmp"), StartsWith("/tmp: a folder, a device or a pipe; a SimGrid platform (.xml)"));
  EXPECT_THAT(message(""), HasSubstr("no such file"));
}

TEST(APlatform, OfOtherTextIsRefused) {
  for (const char* text : {"", "hello\n", "{}", "<a/>", "<platform version=\"4.1\"/>"}) {
    const std::string file = write(text);
    EXPECT_THAT(message(file), StartsWith(file + ":1: ")) << text;
    EXPECT_THAT(message(file), Not(HasSubstr("\n")));
    std::filesystem::remove(file);
  }
}

}  // namespace
}  // namespace isthmus
