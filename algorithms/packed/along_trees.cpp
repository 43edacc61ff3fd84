#include "algorithms/packed/along_trees.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/collective/shared_work.hpp"
#include "algorithms/packed/line_times.hpp"
#include "algorithms/packed/pacing.hpp"
#include "algorithms/packed/pieces.hpp"
#include "algorithms/packed/site_tree.hpp"
#include "algorithms/packed/sites.hpp"
#include "algorithms/packed/way_lanes.hpp"

namespace isthmus {
namespace {

/// The trees and the pieces of a packing, which are the same for all ranks.
class TreePieces {
 public:
  TreePieces(const Call& call, const Packing& packing)
      : problem_(call.problem), packing_(packing), segment_(call.segment_elements()), sites_(call.topology) {
    find_trees();
    find_pieces(call.topology.size());
  }

  const Sites& sites() const { return sites_; }
  const Trees& trees(int way) const { return trees_[way]; }
  std::span<const WayPiece> pieces() const { return pieces_; }
  int root_of(int way) const { return trees_[way].root(); }
  /// When they pass the lines; null where the packing has none.
  const LineTimes* times() const { return times_ ? &*times_ : nullptr; }

 private:
  void find_trees() {
    const bool is_in = has_operator(problem_.collective);
    site_trees_.reserve(2 * packing_.ways.size());
    for (const Way& way : packing_.ways) {
      const SiteTree* first = &site_trees_.emplace_back(way.sites);
      const SiteTree* second = way.back.empty() ? nullptr : &site_trees_.emplace_back(way.back);
      trees_.push_back(is_in ? Trees{first, second} : Trees{nullptr, first});
    }
  }

  void find_pieces(int size) {
    std::vector<int> ways;
    if (!has_blocks(problem_.collective)) {
      for (std::size_t way = 0; way < packing_.ways.size(); ++way) ways.push_back(static_cast<int>(way));
      add_pieces(ways, std::vector<std::int64_t>{problem_.count});
    } else {
      const Blocks blocks(problem_, size, Buffer::output);
      for (int site = 0; site < sites_.count(); ++site) {
        ways.clear();
        for (std::size_t way = 0; way < packing_.ways.size(); ++way)
          if (root_of(static_cast<int>(way)) == site) ways.push_back(static_cast<int>(way));
        std::vector<std::int64_t> counts;
        for (const int owner : sites_.members(site)) counts.push_back(blocks.of(owner).count);
        add_pieces(ways, counts);
      }
    }
    sort_by_due(pieces_);
    if (packing_.lines.empty()) return;
    std::vector<TravellingPiece> travelling;
    travelling.reserve(pieces_.size());
    for (const WayPiece& piece : pieces_) travelling.push_back({piece.way, piece.count * problem_.element_bytes});
    std::vector<Course> courses;
    for (const Trees& trees : trees_) courses.push_back(course_of(trees));
    times_.emplace(packing_.lines, sites_.count(), courses, travelling);
  }

  void add_pieces(const std::vector<int>& ways, const std::vector<std::int64_t>& counts) {
    std::vector<int> senders(counts.size());  // each block is of another rank
    std::iota(senders.begin(), senders.end(), 0);
    for_each_way(divide(packing_, ways, counts), [&](std::span<const WayPart> parts) {
      const int hops = trees_[parts.front().way].height();
      append_pieces(parts, senders, segment_, due_times(packing_, parts.front().way, hops), pieces_);
    });
  }

  const Problem& problem_;
  const Packing packing_;
  const std::int64_t segment_;
  const Sites sites_;
  std::vector<SiteTree> site_trees_;
  std::vector<Trees> trees_;  // by way
  std::vector<WayPiece> pieces_;
  std::optional<LineTimes> times_;
};

class TreeWriter {
 public:
  TreeWriter(Program& program, const Call& call, const Packing& packing, const TreePieces& pieces)
      : program_(program),
        rank_(call.rank),
        problem_(call.problem),
        packing_(packing),
        all_(pieces),
        sites_(pieces.sites()),
        order_(member_order(sites_, packing)),
        lanes_(program, heads(), lanes_of_ways()),
        pacing_(std::int64_t{1000} * packing_.slack),
        credits_(std::int64_t{1000} * packing_.credit),
        turns_(turns()),
        known_places_(2 * packing_.ways.size()) {
    if (!has_owners()) return;
    blocks_.emplace(problem_, call.topology.size(), has_operator(problem_.collective) ? Buffer::input : Buffer::output);
    own_count_ = blocks_->of(rank_).count;
  }

