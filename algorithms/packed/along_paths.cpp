#include "algorithms/packed/along_paths.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/collective/packing.hpp"
#include "algorithms/packed/bundles.hpp"
#include "algorithms/packed/pacing.hpp"
#include "algorithms/packed/pieces.hpp"
#include "algorithms/packed/sites.hpp"
#include "algorithms/packed/way_lanes.hpp"

namespace isthmus {
namespace {

class PathWriter {
 public:
  PathWriter(Program& program, const Call& call, const Packing& packing)
      : program_(program),
        call_(call),
        rank_(call.rank),
        size_(call.topology.size()),
        problem_(call.problem),
        packing_(packing),
        segment_(call.segment_elements()),
        sites_(call.topology),
        lanes_(program, 1, static_cast<int>(packing.ways.size())),
        pacing_(std::int64_t{1000} * packing.slack) {
    if (!is_alltoall(problem_.collective))
      blocks_.emplace(problem_, size_, is_scatter(problem_.collective) ? Buffer::input : Buffer::output);
  }

  void write() {
    if (is_alltoall(problem_.collective) || rank_ == problem_.root)
      program_.copy(received_at(rank_, rank_), sent_from(rank_, rank_));
    if (has_bundles(packing_)) {
      write_bundles(program_, call_, packing_, sites_, lanes_);
      receive_inside();
      for (const int to : targets_inside()) program_.send(sent_from(rank_, to), to);
      return;
    }
    find_pieces();
    for (const WayPiece& piece : pieces_) receive(piece);
    receive_inside();
    std::size_t relayed = 0;
    for (const WayPiece& piece : pieces_)
      if (const Hop hop = hop_of(piece); hop.before >= 0 && hop.after >= 0) {
        lanes_.use(lanes_.way(piece.way, 0));
        program_.send(slots_[relayed++], hop.after);
      }
    lanes_.use(WayLanes::start());
    const std::vector<int> inside = targets_inside();
    const bool among_others = spreads_inside();
    std::size_t sent = 0;
    for (const WayPiece& piece : pieces_) {
      const Hop hop = hop_of(piece);
      if (hop.before >= 0) continue;
      for (; among_others && sent < inside.size() && due_inside(sent, inside.size()) <= piece.due; ++sent)
        program_.send(sent_from(rank_, inside[sent]), inside[sent]);
      pacing_.wait_before(program_, WayLanes::start(), piece.due);
      program_.send(part_of(sent_from(rank_, hop.to), piece), hop.after);
    }
    for (; sent < inside.size(); ++sent) program_.send(sent_from(rank_, inside[sent]), inside[sent]);
  }

 private:
  using Ends = std::pair<int, int>;  ///< the first and the last site of paths

  /// A rank's place on the path of a piece: -1 before the source and after the target.
  struct Hop {
    int from = -1, to = -1;       ///< source and target
    int before = -1, after = -1;  ///< this rank's neighbours on the path
    int number = 0;               ///< of the rank's site on the path, from 0 on
  };

  static Slice part_of(const Slice& block, const WayPiece& piece) { return block.part(piece.first, piece.count); }

  // ---- the blocks of two sites

  int blocks_between(const Ends& ends) const {
    const int sources = sites_.size(ends.first), targets = sites_.size(ends.second);
    if (is_alltoall(problem_.collective)) return sources * targets;
    return is_scatter(problem_.collective) ? targets : sources;
  }

  /// Source and target of a block. Neighbours in the row of blocks belong to different members.
  std::pair<int, int> ends_of(const Ends& ends, int block) const {
    const auto sources = sites_.members(ends.first), targets = sites_.members(ends.second);
    if (is_scatter(problem_.collective)) return {problem_.root, targets[block]};
    if (!is_alltoall(problem_.collective)) return {sources[block], problem_.root};
    const int source = block % sites_.size(ends.first);
    return {sources[source], targets[(source + block / sites_.size(ends.first)) % sites_.size(ends.second)]};
  }

  std::int64_t count_between(int from, int to) const {
    if (is_alltoall(problem_.collective)) return block_count(problem_, size_, from, to);
    return blocks_->of(is_scatter(problem_.collective) ? to : from).count;
  }

  Slice sent_from(int from, int to) const {
    if (is_alltoall(problem_.collective)) return input(problem_.count * to, problem_.count);
    if (is_scatter(problem_.collective)) return blocks_->of(to);
    return input(0, blocks_->of(from).count);
  }
  Slice received_at(int to, int from) const {
    if (is_alltoall(problem_.collective)) return output(problem_.count * from, problem_.count);
    if (is_scatter(problem_.collective)) return output(0, blocks_->of(to).count);
    return blocks_->of(from);
  }

  // ---- pieces

