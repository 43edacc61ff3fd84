// Jobs and results as JSON: what is written is read again, and nothing wrong gets past the reader.
#include "algorithms/mpi/job/job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

using nlohmann::json;

Point point(std::string_view plan, std::int64_t count, std::int64_t element_bytes, int root) {
  Point made;
  made.problem.count = count;
  made.problem.element_bytes = element_bytes;
  made.problem.root = root;
  made.plan = parse_plan(Collective::broadcast, plan);
  return made;
}

// Two hosts and a gateway around one link.
Job small_job() {
  Job job;
  job.network.name = "small";
  job.network.links.push_back({"lan", 50e6, 10e-6, Sharing::shared});
  job.network.trunks[{0, 0}] = {{0}};
  for (const char* name : {"a", "b", "gateway"}) {
    Host host;
    host.name = name;
    host.cores = 2;
    host.gateway = host.name == "gateway";
    job.network.hosts.push_back(host);
  }
  job.placement.host_of_rank = {0, 1, 0};
  job.points.push_back(point("kielmann:segment=800", 1000, 8, 2));
  job.points.push_back(point("magpie", 0, 1, 0));
  Point uneven;
  uneven.problem = {Collective::reduce_scatter, 7, 4, 0, {7, 0, 5}, false};
  uneven.plan = parse_plan(Collective::reduce_scatter, "butterfly");
  job.points.push_back(uneven);
  job.repetitions = 5;
  job.warm_up = 1;
  return job;
}

TEST(Job, NeedsMemoryForTheScratchOfItsSchedulesToo) {
  const Topology topology = Topology::flat(8);
  Point one;
  one.problem = {.collective = Collective::alltoall, .count = 100, .element_bytes = 8};
  one.plan = parse_plan(Collective::alltoall, "linear");
  EXPECT_EQ(data_bytes(one, topology), 8 * 2 * 8 * 100 * 8);
  // Three steps, in each of which a rank packs four blocks and receives four.
  one.plan = parse_plan(Collective::alltoall, "bruck");
  EXPECT_GE(data_bytes(one, topology), 8 * (2 * 8 + 3 * 8) * 100 * 8);
  one.plan = parse_plan(Collective::alltoall, "mpi");
  EXPECT_EQ(data_bytes(one, topology), 8 * 2 * 8 * 100 * 8);
}

TEST(Job, IsReadAsItWasWritten) {
  const Job job = small_job();
  const Job read = job_from_json(json::parse(to_json(job).dump()));
  EXPECT_EQ(to_json(read), to_json(job));
  EXPECT_EQ(read.placement.host_of_rank, job.placement.host_of_rank);
  EXPECT_EQ(read.repetitions, 5);
  EXPECT_EQ(read.warm_up, 1);
  ASSERT_EQ(read.points.size(), 3u);
  EXPECT_EQ(read.points[0].problem.count, 1000);
  EXPECT_EQ(read.points[0].problem.element_bytes, 8);
  EXPECT_EQ(read.points[0].problem.root, 2);
  EXPECT_EQ(read.points[0].plan.algorithm->id, "kielmann");
  EXPECT_EQ(read.points[0].plan.parameters.segment_bytes, 800);
  EXPECT_TRUE(read.points[0].problem.commutative);
  EXPECT_EQ(read.points[2].problem.counts, (std::vector<std::int64_t>{7, 0, 5}));
  EXPECT_FALSE(read.points[2].problem.commutative);
}

TEST(PointResult, IsReadToTheLastDigit) {
  PointResult result;
  result.correct = true;
  result.repetitions = {{0.1 + 0.2, {0, 1e-9}, {1.0 / 3, 0.1 + 0.2}}, {5e-324, {0, 0}, {0, 5e-324}}};
  json line = json::parse(to_json(result).dump());
  line["point"] = 3;
  const PointResult read = point_result_from_json(line);
  EXPECT_TRUE(read.correct);
  ASSERT_EQ(read.repetitions.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(read.repetitions[i].seconds, result.repetitions[i].seconds);
    EXPECT_EQ(read.repetitions[i].rank_end_s, result.repetitions[i].rank_end_s);
    EXPECT_EQ(read.repetitions[i].rank_start_s, result.repetitions[i].rank_start_s);
  }
}

struct Wrong {
  std::string name;
  std::function<void(json&)> spoil;
  std::string told;  // part of the message
};

void PrintTo(const Wrong& wrong, std::ostream* stream) { *stream << wrong.name; }

class WrongJob : public testing::TestWithParam<Wrong> {};

