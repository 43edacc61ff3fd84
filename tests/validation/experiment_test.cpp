#include "validation/harness/experiment.hpp"

#include <gmock/gmock.h>

#include "algorithms/errors.hpp"
#include "tests/validation/scene.hpp"

namespace isthmus {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

nlohmann::json sample() {
  return nlohmann::json::parse(R"({
    "name": "small", "title": "A small one", "platforms": ["platforms/p.json"],
    "algorithms": ["broadcast/kielmann", "broadcast/binomial:segment=auto"], "sizes": "1,64Ki",
    "sources": ["emulated", "replay"], "repetitions": 3, "ranks_per_host": 2, "placement": "cyclic", "root": 1,
    "tolerances": [{"source": "replay", "against": "emulated", "bytes": "64Ki..4Mi", "percent": 3}],
    "timeline": {"algorithm": "broadcast/kielmann", "bytes": "1Mi"}})");
}

class ExperimentTest : public testing::Test {
 protected:
  Experiment read(const nlohmann::json& json) const { return read_experiment(folder_.write("e.json", json.dump(1))); }
  std::string refusal(const nlohmann::json& json) const {
    try {
      read(json);
    } catch (const BadInput& error) {
      EXPECT_THAT(error.what(),
                  AllOf(testing::StartsWith(folder_.file("e.json") + ":"), testing::Not(HasSubstr("\n"))));
      return error.what();
    }
    return "nothing was refused";
  }

  TemporaryFolder folder_;
};

TEST_F(ExperimentTest, SaysWhatIsToBeRun) {
  const Experiment experiment = read(sample());
  EXPECT_THAT(experiment.platforms, ElementsAre(folder_.file("platforms/p.json")));
  ASSERT_EQ(experiment.plans.size(), 2u);
  EXPECT_EQ(experiment.plans[1].name(), "broadcast/binomial:segment=auto");
  EXPECT_EQ(experiment.plans[1].open, Open::segment);
  EXPECT_EQ(experiment.plans[0].open, Open::parameters);
  EXPECT_THAT(experiment.sizes, ElementsAre(1, 65536));
  EXPECT_THAT(experiment.sources, ElementsAre(Source::replay, Source::emulated));
  EXPECT_EQ(experiment.reference, Source::emulated);
  EXPECT_EQ(experiment.placement, PlacementRule::cyclic);
  ASSERT_EQ(experiment.tolerances.size(), 1u);
  EXPECT_DOUBLE_EQ(experiment.tolerances[0].relative, 0.03);
  EXPECT_TRUE(experiment.tolerances[0].applies_to("broadcast/kielmann", 65536));
  EXPECT_FALSE(experiment.tolerances[0].applies_to("broadcast/kielmann", 65535));
  EXPECT_EQ(experiment.timeline->bytes, 1 << 20);
  EXPECT_FALSE(experiment.table_by_size);
  nlohmann::json by_size = sample();
  by_size["table"] = "by_size";
  EXPECT_TRUE(read(by_size).table_by_size);
}

