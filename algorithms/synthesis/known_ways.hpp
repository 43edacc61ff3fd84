// The ways that are good for a collective, whatever the size of its messages: found once, so that the packing for one
// more size takes a programme over these alone.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "algorithms/collective/problem.hpp"
#include "algorithms/synthesis/commodities.hpp"
#include "algorithms/synthesis/piece_search.hpp"
#include "algorithms/synthesis/shares.hpp"
#include "algorithms/synthesis/site_network.hpp"
#include "algorithms/synthesis/site_ways.hpp"
#include "algorithms/synthesis/synthesis.hpp"

namespace isthmus {

/// For problems that differ in their count alone, without counts of their own. May be used from several threads.
class KnownWays {
 public:
  using CommoditiesOf = Commodities (*)(const SiteNetwork&, const Problem&);

  /// `commodities_of`: that of synthesise(), or sums_of_sites() for that of synthesise_exchange(). `network` must
  /// outlive it. Throws BadInput if a site cannot reach another that it has to reach.
  KnownWays(const SiteNetwork& network, CommoditiesOf commodities_of, const Problem& like);

  /// No packing takes less time: latencies are at least those of a byte, and pieces at most the whole, which the
  /// headers slow by what they take of the rows at least. Takes microseconds.
  double least_s(const Problem& problem) const;
  /// No packing takes less in which some site passes on what comes from another; of any size.
  double least_relayed_s() const { return least_.relayed_s; }

  /// The first call finds the ways of trees, from the best packings for a few sizes between a byte and 16 MiB.
  Synthesis synthesis(const Problem& problem) const;

 private:
  /// The best shares for one size, in few pieces and in many.
  struct Known {
    std::int64_t bytes = 0;
    std::vector<Fluid> shares;
  };

  /// Sets ways_ and known_.
  void find_ways() const;
  /// Those of the size next to this one.
  const std::vector<Fluid>& shares_like(std::int64_t bytes) const;
  /// The same for another size.
  Commodities commodities_for(std::int64_t bytes) const;

  const SiteNetwork& network_;
  const CommoditiesOf commodities_of_;
  const Problem like_;
  PieceSearch::LeastTimes least_;
  double least_s_per_byte_ = 0;
  std::vector<double> capacity_of_many_;  // of rows for a message without headers to speak of
  mutable std::once_flag ways_found_;
  mutable std::vector<TimedWay> ways_;
  mutable std::vector<Known> known_;  // by size
};

}  // namespace isthmus