TEST_P(WrongJob, IsToldInOneLine) {
  json document = to_json(small_job());
  GetParam().spoil(document);
  try {
    job_from_json(document);
    FAIL() << "was read";
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().told));
    EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n")));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Job, WrongJob,
    testing::Values(
        Wrong{"NoObject", [](json& job) { job = json::array(); }, "job: is []"},
        Wrong{"NoNetwork", [](json& job) { job.erase("network"); }, "job: /network: is missing"},
        Wrong{"NoPoints", [](json& job) { job.erase("points"); }, "job: /points: is missing"},
        Wrong{"PointsNoArray", [](json& job) { job["points"] = 3; }, "job: /points: is 3"},
        Wrong{"PointNoObject", [](json& job) { job["points"][1] = "x"; }, "job: /points/1: is \"x\""},
        Wrong{"NoRanks", [](json& job) { job["host_of_rank"] = json::array(); }, "job: /host_of_rank: is []"},
        Wrong{"UnknownHost", [](json& job) { job["host_of_rank"][1] = 3; }, "job: /host_of_rank/1: is 3"},
        Wrong{"NegativeHost", [](json& job) { job["host_of_rank"][1] = -1; }, "job: /host_of_rank/1: is -1"},
        Wrong{"RankOnAGateway", [](json& job) { job["host_of_rank"][0] = 2; }, "which the gateway gateway does not"},
        Wrong{"NoRepetitions", [](json& job) { job["repetitions"] = 0; }, "job: /repetitions: is 0"},
        Wrong{"ManyRepetitions", [](json& job) { job["repetitions"] = 1e9; }, "job: /repetitions: is 1000000000.0"},
        Wrong{"HalfARepetition", [](json& job) { job["repetitions"] = 1.5; }, "job: /repetitions: is 1.5"},
        Wrong{"NegativeWarmUp", [](json& job) { job["warm_up"] = -1; }, "job: /warm_up: is -1"},
        Wrong{"NegativeCount", [](json& job) { job["points"][0]["count"] = -1; }, "job: /points/0/count: is -1"},
        Wrong{"CountBeyond64Bits",
              [](json& job) { job["points"][0]["count"] = std::numeric_limits<std::uint64_t>::max(); },
              "job: /points/0/count: is 18446744073709551615"},
        Wrong{"BytesBeyond64Bits",
              [](json& job) { job["points"][0]["count"] = std::numeric_limits<std::int64_t>::max() / 4; },
              "job: /points/0/count: is 2305843009213693951"},
        Wrong{"NoElement", [](json& job) { job["points"][0]["element_bytes"] = 0; },
              "job: /points/0/element_bytes: is 0"},
        Wrong{"RootOutOfRange", [](json& job) { job["points"][0]["root"] = 3; }, "job: /points/0/root: is 3"},
        Wrong{"RootWhereThereIsNone", [](json& job) { job["points"][2]["root"] = 1; }, "reduce_scatter has no root"},
        Wrong{"CountsNoArray", [](json& job) { job["points"][2]["counts"] = 7; }, "job: /points/2/counts: is 7"},
        Wrong{"NegativeBlock", [](json& job) { job["points"][2]["counts"][1] = -1; }, "job: /points/2/counts/1: is -1"},
        Wrong{"TooFewBlocks", [](json& job) { job["points"][2]["counts"].erase(1); },
              "job: /points/2: 2 counts for reduce_scatter over 3 ranks"},
        Wrong{"BlocksThatMustBeEqual",
              [](json& job) {
                job["points"][0]["counts"] = {1, 2, 3};
              },
              "broadcast has blocks of one size"},
        Wrong{"CommutesPerhaps", [](json& job) { job["points"][2]["commutative"] = 1; },
              "job: /points/2/commutative: is 1"},
        Wrong{"OrderThatIsNotKept", [](json& job) { job["points"][2]["plan"] = "ring"; }, "job: /points/2: "},
        Wrong{"UnknownCollective", [](json& job) { job["points"][0]["collective"] = "broadcats"; }, "broadcats"},
        Wrong{"UnknownAlgorithm", [](json& job) { job["points"][0]["plan"] = "kielman"; }, "job: /points/0: "},
        Wrong{"PlanNoText", [](json& job) { job["points"][0]["plan"] = 7; }, "job: /points/0/plan: is 7"},
        Wrong{"SegmentBetweenElements", [](json& job) { job["points"][0]["plan"] = "chain:segment=801"; },
              "job: /points/0: "}),
    [](const auto& test) { return test.param.name; });

TEST(PointResult, IsRefusedWithoutItsTimes) {
  EXPECT_THROW(point_result_from_json(json::parse(R"({"correct": true})")), BadInput);
  EXPECT_THROW(point_result_from_json(json::parse(R"({"correct": 1, "repetitions": []})")), BadInput);
  EXPECT_THROW(point_result_from_json(json::parse(R"({"correct": true, "repetitions": [{"seconds": "1"}]})")),
               BadInput);
}

}  // namespace
}  // namespace isthmus
