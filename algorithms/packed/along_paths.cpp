#include "algorithms/packed/along_paths.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "algorithms/collective/packing.hpp"
#include "algorithms/collective/shared_work.hpp"
#include "algorithms/packed/bundles.hpp"
#include "algorithms/packed/line_times.hpp"
#include "algorithms/packed/pacing.hpp"
#include "algorithms/packed/path_blocks.hpp"
#include "algorithms/packed/pieces.hpp"
#include "algorithms/packed/sites.hpp"
#include "algorithms/packed/way_lanes.hpp"

namespace isthmus {
namespace {

/// A rank's place on the path of a piece: -1 before the source and after the target.
struct Hop {
  int from = -1, to = -1;                       ///< source and target
  int before = -1, after = -1;                  ///< this rank's neighbours on the path
  int number = 0;                               ///< of the rank's site on the path, from 0 on
  bool from_inside = false, to_inside = false;  ///< whether the neighbour is of the same site
  std::int64_t comes_ns = 0, leaves_ns = 0;     ///< when it sets out to this rank, and from it; of a packing with lines
};

/// The pieces of a packing, which are the same for all ranks.
class PathPieces {
 public:
  static constexpr int everybody = -1;

  PathPieces(const PathPieces&) = delete;

  /// `reader`: the rank whose pieces alone are asked for, or everybody. Lines need the pieces of all ranks.
  PathPieces(const Call& call, const Packing& packing, int reader)
      : problem_(call.problem),
        packing_(packing),
        segment_(call.segment_elements()),
        reader_(reader),
        sites_(call.topology),
        blocks_(problem_, sites_, call.topology.size()) {
    if (has_bundles(packing_)) return;
    find_pieces();
    if (!packing_.lines.empty()) find_times();
    of_rank_.resize(reader_ == everybody ? call.topology.size() : 1);
    for (std::size_t i = 0; i < pieces_.size(); ++i)
      for_each_rank(pieces_[i], [&](int rank, int) {
        if (reader_ == everybody)
          of_rank_[rank].push_back(static_cast<std::uint32_t>(i));
        else if (rank == reader_)
          of_rank_[0].push_back(static_cast<std::uint32_t>(i));
      });
  }

  const Sites& sites() const { return sites_; }

  /// When the last piece passes its last line, for a packing with lines.
  std::int64_t last_ns() const { return times_ ? times_->last_ns() : 0; }

  /// Calls visit(piece, hop) for what a rank sends or receives, in the order of due times.
  template <typename Visit>
  void for_each_of(int rank, Visit visit) const {
    for (const std::uint32_t i : of_rank_[reader_ == everybody ? rank : 0]) visit(pieces_[i], hop_of(i, rank));
  }

 private:
  void find_pieces() {
    std::map<PathBlocks::Ends, std::vector<int>> ways;
    for (std::size_t way = 0; way < packing_.ways.size(); ++way)
      ways[{packing_.ways[way].sites.front(), packing_.ways[way].sites.back()}].push_back(static_cast<int>(way));
    std::vector<std::int64_t> counts;
    std::vector<int> senders;
    std::vector<WayPiece> of_way;
    for (const auto& [ends, of_ends] : ways) {
      if (!may_concern(of_ends)) continue;
      counts.clear();
      senders.clear();
      for (int block = 0; block < blocks_.count(ends); ++block) {
        const auto [from, to] = blocks_.ranks(ends, block);
        counts.push_back(blocks_.elements(from, to));
        senders.push_back(from);
      }
      for_each_way(divide(packing_, of_ends, counts), [&](std::span<const WayPart> parts) {
        of_way.clear();
        const int hops = static_cast<int>(packing_.ways[parts.front().way].sites.size()) - 1;
        append_pieces(parts, senders, segment_, due_times(packing_, parts.front().way, hops), of_way);
        std::ranges::copy_if(of_way, std::back_inserter(pieces_), [&](const WayPiece& one) { return concerns(one); });
      });
    }
    sort_by_due(pieces_);
  }
  void find_times() {
    std::vector<TravellingPiece> travelling;
    travelling.reserve(pieces_.size());
    for (const WayPiece& piece : pieces_) travelling.push_back({piece.way, piece.count * problem_.element_bytes});
    std::vector<Course> courses;
    for (const Way& way : packing_.ways) courses.push_back(course_of(way.sites));
    times_.emplace(packing_.lines, sites_.count(), courses, travelling);
  }

