#include "algorithms/network/network_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_position.hpp"
#include "tests/support/refusal.hpp"

namespace isthmus {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// A value that is wrong at its key, and a part of the error's text.
struct Mistake {
  const char* pointer;
  json value;
  const char* complaint;
};

Network small() {
  Network network;
  network.name = "small";
  network.links = {{"l", 1e6, 0.01, Sharing::shared}, {"m", 0.1, 0, Sharing::fatpipe}};
  network.hosts = {{"a", 1e9, 2, true, {{"site", "A"}, {"machine", "M"}}, 0, {0}, {1}, {1, 0}},
                   {"b", 0, 1, false, {}, 1, {}, {}, {}}};
  network.trunks[{0, 1}] = {{1, 1}};
  network.trunks[{1, 0}] = {};
  network.transport = {100, 7, 5, 1e-6, 2e-9, 3e-6, 4e-9};
  return network;
}

/// With two classes of links; the gap of one depends on the number of destinations.
Network measured() {
  Network network = small();
  const SizeFunction overhead({{0, 1e-6}, {1000, 2e-6}});
  network.classes = {{"site", SizeFunction({{0, 1e-5}, {1000, 2e-3}}), overhead, overhead, {{1, 1}, {16, 0.75}}},
                     {"wide area", SizeFunction({{0, 0.1}, {1000, 1e5}}), overhead, overhead, {}}};
  network.links[0].link_class = 0;
  network.links[1].link_class = 1;
  return network;
}

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("isthmus-json-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name) << content;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

std::string message_of(const json& network) {
  return tests::refusal_of([&] { network_from_json(network); });
}

TEST(ANetworkAsJson, ComesBackTheSame) {
  const json once = to_json(small());
  const Network back = network_from_json(once);
  EXPECT_EQ(to_json(back), once);
  EXPECT_EQ(back.links[1].bandwidth_Bps, 0.1);
  EXPECT_EQ(back.links[1].sharing, Sharing::fatpipe);
  EXPECT_EQ(back.hosts[0].zones[1].name, "M");
  EXPECT_EQ(back.hosts[0].loopback, (LinkList{1, 0}));
  EXPECT_TRUE(back.hosts[0].gateway);
  EXPECT_EQ(back.trunks.at({0, 1}).links, (std::vector<int>{1, 1}));
  EXPECT_EQ(back.transport.receive_overhead_s_per_byte, 4e-9);
  EXPECT_EQ(back.transport.eager_bytes, 7);
}

TEST(ANetworkAsJson, ComesBackFromAFile) {
  const Folder folder;
  write_network(small(), folder.file("n.json"));
  EXPECT_EQ(to_json(read_network(folder.file("n.json"))), to_json(small()));
}

TEST(ANetworkAsJson, NamesThePathAndTheValueOfWhatIsWrong) {
  const Mistake mistakes[] = {{"/links/0/bandwidth_Bps", 0, "a number from 1e-09 to 1e+18"},
                              {"/links/1/bandwidth_Bps", -3.5, "-3.5"},
                              {"/links/0/bandwidth_Bps", "fast", "\"fast\""},
                              {"/links/0/latency_s", -1, "is -1; a number from 0 to 1000"},
                              {"/links/0/prize_per_GB", 1, "is no key here; did you mean `price_per_GB`?"},
                              {"/hosts/0/gatway", true, "is no key here; did you mean `gateway`?"},
                              {"/transport/frame_byte", 1, "is no key here; did you mean `frame_bytes`?"},
                              {"/classes/0/gap_factor", 1, "is no key here"},
                              {"/links/0/sharing", "often", "\"shared\" or \"fatpipe\""},
                              {"/hosts/0/up/0", 2, "0 to 1"},
                              {"/hosts/0/down/0", -1, "0 to 1"},
                              {"/hosts/0/loopback/1", 0.5, "whole number"},
                              {"/hosts/0/cores", 0, "1 to"},
                              {"/hosts/0/cores", 18446744073709551615u, "1 to"},
                              {"/hosts/0/gateway", 1, "true or false"},
                              {"/hosts/0/zones", "A", "a list"},
                              {"/link", 1, "is no key here; did you mean `links`?"},
                              {"/hosts/0/zones/0/levle", "site", "is no key here; did you mean `level`?"},
                              {"/trunks/0/form", 0, "is no key here; did you mean `from`?"},
                              {"/links/1/name", "l", "link l is there twice; names must differ"},
                              {"/hosts/1/name", "a", "host a is there twice; names must differ"},
                              {"/hosts/1/endpoint", -1, "0 to"},
                              {"/hosts/1/endpoint", 2147483647, "0 to 16777215"},
                              {"/trunks/0/from", 2, "is 2; a whole number from 0 to 1 would be right"},
                              {"/trunks/0/to", 2, "is 2; a whole number from 0 to 1 would be right"},
                              {"/hosts", json::array(), "at least one"},
                              {"/trunks/0/links/1", 9, "0 to 1"},
                              {"/transport/header_bytes", -1, "is -1; a number from 0 on"},
                              {"/transport/eager_bytes", 1.5, "whole number"}};
  for (const Mistake& wrong : mistakes) {
    json network = to_json(small());
    network[json::json_pointer(wrong.pointer)] = wrong.value;
    EXPECT_THAT(message_of(network), AllOf(HasSubstr(wrong.pointer), HasSubstr(wrong.complaint)));
  }
}

TEST(ANetworkAsJson, KeepsWhatWasMeasuredOfItsClassesOfLinks) {
  const json once = to_json(measured());
  const Network back = network_from_json(once);
  EXPECT_EQ(to_json(back), once);
  ASSERT_EQ(back.classes.size(), 2u);
  EXPECT_EQ(back.links[1].link_class, 1);
  EXPECT_DOUBLE_EQ(back.classes[0].gap(500), 1.005e-3);
  EXPECT_DOUBLE_EQ(back.classes[0].gap_factor(1), 1);
  EXPECT_DOUBLE_EQ(back.classes[0].gap_factor(6), 1 - 0.25 / 3);
  EXPECT_DOUBLE_EQ(back.classes[0].gap_factor(100), 0.75);
  EXPECT_FALSE(to_json(small()).contains("classes"));
}

TEST(ANetworkAsJson, NamesWhatIsWrongInItsClassesOfLinks) {
  const Mistake mistakes[] = {{"/links/0/class", "local", "is \"local\"; the name of one of \"classes\""},
                              {"/links/0/class", 0, "text"},
                              {"/classes", "fast", "a list"},
                              {"/classes/1/name", "site", "twice"},
                              {"/classes/0/gap", json::array({json::array({0, 1e-5})}), "at least 2"},
                              {"/classes/0/gap", json::array(), "at least 2"},
                              {"/classes/0/gap/1/1", 1e-6, "costs as much or more"},
                              {"/classes/0/gap/1/0", 0, "must ascend"},
                              {"/classes/0/gap/1", 7, "[bytes, seconds]"},
                              {"/classes/0/send_overhead/0/1", -1e-6, "all 0 or more"},
                              {"/classes/0/receive_overhead/1/0", "1k", "[bytes, seconds]"},
                              {"/classes/0/gap_factors/1/0", 1, "2 to"},
                              {"/classes/0/gap_factors/1/1", 0, "a number above 0"},
                              {"/classes/0/gap_factors/0/0", 2147483647, "must ascend"},
                              // Quicker than the bandwidth of its link.
                              {"/classes/1/gap/1/1", 0.1, "units"}};
  for (const Mistake& wrong : mistakes) {
    json network = to_json(measured());
    network[json::json_pointer(wrong.pointer)] = wrong.value;
    EXPECT_THAT(message_of(network), HasSubstr(wrong.complaint)) << wrong.pointer;
  }
  for (const char* key : {"name", "gap", "send_overhead", "receive_overhead"}) {
    json network = to_json(measured());
    network["classes"][0].erase(key);
    EXPECT_THAT(message_of(network), HasSubstr(key));
  }
}

TEST(ANetworkAsJson, WarnsWhereUnitsLookMixedUp) {
  Network network = small();
  network.links = {{"l", 1e6, 0.01, Sharing::shared}, {"m", 1e9, 0, Sharing::fatpipe}};
  const auto warnings = [&] {
    std::vector<std::string> sentences;
    for (const Note& note : warnings_about(network)) sentences.push_back(labelled_sentence(note));
    return sentences;
  };
  EXPECT_THAT(warnings(), testing::IsEmpty());
  network.links[0].latency_s = 10;
  network.links[1].bandwidth_Bps = 125;
  EXPECT_THAT(warnings(), testing::ElementsAre(AllOf(HasSubstr("link l"), HasSubstr("milliseconds")),
                                               AllOf(HasSubstr("link m"), HasSubstr("megabytes"))));
  network.links[1] = {"n", 1e6, 3, Sharing::shared};
  EXPECT_THAT(warnings(),
              testing::ElementsAre(AllOf(HasSubstr("link l has a latency of 10 s"), HasSubstr("and 1 more"))));
  EXPECT_EQ(warnings_about(network)[0].count, 2);
  EXPECT_EQ(warnings_about(network)[0].kind, Note::Kind::doubtful_network);
  EXPECT_EQ(warnings()[0], "warning: " + network.name +
                               ": link l has a latency of 10 s, and 1 more are like it; are milliseconds meant?");
  network.links = {};
  network.classes = {
      {"site", SizeFunction({{0, 5}, {1000, 9}}), SizeFunction({{0, 0}, {1, 0}}), SizeFunction({{0, 0}, {1, 0}}), {}}};
  EXPECT_THAT(warnings(), testing::ElementsAre(HasSubstr("class site")));
}

TEST(ANetworkAsJson, NeedsEveryKey) {
  const json whole = to_json(small()).flatten();
  for (const auto& [pointer, value] : whole.items()) {
    const json::json_pointer at(pointer);
    json network = to_json(small());
    if (!network[at.parent_pointer()].is_object()) continue;
    network[at.parent_pointer()].erase(at.back());
    EXPECT_THAT(message_of(network), AllOf(HasSubstr(pointer + ": is missing; "), HasSubstr(" would be right")))
        << pointer;
  }
}

TEST(ANetworkAsJson, HasOneTrunkForTwoEndpoints) {
  json network = to_json(small());
  network["trunks"].push_back(network["trunks"][0]);
  EXPECT_THAT(message_of(network), AllOf(HasSubstr("/trunks/2"), HasSubstr("twice")));
}

TEST(ANetworkAsJson, NamesWhatIsWrongInEntriesForMany) {
  const json many = json::parse(R"({"names": ["l-[0-9]"], "bandwidth_Bps": 1e6, "latency_s": 0, "sharing": "shared"})");
  json network = to_json(small());
  network["links"] = {many, many};
  EXPECT_THAT(message_of(network), HasSubstr("/links/1/names: link l-0 is there twice; names must differ"));
  network = to_json(small());
  network["hosts"][1]["names"] = "b-[0-1]";
  network["hosts"][1]["up"] = {{{"first", 0}, {"setp", 1}}};
  EXPECT_THAT(message_of(network), HasSubstr("/hosts/1/up/0/setp: is no key here; did you mean `step`?"));
  network = to_json(small());
  network["trunks"][0]["to"] = {0, 2};
  EXPECT_THAT(message_of(network), HasSubstr("/trunks/0/to/1: is 2; a whole number from 0 to 1 would be right"));
}

TEST(ANetworkAsJson, MayHoldWhatOthersKeepInIt) {
  json network = to_json(small());
  for (const char* key : {"discovery", "calibration", "settings"}) network[key] = {{"any", "thing"}};
  EXPECT_EQ(to_json(network_from_json(network)), to_json(small()));
}

TEST(ANetworkFile, IsRefusedWithItsLine) {
  const Folder folder;
  const std::string broken = folder.file("broken.json", "{\n\"name\": \"x\",\n\"links\": [}\n");
  try {
    read_network(broken);
    ADD_FAILURE() << "accepted";
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), StartsWith(broken + ":3: "));
  }
  std::string text = to_json(small()).dump(1);
  const std::size_t at = text.find("\"latency_s\": 0.01");
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  text.replace(at, 17, "\"latency_s\": -0.01");
  const std::string negative = folder.file("negative.json", text);
  try {
    read_network(negative);
    ADD_FAILURE() << "accepted";
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), StartsWith(negative + ":" + std::to_string(line) +
                                         ": /links/0/latency_s: is -0.01; a number from 0 to 1000 would be right"));
  }
  EXPECT_THROW(read_network(folder.file("absent.json")), BadInput);
  EXPECT_THROW(read_network(folder.file("")), BadInput);
}

TEST(ANetworkFile, ThatCannotBeWrittenIsAnError) { EXPECT_THROW(write_network(small(), "/nowhere/n.json"), BadInput); }

TEST(LinesOfJson, AreFoundPastStringsThatLookLikeStructure) {
  const std::string text = "\n{\"a\": \"}],\\\"{\",\n \"b\": [1,\n  {\"c\": [[], {}],\n \"d\": -1e5}]}\n";
  EXPECT_EQ(line_of_json_pointer(text, ""), 2);
  EXPECT_EQ(line_of_json_pointer(text, "/a"), 2);
  EXPECT_EQ(line_of_json_pointer(text, "/b"), 3);
  EXPECT_EQ(line_of_json_pointer(text, "/b/1"), 4);
  EXPECT_EQ(line_of_json_pointer(text, "/b/1/d"), 5);
  EXPECT_EQ(line_of_json_pointer(text, "/b/1/absent"), 4);
  EXPECT_EQ(line_of_json_pointer(text, "/b/7"), 3);
}

}  // namespace
}  // namespace isthmus
