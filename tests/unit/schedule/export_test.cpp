#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "algorithms/schedule/export_chrome_trace.hpp"
#include "algorithms/schedule/export_goal.hpp"
#include "algorithms/schedule/export_graphviz.hpp"
#include "algorithms/schedule/export_json.hpp"
#include "tests/property/schedules.hpp"

namespace isthmus {
namespace {

using namespace testing_schedules;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

// ---- JSON

Slice slice_of(const Json& json) {
  const std::string buffer = json.at("buffer");
  return {buffer == "input"    ? Buffer::input
          : buffer == "output" ? Buffer::output
                               : Buffer::scratch,
          json.at("offset"), json.at("count")};
}

TEST(ExportJson, HasEverythingThatIsInTheSchedule) {
  const Schedule schedule = ring_allreduce(3, 7);
  const Json json = Json::parse(export_json(schedule));
  EXPECT_EQ(json.at("ranks"), 3);
  Schedule read(3);
  for (const Json& from : json.at("programs")) {
    Program& program = read.at(from.at("rank"));
    program.reserve(from.at("scratch"));
    for (const Json& op : from.at("operations")) {
      const std::string kind = op.at("kind");
      if (kind == "send") program.send(slice_of(op.at("from")), op.at("peer"));
      if (kind == "receive") program.receive(slice_of(op.at("to")), op.at("peer"));
      if (kind == "copy") program.copy(slice_of(op.at("to")), slice_of(op.at("from")));
      if (kind == "reduce") program.reduce(slice_of(op.at("to")), slice_of(op.at("from")), slice_of(op.at("right")));
    }
  }
  EXPECT_EQ(read, schedule);
  EXPECT_EQ(json.at("programs")[0].at("operations")[3].at("after"), Json({0, 2}));
}

TEST(ExportJson, NamesLanesAndTheirDiscipline) {
  Schedule schedule = two_lane_broadcast(3, 0, 4);
  schedule[1].set_lane({.one_send_at_a_time = true});
  const Json json = Json::parse(export_json(schedule));
  const Json& program = json.at("programs")[1];
  EXPECT_EQ(program.at("lanes").size(), 2u);
  EXPECT_EQ(program.at("lanes")[0].at("one_send_at_a_time"), false);
  EXPECT_EQ(program.at("lanes")[1].at("one_send_at_a_time"), true);
  EXPECT_EQ(program.at("operations").back().at("lane"), 1);
}

// ---- GOAL

TEST(ExportGoal, IsWhatTxt2binReads) {
  EXPECT_EQ(export_goal(chain_broadcast(3, 0, 7, 4), {.element_bytes = 8}),
            "num_ranks 3\n"
            "\n"
            "rank 0 {\n"
            "l1: send 32b to 1 tag 0 cpu 0\n"
            "l2: send 24b to 1 tag 0 cpu 0\n"
            "l2 irequires l1\n"
            "}\n"
            "\n"
            "rank 1 {\n"
            "l1: recv 32b from 0 tag 0 cpu 0\n"
            "l2: recv 24b from 0 tag 0 cpu 0\n"
            "l2 irequires l1\n"
            "l3: send 32b to 2 tag 0 cpu 0\n"
            "l3 requires l1\n"
            "l3 irequires l2\n"
            "l4: send 24b to 2 tag 0 cpu 0\n"
            "l4 requires l2\n"
            "l4 irequires l3\n"
            "}\n"
            "\n"
            "rank 2 {\n"
            "l1: recv 32b from 1 tag 0 cpu 0\n"
            "l2: recv 24b from 1 tag 0 cpu 0\n"
            "l2 irequires l1\n"
            "}\n");
}

TEST(ExportGoal, ReductionsAndCopiesAreCalculations) {
  const std::string text =
      export_goal(ring_allreduce(2, 4), {.element_bytes = 8, .reduce_s_per_byte = 1e-9, .copy_s_per_byte = 0.5e-9});
  EXPECT_THAT(text, HasSubstr("l1: calc 16 cpu 0\nl2: send 16b to 1 tag 0 cpu 0\nl2 requires l1\n"));
  EXPECT_THAT(text, HasSubstr("l4: calc 16 cpu 0\nl4 requires l1\nl4 requires l3\n"));
}

TEST(ExportGoal, ALaneWithOneSendAtATimeWaitsForTheSendBefore) {
  const std::string text = export_goal(blocking_linear_broadcast(3, 0, 1), {});
  EXPECT_THAT(text, HasSubstr("l2: send 1b to 2 tag 0 cpu 0\nl2 requires l1\n}"));
  EXPECT_THAT(text, Not(HasSubstr("irequires")));
}

TEST(ExportGoal, LanesHaveTagsAndNoOrderBetweenThem) {
  const std::string text = export_goal(two_lane_broadcast(2, 0, 4), {});
  EXPECT_THAT(text, HasSubstr("rank 0 {\nl1: send 2b to 1 tag 0 cpu 0\nl2: send 2b to 1 tag 1 cpu 0\n}"));
}

// Every line follows the grammar, and labels exist before they are used.
TEST(ExportGoal, UsesNoLabelBeforeItIsThere) {
  for (const Schedule& schedule : {ring_allreduce(5, 12), chain_reduce(4, 9, 2), two_lane_broadcast(6, 3, 5)}) {
    std::istringstream lines(export_goal(schedule, {}));
    std::set<std::string> labels;
    std::string line;
    int ranks = 0;
    while (std::getline(lines, line)) {
      if (line.starts_with("rank ")) {
        labels.clear();
        ++ranks;
      } else if (line.find(": ") != std::string::npos) {
        EXPECT_THAT(line,
                    ContainsRegex("^l[0-9]+: (send [0-9]+b to|recv [0-9]+b from|calc) [0-9]+( tag [0-9]+)? cpu 0$"));
        labels.insert(line.substr(0, line.find(':')));
      } else if (line.find("requires") != std::string::npos) {
        std::istringstream words(line);
        std::string self, how, other;
        words >> self >> how >> other;
        EXPECT_TRUE(labels.contains(self) && labels.contains(other)) << line;
      }
    }
    EXPECT_EQ(ranks, static_cast<int>(schedule.size()));
  }
}

// ---- Graphviz

TEST(ExportGraphviz, ShowsOperationsInClustersAndMessagesBetweenThem) {
  const std::string text = export_graphviz(binomial_broadcast(4, 0, 7));
  EXPECT_THAT(text, HasSubstr("subgraph cluster_3"));
  EXPECT_THAT(text, HasSubstr("r2_0 [label=\"0: receive output[0..7) from rank 0\"]"));
  EXPECT_THAT(text, HasSubstr("r0_0 -> r2_0 [color=\"#1f77b4\""));
  EXPECT_THAT(text, HasSubstr("r2_0 -> r2_1 [color=gray50"));
}

TEST(ExportGraphviz, ShowsTheTreeOfABroadcast) {
  EXPECT_EQ(export_graphviz_ranks(binomial_broadcast(4, 1, 7), 8),
            "digraph ranks {\n  node [shape=circle, fontname=\"sans-serif\"];\n"
            "  0;\n  1;\n  2;\n  3;\n"
            "  1 -> 2 [label=\"56 B\"];\n"
            "  1 -> 3 [label=\"56 B\"];\n"
            "  3 -> 0 [label=\"56 B\"];\n}\n");
  EXPECT_THAT(export_graphviz_ranks(chain_broadcast(2, 0, 7, 2), 1), HasSubstr("0 -> 1 [label=\"4 messages, 7 B\"]"));
}

// ---- Chrome trace

// One unit of time a message, a tenth for anything local; receives are posted at once.
Timeline simple_timeline(const Schedule& schedule) {
  Timeline timeline;
  for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank)
    for (int op = 0; op < static_cast<int>(schedule[rank].ops().size()); ++op) {
      const bool receives = schedule[rank].ops()[op].kind == OpKind::receive;
      timeline.push_back({rank, op, receives ? 0.0 : op * 1e-3, op * 1e-3 + 1.5e-3});
    }
  return timeline;
}

TEST(ExportChromeTrace, HasAnEventForEachOperationAndAnArrowForEachMessage) {
  const Schedule schedule = ring_allreduce(4, 10);
  const Json json = Json::parse(export_chrome_trace(schedule, simple_timeline(schedule), 8));
  std::map<std::string, int> events;
  std::map<int, int> operations;  // by process
  for (const Json& event : json.at("traceEvents")) {
    ++events[event.at("ph")];
    if (event.at("ph") == "X") ++operations[event.at("pid").get<int>()];
  }
  for (int rank = 0; rank < 4; ++rank)
    EXPECT_EQ(operations[rank], static_cast<int>(schedule[rank].ops().size())) << rank;
  EXPECT_EQ(events["s"], 4 * 6);
  EXPECT_EQ(events["f"], 4 * 6);
}

TEST(ExportChromeTrace, NoEventsOfAThreadOverlap) {
  const Schedule schedule = chain_broadcast(3, 0, 50, 5);
  const Json json = Json::parse(export_chrome_trace(schedule, simple_timeline(schedule), 1));
  std::map<std::pair<int, int>, double> busy_until_us;
  for (const Json& event : json.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    double& until = busy_until_us[{event.at("pid").get<int>(), event.at("tid").get<int>()}];
    EXPECT_GE(event.at("ts").get<double>(), until - 1e-6);
    EXPECT_GE(event.at("dur").get<double>(), 0);
    until = event.at("ts").get<double>() + event.at("dur").get<double>();
  }
}

TEST(ExportChromeTrace, ArrowsStartAndEndInsideTheirEvents) {
  const Schedule schedule = binomial_broadcast(8, 0, 5);
  Timeline timeline;
  timeline.push_back({0, 0, 1e-3, 2e-3});
  timeline.push_back({4, 0, 0, 3e-3});
  const Json json = Json::parse(export_chrome_trace(schedule, timeline, 4));
  double start = -1;
  double end = -1;
  for (const Json& event : json.at("traceEvents")) {
    if (event.at("ph") == "s") start = event.at("ts");
    if (event.at("ph") == "f") end = event.at("ts");
    if (event.at("ph") == "X" && event.at("pid") == 4) {
      EXPECT_DOUBLE_EQ(event.at("ts"), 1000);  // from when the message was sent, not from when it was posted
      EXPECT_DOUBLE_EQ(event.at("dur"), 2000);
      EXPECT_DOUBLE_EQ(event.at("args").at("issued_us"), 0);
      EXPECT_EQ(event.at("args").at("bytes"), 20);
    }
  }
  EXPECT_DOUBLE_EQ(start, 1000);
  EXPECT_GT(end, 1000);
  EXPECT_LT(end, 3000);
}

TEST(ExportChromeTrace, AnEmptyTimelineIsStillAFile) {
  const Json json = Json::parse(export_chrome_trace(binomial_broadcast(2, 0, 1), {}, 1));
  for (const Json& event : json.at("traceEvents")) EXPECT_EQ(event.at("ph"), "M");
  EXPECT_TRUE(Json::parse(export_chrome_trace({}, {}, 1)).at("traceEvents").empty());
}

TEST(ExportChromeTrace, ATimelineOfAnotherScheduleIsRefused) {
  EXPECT_THROW(export_chrome_trace(binomial_broadcast(2, 0, 1), {{1, 1, 0, 1}}, 1), std::out_of_range);
  EXPECT_THROW(export_chrome_trace(binomial_broadcast(2, 0, 1), {{2, 0, 0, 1}}, 1), std::out_of_range);
}

}  // namespace
}  // namespace isthmus