  void write() {
    if (problem_.collective == Collective::allgather || problem_.collective == Collective::allgatherv)
      program_.copy(data_in_output(rank_, 0, own_count_), input(0, own_count_));
    if (all_.times() != nullptr) {
      write_by_lines();
      return;
    }
    for (const WayPiece& piece : all_.pieces()) receive(piece);
    next_slot_ = 0;
    for (const WayPiece& piece : all_.pieces()) forward(piece, true);
    next_slot_ = 0;
    for (const WayPiece& piece : all_.pieces()) forward(piece, false);
    if (!has_credits()) return;
    next_slot_ = 0;
    for (const WayPiece& piece : all_.pieces()) give_credit(piece);
  }

 private:
  bool has_owners() const { return has_blocks(problem_.collective); }

  /// The rank at which the data of a piece begin or end.
  int origin(const WayPiece& piece) const {
    if (has_owners()) return sites_.members(all_.root_of(piece.way))[piece.block];
    if (has_root(problem_.collective)) return problem_.root;
    return sites_.driver(all_.root_of(piece.way), turn(piece), drivers(all_.root_of(piece.way)));
  }
  /// In a tree out: whether the rank has the piece from the start.
  bool starts(const WayPiece& piece, int rank) const {
    return all_.trees(piece.way).in == nullptr && rank == origin(piece);
  }
  static std::int64_t turn(const WayPiece& piece) { return piece.block + piece.number; }

  /// Pieces of an origin have the same places after so many turns.
  std::int64_t turns() const {
    std::int64_t all = 1;
    for (int site = 0; site < sites_.count() && all <= max_turns; ++site)
      all = std::lcm(all, static_cast<std::int64_t>(drivers(site)));
    return all;
  }
  static constexpr std::int64_t max_turns = 16;
  struct KnownPlace {
    int origin;
    std::int64_t turn;
    InsideSite inside;
    PiecePlace place;
  };

  RootEdges root_edges(const Way& way) const {
    if (!way.helped) return RootEdges::origin;
    return has_owners() && !packing_.lines.empty() ? RootEdges::drivers : RootEdges::others;
  }

  const PiecePlace& place_in(const WayPiece& piece, const SiteTree& tree) {
    const Way& way = packing_.ways[piece.way];
    const bool back = all_.trees(piece.way).in != nullptr && &tree == all_.trees(piece.way).out;
    const PieceTrees trees(sites_, packing_, tree, back ? way.back_apart : way.apart, root_edges(way), order_, rank_);
    const int from = origin(piece);
    const InsideSite shape = inside(piece, tree);
    const std::int64_t number = turn(piece) % turns_;
    if (root_edges(way) == RootEdges::others || turns_ > max_turns) {
      trees.place(from, turn(piece), shape, place_);
      return place_;
    }
    std::vector<KnownPlace>& known = known_places_[2 * piece.way + (back ? 1 : 0)];
    for (const KnownPlace& one : known)
      if (one.origin == from && one.turn == number && one.inside == shape) return one.place;
    trees.place(from, turn(piece), shape, place_);
    return known.emplace_back(KnownPlace{from, number, shape, place_}).place;
  }

  InsideSite inside(const WayPiece& piece, const SiteTree& tree) const {
    const int site = sites_.of(rank_);
    // The root of the collective alone would send to all others of its site, or hear from them.
    const bool one_does_all = has_root(problem_.collective) && tree.root() == site && !packing_.ways[piece.way].helped;
    if (!packing_.drivers.empty() && packing_.drivers[site] == 0 && !one_does_all) return InsideSite::straight;
    return piece.count * problem_.element_bytes > longest_in_binary_bytes ? InsideSite::chain : InsideSite::binary;
  }

  // ---- where the data of a piece are

  Slice data_in_output(int owner, std::int64_t first, std::int64_t count) const {
    return has_owners() ? blocks_->of(owner).part(first, count) : output(first, count);
  }
  Slice operand(const WayPiece& piece) const {
    return has_owners() ? blocks_->of(origin(piece)).part(piece.first, piece.count) : input(piece.first, piece.count);
  }
  Slice sum(const WayPiece& piece) const { return output(piece.first, piece.count); }
  Slice data(const WayPiece& piece) const { return data_in_output(origin(piece), piece.first, piece.count); }

