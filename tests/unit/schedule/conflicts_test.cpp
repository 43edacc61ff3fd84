#include "algorithms/schedule/conflicts.hpp"

#include <gtest/gtest.h>

#include <random>

#include "algorithms/schedule/access.hpp"
#include "tests/property/schedules.hpp"
#include "tests/support/random_programs.hpp"

namespace isthmus {
namespace {

bool conflict(const Op& a, const Op& b) {
  bool found = overlap(written_by(a), written_by(b));
  for (const Slice& read : read_by(a)) found = found || overlap(read, written_by(b));
  for (const Slice& read : read_by(b)) found = found || overlap(written_by(a), read);
  return found;
}

// completed[j][i]: operation i has completed when j is issued. Straight from the definition.
std::vector<std::vector<bool>> completed_before(const Program& program, const Dependencies& dependencies) {
  const int count = static_cast<int>(program.ops().size());
  std::vector<std::vector<bool>> completed(count, std::vector<bool>(count));
  for (int op = 0; op < count; ++op) {
    const auto take_over = [&](int other) {
      for (int i = 0; i < count; ++i)
        if (completed[other][i]) completed[op][i] = true;
    };
    for (int before = 0; before < op; ++before)
      if (program.ops()[before].lane == program.ops()[op].lane) take_over(before);
    for (const int other : dependencies.after(op)) {
      take_over(other);
      completed[op][other] = true;
    }
  }
  return completed;
}

Program random_program(std::mt19937& random, int ops, int elements, int lanes) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Program program;
  for (int lane = 1; lane < lanes; ++lane) program.add_lane();
  for (int op = 0; op < ops; ++op) {
    program.use_lane(below(lanes));
    const std::int64_t count = 1 + below(1 + below(elements));
    const auto slice = [&] {
      return Slice{below(4) == 0   ? Buffer::input
                   : below(2) == 0 ? Buffer::output
                                   : Buffer::scratch,
                   below(elements - static_cast<int>(count) + 1), count};
    };
    tests::append_random_operation(program, random, slice(), slice);
  }
  return program;
}

TEST(Conflicts, DerivedDependenciesLeaveNone) {
  std::mt19937 random(11);
  ConflictSearch search;
  Dependencies dependencies;
  for (int round = 0; round < 3000; ++round) {
    const Program program = random_program(random, 1 + static_cast<int>(random() % 60),
                                           1 + static_cast<int>(random() % 30), 1 + static_cast<int>(random() % 3));
    derive(program, dependencies);
    ASSERT_FALSE(search.find(program, dependencies).has_value()) << "round " << round;
  }
}

TEST(Conflicts, AreFoundExactlyWhereTheDefinitionHasThem) {
  std::mt19937 random(12);
  ConflictSearch search;
  Dependencies dependencies;
  int with = 0;
  int without = 0;
  for (int round = 0; round < 6000; ++round) {
    const Program program = random_program(random, 2 + static_cast<int>(random() % 45),
                                           2 + static_cast<int>(random() % 40), 1 + static_cast<int>(random() % 3));
    derive(program, dependencies);
    for (int drops = static_cast<int>(random() % 3); drops >= 0; --drops) {
      const int op = static_cast<int>(random() % program.ops().size());
      const auto after = dependencies.after(op);
      if (!after.empty()) dependencies.remove(op, after[random() % after.size()]);
    }
    const auto completed = completed_before(program, dependencies);
    const auto unordered = [&](int earlier, int later) {
      return conflict(program.ops()[earlier], program.ops()[later]) && !completed[later][earlier];
    };
    bool expected = false;
    for (int later = 0; later < dependencies.size(); ++later)
      for (int earlier = 0; earlier < later; ++earlier) expected = expected || unordered(earlier, later);
    const auto found = search.find(program, dependencies);
    ASSERT_EQ(found.has_value(), expected) << "round " << round;
    if (found) {
      EXPECT_TRUE(unordered(found->earlier, found->later)) << "round " << round;
      EXPECT_FALSE(found->slice.empty());
    }
    ++(expected ? with : without);
  }
  EXPECT_GT(with, 500);
  EXPECT_GT(without, 500);
}

TEST(Conflicts, AnOrderMayComeFromTheLane) {
  // The second send is issued after the first, which is issued when the receive has completed.
  const Program program = testing_schedules::forwarding_to_two(4);
  Dependencies dependencies;
  derive(program, dependencies);
  dependencies.remove(2, 0);
  EXPECT_FALSE(ConflictSearch().find(program, dependencies).has_value());
  dependencies.remove(1, 0);
  const auto found = ConflictSearch().find(program, dependencies);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->earlier, 0);
  EXPECT_EQ(found->later, 1);
  EXPECT_EQ(found->slice, output(0, 4));
}

}  // namespace
}  // namespace isthmus
