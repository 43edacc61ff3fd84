#include "algorithms/schedule/program.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "algorithms/schedule/text.hpp"

namespace isthmus {
namespace {

TEST(Programs, RecordOperationsInOrder) {
  Program program;
  program.receive(output(0, 4), 2);
  program.reduce(output(0, 4), output(0, 4), input(0, 4));
  program.copy(output(4, 4), output(0, 4));
  program.send(output(4, 4), 1);
  ASSERT_EQ(program.ops().size(), 4u);
  EXPECT_EQ(to_string(program.ops()[0]), "receive output[0..4) from rank 2");
  EXPECT_EQ(to_string(program.ops()[1]), "reduce output[0..4) = output[0..4) + input[0..4)");
  EXPECT_EQ(to_string(program.ops()[2]), "copy output[4..8) = output[0..4)");
  EXPECT_EQ(to_string(program.ops()[3]), "send output[4..8) to rank 1");
}

TEST(Programs, DoNotRecordEmptyOperations) {
  Program program;
  program.send(output(0, 0), 1);
  program.receive(output(3, 0), 1);
  program.copy(output(0, 0), input(0, 0));
  program.reduce(output(0, 0), input(0, 0), input(0, 0));
  EXPECT_TRUE(program.ops().empty());
}

TEST(Programs, ReserveScratchPiecewise) {
  Program program;
  EXPECT_EQ(program.reserve(5), (Slice{Buffer::scratch, 0, 5}));
  EXPECT_EQ(program.reserve(0), (Slice{Buffer::scratch, 5, 0}));
  EXPECT_EQ(program.reserve(3), (Slice{Buffer::scratch, 5, 3}));
  EXPECT_EQ(program.scratch_count(), 8);
}

TEST(Programs, PutOperationsIntoTheCurrentLane) {
  Program program;
  program.send(output(0, 1), 1);
  EXPECT_EQ(program.add_lane({.one_send_at_a_time = true}), 1);
  program.send(output(0, 1), 2);
  program.use_lane(0);
  program.send(output(0, 1), 3);
  EXPECT_EQ(program.ops()[0].lane, 0);
  EXPECT_EQ(program.ops()[1].lane, 1);
  EXPECT_EQ(program.ops()[2].lane, 0);
  EXPECT_FALSE(program.lanes()[0].one_send_at_a_time);
  EXPECT_TRUE(program.lanes()[1].one_send_at_a_time);
  EXPECT_EQ(to_string(program.ops()[1]), "send output[0..1) to rank 2 in lane 1");
  EXPECT_THROW(program.use_lane(2), std::out_of_range);
  EXPECT_THROW(program.use_lane(-1), std::out_of_range);
}

TEST(Programs, AreEmptyWhenCleared) {
  Program program;
  program.set_lane({.one_send_at_a_time = true});
  program.add_lane();
  program.reserve(4);
  program.send(output(0, 1), 1);
  program.clear();
  EXPECT_EQ(program, Program());
  program.send(output(0, 1), 1);
  EXPECT_EQ(program.ops()[0].lane, 0);
}

TEST(Programs, OfASourceAreWrittenForEveryRank) {
  const Schedule schedule = materialise(3, [](int rank, Program& program) { program.send(output(0, rank), 9); });
  ASSERT_EQ(schedule.size(), 3u);
  EXPECT_TRUE(schedule[0].ops().empty());
  EXPECT_EQ(schedule[2].ops()[0].from.count, 2);
}

}  // namespace
}  // namespace isthmus
