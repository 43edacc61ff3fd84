#include "validation/harness/sources.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/packed/packed.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/trials/thrift.hpp"
#include "platforms/reader.hpp"
#include "tests/support/meshes.hpp"
#include "validation/harness/notes.hpp"

namespace isthmus {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

RunRequest request_with(std::initializer_list<const char*> plans, std::initializer_list<std::int64_t> sizes) {
  const std::string file = ISTHMUS_SOURCE_DIR "/platforms/kielmann2000/das-4x4.xml";
  const Network network = read_platform(file);
  RunRequest request{.platform_file = file, .placed = {network, place_ranks(network, PlacementRule::block, 1)}};
  request.emulation.timeout_s = 60;
  for (const char* plan : plans)
    for (const std::int64_t bytes : sizes)
      add_point(request, parse_plan_request(plan), {Collective::broadcast, bytes, 1, 0});
  return request;
}

TEST(Sources, AnswerWithRecordsOfOneShape) {
  const RunRequest request = request_with({"broadcast/kielmann", "broadcast/magpie"}, {1, 65536});
  for (const Source source : {Source::plogp, Source::replay, Source::smpi}) {
    std::vector<std::size_t> seen;
    const auto records = run(source, request, [&](std::size_t point, const Record& record) {
      seen.push_back(point);
      EXPECT_EQ(identity(record), identity(record_template(source, request, request.points[point])));
      EXPECT_GT(record.seconds, 0);
    });
    ASSERT_EQ(records.size(), 4u) << name(source);
    EXPECT_THAT(seen, testing::UnorderedElementsAre(0, 1, 2, 3));
    for (const Record& record : records) {
      EXPECT_EQ(record.source, source);
      EXPECT_EQ(record.platform, "das-4x4");
      EXPECT_EQ(record.ranks, 16);
      EXPECT_GT(record.bound_seconds, 0.01);
      EXPECT_GE(record.seconds, record.bound_seconds);
    }
    EXPECT_EQ(records[1].requested, "kielmann");
    EXPECT_THAT(records[1].plan, HasSubstr("wan-degree"));
    EXPECT_FALSE(records[3].segment_bytes);
  }
}

TEST(Sources, TheReplayOfTheChoiceSaysWhatItsPlanNamedAloneDoes) {
  const RunRequest chosen = request_with({"broadcast/auto", "broadcast/binomial"}, {1, 65536, 4 << 20});
  RunRequest named = chosen;
  for (RequestedPoint& point : named.points) point.replayed.reset();
  ASSERT_TRUE(chosen.points.front().replayed && !chosen.points.back().replayed);
  const std::vector<Record> one = run(Source::replay, chosen), other = run(Source::replay, named);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].seconds, other[i].seconds) << one[i].plan;
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].extra, other[i].extra) << one[i].plan;
}

TEST(Sources, APackingThatMayNotBeTheBestIsSaid) {
  tests::Mesh mesh(std::vector<int>(20, 1));
  std::mt19937 random(1);
  for (int from = 0; from < 20; ++from)
    for (int to = 0; to < 20; ++to)
      if (from != to) mesh.join(from, to, 1e6 * static_cast<double>(1 + random() % 20), 1e-3);
  RunRequest request{.platform_file = "", .placed = {mesh.network, place_ranks(mesh.network, PlacementRule::block, 1)}};
  add_point(request, parse_plan_request("broadcast/packed"), {.collective = Collective::broadcast, .count = 1 << 20});
  const std::vector<Record> records = run(Source::replay, request);
  ASSERT_TRUE(records[0].extra.contains("synthesis")) << records[0].plan;
  const auto note = note_of_synthesis(records);
  ASSERT_TRUE(note);
  EXPECT_THAT(
      labelled_sentence(*note),
      AllOf(testing::StartsWith("note: mesh: there may be a better packing for broadcast of 1048576 B: only the "
                                "best of many links were used, so that its rate may be "),
            HasSubstr(" % less")));
  Record unfinished = records[0];
  unfinished.extra["synthesis"] = {{"loss", 0.0}, {"finished", false}};
  EXPECT_EQ(sentence(*note_of_synthesis(std::span<const Record>(&unfinished, 1))),
            "mesh: there may be a better packing for broadcast of 1048576 B: the search for ways used up its budget");
}

