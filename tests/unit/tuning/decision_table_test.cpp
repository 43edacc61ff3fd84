#include "algorithms/tuning/decision_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/tuning/table_exports.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Topology four_clusters() {
  const Network network = tests::das(4, 4);
  return topology_of(network, place_ranks(network, PlacementRule::block, 1));
}

Candidate timed(Collective collective, const char* plan, double seconds) {
  return {parse_plan(collective, plan), seconds};
}

DecisionTable small_table() {
  const auto bcast = [](const char* plan, double seconds) { return timed(Collective::broadcast, plan, seconds); };
  const auto reduce = [](const char* plan, double seconds) { return timed(Collective::allreduce, plan, seconds); };
  return {"4x4",
          digest_of(four_clusters()),
          16,
          {{Collective::broadcast, 0, 1, {bcast("magpie", 1), bcast("binomial", 2)}, "replay"},
           {Collective::broadcast, 0, 4096, {bcast("chain:segment=1Ki", 3), bcast("magpie", 4)}, "smpi"},
           {Collective::broadcast, 0, 1 << 20, {bcast("kielmann:segment=8Ki,wan-degree=1,lan-degree=1", 5)}, "replay"},
           {Collective::broadcast, 5, 1, {bcast("linear", 1)}, "replay"},
           {Collective::allreduce, 0, 8, {reduce("multilevel-exchange", 1), reduce("recursive-doubling", 2)}, "replay"},
           {Collective::allreduce, 0, 8192, {reduce("rabenseifner", 1)}, "replay"},
           {Collective::alltoall, 0, 64, {timed(Collective::alltoall, "bruck", 1)}, "replay"},
           {Collective::alltoall, 0, 4096, {timed(Collective::alltoall, "pairwise", 1)}, "replay"}}};
}

TEST(ADecisionTable, ComesBackTheSame) {
  const Json once = to_json(small_table());
  EXPECT_EQ(to_json(decision_table_from_json(once, four_clusters())), once);
}

TEST(ADecisionTable, AnswersWithTheNearestSizeOfTheRoot) {
  const DecisionTable table = small_table();
  const auto plan = [&](Collective collective, int root, std::int64_t bytes) {
    const Decision* decision = decision_for(table, collective, root, bytes);
    return decision == nullptr ? std::string("none") : to_string(decision->best().plan);
  };
  EXPECT_EQ(plan(Collective::broadcast, 0, 0), "magpie");
  EXPECT_EQ(plan(Collective::broadcast, 0, 40), "magpie");
  EXPECT_EQ(plan(Collective::broadcast, 0, 200), "chain:segment=1Ki");
  EXPECT_THAT(plan(Collective::broadcast, 0, 1 << 29), HasSubstr("kielmann"));
  EXPECT_EQ(plan(Collective::broadcast, 5, 1 << 20), "linear");
  EXPECT_EQ(plan(Collective::broadcast, 3, 1), "magpie");
  EXPECT_EQ(plan(Collective::scan, 0, 1), "none");
}

TEST(ADecisionTable, IsRefusedForAnotherTopology) {
  const Json table = to_json(small_table());
  for (const Topology& other : {Topology::from_paths(std::vector<std::vector<std::string>>(16)),
                                Topology::from_paths({{"a"}, {"a"}, {"b"}, {"b"}})}) {
    EXPECT_THAT([&] { decision_table_from_json(table, other); },
                ThrowsMessage<Refused>(AllOf(HasSubstr("another topology"), HasSubstr("isthmus tune"))));
  }
  // Names of groups do not count.
  std::vector<std::vector<std::string>> renamed;
  for (int rank = 0; rank < 16; ++rank) renamed.push_back({"site" + std::to_string(rank / 4)});
  EXPECT_NO_THROW(decision_table_from_json(table, Topology::from_paths(renamed)));
}

