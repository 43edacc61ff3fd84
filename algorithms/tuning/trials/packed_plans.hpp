// Plans along packings, made for the rates of a placed network.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/synthesis/due_times.hpp"
#include "algorithms/synthesis/site_network.hpp"
#include "algorithms/synthesis/synthesis.hpp"
#include "algorithms/tuning/trials/candidate.hpp"

namespace isthmus {

/// Whether the algorithm needs a packing: `packed`.
inline bool has_packing_to_choose(const Algorithm& algorithm) { return takes(algorithm, "packing"); }

/// Whether one tree may do better than the packing of this plan: a broadcast or reduce whose message is one piece.
inline bool is_for_one_tree(const Problem& problem, const Plan& made) {
  const bool is_rooted = problem.collective == Collective::broadcast || problem.collective == Collective::reduce;
  return is_rooted && made.parameters.segment_bytes == 0;
}

/// The sites of one placed network, found once for several searches.
class PackedPlans {
 public:
  explicit PackedPlans(const PlacedNetwork& placed) : placed_(placed) {}

  /// Whether a search tries packings: between groups, or between ranks without groups that are not all alike on one
  /// switch; up to a number of sites, since the synthesis takes longer the more there are.
  bool worth_a_search(std::size_t max_sites) const;

  const SiteNetwork& sites() const;
  double header_bytes() const { return placed_.network().transport.header_bytes; }  ///< of a message

  /// The plan with its packing made for the problem, and with `segment_open` its segment; `seconds` is the forecast of
  /// the synthesis. A packing that the plan has is kept. Throws BadInput where no packing can serve: one site only, a
  /// missing route, an operator that does not commute.
  Choice completed(const Plan& plan, const Problem& problem, bool segment_open) const;

  /// The plan along a packing that was made for the problem.
  static Choice along(Synthesis made, const Plan& plan, const Problem& problem);

  /// The plan with several packings and their segments, that of completed() first: which is the best shows in a replay.
  /// Throws the same.
  std::vector<Plan> several(const Plan& plan, const Problem& problem) const;

  /// The plan of a broadcast or reduce along one tree, its message in one piece (synthesis/single_tree.hpp), with the
  /// forecast of the synthesis. Throws the same.
  Choice along_one_tree(const Plan& plan, const Problem& problem) const;

  /// A plan along trees whose pieces enter and leave each site by all ranks in turn, and go straight between these and
  /// the others.
  static Plan straight_inside(const Plan& made);
  /// Whether the plan is along trees, or pairs of a tree in and a tree out, so that it can be changed so.
  static bool has_trees(const Plan& made);

  /// A plan whose pieces set out in the order in which they have to (due_times.hpp).
  Plan longest_first(const Plan& made, const Problem& problem, DueOrder order) const;

  /// Whether by_lines() is worth a trial.
  bool may_go_by_lines(const Plan& made, const Problem& problem) const;
  /// Whether several ranks of a site have data of their own for other sites.
  bool may_be_gathered(Collective collective) const;
  /// A plan along trees or paths whose pieces pass each line in the order of what they have left to go
  /// (packed/line_times.hpp).
  /// `gathered`: what each rank has of its own leaves the site by the ranks that pass on the data of other sites, so
  /// that all of it passes in that order.
  Plan by_lines(const Plan& made, const Problem& problem, bool gathered) const;

  /// Whether the last pieces of its ways set out at times that differ by so many thousandths.
  bool order_matters(const Plan& made, const Problem& problem, int min_difference) const;

  /// The plan of an allreduce or barrier in which the sites tell each other their sums (packed/exchanged_sums.hpp),
  /// with the forecast of the synthesis. Throws the same.
  Choice with_exchanged_sums(const Plan& plan, const Problem& problem) const;
  /// No forecast of it is shorter; 0 where forecasts are far from the replay. Above `enough_s` it may be less tight.
  /// Throws the same.
  double min_exchange_s(const Problem& problem, double enough_s) const;
  /// That first, then with other trees; where sites have several ranks, and the vector an element for each, with
  /// stripes of it too.
  std::vector<Plan> several_exchanges(const Plan& plan, const Problem& problem) const;
  /// The plan of an alltoall in which all that one site has for another is one message (packed/bundles.hpp). Throws the
  /// same.
  Plan with_bundles(const Plan& plan, const Problem& problem) const;
  /// The same along the paths that a plan has, of several the one with the greatest share.
  static Plan with_bundles(const Plan& made);

 private:
  /// Whether each rank of a site can have a stripe of an exchange.
  bool has_stripes(const Problem& problem) const;
  /// 0 if the synthesis looks for it.
  std::int64_t known_piece_bytes(const Problem& problem) const;
  Synthesis with_piece(const Problem& problem) const;

  const PlacedNetwork placed_;
  mutable std::once_flag sites_known_;
  mutable std::optional<SiteNetwork> sites_;
};

}  // namespace isthmus
