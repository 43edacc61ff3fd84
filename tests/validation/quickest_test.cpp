#include "validation/records/quickest.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <random>

namespace isthmus {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

TEST(Quickest, IsTheLeastOfEachCellAndOfEqualOnesTheFirst) {
  EXPECT_THAT(quickest({}), IsEmpty());
  const std::vector<CellTime> times = {{5, "a", 2}, {1, "a", 3}, {5, "b", 1},  {5, "c", 1},
                                       {1, "b", 4}, {0, "a", 9}, {7, "a", NAN}};
  EXPECT_THAT(quickest(times), ElementsAre(5, 1, 2));
}

TEST(Penalty, IsWhatTheModelsChoiceTakesLongerByTheReference) {
  const std::vector<CellTime> reference = {{0, "a", 2}, {0, "b", 3}, {0, "b", 1},
                                           {1, "a", 4}, {1, "b", 4}, {2, "a", 0}};
  const std::vector<CellTime> model = {{0, "b", 1}, {0, "a", 2}, {0, "unknown", 0.5}, {1, "b", 1},
                                       {1, "a", 2}, {2, "a", 1}, {3, "a", 1}};
  const std::vector<Penalty> found = penalties(model, reference);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].chosen, 1u) << "the first time of b";
  EXPECT_EQ(found[0].best, 0u);
  EXPECT_DOUBLE_EQ(found[0].percent, 50);
  EXPECT_EQ(found[1].chosen, 4u);
  EXPECT_EQ(found[1].best, 3u);
  EXPECT_DOUBLE_EQ(found[1].percent, 0);
  EXPECT_TRUE(std::isnan(found[2].percent)) << "nothing is how many times quicker than no time";
}

TEST(SpeedUp, IsTheBaselinesTimeOverThePlans) {
  const std::vector<CellTime> times = {{0, "base", 6}, {0, "a", 2}, {1, "a", 2}, {0, "b", 0}, {0, "base", 100}};
  const auto factors = speed_ups(times, "base");
  EXPECT_THAT(factors, ElementsAre(std::nullopt, Optional(3.0), std::nullopt, std::nullopt, std::nullopt));
}

TEST(RelativeError, IsOfTheSamePlanInTheSameCell) {
  const std::vector<CellTime> reference = {{0, "a", 2}, {1, "a", 0}};
  const std::vector<CellTime> times = {{0, "a", 3}, {0, "b", 3}, {1, "a", 1}};
  EXPECT_THAT(relative_errors(times, reference), ElementsAre(Optional(0.5), std::nullopt, std::nullopt));
  EXPECT_THAT(over_bound(3, 2), Optional(1.5));
  EXPECT_EQ(over_bound(3, 0), std::nullopt);
  EXPECT_EQ(over_bound(3, NAN), std::nullopt);
}

TEST(Quickest, AgreesWithALookAtEveryTime) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> cells(0, 9), seconds(1, 5), plans(0, 4);
  for (int repetition = 0; repetition < 200; ++repetition) {
    std::vector<CellTime> times;
    for (int i = 0; i < repetition % 40; ++i)
      times.push_back({cells(random), std::string(1, static_cast<char>('a' + plans(random))),
                       static_cast<double>(seconds(random))});
    std::map<std::int64_t, double> least;
    for (const CellTime& time : times)
      least[time.cell] = least.contains(time.cell) ? std::min(least[time.cell], time.seconds) : time.seconds;
    const std::vector<std::size_t> found = quickest(times);
    ASSERT_EQ(found.size(), least.size());
    for (const std::size_t i : found) EXPECT_EQ(times[i].seconds, least[times[i].cell]);
    for (const Penalty& penalty : penalties(times, times)) EXPECT_GE(penalty.percent, 0);
  }
}

}  // namespace
}  // namespace isthmus