TEST_F(ExperimentTest, IsRefusedWithTheKeyThatIsWrongAndWhatWouldBeRight) {
  const std::tuple<const char*, nlohmann::json, const char*, const char*> mistakes[] = {
      {"/repititions", 3, "repititions: is no key here", "did you mean `repetitions`?"},
      {"/name", "../etc/x", "name: serves as a file name", "would be right"},
      {"/platforms", nlohmann::json::array(), "platforms: is []", "at least one"},
      {"/algorithms/0", "broadcast/kielman", "algorithms/0: ", "kielmann"},
      {"/algorithms/0", "kielmann", "algorithms/0: ", "COLLECTIVE/ALGORITHM"},
      {"/algorithms/1", "broadcast/kielmann", "algorithms/1: ", "there already"},
      {"/sizes", "4Mi..1", "sizes: ", "smaller"},
      {"/sizes", 7, "sizes: is 7", "text in quotes"},
      {"/element_bytes", 8, "sizes: 1 is no multiple", "8 bytes"},
      {"/sources/0", "emulate", "sources/0: unknown source", "emulated"},
      {"/sources/1", "emulated", "sources: names one twice", ""},
      {"/reference", "smpi", "reference: ", "one of"},
      {"/repetitions", 0, "repetitions: is 0", "from 1 to"},
      {"/repetitions", 2.5, "repetitions: is 2.5", "whole number"},
      {"/root", -1, "root: is -1", "from 0 to"},
      {"/ranks", nlohmann::json::array({4, 0}), "ranks/1: is 0", "from 1 to"},
      {"/ranks", 4, "ranks: is 4", "[4, 8, 16]"},
      {"/ranks", nlohmann::json::array({4, 4}), "ranks: names one twice", ""},
      {"/placement", "diagonal", "placement: is \"diagonal\"", "\"block\" or \"cyclic\""},
      {"/table", "by_rank", "table: is \"by_rank\"", "\"by_algorithm\" or \"by_size\""},
      {"/timeout_s", -1, "timeout_s: is -1", "above 0"},
      {"/tolerances/0/percent", 0, "tolerances/0/percent: is 0", "above 0"},
      {"/tolerances/0/against", "replay", "tolerances/0/against: ", "another"},
      {"/tolerances/0/source", "smpi", "tolerances/0/source: ", "one of"},
      {"/tolerances/0/algorithms", {"broadcast/magpie"}, "tolerances/0/algorithms/0: ", "one of"},
      {"/tolerances/0/tolerance", 1, "tolerances/0/tolerance: is no key here", "percent"},
      {"/timeline/bytes", "lots", "timeline/bytes: ", "lots"},
  };
  for (const auto& [where, value, problem, right] : mistakes) {
    nlohmann::json json = sample();
    json[nlohmann::json::json_pointer(where)] = value;
    EXPECT_THAT(refusal(json), AllOf(HasSubstr(problem), HasSubstr(right))) << where << " = " << value;
  }
  const std::pair<const char*, const char*> needed[] = {
      {"/sources", "a list with at least one text in it would be right"},
      {"/title", "a text in quotes would be right"},
      {"/tolerances/0/bytes", "a size or a range, as \"1..64Ki\", would be right"},
      {"/tolerances/0/percent", "a number above 0 would be right"},
  };
  for (const auto& [where, right] : needed) {
    nlohmann::json json = sample();
    const nlohmann::json::json_pointer at(where);
    json[at.parent_pointer()].erase(at.back());
    EXPECT_THAT(refusal(json), HasSubstr(std::string(where) + ": is missing; " + right));
  }
}

TEST_F(ExperimentTest, GivesSizesAndRootsToTheCollectivesThatHaveThem) {
  nlohmann::json json = sample();
  json["algorithms"] = {"barrier/flat", "allgather/ring", "reduce/chain"};
  json.erase("timeline");
  const Experiment experiment = read(json);
  EXPECT_THAT(experiment.sizes_of(experiment.plans[0]), ElementsAre(0));
  EXPECT_THAT(experiment.sizes_of(experiment.plans[1]), ElementsAre(1, 65536));
  EXPECT_EQ(experiment.problem(experiment.plans[1], 64).root, 0);
  EXPECT_EQ(experiment.problem(experiment.plans[2], 64).root, 1);
  json["algorithms"] = {"barrier/flat", "allgather/ring"};
  EXPECT_THAT(refusal(json), HasSubstr("root: none of the experiment's collectives has one"));
}

TEST_F(ExperimentTest, IsRefusedWithTheLineWhereItIsNoJson) {
  const std::string file = folder_.write("broken.json", "{\n  \"name\": \"x\",\n  oops\n}\n");
  EXPECT_THAT([&] { read_experiment(file); }, ThrowsMessage<BadInput>(HasSubstr("broken.json:3: is not JSON")));
  const std::string twice = folder_.write("twice.json", R"({"name": "a", "name": "b"})");
  EXPECT_THAT([&] { read_experiment(twice); }, ThrowsMessage<BadInput>(HasSubstr("name: is given twice")));
  EXPECT_THAT([&] { read_experiment(folder_.file("none.json")); },
              ThrowsMessage<BadInput>(HasSubstr("No such file or directory")));
  EXPECT_THAT([&] { read_experiment(folder_.path()); }, ThrowsMessage<BadInput>(HasSubstr("Is a directory")));
}

TEST_F(ExperimentTest, IsWhatTheReadmeShows) {
  std::ifstream in(ISTHMUS_SOURCE_DIR "/validation/README.md");
  const std::string readme(std::istreambuf_iterator<char>(in), {});
  const std::string fence = "```json\n";
  const std::size_t begin = readme.find(fence) + fence.size();
  const Experiment experiment =
      read_experiment(folder_.write("readme.json", readme.substr(begin, readme.find("```", begin) - begin)));
  EXPECT_EQ(experiment.plans.size(), 2u);
  EXPECT_EQ(experiment.sizes.size(), 8u);
}

TEST(ShippedExperiments, CanBeRead) {
  const std::filesystem::path folder = ISTHMUS_SOURCE_DIR "/validation/experiments";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const Experiment experiment = read_experiment(entry.path().string());
    EXPECT_EQ(experiment.name, entry.path().stem().string());
    for (const std::string& platform : experiment.platforms) EXPECT_TRUE(std::filesystem::exists(platform)) << platform;
    ++count;
  }
  EXPECT_GE(count, 2);
}

}  // namespace
}  // namespace isthmus
