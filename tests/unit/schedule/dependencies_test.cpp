#include "algorithms/schedule/dependencies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <map>
#include <random>
#include <set>

#include "algorithms/schedule/access.hpp"
#include "tests/property/schedules.hpp"
#include "tests/support/random_programs.hpp"

namespace isthmus {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::vector<int>> derived(const Program& program) {
  Dependencies dependencies;
  derive(program, dependencies);
  std::vector<std::vector<int>> all;
  for (int op = 0; op < dependencies.size(); ++op) {
    const auto after = dependencies.after(op);
    all.emplace_back(after.begin(), after.end());
  }
  return all;
}

// The definition, element by element.
std::vector<std::vector<int>> derived_by_elements(const Program& program) {
  struct History {
    int writer = -1;
    std::vector<int> readers;
  };
  std::map<std::pair<Buffer, std::int64_t>, History> memory;
  std::vector<std::vector<int>> all;
  for (int op = 0; op < static_cast<int>(program.ops().size()); ++op) {
    std::set<int> after;
    for (const Slice& slice : read_by(program.ops()[op]))
      for (std::int64_t at = slice.offset; at < slice.end(); ++at) after.insert(memory[{slice.buffer, at}].writer);
    const Slice to = written_by(program.ops()[op]);
    for (std::int64_t at = to.offset; at < to.end(); ++at) {
      const History& history = memory[{to.buffer, at}];
      after.insert(history.writer);
      after.insert(history.readers.begin(), history.readers.end());
    }
    for (const Slice& slice : read_by(program.ops()[op]))
      for (std::int64_t at = slice.offset; at < slice.end(); ++at) memory[{slice.buffer, at}].readers.push_back(op);
    for (std::int64_t at = to.offset; at < to.end(); ++at) memory[{to.buffer, at}] = {op, {}};
    after.erase(-1);
    all.emplace_back(after.begin(), after.end());
  }
  return all;
}

Program random_program(std::mt19937& random, int ops, int elements) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto slice = [&](std::int64_t count) {
    return Slice{static_cast<Buffer>(below(3)), below(elements - static_cast<int>(count) + 1), count};
  };
  Program program;
  for (int op = 0; op < ops; ++op) {
    const std::int64_t count = 1 + below(1 + below(elements));
    tests::append_random_operation(program, random, slice(count), [&] { return slice(count); });
  }
  return program;
}

TEST(Dependencies, AnEmptyProgramHasNone) {
  Dependencies dependencies;
  derive(Program{}, dependencies);
  EXPECT_EQ(dependencies.size(), 0);
  EXPECT_EQ(dependencies.pairs(), 0u);
}

TEST(Dependencies, ForwardingWaitsForTheSegmentThatItForwards) {
  Program program;
  program.receive(output(0, 10), 0);
  program.receive(output(10, 10), 0);
  program.send(output(0, 10), 2);
  program.send(output(10, 10), 2);
  EXPECT_THAT(derived(program), ElementsAre(IsEmpty(), IsEmpty(), ElementsAre(0), ElementsAre(1)));
}

TEST(Dependencies, AWriteWaitsForThoseWhoStillRead) {
  Program program;
  program.receive(output(0, 4), 0);
  program.send(output(0, 2), 1);
  program.send(output(2, 2), 2);
  program.receive(output(1, 2), 0);
  EXPECT_THAT(derived(program), ElementsAre(IsEmpty(), ElementsAre(0), ElementsAre(0), ElementsAre(0, 1, 2)));
}

TEST(Dependencies, AReductionInPlaceWaitsForBothOperands) {
  Program program;
  const Slice partial = program.reserve(5);
  program.copy(output(0, 5), input(0, 5));
  program.receive(partial, 3);
  program.reduce(output(0, 5), partial, output(0, 5));
  program.send(output(0, 5), 3);
  EXPECT_THAT(derived(program), ElementsAre(IsEmpty(), IsEmpty(), ElementsAre(0, 1), ElementsAre(2)));
}

TEST(Dependencies, LanesDoNotHideThem) {
  Program program;
  program.receive(output(0, 1), 0);
  program.add_lane();
  program.send(output(0, 1), 2);
  EXPECT_THAT(derived(program), ElementsAre(IsEmpty(), ElementsAre(0)));
}