  // ---- lanes: an in-tree and an out-tree of one way have lanes of their own

  /// The most members of a site whose pieces need lanes of their own, since each of them begins another order.
  int heads() const {
    int most = 1;
    for (int site = 0; site < sites_.count(); ++site)
      most = std::max(most, has_owners() ? sites_.size(site) : drivers(site));
    return most;
  }
  int drivers(int site) const {
    if (packing_.drivers.empty()) return 1;
    const int some = packing_.drivers[site], all = sites_.size(site);
    return some == 0 ? all : std::min(some, all);
  }

  int lanes_of_ways() const {
    const auto ways = static_cast<int>(packing_.ways.size());
    return problem_.collective == Collective::allreduce || has_credits() ? 2 * ways : ways;
  }
  /// `starts`: the sender has the piece from the start.
  int lane(bool starts, bool far, const WayPiece& piece, bool out, int head) const {
    if (starts) return WayLanes::start();
    if (!far) return lanes_.own(head);
    return lanes_.way(
        all_.trees(piece.way).in != nullptr && all_.trees(piece.way).out != nullptr ? 2 * piece.way + out : piece.way,
        head);
  }
  /// `head`: that of the rank which gets the credit.
  int credit_lane(const WayPiece& piece, int head) const {
    return lanes_.way(static_cast<int>(packing_.ways.size()) + piece.way, head);
  }
  std::int64_t after_hops(const WayPiece& piece, int hops) const {
    return piece.due + std::int64_t{1000} * packing_.lag * hops;
  }

  // ---- operations

  void receive(const WayPiece& piece) {
    const Trees& trees = all_.trees(piece.way);
    if (has_credits()) take_credit(piece);
    if (trees.in != nullptr)
      for (const PiecePlace::Neighbour& child : place_in(piece, *trees.in).children) {
        const Slice slot = program_.reserve(piece.count);
        slots_.push_back(slot);
        lanes_.use(lane(child.is_leaf, child.far, piece, false, child.head));
        program_.receive(slot, child.rank);
        const bool near = child.site == sites_.of(rank_);
        pacing_.expect(2 * piece.way, child.rank, after_hops(piece, trees.in->height(child.site) + (near ? 0 : 1)),
                       slot);
      }
    if (trees.out != nullptr) {
      const PiecePlace& place = place_in(piece, *trees.out);
      if (place.parent.rank < 0) return;
      lanes_.use(lane(starts(piece, place.parent.rank), place.parent.far || trees.in != nullptr, piece, true,
                      place.parent.head));
      program_.receive(data(piece), place.parent.rank);
      if (place.far_above || trees.in != nullptr) {
        const int hops = trees.out->depth(sites_.of(rank_)) + (trees.in != nullptr ? trees.in->height() : 0);
        pacing_.expect(2 * piece.way + 1, place.parent.rank, after_hops(piece, hops), data(piece));
      }
    }
  }

  /// Sends a piece on, or completes its sum, if it comes from other sites (`far`), or if it does not.
  void forward(const WayPiece& piece, bool far) {
    const Trees& trees = all_.trees(piece.way);
    if (trees.in != nullptr) {
      const PiecePlace& place = place_in(piece, *trees.in);
      const bool stays = place.parent.rank < 0;
      if ((place.far_below || stays) == far) {
        const int used = lane(place.children.empty() && !stays, far, piece, false, place.head);
        lanes_.use(used);
        if (!far) {
          pacing_.wait_before(program_, used, piece.due);
          credits_.wait_before(program_, used, piece.due);
        }
        combine(piece, place);
      }
      next_slot_ += place.children.size();
    }
    if (trees.out != nullptr) {
      const PiecePlace& place = place_in(piece, *trees.out);
      if ((place.far_above || trees.in != nullptr) != far || place.children.empty()) return;
      const int used = lane(starts(piece, rank_), far, piece, true, place.head);
      lanes_.use(used);
      if (!far) pacing_.wait_before(program_, used, piece.due);
      for (const PiecePlace::Neighbour& child : place.children) program_.send(data(piece), child.rank);
    }
  }