  bool may_concern(const std::vector<int>& ways) const {
    if (reader_ == everybody || !packing_.lines.empty()) return true;
    const int own = sites_.of(reader_);
    return std::ranges::any_of(ways, [&](int way) {
      return std::ranges::find(packing_.ways[way].sites, own) != packing_.ways[way].sites.end();
    });
  }
  bool concerns(const WayPiece& piece) const {
    bool found = reader_ == everybody || !packing_.lines.empty();
    if (!found) for_each_rank(piece, [&](int rank, int) { found = found || rank == reader_; });
    return found;
  }

  int drivers(const Way& way, int site) const {
    if (packing_.drivers.empty()) return way.helped ? 1 : sites_.size(site);
    return packing_.drivers[site];
  }

  /// Calls visit(rank, number of its site on the path) for the ranks on the path, from the source on.
  template <typename Visit>
  void for_each_rank(const WayPiece& piece, Visit visit) const {
    const Way& way = packing_.ways[piece.way];
    const std::vector<int>& sites = way.sites;
    const auto [from, to] = blocks_.ranks({sites.front(), sites.back()}, piece.block);
    const std::int64_t turn = sites_.position(from) + sites_.position(to) + piece.number;
    const auto driver = [&](int site) { return sites_.driver(site, turn, drivers(way, site)); };
    const auto last = static_cast<int>(sites.size()) - 1;
    visit(from, 0);
    if (way.helped && driver(sites[0]) != from) visit(driver(sites[0]), 0);
    for (int i = 1; i < last; ++i) visit(driver(sites[i]), i);
    visit(to, last);
  }

  Hop hop_of(std::uint32_t i, int own) const {
    const WayPiece& piece = pieces_[i];
    Hop hop;
    int before = -1, number_before = 0;
    bool was_own = false;
    for_each_rank(piece, [&](int rank, int number) {
      if (hop.from < 0) hop.from = rank;
      hop.to = rank;
      const bool stays = before >= 0 && number == number_before;
      if (was_own) {
        hop.after = rank;
        hop.to_inside = stays;
      }
      was_own = rank == own;
      if (was_own) {
        hop.before = before;
        hop.number = number;
        hop.from_inside = stays;
      }
      before = rank;
      number_before = number;
    });
    if (!times_) return hop;
    // What the driver of the site is to send goes there just before.
    if (hop.before >= 0)
      hop.comes_ns = hop.from_inside ? times_->start_ns(i, 0) - 1 : times_->start_ns(i, hop.number - 1);
    if (hop.after >= 0) hop.leaves_ns = times_->start_ns(i, hop.number) - (hop.to_inside ? 1 : 0);
    return hop;
  }

  const Problem& problem_;
  const Packing packing_;
  const std::int64_t segment_;
  const int reader_;
  const Sites sites_;
  const PathBlocks blocks_;
  std::vector<WayPiece> pieces_;
  std::optional<LineTimes> times_;
  std::vector<std::vector<std::uint32_t>> of_rank_;  // by number of the piece
};

class PathWriter {
 public:
  PathWriter(Program& program, const Call& call, const Packing& packing, const PathPieces& pieces)
      : program_(program),
        call_(call),
        rank_(call.rank),
        problem_(call.problem),
        packing_(packing),
        pieces_(pieces),
        sites_(pieces.sites()),
        blocks_(call.problem, call.topology.size(), call.rank),
        lanes_(program, 1, static_cast<int>(packing.ways.size())),
        pacing_(std::int64_t{1000} * packing.slack) {}

  void write() {
    if (is_alltoall(problem_.collective) || rank_ == problem_.root)
      program_.copy(blocks_.from(rank_), blocks_.to(rank_));
    if (has_bundles(packing_)) {
      write_bundles(program_, call_, packing_, sites_, lanes_);
      receive_inside();
      for (const int to : targets_inside()) program_.send(blocks_.to(to), to);
      return;
    }
    if (!packing_.lines.empty()) {
      write_by_lines();
      return;
    }
    pieces_.for_each_of(rank_, [&](const WayPiece& piece, const Hop& hop) { receive(piece, hop); });
    receive_inside();
    std::size_t relayed = 0;
    pieces_.for_each_of(rank_, [&](const WayPiece& piece, const Hop& hop) {
      if (hop.before < 0 || hop.after < 0) return;
      lanes_.use(lanes_.way(piece.way, 0));
      program_.send(slots_[relayed++], hop.after);
    });
    lanes_.use(WayLanes::start());
    const std::vector<int> inside = targets_inside();
    const bool among_others = spreads_inside();
    std::size_t sent = 0;
    pieces_.for_each_of(rank_, [&](const WayPiece& piece, const Hop& hop) {
      if (hop.before >= 0) return;
      for (; among_others && sent < inside.size() && due_inside(sent, inside.size()) <= piece.due; ++sent)
        program_.send(blocks_.to(inside[sent]), inside[sent]);
      pacing_.wait_before(program_, WayLanes::start(), piece.due);
      program_.send(part_of(blocks_.to(hop.to), piece), hop.after);
    });
    for (; sent < inside.size(); ++sent) program_.send(blocks_.to(inside[sent]), inside[sent]);
  }

