// Closed forms against the replay, on networks where they must agree, and where they must differ, with the reason.
#include "algorithms/models/closed_forms.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/models/two_layer_forms.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/replay/ticks.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

/// Between the model and the replay.
enum class Relation : std::uint8_t { equal, at_most, at_least };

struct Case {
  Collective collective;
  const char* plan;
  std::vector<int> ranks;
  Relation plogp;  ///< of the formula to the replay
};

const std::vector<int> any = {2, 3, 5, 8, 13, 32}, powers = {2, 4, 8, 32}, full = {3, 7, 15, 31};

// On a star of full-duplex links with g(m) = m / B, and processors that take no time, P-LogP and the replay are the
// same model: what differs is how the formula counts.
const Case cases[] = {
    {Collective::barrier, "double-ring", any, Relation::equal},
    {Collective::barrier, "recursive-doubling", powers, Relation::equal},
    // A rank that waited for its pair finds the first token of its exchange there: the steps beside log2 P overlap.
    {Collective::barrier, "recursive-doubling", any, Relation::at_least},
    {Collective::barrier, "dissemination", any, Relation::equal},
    // Reports come in at once by the formula; over the root's own link they come one after the other.
    {Collective::barrier, "flat", {2}, Relation::equal},
    {Collective::barrier, "flat", any, Relation::at_most},
    {Collective::broadcast, "linear", any, Relation::equal},
    {Collective::broadcast, "linear:segment=1000", any, Relation::equal},
    {Collective::broadcast, "chain", any, Relation::equal},
    {Collective::broadcast, "chain:segment=1000", any, Relation::equal},
    {Collective::broadcast, "binomial", powers, Relation::equal},
    {Collective::broadcast, "binomial:segment=1000", powers, Relation::equal},
    // The tree that is not full is taken for the next full one.
    {Collective::broadcast, "binomial", any, Relation::at_least},
    {Collective::broadcast, "binary", full, Relation::equal},
    {Collective::broadcast, "binary:segment=1000", full, Relation::equal},
    {Collective::broadcast, "binary", any, Relation::at_least},
    // Halves are exchanged when a rank has passed its own on; the formula waits for the last rank of all.
    {Collective::broadcast, "splitted-binary", any, Relation::at_least},
    {Collective::broadcast, "splitted-binary:segment=1000", full, Relation::at_least},
    {Collective::reduce, "flat", any, Relation::equal},
    {Collective::reduce, "flat:segment=1000", any, Relation::equal},
    {Collective::reduce, "chain", any, Relation::equal},
    {Collective::reduce, "chain:segment=1000", any, Relation::equal},
    {Collective::reduce, "binomial", powers, Relation::equal},
    {Collective::reduce, "binomial", any, Relation::at_least},
    // The formula has each level wait for all segments of the one below.
    {Collective::reduce, "binomial:segment=1000", powers, Relation::at_least},
    {Collective::reduce, "binary", full, Relation::equal},
    {Collective::reduce, "binary:segment=1000", full, Relation::at_least},
    {Collective::reduce, "k-chain:degree=1,segment=1000", any, Relation::equal},
    {Collective::reduce, "k-chain:degree=2", {3, 5, 13}, Relation::equal},
    {Collective::reduce, "k-chain:degree=4,segment=1000", {5, 13, 32}, Relation::at_least},
    {Collective::alltoall, "linear-sequential", any, Relation::equal},
    {Collective::alltoall, "linear-sequential:segment=1000", any, Relation::equal},
    {Collective::alltoall, "pairwise", any, Relation::equal},
    {Collective::scatter, "linear", any, Relation::equal},
    {Collective::scatter, "linear:segment=1000", any, Relation::equal},
};

double replayed(const Network& network, const Plan& plan, const Problem& problem) {
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const Topology topology = topology_of(network, placement);
  check(plan, topology, problem);
  return replay({network, placement}, problem.element_bytes, source(plan, topology, problem)).seconds;
}

Problem problem_of(Collective collective, std::int64_t bytes) {
  return {.collective = collective, .count = carries_data(collective) ? bytes : 0};
}

void expect(Relation relation, double formula_s, double replay_s) {
  const double slack = 1e-9 * replay_s + 64 * tick_s;
  if (relation != Relation::at_least) {
    EXPECT_LE(formula_s, replay_s + slack);
  }
  if (relation != Relation::at_most) {
    EXPECT_GE(formula_s, replay_s - slack);
  }
}