  /// Adds what the children have sent to the own operand: those of the own site first, so that what other sites have
  /// sent stays as it came, for pacing.
  void combine(const WayPiece& piece, const PiecePlace& place) {
    Slice so_far = operand(piece);
    const bool stays = place.parent.rank < 0;
    const std::size_t children = place.children.size();
    for (std::size_t i = 0; i < children; ++i) {
      const Slice slot = slots_[next_slot_ + children - 1 - i];
      const Slice to = stays && i + 1 == children ? sum(piece) : slots_[next_slot_ + children - 1];
      program_.reduce(to, so_far, slot);
      so_far = to;
    }
    if (!stays)
      program_.send(so_far, place.parent.rank);
    else if (children == 0)
      program_.copy(sum(piece), so_far);
  }

  // ---- by lines: what crosses lines, and what the site has from the start, goes at its time, one after the other

  /// An operation that has its turn in a lane. Both ends of a message find the same time and number.
  struct Turn {
    std::int64_t ns;
    std::size_t piece;
    int lane;
    int child;      // of the place in the tree out; -1: the sum of the tree in
    Slice to = {};  // receives
    int from = -1;
  };
  static void sort(std::vector<Turn>& turns) {
    std::ranges::stable_sort(
        turns, [](const Turn& a, const Turn& b) { return std::tie(a.ns, a.piece) < std::tie(b.ns, b.piece); });
  }
  bool is_here(const PiecePlace::Neighbour& other) const { return other.site == sites_.of(rank_); }

  std::int64_t start_ns(std::size_t number, Trees::Edge edge, int site) const {
    return all_.times()->start_ns(number, all_.trees(all_.pieces()[number].way).crossing(edge, site));
  }
  /// Just before what leaves the site: when its members hand on their operands, or data of their own.
  std::int64_t inside_ns(std::size_t number, Trees::Edge edge) const {
    const Trees& trees = all_.trees(all_.pieces()[number].way);
    const SiteTree& tree = edge == Trees::Edge::in ? *trees.in : *trees.out;
    const int site = sites_.of(rank_);
    if (edge == Trees::Edge::in && site != tree.root()) return start_ns(number, edge, site) - 1;
    std::int64_t ns = edge == Trees::Edge::in ? 0 : std::numeric_limits<std::int64_t>::max();
    for (const int child : tree.children(tree.root())) {
      const std::int64_t child_ns = start_ns(number, edge, child);
      ns = edge == Trees::Edge::in ? std::max(ns, child_ns) : std::min(ns, child_ns);
    }
    return ns - 1;
  }

  void write_by_lines() {
    std::vector<Turn> turns;
    for (std::size_t number = 0; number < all_.pieces().size(); ++number) add_receipts(number, turns);
    sort(turns);
    for (const Turn& turn : turns) {
      lanes_.use(turn.lane);
      program_.receive(turn.to, turn.from);
    }
    turns.clear();
    first_slots_.clear();
    next_slot_ = 0;
    for (std::size_t number = 0; number < all_.pieces().size(); ++number) add_sends(number, turns);
    sort(turns);
    for (const Turn& turn : turns) {
      const WayPiece& piece = all_.pieces()[turn.piece];
      const Trees& trees = all_.trees(piece.way);
      lanes_.use(turn.lane);
      if (turn.child >= 0) {
        program_.send(data(piece), place_in(piece, *trees.out).children[turn.child].rank);
      } else {
        next_slot_ = first_slots_[turn.piece];
        combine(piece, place_in(piece, *trees.in));
      }
    }
  }

  void add_receipts(std::size_t number, std::vector<Turn>& turns) {
    const WayPiece& piece = all_.pieces()[number];
    const Trees& trees = all_.trees(piece.way);
    if (trees.in != nullptr)
      for (const PiecePlace::Neighbour& child : place_in(piece, *trees.in).children) {
        const Slice slot = program_.reserve(piece.count);
        slots_.push_back(slot);
        if (is_here(child))
          turns.push_back({inside_ns(number, Trees::Edge::in), number,
                           lane(child.is_leaf, child.far, piece, false, child.head), -1, slot, child.rank});
        else
          turns.push_back(
              {start_ns(number, Trees::Edge::in, child.site), number, WayLanes::start(), -1, slot, child.rank});
      }
    if (trees.out == nullptr) return;
    const PiecePlace::Neighbour parent = place_in(piece, *trees.out).parent;
    if (parent.rank < 0) return;
    if (is_here(parent))
      turns.push_back({inside_ns(number, Trees::Edge::out), number,
                       lane(starts(piece, parent.rank), parent.far || trees.in != nullptr, piece, true, parent.head),
                       -1, data(piece), parent.rank});
    else
      turns.push_back({start_ns(number, Trees::Edge::out, sites_.of(rank_)), number, WayLanes::start(), -1, data(piece),
                       parent.rank});
  }