 private:
  static Slice part_of(const Slice& block, const WayPiece& piece) { return block.part(piece.first, piece.count); }

  void receive(const WayPiece& piece, const Hop& hop) {
    if (hop.before < 0) return;
    if (hop.number == 1)
      lanes_.use(WayLanes::start());
    else
      lanes_.use(lanes_.way(piece.way, 0));
    if (hop.after < 0) return program_.receive(part_of(blocks_.from(hop.from), piece), hop.before);
    slots_.push_back(program_.reserve(piece.count));
    program_.receive(slots_.back(), hop.before);
    pacing_.expect(piece.way, hop.before, piece.due + std::int64_t{1000} * packing_.lag * hop.number, slots_.back());
  }

  // ---- by lines: what crosses lines goes at its time, own pieces and relayed ones one after the other

  /// A message that has its turn. Both ends find the same time, and the pieces in the same order.
  struct Turn {
    std::int64_t ns;
    Slice slice;
    int other;
    int lane = WayLanes::start();
  };
  /// In an alltoall blocks inside the site set out among the others, else after them.
  std::int64_t inside_ns(std::size_t number, std::size_t all) const {
    constexpr std::int64_t millionths = 1'000'000;
    const bool among_others = is_alltoall(problem_.collective);
    return among_others ? pieces_.last_ns() / millionths * due_inside(number, all) : pieces_.last_ns();
  }
  static void sort(std::vector<Turn>& turns) { std::ranges::stable_sort(turns, {}, &Turn::ns); }

  void write_by_lines() {
    std::vector<Turn> receipts, sends;
    pieces_.for_each_of(rank_, [&](const WayPiece& piece, const Hop& hop) {
      const bool starts = hop.before < 0, stays = hop.after < 0;
      const Slice data = starts ? part_of(blocks_.to(hop.to), piece)
                                : (stays ? part_of(blocks_.from(hop.from), piece) : program_.reserve(piece.count));
      const auto lane = [&](bool inside) { return inside ? lanes_.own(0) : WayLanes::start(); };
      if (!starts) receipts.push_back({hop.comes_ns, data, hop.before, lane(hop.from_inside)});
      if (!stays) sends.push_back({hop.leaves_ns, data, hop.after, lane(hop.to_inside)});
    });
    const std::vector<int> inside = targets_inside();
    for (std::size_t i = 0; i < inside.size(); ++i)
      sends.push_back({inside_ns(i, inside.size()), blocks_.to(inside[i]), inside[i]});
    sort(receipts);
    sort(sends);
    for (const Turn& turn : receipts) {
      lanes_.use(turn.lane);
      program_.receive(turn.slice, turn.other);
    }
    receive_inside();
    for (const Turn& turn : sends) {
      lanes_.use(turn.lane);
      program_.send(turn.slice, turn.other);
    }
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
      if (receives_inside(from)) program_.receive(blocks_.from(from), from);
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
  const int rank_;
  const Problem& problem_;
  const Packing& packing_;
  const PathPieces& pieces_;
  const Sites& sites_;
  const OwnBlocks blocks_;
  WayLanes lanes_;
  Pacing pacing_;
  std::vector<Slice> slots_;  // of the pieces that it relays
};

}  // namespace

void write_along_paths(Program& program, const Call& call, const Packing& packing) {
  constexpr int many_ranks = 1024;  // whose blocks of an alltoall take too much memory at once
  const bool shares = call.shared != nullptr && call.topology.size() <= many_ranks;
  const PathPieces* const shared =
      shares ? call.shared->get<PathPieces>(call, packing, PathPieces::everybody) : nullptr;
  if (shared != nullptr)
    PathWriter(program, call, packing, *shared).write();
  else
    PathWriter(program, call, packing, PathPieces(call, packing, call.rank)).write();
}

}  // namespace isthmus