TEST(Dependencies, BuffersAreApart) {
  Program program;
  program.receive(program.reserve(8), 0);
  program.send(output(0, 8), 1);
  program.send(input(0, 8), 1);
  EXPECT_THAT(derived(program), ElementsAre(IsEmpty(), IsEmpty(), IsEmpty()));
}

TEST(Dependencies, EqualTheDefinitionOnRandomPrograms) {
  std::mt19937 random(1);
  for (int round = 0; round < 4000; ++round) {
    const int ops = 1 + static_cast<int>(random() % 40);
    const int elements = 1 + static_cast<int>(random() % 40);
    const Program program = random_program(random, ops, elements);
    ASSERT_EQ(derived(program), derived_by_elements(program)) << "round " << round;
  }
}

TEST(Dependencies, EqualTheDefinitionOnLongPrograms) {
  std::mt19937 random(2);
  for (const auto& [ops, elements] : {std::pair(800, 2000), {600, 2500}}) {
    const Program program = random_program(random, ops, elements);
    ASSERT_EQ(derived(program), derived_by_elements(program)) << ops << " operations";
  }
}

TEST(Dependencies, MemoryIsReusedWithoutATrace) {
  std::mt19937 random(3);
  Dependencies reused;
  for (int round = 0; round < 300; ++round) {
    const Program program = random_program(random, 1 + static_cast<int>(random() % 60), 20);
    derive(program, reused);
    const auto expected = derived(program);
    ASSERT_EQ(reused.size(), static_cast<int>(expected.size()));
    for (int op = 0; op < reused.size(); ++op) {
      const auto after = reused.after(op);
      ASSERT_EQ(std::vector<int>(after.begin(), after.end()), expected[op]);
    }
  }
}

TEST(Dependencies, OneCanBeForgotten) {
  const Program program = testing_schedules::forwarding_to_two(1);
  Dependencies dependencies;
  derive(program, dependencies);
  dependencies.remove(1, 0);
  EXPECT_THAT(dependencies.after(1), IsEmpty());
  EXPECT_THAT(dependencies.after(2), ElementsAre(0));
  EXPECT_EQ(dependencies.pairs(), 1u);
}

/// Of the processor: what passes on the wall depends on who else computes.
double seconds_for(auto work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// A quadratic algorithm would take minutes; the limit leaves room for slow machines and sanitizers.
TEST(Dependencies, HundredThousandOperationsTakeLittleTime) {
  constexpr int segments = 50000;
  Program forward, backward, shuffled, overlapping;
  std::mt19937 random(4);
  std::vector<int> order(segments);
  for (int i = 0; i < segments; ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  for (int i = 0; i < segments; ++i) {
    forward.receive(output(8 * i, 8), 0);
    backward.receive(output(8 * (segments - i), 8), 0);
    shuffled.receive(output(8 * order[i], 8), 0);
    overlapping.receive(output(random() % (8 * segments), 20), 0);
  }
  for (int i = 0; i < segments; ++i) {
    forward.send(output(8 * i, 8), 1);
    backward.send(output(8 * (segments - i), 8), 1);
    shuffled.send(output(8 * order[segments - 1 - i], 8), 1);
    overlapping.send(output(random() % (8 * segments), 20), 1);
  }
  Dependencies dependencies;
  for (const Program* program : {&forward, &backward, &shuffled, &overlapping}) {
    const double seconds = seconds_for([&] { derive(*program, dependencies); });
    EXPECT_LT(seconds, 2.0);
    RecordProperty("seconds", std::to_string(seconds));
    EXPECT_GE(dependencies.pairs(), static_cast<std::size_t>(segments) / 2);
  }
}

TEST(Dependencies, AMillionTinyProgramsTakeLittleTime) {
  Program program;
  program.receive(output(0, 1000), 0);
  program.send(output(0, 1000), 1);
  Dependencies dependencies;
  const double seconds = seconds_for([&] {
    for (int i = 0; i < 1000000; ++i) derive(program, dependencies);
  });
  EXPECT_LT(seconds, 5.0);
  RecordProperty("seconds", std::to_string(seconds));
}

}  // namespace
}  // namespace isthmus