TEST(ClosedForms, OfPLogPHoldAgainstTheReplay) {
  for (const Case& row : cases) {
    const Plan plan = parse_plan(row.collective, row.plan);
    for (const int ranks : row.ranks) {
      for (const std::int64_t bytes : {8, 1000, 16000}) {
        SCOPED_TRACE(std::string(name(row.collective)) + "/" + row.plan + " over " + std::to_string(ranks) + ", " +
                     std::to_string(bytes) + " B");
        const Network network = tests::star(ranks, 1e-4, 1e7);
        const Problem problem = problem_of(row.collective, bytes);
        const auto formula = predict(Model::plogp, parameters_of(plogp_of(network, 0, 1)), plan, problem, ranks);
        ASSERT_TRUE(formula);
        expect(row.plogp, formula->min_s, replayed(network, plan, problem));
      }
    }
  }
}

TEST(ClosedForms, StayNearTheReplayWhereTheyAreNotExact) {
  for (const Case& row : cases) {
    if (row.plogp == Relation::equal) continue;
    const Plan plan = parse_plan(row.collective, row.plan);
    const Network network = tests::star(32, 1e-4, 1e7);
    const Problem problem = problem_of(row.collective, 16000);
    const auto formula = predict(Model::plogp, parameters_of(plogp_of(network, 0, 1)), plan, problem, 32);
    const double ratio = formula->min_s / replayed(network, plan, problem);
    EXPECT_GT(ratio, 0.9) << row.plan;
    EXPECT_LT(ratio, 1.6) << row.plan;
  }
}

// LogGP describes the same network when g(m) is linear and processors take no time: g = g(1), G = 1 / B, o = 0. Left
// out are the algorithms for whose steps the table has L + o + g in place of L + 2 o: those lie g - o a step higher.
TEST(ClosedForms, OfLogGPAreThoseOfPLogPWhereTheGapIsLinear) {
  for (const Case& row : cases) {
    const Plan plan = parse_plan(row.collective, row.plan);
    const ModelParameters parameters = parameters_of(plogp_of(tests::star(2, 1e-4, 1e7, 100), 0, 1));
    for (const int ranks : {2, 7, 32}) {
      const Problem problem = problem_of(row.collective, 16000);
      const double plogp = predict(Model::plogp, parameters, plan, problem, ranks)->min_s;
      const double loggp = predict(Model::loggp, parameters, plan, problem, ranks)->min_s;
      const std::string_view id = plan.algorithm->id;
      const bool in_steps = id == "double-ring" || id == "recursive-doubling" || id == "dissemination" ||
                            id == "pairwise" || (row.collective == Collective::reduce && id == "binomial");
      EXPECT_GE(loggp, plogp * (1 - 1e-9)) << row.plan;
      if (in_steps) continue;
      EXPECT_NEAR(loggp / plogp, 1, 1e-9) << name(row.collective) << "/" << row.plan << " over " << ranks;
    }
  }
}

TEST(ClosedForms, OfHockneyAreExactWhereEveryMessageWaitsForTheOneBefore) {
  const Network network = tests::star(2, 1e-4, 1e7, 100);
  const ModelParameters parameters = parameters_of(plogp_of(network, 0, 1));
  for (const Case& row : cases) {
    const Plan plan = parse_plan(row.collective, row.plan);
    const Problem problem = problem_of(row.collective, 1000);
    if (row.collective == Collective::alltoall && plan.algorithm->id == "linear-sequential")
      continue;  // one turn after the other
    const bool halves = plan.algorithm->id == "splitted-binary", binary = plan.algorithm->id == "binary";
    if (halves || binary) continue;  // two children, where there is one
    EXPECT_NEAR(predict(Model::hockney, parameters, plan, problem, 2)->max_s / replayed(network, plan, problem), 1,
                1e-9)
        << name(row.collective) << "/" << row.plan;
  }
  // Exact for a chain of whole messages over any number of ranks; too long where messages may follow closely.
  const Network many = tests::star(16, 1e-4, 1e7);
  const ModelParameters of_many = parameters_of(plogp_of(many, 0, 1));
  const auto ratio = [&](const char* text) {
    const Plan plan = parse_plan(Collective::broadcast, text);
    const Problem problem = problem_of(Collective::broadcast, 16000);
    return predict(Model::hockney, of_many, plan, problem, 16)->min_s / replayed(many, plan, problem);
  };
  EXPECT_NEAR(ratio("chain"), 1, 1e-9);
  EXPECT_NEAR(ratio("binomial"), 1, 1e-9);
  EXPECT_GT(ratio("linear:segment=100"), 5);
  EXPECT_GT(ratio("chain:segment=100"), 3);
}