  void find_pieces() {
    std::map<Ends, std::vector<int>> ways;
    for (std::size_t way = 0; way < packing_.ways.size(); ++way)
      ways[ends_of_way(static_cast<int>(way))].push_back(static_cast<int>(way));
    std::vector<std::int64_t> counts;
    std::vector<int> senders;
    std::vector<WayPiece> of_way;
    for (const auto& [ends, of_ends] : ways) {
      if (!may_concern(of_ends)) continue;
      counts.clear();
      senders.clear();
      for (int block = 0; block < blocks_between(ends); ++block) {
        const auto [from, to] = ends_of(ends, block);
        counts.push_back(count_between(from, to));
        senders.push_back(from);
      }
      for_each_way(divide(packing_, of_ends, counts), [&](std::span<const WayPart> parts) {
        of_way.clear();
        const int hops = static_cast<int>(packing_.ways[parts.front().way].sites.size()) - 1;
        append_pieces(parts, senders, segment_, due_times(packing_, parts.front().way, hops), of_way);
        for (const WayPiece& piece : of_way)
          if (const Hop hop = hop_of(piece); hop.before >= 0 || hop.after >= 0) pieces_.push_back(piece);
      });
    }
    sort_by_due(pieces_);
  }

  Ends ends_of_way(int way) const {
    const std::vector<int>& sites = packing_.ways[way].sites;
    return {sites.front(), sites.back()};
  }

  bool may_concern(const std::vector<int>& ways) const {
    const int own = sites_.of(rank_);
    for (const int way : ways)
      for (const int site : packing_.ways[way].sites)
        if (site == own) return true;
    return false;
  }

  int drivers(int site) const { return packing_.drivers.empty() ? sites_.size(site) : packing_.drivers[site]; }

  Hop hop_of(const WayPiece& piece) const {
    const std::vector<int>& sites = packing_.ways[piece.way].sites;
    Hop hop;
    std::tie(hop.from, hop.to) = ends_of({sites.front(), sites.back()}, piece.block);
    const std::int64_t turn = sites_.position(hop.from) + sites_.position(hop.to) + piece.number;
    const int last = static_cast<int>(sites.size()) - 1;
    const auto rank_at = [&](int index) {
      if (index < 0 || index > last) return -1;
      if (index == 0) return hop.from;
      return index == last ? hop.to : sites_.driver(sites[index], turn, drivers(sites[index]));
    };
    const int own = sites_.of(rank_);
    for (int index = 0; index <= last; ++index) {
      if (sites[index] != own || rank_at(index) != rank_) continue;
      hop.before = rank_at(index - 1);
      hop.after = rank_at(index + 1);
      hop.number = index;
    }
    return hop;
  }

  void receive(const WayPiece& piece) {
    const Hop hop = hop_of(piece);
    if (hop.before < 0) return;
    if (hop.number == 1)
      lanes_.use(WayLanes::start());
    else
      lanes_.use(lanes_.way(piece.way, 0));
    if (hop.after < 0) return program_.receive(part_of(received_at(rank_, hop.from), piece), hop.before);
    slots_.push_back(program_.reserve(piece.count));
    program_.receive(slots_.back(), hop.before);
    pacing_.expect(piece.way, hop.before, piece.due + std::int64_t{1000} * packing_.lag * hop.number, slots_.back());
  }

  // ---- blocks between members of one site

  bool sends_inside(int to) const {
    return is_alltoall(problem_.collective) || (is_scatter(problem_.collective) ? rank_ : to) == problem_.root;
  }
  bool receives_inside(int from) const {
    return is_alltoall(problem_.collective) || (is_scatter(problem_.collective) ? from : rank_) == problem_.root;
  }

  void receive_inside() {
    lanes_.use(WayLanes::start());
    for_each_neighbour(-1, [&](int from) {
      if (receives_inside(from)) program_.receive(received_at(rank_, from), from);
    });
  }
  std::vector<int> targets_inside() const {
    std::vector<int> targets;
    for_each_neighbour(1, [&](int to) {
      if (sends_inside(to)) targets.push_back(to);
    });
    return targets;
  }
  /// Whether they set out among the other blocks: in an alltoall in which all ways of the site begin at once.
  bool spreads_inside() const {
    return is_alltoall(problem_.collective) && std::ranges::all_of(packing_.ways, [&](const Way& way) {
             return way.sites.front() != sites_.of(rank_) || (way.last_due > 0 && way.first_due == 0);
           });
  }
  /// In millionths of the time of the collective.
  static std::int64_t due_inside(std::size_t number, std::size_t all) {
    return static_cast<std::int64_t>((2 * number + 1) * 500'000 / all);
  }
  /// The other members of the site, from the next or the last one on.
  template <typename Visit>
  void for_each_neighbour(int step, Visit visit) const {
    const auto members = sites_.members(sites_.of(rank_));
    const int count = static_cast<int>(members.size());
    for (int i = 1; i < count; ++i) visit(members[(sites_.position(rank_) + step * i + count * i) % count]);
  }

  Program& program_;
  const Call& call_;
  const int rank_, size_;
  const Problem& problem_;
  const Packing& packing_;
  const std::int64_t segment_;
  const Sites sites_;
  WayLanes lanes_;
  Pacing pacing_;
  std::optional<Blocks> blocks_;  // where there is one for each rank
  std::vector<WayPiece> pieces_;  // those that this rank sends or receives
  std::vector<Slice> slots_;      // of the pieces that it relays
};

}  // namespace

void write_along_paths(Program& program, const Call& call, const Packing& packing) {
  PathWriter(program, call, packing).write();
}

}  // namespace isthmus
