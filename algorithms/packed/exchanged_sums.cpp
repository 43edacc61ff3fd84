#include "algorithms/packed/exchanged_sums.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "algorithms/packed/pieces.hpp"
#include "algorithms/packed/site_tree.hpp"
#include "algorithms/packed/sites.hpp"
#include "algorithms/packed/way_lanes.hpp"
#include "algorithms/patterns/inside_groups.hpp"

namespace isthmus {
namespace {

/// The most members of a site that drive its edges: so many stripes the vector has.
int most_drivers(const Sites& sites, const Packing& packing) {
  int most = 1;
  for (int site = 0; site < static_cast<int>(packing.drivers.size()); ++site) {
    const int some = packing.drivers[site], all = sites.size(site);
    most = std::max(most, some == 0 ? all : std::min(some, all));
  }
  return most;
}

class ExchangeWriter {
 public:
  ExchangeWriter(Program& program, const Call& call, const Packing& packing)
      : program_(program),
        topology_(call.topology),
        packing_(packing),
        rank_(call.rank),
        sites_(call.topology),
        site_(sites_.of(call.rank)),
        stripes_(most_drivers(sites_, packing)),
        lanes_(program, stripes_, static_cast<int>(packing.ways.size())) {
    const std::int64_t count = carries_data(call.problem.collective) ? call.problem.count : 1;
    own_ = input(0, count);
    result_ = output(0, count);
    trees_.reserve(packing.ways.size());
    for (const Way& way : packing.ways) trees_.emplace_back(way.sites);
    find_pieces(call.segment_elements());
  }

  void write() {
    if (stripes_ > 1) return write_stripes();
    const FanIn inside = fan_in_inside(topology_, rank_);
    const bool is_first = inside.parent < 0;
    if (is_first) expect_sums();
    Slice sum = own_;
    if (is_first && !inside.after.empty()) sum = program_.reserve(own_.count);
    lanes_.use(WayLanes::start());
    combine_along(program_, inside, own_, sum, 0);
    if (is_first) {
      sum_of(site_, 0) = sum;
      for (const WayPiece& piece : pieces_) send_on(piece);
      lanes_.use(WayLanes::start());
      combine_sums(0);
    }
    broadcast_inside(program_, topology_, rank_, result_);
  }

 private:
  // ---- stripes: parts of the vector that have heads of their own in each site

  std::int64_t stripe_begin(int stripe) const {
    return own_.count / stripes_ * stripe + own_.count % stripes_ * stripe / stripes_;
  }
  Slice part(const Slice& vector, int stripe) const {
    return vector.part(stripe_begin(stripe), stripe_begin(stripe + 1) - stripe_begin(stripe));
  }
  /// The rank that speaks for a site.
  int head(int site, int stripe) const {
    return stripes_ == 1 ? topology_.members(0)[site] : sites_.driver(site, stripe, packing_.drivers[site]);
  }
  bool is_head(int stripe) const { return head(site_, stripe) == rank_; }
  template <typename Visit>
  void for_each_own_stripe(Visit visit) const {
    for (int stripe = 0; stripe < stripes_; ++stripe)
      if (is_head(stripe)) visit(stripe);
  }
  /// The other members of the site, from the next one on.
  template <typename Visit>
  void for_each_neighbour(Visit visit) const {
    const auto members = sites_.members(site_);
    const int size = sites_.size(site_);
    for (int i = 1; i < size; ++i) visit(members[(sites_.position(rank_) + i) % size]);
  }

  void write_stripes() {
    std::vector<Slice> operands;
    lanes_.use(WayLanes::start());
    for_each_own_stripe([&](int stripe) {
      for_each_neighbour([&](int member) {
        operands.push_back(program_.reserve(part(own_, stripe).count));
        program_.receive(operands.back(), member);
      });
    });
    expect_sums();
    for (int stripe = 0; stripe < stripes_; ++stripe) {
      if (is_head(stripe)) continue;
      lanes_.use(lanes_.own(stripe));
      program_.receive(part(result_, stripe), head(site_, stripe));
    }
    lanes_.use(WayLanes::start());
    for_each_neighbour([&](int member) {
      for (int stripe = 0; stripe < stripes_; ++stripe)
        if (head(site_, stripe) == member) program_.send(part(own_, stripe), member);
    });
    std::size_t next = 0;
    for_each_own_stripe([&](int stripe) {
      Slice so_far = part(own_, stripe);
      const Slice sum = sites_.size(site_) > 1 ? program_.reserve(so_far.count) : so_far;
      for_each_neighbour([&](int) {
        program_.reduce(sum, so_far, operands[next++]);
        so_far = sum;
      });
      sum_of(site_, stripe) = sum;
    });
    for (const WayPiece& piece : pieces_) send_on(piece);
    for_each_own_stripe([&](int stripe) {
      lanes_.use(lanes_.own(stripe));
      combine_sums(stripe);
      for_each_neighbour([&](int member) { program_.send(part(result_, stripe), member); });
    });
  }

