// The synthesis for pieces of several sizes, and the search for a good size.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/synthesis/commodities.hpp"
#include "algorithms/synthesis/packing_solver.hpp"
#include "algorithms/synthesis/shares.hpp"
#include "algorithms/synthesis/site_network.hpp"
#include "algorithms/synthesis/site_rows.hpp"
#include "algorithms/synthesis/site_ways.hpp"
#include "algorithms/synthesis/synthesis.hpp"

namespace isthmus {

/// Keeps what is found for each size of pieces. Sites are sorted (site_order.hpp).
class PieceSearch {
 public:
  /// Throws BadInput if a site cannot reach another that it has to reach.
  PieceSearch(const SiteNetwork& network, const Commodities& commodities);
  /// Along ways of these alone, which must outlive it.
  PieceSearch(const SiteNetwork& network, const Commodities& commodities, const std::vector<TimedWay>& known);

  /// Trees are found by heuristics alone from now on.
  void leave_out_exact_search() { exact_ = false; }

  /// A size as large as costs little time.
  std::int64_t good_piece();
  /// The same as the shares of one size tell, in less time; or those of messages of about the same size.
  std::int64_t good_piece_by_shares();
  std::int64_t good_piece_by_shares(std::span<const Fluid> like) const;

  const Fluid& at(std::int64_t piece_bytes);
  Synthesis synthesis(std::int64_t piece_bytes) { return synthesis_of(at(piece_bytes), piece_bytes); }
  /// That, and others; none twice.
  std::vector<Synthesis> several(std::int64_t piece_bytes);

  /// What the quickest ways take for a piece of a byte: the first commodity at least, and the last one; and any way on
  /// which a third site passes data on.
  struct LeastTimes {
    double first_s = 0, last_s = 0, relayed_s = 0;
  };
  LeastTimes least_times() const;
  /// What the rates alone take at least, which are the greatest where a block is one piece.
  double least_rates_s() const;
  /// No synthesis takes less than these together; above `enough_s` it may be less tight.
  double least_s(double enough_s);

  double block_bytes() const { return commodities_.block_bytes; }

 private:
  struct Found {
    std::unique_ptr<PackingSolver> solver;
    Fluid fluid;
  };

  /// The whole block, and what halving it gives.
  std::vector<std::int64_t> piece_sizes() const;
  template <typename SecondsOf>
  std::int64_t good_of(const std::vector<std::int64_t>& sizes, const SecondsOf& seconds_of) const;
  /// How long pieces of this size take with the best of these shares.
  double in_pieces_s(std::span<const Fluid> like, std::int64_t piece_bytes) const;
  double same_shares_s(const Fluid& shares, const SiteRows& rows, const SiteWays& ways) const;
  bool is_thin() const { return cut_rate_per_s_ > 0; }
  std::vector<Fluid> with_other_thrifts(const Fluid& first, PackingSolver& solver) const;
  /// With room for acknowledgements; of an allreduce, with trees in and out that do not fill links at the same time.
  std::vector<Fluid> of_other_programmes(const Fluid& first, double piece_bytes) const;
  void add_other(const Fluid& fluid, std::int64_t piece_bytes, std::vector<Synthesis>& all) const;
  Synthesis synthesis_of(const Fluid& fluid, std::int64_t piece_bytes) const;
  /// How much later than the first commodity of a chain the last one ends: the latencies of all but one.
  double chain_s(const Fluid& fluid) const;

  std::vector<int> order_;
  SiteNetwork network_;        // its sites sorted; the best edges of many
  double cut_rate_per_s_ = 0;  // of all edges, where only the best are used
  Commodities commodities_;
  const std::vector<TimedWay>* known_ = nullptr;  // no others are looked for
  bool exact_ = true;
  std::map<std::int64_t, Found> found_;
  const Fluid* last_ = nullptr;
};

}  // namespace isthmus