TEST(Sources, AgreeOnABroadcastAcrossFourClusters) {
  const RunRequest request = request_with({"broadcast/magpie", "broadcast/kielmann"}, {1048576});
  const auto replayed = run(Source::replay, request), simulated = run(Source::smpi, request);
  for (std::size_t i = 0; i < replayed.size(); ++i)
    EXPECT_NEAR(replayed[i].seconds / simulated[i].seconds, 1, 0.03) << replayed[i].plan;
  EXPECT_THAT(to_json(simulated[0]).dump(), AllOf(HasSubstr("provenance"), HasSubstr("repetition_seconds")));
}

TEST(Sources, AreNotBelowTheirBoundWhereLinksGetFaster) {
  RunRequest request = request_with({"broadcast/magpie"}, {1048576});
  const double usual_s = run(Source::smpi, request)[0].bound_seconds;
  for (const LinkChange& change : {LinkChange{0, "wan*", 50, {}}, LinkChange{0, "wan*", 1, 1e-6}}) {
    request.emulation.conditions.changes = {change};
    const Record record = run(Source::smpi, request)[0];
    EXPECT_GT(record.bound_seconds, 0);
    EXPECT_LT(record.bound_seconds, usual_s);
    EXPECT_GE(record.seconds, record.bound_seconds);
  }
}

// An emulation does not imitate the platform's overheads: where they count it may be quicker than the replay's bound.
TEST(Sources, BoundsOfEmulationsLeaveOverheadsOut) {
  Network network = read_platform(ISTHMUS_SOURCE_DIR "/platforms/aumage2003/sci-myrinet.xml");
  const auto bound = [](const Network& of, Source source) {
    return KnownBounds().of({of, place_ranks(of, PlacementRule::block, 1)}, {}, source, {Collective::broadcast, 8});
  };
  const double replayed = bound(network, Source::replay), emulated = bound(network, Source::emulated);
  EXPECT_EQ(bound(network, Source::smpi), replayed);
  EXPECT_LT(emulated, replayed - network.transport.send_overhead_s);
  network.transport.send_overhead_s = network.transport.receive_overhead_s = 0;
  EXPECT_EQ(bound(network, Source::replay), emulated);
}

TEST(Sources, RefuseWhatTheyCannotAnswer) {
  const RunRequest request = request_with({"broadcast/binomial"}, {1024});
  EXPECT_FALSE(answers(Source::plogp, request, request.points[0]));
  EXPECT_THAT([&] { run(Source::plogp, request); },
              testing::ThrowsMessage<BadInput>(AllOf(HasSubstr("broadcast/binomial"), HasSubstr("`replay`"))));
}

TEST(Requests, ChooseWhatThePlanLeavesOpen) {
  const RunRequest request = request_with(
      {"broadcast/chain", "broadcast/chain:segment=auto", "broadcast/chain:segment=none", "broadcast/k-chain:degree=2"},
      {4194304});
  EXPECT_GT(request.points[0].plan.parameters.segment_bytes, 0);
  EXPECT_EQ(request.points[1].plan.parameters, request.points[0].plan.parameters);
  EXPECT_EQ(request.points[1].requested, "chain:segment=auto");
  EXPECT_EQ(request.points[2].plan.parameters.segment_bytes, 0);
  EXPECT_EQ(request.points[3].plan.parameters.segment_bytes, 0);
  EXPECT_EQ(request.points[3].plan.parameters.degree, 2);
}

