#include "algorithms/schedule/contents.hpp"

#include <gtest/gtest.h>

#include <random>

namespace isthmus {
namespace {

TEST(Contents, EqualAnArrayOfElementsUnderRandomReadsAndWrites) {
  std::mt19937 random(5);
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  for (int round = 0; round < 300; ++round) {
    const std::int64_t count = 1 + below(30);
    std::vector<Symbol> elements(count);
    Contents contents;
    contents.reset(count);
    std::vector<Stretch> stretches;
    for (int step = 0; step < 60; ++step) {
      const std::int64_t many = 1 + below(count);
      const std::int64_t offset = below(count - many + 1);
      stretches.clear();
      for (std::int64_t at = offset; at < offset + many; ++at) {
        const bool goes_on = at > offset && below(3) > 0;
        const Symbol symbol = goes_on ? stretches.back().symbol : Symbol{static_cast<int>(below(3)), below(2)};
        if (stretches.empty() || stretches.back().symbol != symbol) stretches.push_back({at, symbol});
        elements[at] = symbol;
      }
      contents.write(offset, many, stretches);

      const std::int64_t read_many = 1 + below(count);
      const std::int64_t read_offset = below(count - read_many + 1);
      contents.read(read_offset, read_many, stretches);
      ASSERT_EQ(stretches.front().begin, read_offset);
      std::size_t in = 0;
      for (std::int64_t at = read_offset; at < read_offset + read_many; ++at) {
        if (in + 1 < stretches.size() && stretches[in + 1].begin == at) {
          ++in;
          ASSERT_NE(stretches[in].symbol, stretches[in - 1].symbol);
        }
        ASSERT_EQ(stretches[in].symbol, elements[at]) << "round " << round << ", step " << step << ", element " << at;
      }
      ASSERT_EQ(in + 1, stretches.size());
    }
  }
}

TEST(Values, KeepTheOrderOfOperands) {
  Values values;
  values.reset(false, false);
  const Symbol a = values.of({0}), b = values.of({1}), c = values.of({2});
  EXPECT_EQ(values.reduce(values.reduce(a, b), c), values.reduce(a, values.reduce(b, c)));
  EXPECT_EQ(values.reduce(values.reduce(a, b), c), values.of({0, 1, 2}));
  EXPECT_NE(values.reduce(a, b), values.reduce(b, a));
}

TEST(Values, OfCommutativeOperatorsAreMultisets) {
  Values values;
  values.reset(true, false);
  const Symbol a = values.of({0}), b = values.of({1}), c = values.of({2});
  EXPECT_EQ(values.reduce(values.reduce(c, a), b), values.of({0, 1, 2}));
  EXPECT_NE(values.reduce(values.of({0, 1}), b), values.of({0, 1}));
  EXPECT_EQ(values.reduce(values.of({1, 0, 1}), c), values.of({2, 1, 1, 0}));
  EXPECT_NE(values.reduce(values.of({0, 1, 1}), c), values.of({0, 1, 2, 2}));
}

TEST(Values, OfIdempotentOperatorsAreSets) {
  Values values;
  values.reset(true, true);
  const Symbol once = values.of({0, 1, 2});
  EXPECT_EQ(values.reduce(values.of({2, 1}), values.of({1, 0})), once);
  EXPECT_EQ(values.reduce(once, once), once);
  EXPECT_NE(values.reduce(values.of({0}), values.of({1})), once);
}

TEST(Values, TellElementsApart) {
  for (const bool commutative : {false, true}) {
    Values values;
    values.reset(commutative, false);
    const Symbol a = values.of({0});
    Symbol shifted = values.of({1});
    shifted.shift += 5;
    const Symbol mixed = values.reduce(a, shifted);
    EXPECT_NE(mixed.value, values.of({0, 1}).value);
    EXPECT_EQ(values.describe(mixed, 2), "element 2 of rank 0 + element 7 of rank 1");
    EXPECT_EQ(values.describe(values.of({0, 1, 2}), 2), "element 2 of ranks 0 + 1 + 2");
    EXPECT_EQ(values.describe({}, 2), "nothing defined");
  }
}

TEST(Values, LongRunsOfRanksAreShort) {
  Values values;
  values.reset(false, false);
  Symbol sum = values.of({0});
  for (int rank = 1; rank < 2000; ++rank) sum = values.reduce(sum, values.of({rank}));
  EXPECT_EQ(values.contributors(sum.value).size(), 1u);
  EXPECT_EQ(values.describe(sum, 0), "element 0 of ranks 0 + ... + 1999");
}

}  // namespace
}  // namespace isthmus
