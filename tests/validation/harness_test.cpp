#include "validation/harness/harness.hpp"

#include <gmock/gmock.h>

#include "algorithms/errors.hpp"
#include "tests/validation/scene.hpp"
#include "validation/harness/notes.hpp"
#include "validation/text/sentences.hpp"

namespace isthmus {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A source with distinct answers: bytes + 1 milliseconds, plus what the test adds. It counts the points that it was
/// asked for, and can be interrupted.
struct FakeSource {
  std::size_t asked = 0;
  std::size_t cut_after = SIZE_MAX;
  std::function<double(const Record&)> factor = [](const Record&) { return 1.0; };

  std::vector<Record> operator()(Source source, const RunRequest& request, const OnRecord& on_record) {
    std::vector<Record> records;
    for (const RequestedPoint& point : request.points) {
      if (asked == cut_after) throw std::runtime_error("cut short");
      ++asked;
      records.push_back(record_template(source, request, point));
      records.back().seconds = 1e-3 * static_cast<double>(point.problem.bytes() + 1);
      records.back().seconds *= factor(records.back());
      on_record(records.size() - 1, records.back());
    }
    return records;
  }
};

class HarnessTest : public testing::Test {
 protected:
  HarnessTest() : quiet_(std::fopen("/dev/null", "w")) {
    write_network(star_network("stars", 2, 2), folder_.file("stars.json"));
    experiment_ = read_experiment(folder_.write("e.json", R"({
      "name": "e", "title": "E", "platforms": ["stars.json"],
      "algorithms": ["broadcast/magpie", "broadcast/binomial"], "sizes": "1,64Ki,1Mi",
      "sources": ["plogp", "replay", "emulated"], "substrate": "virtual",
      "tolerances": [{"source": "replay", "against": "emulated", "bytes": "64Ki..4Mi", "percent": 3},
                     {"source": "plogp", "against": "emulated", "bytes": "1..4Mi", "percent": 50}]})"));
  }
  ~HarnessTest() override { std::fclose(quiet_); }

  Outcome run_with(FakeSource& source) {
    Store store(folder_.file("store.db"));
    return run_experiment(experiment_, store, quiet_, std::ref(source));
  }

