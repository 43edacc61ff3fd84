// From the rates of ways to a packing: who moves how many bytes by when, without slivers, in whole numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/collective/packing.hpp"
#include "algorithms/synthesis/commodities.hpp"
#include "algorithms/synthesis/site_rows.hpp"
#include "algorithms/synthesis/site_ways.hpp"

namespace isthmus {

struct FluidWay {
  TimedWay timed;
  double rate_Bps = 0;
  double bytes = 0;
};

struct Fluid {
  std::vector<FluidWay> ways;
  double seconds = 0;
  double rate_per_s = 0;
  bool finished = true;
  bool for_lines = false;  ///< as of Packing
};

/// Of an allreduce, trees in and trees out by themselves: makes ways of those with the same root.
void join_halves(Fluid& fluid);

/// When the rates have moved everything: each commodity by its own ways, of which those that start after its end move
/// nothing. Sets seconds and bytes. Infinite if a commodity has no way.
void set_end(Fluid& fluid, const Commodities& commodities);

/// Ways that move a smaller share of their commodity are slivers.
inline constexpr double kSliver = 0.002, kSliverOfMany = 0.1;
/// Removes slivers.
void drop_slivers(Fluid& fluid, const Commodities& commodities, double sliver);

/// The shares of the ways of a commodity add up to this.
inline constexpr std::int64_t kShares = 10'000;
/// Or are 1 where it has one way.
Packing packing_of(const Fluid& fluid, const Commodities& commodities, const SiteNetwork& network,
                   const SiteRows& rows);

}  // namespace isthmus