TEST(ClosedForms, OfLogPKnowSmallMessagesOnly) {
  const ModelParameters parameters = parameters_of(plogp_of(tests::star(8, 1e-4, 1e7), 0, 1));
  const Plan plan = parse_plan(Collective::broadcast, "chain");
  const auto seconds = [&](Model model, std::int64_t bytes) {
    return predict(model, parameters, plan, problem_of(Collective::broadcast, bytes), 8)->min_s;
  };
  EXPECT_DOUBLE_EQ(seconds(Model::logp, 1), seconds(Model::loggp, 1));
  EXPECT_DOUBLE_EQ(seconds(Model::logp, 1 << 20), seconds(Model::logp, 1));
}

// Reports that meet no queue (their last link is a fat pipe) and wait for the processor alone: the best case without
// overhead, the worst case with one.
TEST(ClosedForms, OfTheFlatBarrierAreBestAndWorstCaseOfItsFanIn) {
  Network network = tests::star(9, 1e-4, 1e6);
  for (Link& link : network.links)
    if (link.name.ends_with("_DOWN")) link.sharing = Sharing::fatpipe;
  const Plan plan = parse_plan(Collective::barrier, "flat");
  const Problem problem = problem_of(Collective::barrier, 0);
  const auto formula = [&] { return *predict(Model::plogp, parameters_of(plogp_of(network, 0, 1)), plan, problem, 9); };
  EXPECT_NEAR(formula().min_s, replayed(network, plan, problem), 1e-12);
  EXPECT_DOUBLE_EQ(formula().min_s, formula().max_s);
  network.transport.receive_overhead_s = 0.5e-6;
  EXPECT_GT(formula().max_s, formula().min_s + 3e-6);
  const double replay_s = replayed(network, plan, problem);
  EXPECT_GT(replay_s, formula().min_s);
  EXPECT_LE(replay_s, formula().max_s + 1e-12);
  // The last report has arrived after P - 1 overheads; the first of them overlaps the gap of its message.
  EXPECT_NEAR(replay_s, formula().min_s + 7 * 0.5e-6, 1e-12);
}

// What the processor does for each segment sets the pace: gamma in the formulas.
TEST(ClosedForms, CountTheComputationOfAReduction) {
  const PLogP layer = plogp_of(tests::star(2, 1e-4, 1e7), 0, 1);
  const Problem problem = problem_of(Collective::reduce, 1000);
  const auto seconds = [&](Model model, const char* plan, double gamma) {
    return predict(model, parameters_of(layer, gamma), parse_plan(Collective::reduce, plan), problem, 8)->min_s;
  };
  for (const char* plan : {"flat", "chain", "binomial", "binary", "k-chain"})
    for (const Model model : {Model::hockney, Model::loggp, Model::plogp})
      EXPECT_GT(seconds(model, plan, 1e-6), seconds(model, plan, 0) + 2.5e-3) << plan << " " << name(model);
  EXPECT_NEAR(seconds(Model::plogp, "flat", 1e-6), 1e-4 + 7 * 1e-3, 1e-12);
  EXPECT_NEAR(seconds(Model::hockney, "chain", 1e-6), 7 * (1e-4 + 1e-4 + 1e-3), 1e-12);
}

TEST(Parameters, AreDerivedAsThePapersDo) {
  const PLogP layer{1e-3, SizeFunction::linear(2e-6, 1e-9), SizeFunction::linear(4e-6, 3e-9),
                    SizeFunction({{0, 1e-5}, {1000, 3e-5}, {11000, 13e-5}})};
  const LogGP loggp = loggp_of(layer);
  EXPECT_NEAR(loggp.overhead_s, 3.002e-6, 1e-15);
  EXPECT_NEAR(loggp.gap_s, 1.002e-5, 1e-15);
  EXPECT_NEAR(loggp.gap_s_per_byte, 1e-8, 1e-18);
  EXPECT_NEAR(loggp.latency_s + 2 * loggp.overhead_s, layer.receive_time_s(1), 1e-15);
  const Hockney hockney = hockney_of(layer);
  for (const double bytes : {0.0, 1.0, 500.0, 5000.0, 1e6})
    EXPECT_NEAR(hockney(bytes), layer.receive_time_s(bytes), 1e-12) << bytes;
}

