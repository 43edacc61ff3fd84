#include "algorithms/packed/exchanged_sums.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/packed/pieces.hpp"
#include "algorithms/packed/site_tree.hpp"
#include "algorithms/packed/sites.hpp"
#include "algorithms/packed/way_lanes.hpp"
#include "algorithms/patterns/inside_groups.hpp"

namespace isthmus {
namespace {

class ExchangeWriter {
 public:
  ExchangeWriter(Program& program, const Call& call, const Packing& packing)
      : program_(program),
        topology_(call.topology),
        rank_(call.rank),
        sites_(call.topology),
        site_(sites_.of(call.rank)),
        lanes_(program, 1, static_cast<int>(packing.ways.size())) {
    const std::int64_t count = call.problem.collective == Collective::barrier ? 1 : call.problem.count;
    own_ = input(0, count);
    result_ = output(0, count);
    trees_.reserve(packing.ways.size());
    for (const Way& way : packing.ways) trees_.emplace_back(way.sites);
    find_pieces(packing, count, call.segment_elements());
  }

  void write() {
    const FanIn inside = fan_in_inside(topology_, rank_);
    const bool is_first = inside.parent < 0;
    if (is_first) expect_sums();
    Slice sum = own_;
    if (is_first && !inside.after.empty()) sum = program_.reserve(own_.count);
    lanes_.use(WayLanes::start());
    combine_along(program_, inside, own_, sum, 0);
    if (is_first) {
      sums_[site_] = sum;
      for (const WayPiece& piece : pieces_) send_on(piece);
      lanes_.use(WayLanes::start());
      combine_sums();
    }
    broadcast_inside(program_, topology_, rank_, result_);
  }

 private:
  int first(int site) const { return topology_.members(0)[site]; }

  void find_pieces(const Packing& packing, std::int64_t count, std::int64_t segment) {
    std::vector<std::vector<int>> ways(sites_.count());  // by site of the root
    for (int way = 0; way < static_cast<int>(trees_.size()); ++way) ways[trees_[way].root()].push_back(way);
    for (const std::vector<int>& of_root : ways)
      for_each_way(divide(packing, of_root, std::vector{count}), [&](std::span<const WayPart> parts) {
        append_pieces(parts, std::vector{0}, segment, last_due(packing, trees_[parts.front().way].height()), pieces_);
      });
    sort_by_due(pieces_);
  }

  /// What the root of a tree sends is in the lane of its own data, what others pass on in one of the tree.
  int lane(const WayPiece& piece, int sender) const {
    return trees_[piece.way].root() == sender ? WayLanes::start() : lanes_.way(piece.way, 0);
  }
  Slice data(const WayPiece& piece) const { return sums_[trees_[piece.way].root()].part(piece.first, piece.count); }

  void expect_sums() {
    sums_.resize(sites_.count());
    for (int site = 0; site < sites_.count(); ++site)
      if (site != site_) sums_[site] = program_.reserve(own_.count);
    for (const WayPiece& piece : pieces_) {
      const SiteTree& tree = trees_[piece.way];
      if (tree.root() == site_) continue;
      lanes_.use(lane(piece, tree.parent(site_)));
      program_.receive(data(piece), first(tree.parent(site_)));
    }
  }

  void send_on(const WayPiece& piece) {
    const SiteTree& tree = trees_[piece.way];
    if (tree.is_leaf(site_)) return;
    lanes_.use(lane(piece, site_));
    for (const int child : tree.children(site_)) program_.send(data(piece), first(child));
  }

  void combine_sums() {
    Slice so_far = sums_.front();
    for (std::size_t site = 1; site < sums_.size(); ++site) {
      program_.reduce(result_, so_far, sums_[site]);
      so_far = result_;
    }
    if (sums_.size() == 1) program_.copy(result_, so_far);
  }

  Program& program_;
  const Topology& topology_;
  const int rank_;
  const Sites sites_;
  const int site_;
  WayLanes lanes_;
  Slice own_, result_;
  std::vector<SiteTree> trees_;  // by way
  std::vector<WayPiece> pieces_;
  std::vector<Slice> sums_;  // by site
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