  // ---- between sites

  void find_pieces(std::int64_t segment) {
    std::vector<std::vector<int>> ways(sites_.count());  // by site of the root
    for (int way = 0; way < static_cast<int>(trees_.size()); ++way) ways[trees_[way].root()].push_back(way);
    std::vector<std::int64_t> counts;
    for (int stripe = 0; stripe < stripes_; ++stripe) counts.push_back(part(own_, stripe).count);
    std::vector<int> senders(counts.size());
    std::iota(senders.begin(), senders.end(), 0);
    for (const std::vector<int>& of_root : ways)
      for_each_way(divide(packing_, of_root, counts), [&](std::span<const WayPart> parts) {
        const int way = parts.front().way;
        append_pieces(parts, senders, segment, due_times(packing_, way, trees_[way].height()), pieces_);
      });
    std::erase_if(pieces_, [&](const WayPiece& piece) { return !is_head(piece.block); });
    sort_by_due(pieces_);
  }

  /// What the root of a tree sends is in the lane of its own data, what others pass on in one of the tree.
  int lane(const WayPiece& piece, int sender_site) const {
    return trees_[piece.way].root() == sender_site ? WayLanes::start() : lanes_.way(piece.way, piece.block);
  }
  Slice& sum_of(int site, int stripe) { return sums_[static_cast<std::size_t>(site) * stripes_ + stripe]; }
  Slice data(const WayPiece& piece) {
    return sum_of(trees_[piece.way].root(), piece.block).part(piece.first, piece.count);
  }

  void expect_sums() {
    sums_.resize(static_cast<std::size_t>(sites_.count()) * stripes_);
    for_each_own_stripe([&](int stripe) {
      for (int site = 0; site < sites_.count(); ++site)
        if (site != site_) sum_of(site, stripe) = program_.reserve(part(own_, stripe).count);
    });
    for (const WayPiece& piece : pieces_) {
      const SiteTree& tree = trees_[piece.way];
      if (tree.root() == site_) continue;
      lanes_.use(lane(piece, tree.parent(site_)));
      program_.receive(data(piece), head(tree.parent(site_), piece.block));
    }
  }

  void send_on(const WayPiece& piece) {
    const SiteTree& tree = trees_[piece.way];
    if (tree.is_leaf(site_)) return;
    lanes_.use(lane(piece, site_));
    for (const int child : tree.children(site_)) program_.send(data(piece), head(child, piece.block));
  }

  void combine_sums(int stripe) {
    const Slice result = part(result_, stripe);
    Slice so_far = sum_of(0, stripe);
    for (int site = 1; site < sites_.count(); ++site) {
      program_.reduce(result, so_far, sum_of(site, stripe));
      so_far = result;
    }
    if (sites_.count() == 1) program_.copy(result, so_far);
  }

  Program& program_;
  const Topology& topology_;
  const Packing& packing_;
  const int rank_;
  const Sites sites_;
  const int site_, stripes_;
  WayLanes lanes_;
  Slice own_, result_;
  std::vector<SiteTree> trees_;   // by way
  std::vector<WayPiece> pieces_;  // of the stripes whose head this rank is
  std::vector<Slice> sums_;       // by site and stripe
};

}  // namespace

bool exchanges_sums(Collective collective, const Packing& packing) {
  if (collective == Collective::barrier) return true;
  return collective == Collective::allreduce &&
         std::ranges::all_of(packing.ways, [](const Way& way) { return way.back.empty(); });
}

void write_exchanged_sums(Program& program, const Call& call, const Packing& packing) {
  ExchangeWriter(program, call, packing).write();
}

}  // namespace isthmus