TEST(Requests, TakeKielmannsSegmentAndDegreesAsNamed) {
  const RunRequest request = request_with({"broadcast/kielmann", "broadcast/kielmann:wan-degree=2",
                                           "broadcast/kielmann:segment=none", "broadcast/kielmann:segment=8Ki"},
                                          {4194304});
  for (const RequestedPoint& point : request.points) EXPECT_GT(point.plan.parameters.lan_degree, 0) << point.requested;
  EXPECT_GT(request.points[0].plan.parameters.segment_bytes, 0);
  EXPECT_EQ(request.points[1].plan.parameters.wan_degree, 2);
  EXPECT_GT(request.points[1].plan.parameters.segment_bytes, 0);
  EXPECT_EQ(request.points[2].plan.parameters.segment_bytes, 0);
  EXPECT_EQ(request.points[3].plan.parameters.segment_bytes, 8192);
}

// The text of a plan in a record, an explanation or a table is that plan, nothing left to be chosen anew.
TEST(Requests, AreTheInverseOfTheirText) {
  const Network network = read_platform(ISTHMUS_SOURCE_DIR "/platforms/kielmann2000/das-4x1.xml");
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  for (const Algorithm& algorithm : algorithms()) {
    const Problem problem{.collective = algorithm.collective, .count = carries_data(algorithm.collective) ? 65536 : 0};
    std::vector<Plan> plans{{&algorithm, {}}};
    if (takes(algorithm, "wan-degree")) {
      plans.front().parameters.wan_degree = 2;
      plans.front().parameters.lan_degree = 1;
    }
    if (takes(algorithm, "patterns")) plans.front().parameters.patterns = {"linear", "binomial"};
    if (takes(algorithm, "packing"))
      plans.front().parameters.packing.ways = direct_ways(topology_of(network, placement), problem);
    if (takes(algorithm, "levels")) plans.emplace_back(Plan{&algorithm, {}}).parameters.levels = {"linear", "chain"};
    if (takes(algorithm, "segment")) {
      plans.push_back(plans.front());
      plans.back().parameters.segment_bytes = 4096;
    }
    for (const Plan& plan : plans) {
      const std::string text = request_text(plan);
      const PlanRequest request = parse_plan_request(std::string(name(algorithm.collective)) + "/" + text);
      if (!serves(plan, topology_of(network, placement), problem)) continue;
      Plan again = completed({network, placement}, request, problem).plan;
      EXPECT_EQ(request.open, Open::nothing) << text;
      if (plan.parameters.degree == 0 && again.parameters.degree == default_degree) again.parameters.degree = 0;
      EXPECT_EQ(again.parameters, plan.parameters) << text;
    }
  }
}

TEST(Requests, NameOneAlgorithmAllOrTheChoice) {
  EXPECT_TRUE(parse_plan_request("allreduce").automatic);
  EXPECT_TRUE(parse_plan_request("allreduce/auto").automatic);
  const std::vector<PlanRequest> all = parse_plan_requests("allreduce/all");
  EXPECT_EQ(all.size(), algorithms_of(Collective::allreduce).size());
  for (const PlanRequest& plan : all) EXPECT_TRUE(plan.one_of_all && plan.name().starts_with("allreduce/"));
  EXPECT_THAT([] { parse_plan_request("allreduce/all"); },
              testing::ThrowsMessage<BadInput>(HasSubstr("names every algorithm; one plan")));
}

PlacedNetwork four_by_four() {
  const Network network = read_platform(ISTHMUS_SOURCE_DIR "/platforms/kielmann2000/das-4x4.xml");
  return {network, place_ranks(network, PlacementRule::block, 1)};
}

std::vector<Problem> problems_of_several_sizes() {
  std::vector<Problem> problems;
  for (const Collective collective :
       {Collective::broadcast, Collective::allreduce, Collective::reduce, Collective::alltoall, Collective::scatter})
    for (const std::int64_t bytes : {1, 65536, 1048576}) problems.push_back({.collective = collective, .count = bytes});
  return problems;
}

