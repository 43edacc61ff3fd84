// Which streams share a link, from what they get alone, at once, and without one of them.
#include "algorithms/measuring/load/sharing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace isthmus {
namespace {

using Rates = std::vector<double>;

/// Streams that come over lines of their own to a link of which each gets a part in proportion to what comes of it, as
/// in one queue, or as much as every other that wants as much. Those that are not on the link get what their lines
/// give.
struct SharedLinkOf {
  double link_Bps = 0;
  Rates lines_Bps;
  std::vector<bool> is_on_it;
  bool in_proportion = false;

  Rates rates_of(const std::vector<std::size_t>& sending) const {
    Rates rates;
    double wanted_Bps = 0;
    for (const std::size_t stream : sending) {
      rates.push_back(lines_Bps[stream]);
      if (is_on_it[stream]) wanted_Bps += lines_Bps[stream];
    }
    if (wanted_Bps <= link_Bps) return rates;
    double each_Bps = link_Bps;  // lowered until all fit
    const auto share = [&](double line_Bps) {
      return in_proportion ? line_Bps * link_Bps / wanted_Bps : std::min(line_Bps, each_Bps);
    };
    for (int step = 0; step < 200 && !in_proportion; ++step) {
      double all_Bps = 0;
      for (const std::size_t stream : sending) all_Bps += is_on_it[stream] ? share(lines_Bps[stream]) : 0;
      each_Bps *= all_Bps > link_Bps ? 0.98 : 1;
    }
    for (std::size_t i = 0; i < sending.size(); ++i)
      if (is_on_it[sending[i]]) rates[i] = share(rates[i]);
    return rates;
  }

  std::vector<bool> found() const {
    std::vector<std::size_t> everybody(lines_Bps.size());
    std::iota(everybody.begin(), everybody.end(), 0);
    Rates alone_Bps;
    for (const std::size_t stream : everybody) alone_Bps.push_back(rates_of({stream}).front());
    return sharing_streams(alone_Bps, rates_of(everybody), [&](std::size_t left_out) {
      std::vector<std::size_t> others = everybody;
      std::erase(others, left_out);
      return rates_of(others);
    });
  }
};

TEST(Sharing, AQuickStreamAmongSlowOnesIsOnTheLinkThoughTheyCannotTakeAllThatItLeaves) {
  const SharedLinkOf entrance{6.15e6, {0.916e6, 22.5e6, 0.744e6}, {true, true, true}, true};
  EXPECT_EQ(entrance.found(), std::vector<bool>(3, true));
}

TEST(Sharing, StreamsThatCarryLessThanTheQuickestAloneShareNoLinkOfTheirOwn) {
  // The third stream does nothing to the others, which together carry half of what the second gets alone.
  EXPECT_EQ(sharing_streams({1e6, 4e6, 9e6}, {0.4e6, 1.6e6, 9e6},
                            [](std::size_t) {
                              return Rates{0.4e6, 1.6e6};
                            }),
            std::vector<bool>(3, false));
  // The quickest lacks what the others get.
  EXPECT_EQ(sharing_streams({1e6, 1e6, 9e6}, {0.4e6, 0.4e6, 8.2e6},
                            [](std::size_t) {
                              return Rates{0.4e6, 0.4e6};
                            }),
            std::vector<bool>(3, true));
}

TEST(Sharing, FindsTheStreamsOfRandomLinks) {
  std::mt19937 dice(7);
  std::uniform_real_distribution<> exponent(5.5, 7.5), any(0, 1);
  int shared = 0;
  for (int draw = 0; draw < 400; ++draw) {
    SharedLinkOf link;
    link.link_Bps = std::pow(10, exponent(dice));
    link.in_proportion = draw % 2 == 0;
    const int streams = 2 + draw % 6;
    double least = 1;
    for (int i = 0; i < streams; ++i) {
      link.lines_Bps.push_back(std::pow(10, exponent(dice)));
      link.is_on_it.push_back(i < 2 || any(dice) < 0.6);
    }
    std::vector<std::size_t> everybody(link.lines_Bps.size());
    std::iota(everybody.begin(), everybody.end(), 0);
    const Rates loaded = link.rates_of(everybody);
    for (const std::size_t i : everybody) least = std::min(least, loaded[i] / link.rates_of({i}).front());
    if (least > 0.8) continue;
    ++shared;
    EXPECT_EQ(link.found(), link.is_on_it) << draw;
  }
  EXPECT_GT(shared, 200);
}

}  // namespace
}  // namespace isthmus
