#include "algorithms/synthesis/known_ways.hpp"

#include <algorithm>

#include "algorithms/synthesis/piece_search.hpp"
#include "algorithms/synthesis/site_rows.hpp"

namespace isthmus {
namespace {

/// The sizes whose best ways are kept, each for few pieces and for many.
constexpr std::int64_t kSizes[] = {1, 1 << 6, 1 << 9, 1 << 12, 1 << 15, 1 << 18, 1 << 21, 1 << 24};
constexpr std::int64_t kPieces[] = {8, 64};
constexpr std::int64_t kMinPieceBytes = 1024;
/// So many bytes that headers do not count.
constexpr std::int64_t kManyBytes = std::int64_t{1} << 30;

}  // namespace

KnownWays::KnownWays(const SiteNetwork& network, CommoditiesOf commodities_of, const Problem& like)
    : network_(network), commodities_of_(commodities_of), like_(like) {
  const Commodities many = commodities_for(kManyBytes);
  const PieceSearch search(network, many);
  least_ = search.least_times();
  least_s_per_byte_ = search.least_rates_s() / kManyBytes;
  capacity_of_many_ = SiteRows(network, many.root, many.reduces, kManyBytes).capacity();
}

Commodities KnownWays::commodities_for(std::int64_t bytes) const {
  Problem problem = like_;
  problem.element_bytes = 1;
  problem.count = bytes;
  return commodities_of_(network_, problem);
}

double KnownWays::least_s(const Problem& problem) const {
  if (problem.bytes() == 0) return std::max(least_.last_s, least_.first_s);
  const Commodities commodities = commodities_of_(network_, problem);
  const SiteRows rows(network_, commodities.root, commodities.reduces, commodities.block_bytes);
  const std::vector<double>& capacity = rows.capacity();
  // Headers take their share of all rows. Only short messages may keep processors busy, which have the last rows.
  const std::size_t rows_of_both = std::min(capacity.size(), capacity_of_many_.size());
  const bool are_same = capacity.size() == rows_of_both || capacity.size() == rows_of_both + network_.size();
  double rest = are_same ? 0 : 1;
  for (std::size_t row = 0; rest < 1 && row < rows_of_both; ++row)
    rest = std::max(rest, capacity[row] / capacity_of_many_[row]);
  const double rates_s = least_s_per_byte_ * static_cast<double>(problem.bytes()) / rest;
  return std::max(least_.last_s, least_.first_s + rates_s);
}

Synthesis KnownWays::synthesis(const Problem& problem) const {
  const Commodities commodities = commodities_of_(network_, problem);
  if (commodities.kind == WayKind::paths) {  // found about as quickly as chosen among
    PieceSearch search(network_, commodities);
    return search.synthesis(search.good_piece_by_shares());
  }
  std::call_once(ways_found_, [&] { find_ways(); });
  PieceSearch search(network_, commodities, ways_);
  // The shares of a scan's ways differ from size to size.
  return search.synthesis(commodities.chained ? search.good_piece()
                                              : search.good_piece_by_shares(shares_like(problem.bytes())));
}

void KnownWays::find_ways() const {
  ways_.clear();  // of a search that ended for want of memory
  known_.clear();
  for (const std::int64_t bytes : kSizes) {
    PieceSearch search(network_, commodities_for(bytes));
    search.leave_out_exact_search();
    Known& known = known_.emplace_back(Known{.bytes = bytes, .shares = {}});
    for (const std::int64_t pieces : kPieces) {
      const Fluid& fluid = search.at(std::max(bytes / pieces, std::min(bytes, kMinPieceBytes)));
      known.shares.push_back(fluid);
      for (const TimedWay& found : used_ways(fluid)) {
        const auto is_same = [&](const TimedWay& one) {
          return one.commodity == found.commodity && one.way == found.way;
        };
        if (std::ranges::none_of(ways_, is_same)) ways_.push_back(found);
      }
    }
  }
}

const std::vector<Fluid>& KnownWays::shares_like(std::int64_t bytes) const {
  const auto times_away = [&](const Known& one) {
    return static_cast<double>(std::max(bytes, one.bytes)) / static_cast<double>(std::min(bytes, one.bytes));
  };
  return std::ranges::min_element(known_, {}, times_away)->shares;
}

}  // namespace isthmus