// What is compared with the others has parameters as good as theirs: the same that an explanation finds.
TEST(Requests, HaveTheParametersOfTheBestCandidate) {
  const PlacedNetwork placed = four_by_four();
  for (const Problem& problem : problems_of_several_sizes()) {
    std::map<const Algorithm*, std::vector<Candidate>> by_algorithm;
    for (const Candidate& candidate : candidates(placed, problem, Search::every_algorithm))
      by_algorithm[candidate.plan.algorithm].push_back(candidate);
    for (const auto& [algorithm, own] : by_algorithm) {
      const PlanRequest request = parse_plan_request(fmt::format("{}/{}", name(problem.collective), algorithm->id));
      EXPECT_EQ(request_text(completed(placed, request, problem).plan), request_text(fewest_messages(own)->plan))
          << problem.bytes();
    }
  }
}

// The search for the choice leaves parameters out, but never the choice.
TEST(Requests, AreAnsweredByTheChoiceOfTheWholeSearch) {
  const PlacedNetwork placed = four_by_four();
  for (const Problem& problem : problems_of_several_sizes()) {
    const double whole_s =
        std::ranges::min(candidates(placed, problem, Search::every_algorithm), {}, &Candidate::seconds).seconds;
    EXPECT_LE(choose(placed, problem).seconds, as_quick * whole_s)
        << name(problem.collective) << ", " << problem.bytes();
  }
}

// Nor plans with few messages, although quicker ones have pieces that are shorter by far.
TEST(Requests, AreAnsweredByPlansOfFewMessages) {
  struct Case {
    const char* platform;
    Problem problem;
  };
  for (const Case& one : {Case{"star-of-sites", {Collective::broadcast, 64 << 10, 1}},
                          Case{"fast-wide-area", {Collective::allreduce, 128 << 10, 8}},
                          Case{"five-sites", {Collective::allreduce, 128 << 10, 8}}}) {
    const Network network = read_platform(fmt::format("{}/platforms/plain/{}.xml", ISTHMUS_SOURCE_DIR, one.platform));
    const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
    const std::vector<Candidate> tried = candidates(placed, one.problem, Search::choice_alone);
    const Candidate& choice = tried.front();
    const double enough_s = as_quick * std::ranges::min(tried, {}, &Candidate::seconds).seconds;
    int as_good = 0;
    for (const Candidate& other : candidates(placed, one.problem, Search::every_algorithm)) {
      if (other.seconds > enough_s) continue;
      ++as_good;
      EXPECT_LE(choice.messages, other.messages)
          << one.platform << ": " << to_string(choice.plan) << ", not " << to_string(other.plan);
    }
    EXPECT_GT(as_good, 0) << one.platform;
  }
}

// For any plan and any number of sources.
TEST(Requests, WorkOutOneTopologyAndOneBoundForAPoint) {
  const std::string file = ISTHMUS_SOURCE_DIR "/platforms/kielmann2000/das-4x4.xml";
  for (const char* plan : {"broadcast", "broadcast/kielmann", "broadcast/binomial"}) {
    const std::int64_t topologies = topologies_worked_out(), bounds = bounds_worked_out();
    const Network network = read_platform(file);
    RunRequest request{.platform_file = file, .placed = {network, place_ranks(network, PlacementRule::block, 1)}};
    add_point(request, parse_plan_request(plan), {Collective::broadcast, 65536});
    int answers_given = 0;
    for (const Source source : {Source::hockney, Source::logp, Source::loggp, Source::plogp, Source::replay})
      if (answers(source, request, request.points.front()))
        answers_given += static_cast<int>(run(source, request).size());
    EXPECT_GT(answers_given, 0) << plan;
    EXPECT_EQ(topologies_worked_out() - topologies, 1) << plan;
    EXPECT_EQ(bounds_worked_out() - bounds, 1) << plan;
  }
}

TEST(Requests, AreRefusedWhereThePlanCannotServe) {
  RunRequest request = request_with({}, {});
  const PlanRequest plan = parse_plan_request("broadcast/chain:segment=3");
  EXPECT_THROW(add_point(request, plan, {Collective::broadcast, 8, 4, 0}), BadInput);
  EXPECT_THROW(add_point(request, plan, {Collective::broadcast, 9, 1, 16}), BadInput);
  EXPECT_THROW(parse_plan_request("broadcast/chane"), BadInput);
}

}  // namespace
}  // namespace isthmus
