#include <gmock/gmock.h>

#include <limits>
#include <set>
#include <string>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/sizes.hpp"
#include "tests/support/refusal.hpp"

namespace isthmus {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Plan parse(std::string_view text) { return parse_plan(Collective::broadcast, text); }

/// The text of the error that `action` throws, in one line.
template <typename Action>
std::string refusal(const Action& action) {
  const std::string text = tests::refusal_of(action);
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  return text;
}
std::string plan_refusal(std::string_view text) {
  return refusal([&] { parse(text); });
}

TEST(Catalogue, KnowsEveryAlgorithmOfTheBroadcastByItsId) {
  std::set<std::string_view> ids;
  for (const Algorithm* algorithm : algorithms_of(Collective::broadcast)) {
    EXPECT_TRUE(ids.insert(algorithm->id).second) << algorithm->id << " twice";
    EXPECT_EQ(&algorithm_named(Collective::broadcast, algorithm->id), algorithm);
    EXPECT_FALSE(algorithm->paper.empty());
    EXPECT_FALSE(algorithm->summary.empty());
  }
  EXPECT_THAT(ids,
              ::testing::IsSupersetOf({"linear", "chain", "k-chain", "binary", "binomial", "k-ary", "splitted-binary",
                                       "scatter-allgather", "magpie", "kielmann", "multilevel", "multipath"}));
}

TEST(Catalogue, NamesTheNearMatchesOfAnUnknownAlgorithm) {
  EXPECT_THAT(plan_refusal("kielman"),
              AllOf(HasSubstr("no algorithm `kielman` for broadcast"), HasSubstr("did you mean `kielmann`?")));
  EXPECT_THAT(plan_refusal("bin"), AllOf(HasSubstr("`binary`"), HasSubstr("`binomial`")));
  EXPECT_THAT(plan_refusal("xyzzy"), AllOf(HasSubstr("known: `linear`"), ::testing::Not(HasSubstr("did you mean"))));
  EXPECT_THAT(plan_refusal(""), HasSubstr("no algorithm ``"));
}

TEST(Collectives, HaveNames) {
  EXPECT_EQ(name(Collective::broadcast), "broadcast");
  EXPECT_EQ(collective_named("broadcast"), Collective::broadcast);
  EXPECT_THAT(refusal([] { collective_named("brodcast"); }), HasSubstr("did you mean `broadcast`?"));
}

TEST(Plan, ReadsEveryParameter) {
  const Plan kielmann = parse("kielmann:segment=64Ki,wan-degree=3,lan-degree=2");
  EXPECT_EQ(kielmann.algorithm->id, "kielmann");
  EXPECT_EQ(kielmann.parameters.segment_bytes, 65536);
  EXPECT_EQ(kielmann.parameters.wan_degree, 3);
  EXPECT_EQ(kielmann.parameters.lan_degree, 2);
  EXPECT_EQ(parse("k-ary:degree=7").parameters.degree, 7);
  EXPECT_EQ(parse("binomial:segment=none").parameters, Parameters{});
  EXPECT_THAT(parse("multilevel:levels=linear/binomial").parameters.levels, ElementsAre("linear", "binomial"));
  EXPECT_EQ(parse("multilevel:merged=3").parameters.merged, 3);
  EXPECT_THAT(parse("eco:patterns=linear/k-ary-3").parameters.patterns, ElementsAre("linear", "k-ary-3"));
  EXPECT_EQ(parse("multilevel:merged=1").parameters, Parameters{});
}

TEST(Plan, IsTheSameAfterATripThroughText) {
  for (const char* text : {"binomial", "chain:segment=1000", "chain:segment=3Mi", "k-ary:segment=8Ki,degree=3",
                           "kielmann:segment=64Ki,wan-degree=3,lan-degree=2", "kielmann:lan-degree=9",
                           "multilevel:segment=1,degree=2,levels=linear/k-ary/chain", "multilevel:merged=2",
                           "eco:segment=8Ki,patterns=linear/k-ary-3/k-chain-2/binomial"}) {
    EXPECT_EQ(to_string(parse(text)), text);
    EXPECT_EQ(parse(to_string(parse(text))).parameters, parse(text).parameters);
  }
}

TEST(Plan, RefusesParametersThatTheAlgorithmDoesNotTake) {
  EXPECT_THAT(plan_refusal("binomial:degree=3"),
              AllOf(HasSubstr("binomial takes no parameter `degree`"), HasSubstr("known: `segment`")));
  EXPECT_THAT(plan_refusal("kielmann:wan_degree=3"), HasSubstr("did you mean `wan-degree`?"));
  EXPECT_THAT(plan_refusal("magpie:segment=1Ki"), HasSubstr("it has none"));
}

TEST(Plan, RefusesValuesOutOfRange) {
  EXPECT_THAT(plan_refusal("k-ary:degree=0"), HasSubstr("degree=0: a whole number from 1"));
  EXPECT_THAT(plan_refusal("k-ary:degree=3x"), HasSubstr("degree=3x"));
  EXPECT_THAT(plan_refusal("k-ary:degree=99999999999"), HasSubstr("a whole number"));
  EXPECT_THAT(plan_refusal("chain:segment=0"), HasSubstr("at least 1, or `none`"));
  EXPECT_THAT(plan_refusal("chain:segment=-4"), HasSubstr("negative"));
  EXPECT_THAT(plan_refusal("chain:segment=auto"), HasSubstr("a size or `none`"));
  EXPECT_THAT(plan_refusal("chain:segment="), HasSubstr("is no number"));
}

TEST(Plan, RefusesWhatIsNoSetting) {
  EXPECT_THAT(plan_refusal("chain:"), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(plan_refusal("chain:segment"), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(plan_refusal("chain:segment=1,"), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(plan_refusal("chain:segment=1,segment=2"), HasSubstr("`segment` is given twice"));
}

TEST(Plan, RefusesPatternsThatAreNoTreeOrTooMany) {
  EXPECT_THAT(plan_refusal("eco:patterns=linear/star"), HasSubstr("patterns: no tree algorithm `star`"));
  EXPECT_THAT(plan_refusal("eco:patterns=k-ary-0"), HasSubstr("no tree algorithm `k-ary-0`"));
  EXPECT_THAT(plan_refusal("eco:patterns=k-ary-3x"), HasSubstr("no tree algorithm `k-ary-3x`"));
  const Plan three = parse("eco:patterns=linear/chain/binary");
  const Problem problem{.collective = Collective::broadcast, .count = 1};
  EXPECT_THAT(refusal([&] {
                check(three, Topology::from_paths({{"x"}, {"x"}}), problem);
              }),
              HasSubstr("patterns: 3 trees for 2 groups"));
}

TEST(Plan, RefusesLevelsThatAreNoTree) {
  EXPECT_THAT(plan_refusal("multilevel:levels=linear/binomal"), HasSubstr("did you mean `binomial`?"));
  EXPECT_THAT(plan_refusal("multilevel:levels=magpie"), HasSubstr("no tree algorithm `magpie`"));
  EXPECT_THAT(plan_refusal("multilevel:merged=0"), HasSubstr("merged=0: a whole number from 1"));
  EXPECT_THAT(plan_refusal("multilevel:levels="), HasSubstr("no tree algorithm ``"));
}

class PlanCheck : public ::testing::Test {
 protected:
  std::string refusal_of(const Plan& plan, const Problem& problem) {
    return refusal([&] { check(plan, Topology::flat(4), problem); });
  }
  Plan chain_ = parse("chain:segment=6");
};

TEST_F(PlanCheck, TakesWhatFits) {
  EXPECT_EQ(refusal_of(chain_, {.count = 0, .element_bytes = 3, .root = 3}), "accepted");
  EXPECT_EQ(refusal_of(chain_, {.count = 5, .element_bytes = 6, .root = 0}), "accepted");
}

TEST_F(PlanCheck, RefusesARootOutOfRange) {
  EXPECT_THAT(refusal_of(chain_, {.count = 1, .root = 4}), AllOf(HasSubstr("root 4"), HasSubstr("0 to 3")));
  EXPECT_THAT(refusal_of(chain_, {.count = 1, .root = -1}), HasSubstr("root -1"));
}

TEST_F(PlanCheck, RefusesASegmentThatCutsElements) {
  EXPECT_THAT(refusal_of(chain_, {.count = 1, .element_bytes = 4}), HasSubstr("4 or 8 would be right"));
  EXPECT_THAT(refusal_of(chain_, {.count = 1, .element_bytes = 8}), HasSubstr("the element's 8; 8 would be right"));
}

TEST_F(PlanCheck, RefusesShapesThatAreNone) {
  EXPECT_THAT(refusal_of(chain_, {.count = -1}), HasSubstr("-1 elements"));
  EXPECT_THAT(refusal_of(chain_, {.count = 1, .element_bytes = 0}), HasSubstr("0 bytes"));
  EXPECT_THAT(refusal_of(chain_, {.count = std::numeric_limits<std::int64_t>::max(), .element_bytes = 2}),
              HasSubstr("2^63"));
}

TEST_F(PlanCheck, RefusesParametersThatWereNeverText) {
  Plan plan = chain_;
  plan.parameters.segment_bytes = -6;
  EXPECT_THAT(refusal_of(plan, {.count = 1}), HasSubstr("segment=-6 is negative"));
  plan = chain_;
  plan.parameters.degree = 3;
  EXPECT_THAT(refusal_of(plan, {.count = 1}), HasSubstr("no parameter `degree`"));
  plan = parse("multilevel");
  plan.parameters.levels = {"ring"};
  EXPECT_THAT(refusal_of(plan, {.count = 1}), HasSubstr("no tree algorithm `ring`"));
}

TEST_F(PlanCheck, RefusesAProblemOfAnotherCollective) {
  EXPECT_THAT(refusal_of(chain_, {.collective = Collective::reduce, .count = 1}),
              HasSubstr("chain is an algorithm for broadcast, not for reduce"));
}

TEST_F(PlanCheck, RefusesAnOperatorThatAnAlgorithmCannotServe) {
  const Plan ring = parse_plan(Collective::allreduce, "ring");
  Problem problem{.collective = Collective::allreduce, .count = 1};
  EXPECT_EQ(refusal_of(ring, problem), "accepted");
  EXPECT_TRUE(serves(ring, Topology::flat(4), problem));
  problem.commutative = false;
  EXPECT_THAT(refusal_of(ring, problem),
              AllOf(HasSubstr("allreduce/ring: "), HasSubstr("the operator has to commute")));
  EXPECT_FALSE(serves(ring, Topology::flat(4), problem));
}

TEST(Plan, OfACollectiveWithoutThatAlgorithmIsRefusedWithWhatThereIs) {
  EXPECT_THAT(refusal([] { parse_plan(Collective::barrier, "disemination"); }),
              HasSubstr("did you mean `dissemination`?"));
}

TEST(Size, IsReadInBothKindsOfUnits) {
  EXPECT_EQ(parse_size("0"), 0);
  EXPECT_EQ(parse_size("1"), 1);
  EXPECT_EQ(parse_size("64Ki"), 65536);
  EXPECT_EQ(parse_size("4Mi"), 4194304);
  EXPECT_EQ(parse_size("1k"), 1000);
  EXPECT_EQ(parse_size("1M"), 1000000);
  EXPECT_EQ(parse_size("1KB"), 1000);
  EXPECT_EQ(parse_size("1MiB"), 1048576);
  EXPECT_EQ(parse_size("2Gi"), 2147483648);
}

TEST(Size, IsRefusedWithWhatWouldBeRight) {
  const auto size_refusal = [](std::string_view text) { return refusal([&] { parse_size(text); }); };
  for (const char* text :
       {"", "Ki", "-1", "1.5Mi", "1 Ki", "1ki", "1KBs", "0x10", "9223372036854775808", "9000000Ti", "1Ki1"})
    EXPECT_THAT(size_refusal(text), AllOf(HasSubstr("size `" + std::string(text) + "`"), HasSubstr("would be right")));
}

TEST(Size, IsTheSameAfterATripThroughText) {
  EXPECT_EQ(size_text(0), "0");
  EXPECT_EQ(size_text(1000), "1000");
  EXPECT_EQ(size_text(1536), "1536");
  EXPECT_EQ(size_text(65536), "64Ki");
  for (std::int64_t bytes : {std::int64_t{1}, std::int64_t{1023}, std::int64_t{1} << 20, std::int64_t{3} << 40})
    EXPECT_EQ(parse_size(size_text(bytes)), bytes);
}

TEST(EditDistance, CountsWhatItTakes) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("chain", "cahin"), 1);
  EXPECT_EQ(edit_distance("binomal", "binomial"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

}  // namespace
}  // namespace isthmus