TEST(ClosedForms, AreThereForTablesOneToFour) {
  EXPECT_EQ(barrier_forms().size(), 4u);
  EXPECT_EQ(broadcast_forms().size(), 5u);
  EXPECT_EQ(reduce_forms().size(), 5u);
  EXPECT_EQ(alltoall_scatter_forms().size(), 3u);
  for (const ClosedForm& form : closed_forms())
    EXPECT_EQ(form_of(algorithm_named(form.collective, form.algorithm)), &form);
  EXPECT_EQ(form_of(algorithm_named(Collective::broadcast, "kielmann")), nullptr);
}

TEST(ClosedForms, OfNothingTakeNoTime) {
  const ModelParameters parameters = parameters_of(plogp_of(tests::star(2, 1e-4, 1e7), 0, 1));
  for (const ClosedForm& form : closed_forms())
    for (const Model model : all_models) {
      const Plan plan{&algorithm_named(form.collective, form.algorithm), {}};
      EXPECT_EQ(predict(model, parameters, plan, problem_of(form.collective, 1000), 1)->max_s, 0);
      if (!carries_data(form.collective)) continue;
      EXPECT_EQ(predict(model, parameters, plan, problem_of(form.collective, 0), 8)->max_s, 0);
    }
}

struct LayeredCase {
  Collective collective;
  const char* plan;
  bool exact;
  double max_over = 1;  ///< the formula over the replay, where it is a bound
};

TEST(TwoLayerForms, HoldAgainstTheReplay) {
  const LayeredCase layered[] = {
      {Collective::reduce, "multilevel", true},
      {Collective::reduce, "multilevel:segment=1000", false, 1.6},
      {Collective::barrier, "multilevel", true},
      {Collective::scatter, "multilevel", true},
      {Collective::scatter, "multilevel:segment=1000", false, 1.6},
      {Collective::gather, "multilevel", true},
      {Collective::gather, "multilevel:segment=1000", false, 1.6},
  };
  for (const auto& [collective, text, exact, max_over] : layered) {
    const Plan plan = parse_plan(collective, text);
    for (const int clusters : {2, 3, 4, 8}) {
      for (const int hosts : {1, 2, 3, 4, 6, 8}) {
        const Network network = tests::das(clusters, hosts);
        const TwoLayers layers = two_layers_of({network, place_ranks(network, PlacementRule::block, 1)});
        for (const std::int64_t bytes : {8, 1000, 64000}) {
          SCOPED_TRACE(std::string(name(collective)) + "/" + text + " on " + network.name + ", " +
                       std::to_string(bytes) + " B");
          const Problem problem = problem_of(collective, bytes);
          const auto formula = two_layer_seconds(layers, network.transport, plan, problem);
          ASSERT_TRUE(formula);
          const double replay_s = replayed(network, plan, problem);
          const bool power = (hosts & (hosts - 1)) == 0;
          const double most = exact ? (power ? 1 : 2) : max_over;
          EXPECT_GE(*formula, replay_s * (exact ? 1 - 1e-9 : 0.998));
          EXPECT_LE(*formula, most * replay_s * (1 + 1e-9));
        }
      }
    }
  }
}

TEST(TwoLayerForms, AreThereForWhatTheyDescribe) {
  const Network network = tests::das(4, 4);
  const TwoLayers layers = two_layers_of({network, place_ranks(network, PlacementRule::block, 1)});
  const auto is_there = [&](Collective collective, const char* plan, bool commutative = true) {
    Problem problem = problem_of(collective, 8);
    problem.commutative = commutative;
    return two_layer_seconds(layers, network.transport, parse_plan(collective, plan), problem).has_value();
  };
  EXPECT_TRUE(is_there(Collective::broadcast, "magpie"));
  EXPECT_FALSE(is_there(Collective::broadcast, "binomial"));
  EXPECT_FALSE(is_there(Collective::reduce, "multilevel:levels=chain/binomial"));
  EXPECT_FALSE(is_there(Collective::reduce, "multilevel", false));
  EXPECT_FALSE(is_there(Collective::allgather, "multilevel"));
}

}  // namespace
}  // namespace isthmus
