#include "validation/sources.hpp"

#include <gmock/gmock.h>

#include "algorithms/errors.hpp"
#include "algorithms/models/replay.hpp"
#include "platforms/reader.hpp"

namespace isthmus {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

RunRequest request_with(std::initializer_list<const char*> plans, std::initializer_list<std::int64_t> sizes) {
  RunRequest request;
  request.platform_file = ISTHMUS_SOURCE_DIR "/platforms/kielmann2000/das-4x4.xml";
  request.network = read_platform(request.platform_file);
  request.placement = place(request.network, PlacementRule::block, 1);
  request.timeout_s = 60;
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
      EXPECT_EQ(identity(record), identity(draft(source, request, request.points[point])));
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
    request.conditions.changes = {change};
    const Record record = run(Source::smpi, request)[0];
    EXPECT_GT(record.bound_seconds, 0);
    EXPECT_LT(record.bound_seconds, usual_s);
    EXPECT_GE(record.seconds, record.bound_seconds);
  }
}

TEST(Sources, RefuseWhatTheyCannotAnswer) {
  const RunRequest request = request_with({"broadcast/binomial"}, {1024});
  EXPECT_FALSE(answers(Source::plogp, request, request.points[0]));
  EXPECT_THAT([&] { run(Source::plogp, request); },
              testing::ThrowsMessage<BadInput>(AllOf(HasSubstr("broadcast/binomial"), HasSubstr("`replay`"))));
}

TEST(Requests, ChooseWhatThePlanLeavesOpen) {
  const RunRequest request = request_with({"broadcast/chain", "broadcast/chain:segment=auto"}, {4194304});
  EXPECT_EQ(request.points[0].plan.parameters.segment_bytes, 0);
  EXPECT_GT(request.points[1].plan.parameters.segment_bytes, 0);
  EXPECT_EQ(request.points[1].requested, "chain:segment=auto");
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