  void add_sends(std::size_t number, std::vector<Turn>& turns) {
    const WayPiece& piece = all_.pieces()[number];
    const Trees& trees = all_.trees(piece.way);
    first_slots_.push_back(next_slot_);
    if (trees.in != nullptr) {
      const PiecePlace& place = place_in(piece, *trees.in);
      next_slot_ += place.children.size();
      const bool stays = place.parent.rank < 0;
      if (stays || is_here(place.parent))
        turns.push_back({inside_ns(number, Trees::Edge::in), number,
                         lane(place.children.empty() && !stays, place.far_below || stays, piece, false, place.head),
                         -1});
      else
        turns.push_back({start_ns(number, Trees::Edge::in, sites_.of(rank_)), number, WayLanes::start(), -1});
    }
    if (trees.out == nullptr) return;
    const PiecePlace& place = place_in(piece, *trees.out);
    for (int i = 0; i < static_cast<int>(place.children.size()); ++i) {
      const PiecePlace::Neighbour& child = place.children[i];
      if (is_here(child))
        turns.push_back({inside_ns(number, Trees::Edge::out), number,
                         lane(starts(piece, rank_), place.far_above || trees.in != nullptr, piece, true, place.head),
                         i});
      else
        turns.push_back({start_ns(number, Trees::Edge::out, child.site), number, WayLanes::start(), i});
    }
  }

  // ---- credits: an element of each sum, to those below whose operands nothing else holds back

  bool has_credits() const { return packing_.credit > 0 && problem_.collective == Collective::reduce; }

  void take_credit(const WayPiece& piece) {
    const SiteTree& tree = *all_.trees(piece.way).in;
    const PiecePlace& place = place_in(piece, tree);
    if (place.far_below || place.parent.rank < 0) return;
    const Slice credit = program_.reserve(1);
    lanes_.use(credit_lane(piece, place.head));
    program_.receive(credit, place.parent.rank);
    const bool near = place.parent.site == sites_.of(rank_);
    credits_.expect(piece.way, place.parent.rank, after_hops(piece, tree.height(place.parent.site) + (near ? 0 : 1)),
                    credit);
  }

  void give_credit(const WayPiece& piece) {
    const PiecePlace& place = place_in(piece, *all_.trees(piece.way).in);
    if (place.children.empty()) return;
    next_slot_ += place.children.size();
    const Slice summed = place.parent.rank < 0 ? sum(piece) : slots_[next_slot_ - 1];
    for (const PiecePlace::Neighbour& child : place.children)
      if (!child.far) {
        lanes_.use(credit_lane(piece, child.head));
        program_.send(summed.part(0, 1), child.rank);
      }
  }

  Program& program_;
  const int rank_;
  const Problem& problem_;
  const Packing& packing_;
  const TreePieces& all_;
  const Sites& sites_;
  const MemberOrder order_;
  WayLanes lanes_;
  Pacing pacing_, credits_;
  std::optional<Blocks> blocks_;
  std::int64_t own_count_ = 0;
  std::vector<Slice> slots_;  // of the children's operands, in the order of pieces
  std::size_t next_slot_ = 0;
  std::vector<std::size_t> first_slots_;  // of each piece
  PiecePlace place_;                      // a member only to reuse its memory
  const std::int64_t turns_;
  std::vector<std::vector<KnownPlace>> known_places_;  // by way and tree
};

}  // namespace

void write_along_trees(Program& program, const Call& call, const Packing& packing) {
  const TreePieces* const shared = call.shared != nullptr ? call.shared->get<TreePieces>(call, packing) : nullptr;
  if (shared != nullptr)
    TreeWriter(program, call, packing, *shared).write();
  else
    TreeWriter(program, call, packing, TreePieces(call, packing)).write();
}

}  // namespace isthmus