  TemporaryFolder folder_;
  Experiment experiment_;
  std::FILE* quiet_;
};

TEST_F(HarnessTest, RunsEveryPointThatTheSourcesAnswer) {
  FakeSource source;
  const Outcome outcome = run_with(source);
  EXPECT_EQ(source.asked, 3u + 6u + 6u);  // there is no closed form for binomial
  EXPECT_EQ(outcome.records.size(), 15u);
  EXPECT_EQ(outcome.reused, 0u);
  EXPECT_EQ(outcome.checks.size(), 4u + 3u);
  EXPECT_TRUE(missed(outcome.checks).empty());
  EXPECT_NO_THROW(require_tolerances(outcome));
}

TEST_F(HarnessTest, AsksForNothingTwice) {
  FakeSource first, second;
  run_with(first);
  const Outcome outcome = run_with(second);
  EXPECT_EQ(second.asked, 0u);
  EXPECT_EQ(outcome.reused, 15u);
  EXPECT_EQ(outcome.records.size(), 15u);
}

TEST_F(HarnessTest, GoesOnWhereItWasCutShort) {
  FakeSource first, second;
  first.cut_after = 6;  // in the midst of the replay
  EXPECT_THROW(run_with(first), std::runtime_error);
  const Outcome outcome = run_with(second);
  EXPECT_EQ(second.asked, 15u - 6u);
  EXPECT_EQ(outcome.reused, 6u);
}

TEST_F(HarnessTest, TakesBackARunThatIsRefusedAfterItsLastPoint) {
  FakeSource source;
  const auto drifts = [&](Source of, const RunRequest& request, const OnRecord& on_record) {
    std::vector<Record> records = source(of, request, on_record);
    if (of == Source::emulated) throw Refused("the links are not what they were");
    return records;
  };
  Store store(folder_.file("store.db"));
  EXPECT_THROW(run_experiment(experiment_, store, quiet_, drifts), Refused);
  EXPECT_EQ(store.size(), 3 + 6);
  // A refused run restores the records that it replaced.
  run_experiment(experiment_, store, quiet_, std::ref(source));
  ASSERT_EQ(store.size(), 15);
  const std::vector<Record> before = store.all();
  const Network stars = star_network("stars", 2, 2);
  RunRequest request{.platform_file = "", .placed = {stars, place_ranks(stars, PlacementRule::block, 1)}};
  request.emulation.substrate = "virtual";
  add_point(request, parse_plan_request("broadcast/binomial"), {Collective::broadcast, 1, 1, 0});
  source.factor = [](const Record&) { return 2.0; };
  EXPECT_THROW(run_and_store(Source::emulated, request, store, {}, drifts), Refused);
  ASSERT_EQ(store.size(), 15);
  for (const Record& record : before) EXPECT_EQ(store.find(identity(record))->seconds, record.seconds);
}

TEST_F(HarnessTest, RunsAnewWhatIsAskedDifferently) {
  FakeSource first, second;
  run_with(first);
  experiment_.repetitions = 2;
  run_with(second);
  EXPECT_EQ(second.asked, 6u);  // only what is repeated: closed forms and replay give the same twice
}

TEST_F(HarnessTest, RefusesPointsOutOfToleranceAndNamesThem) {
  FakeSource source;
  source.factor = [](const Record& record) {
    return record.source == Source::replay && record.algorithm == "binomial" && record.bytes == 65536 ? 1.041 : 1.0;
  };
  const Outcome outcome = run_with(source);
  ASSERT_EQ(missed(outcome.checks).size(), 1u);
  EXPECT_THAT(
      [&] { require_tolerances(outcome); },
      testing::ThrowsMessage<Refused>(AllOf(
          HasSubstr("1 of 7 comparisons"), HasSubstr("replay of broadcast/binomial at 64 KiB on stars, 4 ranks: +4.1 % "
                                                     "from emulated, 3 % tolerated"))));
  const Comparison comparison = compare(outcome.records);
  int marked = 0;
  for (const ComparisonRow& row : comparison.rows)
    for (const Source of : comparison.sources) marked += is_missed(outcome, row, of);
  EXPECT_EQ(marked, 1);
  const ExperimentVerdict found = verdict(experiment_, outcome);
  EXPECT_EQ(found.summary.checks, 7u);
  EXPECT_EQ(found.summary.missed, 1u);
  EXPECT_EQ(found.summary.worst->algorithm, "broadcast/binomial");
  EXPECT_NEAR(found.summary.worst->error, 0.041, 1e-12);
  EXPECT_THAT(sentences(found), HasSubstr("1 of 7 comparisons are out of tolerance"));
}

TEST_F(HarnessTest, SaysInItsVerdictHowFarSourcesDifferAndWhatIsFastest) {
  FakeSource source;
  source.factor = [](const Record& record) {
    return (record.algorithm == "binomial" ? 2.0 : 1.0) * (record.source == Source::replay ? 0.98 : 1.0);
  };
  const ExperimentVerdict found = verdict(experiment_, run_with(source));
  ASSERT_EQ(found.summary.largest_errors.size(), 2u) << "one for each pair of sources";
  EXPECT_EQ(found.summary.largest_errors[1].source, Source::replay);
  EXPECT_NEAR(found.summary.largest_errors[1].error, -0.02, 1e-12);
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(found.findings[0].fastest.algorithm, "magpie");
  EXPECT_NEAR(found.findings[0].second.seconds / found.findings[0].fastest.seconds, 2, 1e-12);
  EXPECT_FALSE(found.findings[0].is_one_of_ranks || found.findings[0].is_one_of_collectives);
  EXPECT_THAT(sentences(found),
              AllOf(HasSubstr("All 7 comparisons are within their tolerance."),
                    HasSubstr("replay differs from emulated by 2.0 % at most"),
                    HasSubstr("At 1 MiB on stars, magpie is the fastest"), HasSubstr("2 times faster than binomial")));
}

TEST_F(HarnessTest, ComparesWithinEachCollective) {
  for (const char* plan : {"reduce/chain", "reduce/binomial"}) experiment_.plans.push_back(parse_plan_request(plan));
  FakeSource source;
  source.factor = [](const Record& record) {
    return (record.collective == "reduce" ? 0.5 : 1.0) * (record.algorithm == "binomial" ? 2.0 : 1.0);
  };
  const ExperimentVerdict found = verdict(experiment_, run_with(source));
  EXPECT_EQ(found.findings.size(), 2u);
  EXPECT_THAT(sentences(found),
              AllOf(HasSubstr("broadcast/magpie is the fastest"), HasSubstr("2 times faster than broadcast/binomial"),
                    HasSubstr("reduce/chain is the fastest"), HasSubstr("2 times faster than reduce/binomial")));
}

TEST_F(HarnessTest, RefusesAToleranceThatAppliesToNothing) {
  experiment_.tolerances[0].bytes = {7, 9};
  FakeSource source;
  EXPECT_THAT([&] { run_with(source); },
              testing::ThrowsMessage<BadInput>(HasSubstr(
                  "applies to no point; sizes and algorithms of the experiment, for which both give a time")));
  EXPECT_EQ(source.asked, 0u) << "before anything is run";
  experiment_.tolerances[0] = {Source::hockney, Source::emulated, {1, 1 << 20}, 0.1, {}};
  experiment_.sources.insert(experiment_.sources.begin(), Source::hockney);
  EXPECT_THAT([&] { run_with(source); }, testing::ThrowsMessage<BadInput>(HasSubstr("applies to no point")))
      << "hockney has no form for two clusters";
}

TEST_F(HarnessTest, NotesASourceThatAnswersNoPoint) {
  experiment_.sources.insert(experiment_.sources.begin(), Source::hockney);
  FakeSource source;
  const Outcome outcome = run_with(source);
  ASSERT_EQ(outcome.notes.size(), 1u);
  EXPECT_EQ(labelled_sentence(outcome.notes[0]),
            "note: hockney answers no point: hockney has no closed form for broadcast/magpie on stars; `replay` times "
            "any schedule");
}

TEST_F(HarnessTest, NotesWhatIsDoubtfulAndWhereProcessesStarved) {
  FakeSource source;
  EXPECT_TRUE(run_with(source).notes.empty());
  Record quiet;
  quiet.source = Source::emulated;
  quiet.seconds = 1;
  quiet.extra = {{"processor_waited", 0.0}, {"provenance", {{"substrate", "native"}}}};
  Record starved = quiet;
  starved.extra["processor_waited"] = 0.75;
  EXPECT_FALSE(note_of_starvation(std::span<const Record>(&quiet, 1)));
  const std::vector<Record> records = {quiet, starved};
  const auto note = note_of_starvation(records);
  ASSERT_TRUE(note);
  EXPECT_EQ(note->kind, Note::Kind::starved);
  EXPECT_THAT(labelled_sentence(*note),
              AllOf(testing::StartsWith("note: processes waited for a processor 75 % of the time"),
                    testing::EndsWith("; fewer ranks, a quieter machine, or --substrate virtual would help")));
  Record wide = quiet;
  wide.settings["confidence"] = 0.01;
  wide.extra["half_interval_seconds"] = 0.5;
  const std::vector<Record> some = {wide, quiet};
  ASSERT_EQ(notes_about(some).size(), 1u);
  EXPECT_EQ(
      sentence(notes_about(some)[0]),
      "1 of 2 results are less certain than asked for; more --repetitions or a wider --confidence-interval would help");
}

TEST_F(HarnessTest, RefusesTwoPlatformsOfOneName) {
  experiment_.platforms.push_back(experiment_.platforms.front());
  FakeSource source;
  EXPECT_THAT([&] { run_with(source); }, testing::ThrowsMessage<BadInput>(HasSubstr("names must differ")));
  EXPECT_EQ(source.asked, 0u);
}

TEST_F(HarnessTest, TellsItsProgressInLinesWhereThereIsNoTerminal) {
  std::FILE* log = std::fopen(folder_.file("log").c_str(), "w");
  Store store(folder_.file("store.db"));
  FakeSource source;
  run_experiment(experiment_, store, log, std::ref(source));
  std::fclose(log);
  std::ifstream in(folder_.file("log"));
  const std::string text(std::istreambuf_iterator<char>(in), {});
  EXPECT_THAT(text, AllOf(HasSubstr("[0/15] plogp, stars"), HasSubstr("[15/15] emulated, stars"),
                          testing::Not(HasSubstr("\x1b")), testing::Not(HasSubstr("\r"))));
}

}  // namespace
}  // namespace isthmus