TEST(ADecisionTable, SaysWhatIsWrongInIt) {
  const std::pair<const char*, Json> wrongs[] = {{"/decisions/0/collective", "brodcast"},
                                                 {"/decisions/0/plans/0/plan", "magpy"},
                                                 {"/decisions/0/plans", Json::array()},
                                                 {"/decisions/0/bytes", -1},
                                                 {"/decisions/0/root", 16},
                                                 {"/decisions/0/root", "0"},
                                                 {"/ranks", nullptr},
                                                 {"/decisions", 3}};
  for (const auto& [pointer, value] : wrongs) {
    Json table = to_json(small_table());
    table[Json::json_pointer(pointer)] = value;
    EXPECT_THROW(decision_table_from_json(table, four_clusters()), BadInput) << pointer;
  }
  EXPECT_THROW(read_decision_table("absent.json", four_clusters()), BadInput);
}

TEST(ADecisionTable, TellsANetworkFromATable) {
  const Json network = {{"name", "das"}, {"links", Json::array()}, {"hosts", Json::array()}};
  EXPECT_THAT([&] { decision_table_from_json(network, four_clusters()); },
              ThrowsMessage<BadInput>(HasSubstr("is a network and no decision table; a file that `isthmus tune")));
}

// The border between two sizes is their geometric mean; the best plan that Open MPI has too is taken.
TEST(ADecisionTable, IsOpenMPIsDynamicRules) {
  EXPECT_EQ(openmpi_rules(small_table()),
            "3 # collectives\n"
            "7 # bcast\n1 # communicator size\n16 # ranks\n2 # message sizes\n"
            "0 6 0 0 # from bytes, binomial, fan-out, segment\n"
            "64 3 0 1024 # from bytes, pipeline, fan-out, segment\n"
            "2 # allreduce\n1 # communicator size\n16 # ranks\n2 # message sizes\n"
            "0 3 0 0 # from bytes, recursive_doubling, fan-out, segment\n"
            "256 6 0 0 # from bytes, rabenseifner, fan-out, segment\n"
            "3 # alltoall\n1 # communicator size\n16 # ranks\n2 # message sizes\n"
            "0 3 0 0 # from bytes, modified_bruck, fan-out, segment\n"
            "8192 2 0 0 # from bytes, pairwise, fan-out, segment\n");
  const Json as_json = Json::parse(openmpi_rules_json(small_table()));
  EXPECT_EQ(as_json["module"], "tuned");
  const Json& rules = as_json["collectives"]["bcast"][0]["rules"];
  EXPECT_EQ(rules[0]["msg_size_max"], 63);
  EXPECT_EQ(rules[1]["alg"], 3);  // pipeline
  EXPECT_EQ(rules[1]["seg_size"], 1024);
}

TEST(ADecisionTable, IsMpichsSelection) {
  const Json all = Json::parse(mpich_selection(small_table()));
  EXPECT_EQ(all.size(), 17u);
  const Json& intra = all["collective=allreduce"]["comm_type=intra"];
  EXPECT_TRUE(intra["avg_msg_size<256"].contains("algorithm=MPIR_Allreduce_intra_recursive_doubling"));
  EXPECT_TRUE(intra["avg_msg_size=any"]["is_op_built_in=yes"]["count=any"].contains(
      "algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather"));
  EXPECT_TRUE(all["collective=bcast"]["comm_type=intra"].contains("avg_msg_size=any"));
  EXPECT_TRUE(all["collective=alltoall"]["comm_type=intra"].contains("avg_msg_size<512"));
  EXPECT_TRUE(all["collective=scan"]["comm_type=intra"].contains("algorithm=MPIR_Scan_intra_recursive_doubling"));
}

TEST(ADecisionTable, IsNcclsTunerFile) {
  EXPECT_THAT(nccl_tuner_csv(small_table()), HasSubstr("broadcast,0,4294967295,ring,simple,-1,-1,16,-1,-1\n"));
}

}  // namespace
}  // namespace isthmus
