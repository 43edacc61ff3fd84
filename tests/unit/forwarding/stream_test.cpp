#include "algorithms/forwarding/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace isthmus {
namespace {

const std::vector<int> through_gateway = {0, 1, 2};

std::string all_taken(Stream& stream) {
  std::string text;
  while (const Frame* const next = stream.next()) {
    if (next->payload) text += *next->payload;
    stream.taken();
  }
  return text;
}

TEST(Stream, PutsSegmentsInOrderWhateverTheirPaths) {
  Stream out(7, true, 2, 1U << 20U);
  Stream in(7, false, 0, 1U << 20U);
  std::vector<Frame> frames;
  std::string sent;
  for (int number = 0; number < 100; ++number) {
    const std::string piece = std::to_string(number) + " ";
    frames.push_back(out.to_send(out.add(0, piece), through_gateway));
    sent += piece;
  }
  std::shuffle(frames.begin(), frames.end(), std::mt19937(1));
  std::string got;
  for (const Frame& frame : frames) {
    in.arrive(frame);
    in.arrive(frame);  // and again, by a path that was thought lost
    got += all_taken(in);
  }
  EXPECT_EQ(got, sent);
}

TEST(Stream, KeepsSegmentsUntilTheyAreAcknowledged) {
  Stream out(7, true, 2, 1U << 20U);
  Stream in(7, false, 0, 1U << 20U);
  std::vector<Frame> frames;
  for (int number = 0; number < 4; ++number) frames.push_back(out.to_send(out.add(0, "abc"), through_gateway));
  in.arrive(frames[0]);
  in.arrive(frames[2]);
  EXPECT_TRUE(in.owes_acknowledgement());
  int released = 0;
  const auto count = [&](const Outstanding&) { ++released; };
  const Frame acknowledgement = in.acknowledgement({2, 1, 0});
  EXPECT_FALSE(in.owes_acknowledgement());
  out.acknowledged_by(acknowledgement, count);
  out.acknowledged_by(acknowledgement, count);
  EXPECT_EQ(released, 2);
  ASSERT_EQ(out.outstanding().size(), 2U);
  EXPECT_EQ(out.outstanding().begin()->first, 1U);
}

TEST(Stream, TakesNoNumberFromLessThanAWholeOne) {
  EXPECT_TRUE(numbers_in(make_frame(FrameKind::acknowledgement, {1, 0})).empty());
  EXPECT_TRUE(numbers_in(make_frame(FrameKind::acknowledgement, {1, 0}, "1234567")).empty());
  EXPECT_EQ(numbers_in(make_frame(FrameKind::acknowledgement, {1, 0}, "123456789")).size(), 1u);
  EXPECT_TRUE(numbers_in(make_frame(FrameKind::segment, {1, 0}, "12345678")).empty());
}

TEST(Stream, AcknowledgesWithASegmentOfTheOtherDirection) {
  Stream here(7, true, 2, 1U << 20U);
  Stream there(7, false, 0, 1U << 20U);
  there.arrive(here.to_send(here.add(0, "question"), through_gateway));
  EXPECT_EQ(all_taken(there), "question");
  const Frame answer = there.to_send(there.add(0, "answer"), {2, 1, 0});
  EXPECT_FALSE(there.owes_acknowledgement());
  here.acknowledged_by(answer, [](const Outstanding&) {});
  EXPECT_TRUE(here.outstanding().empty());
}

TEST(Stream, SendsNoMoreThanTheOtherEndHasRoomFor) {
  Stream out(7, true, 2, 100);
  Stream in(7, false, 0, 100);
  in.arrive(out.to_send(out.add(opens, "address"), through_gateway));
  in.arrive(out.to_send(out.add(0, std::string(80, 'a')), through_gateway));
  EXPECT_EQ(out.room(), 20U);  // what opens a stream does not count
  out.acknowledged_by(in.acknowledgement({2, 1, 0}), [](const Outstanding&) {});
  EXPECT_EQ(out.room(), 20U) << "the program has taken nothing";
  all_taken(in);
  EXPECT_TRUE(in.owes_soon());
  out.acknowledged_by(in.acknowledgement({2, 1, 0}), [](const Outstanding&) {});
  EXPECT_EQ(out.room(), 100U);
}

TEST(Stream, EndsOnceInEachDirection) {
  Stream out(7, true, 2, 100);
  Stream in(7, false, 0, 100);
  in.arrive(out.to_send(out.add(0, "last"), through_gateway));
  in.arrive(out.to_send(out.add(ends, {}), through_gateway));
  EXPECT_TRUE(out.sent_end());
  EXPECT_FALSE(in.got_end());
  EXPECT_EQ(all_taken(in), "last");
  EXPECT_TRUE(in.got_end());
}

}  // namespace
}  // namespace isthmus
