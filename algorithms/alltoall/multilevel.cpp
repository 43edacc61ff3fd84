// The multilevel alltoall, with the work shared by all members of a group. Karonis 2000 does not treat alltoall, and
// Lowekamp 1995 has a bottleneck at its tree's root. At each level, outermost first, every rank sends to one rank of
// each other group all blocks that it holds for that group, as one message (relay.hpp). Then the next level follows
// inside each group. So every byte crosses each boundary of the topology once at most, and all wide-area links are busy
// from the start. Instead of s_c s_d messages from a cluster of s_c ranks to one of s_d there are s_c, one from each
// rank.
//
// With segments of m elements of each block, segments are forwarded while later ones still arrive. A message holds the
// same segment of all its blocks. Each level has its own lane, so that no level waits for another.
//
// Cost for C clusters of s ranks with links of their own from cluster to cluster (alpha_w, beta_w) and from rank to
// rank (alpha_l, beta_l): alpha_w + s^2 n beta_w + (s - 1) (alpha_l + C n beta_l), in segments with m for the last n.
#include <algorithm>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/patterns/packing.hpp"
#include "algorithms/topology/relay.hpp"

namespace isthmus {
namespace {

/// The blocks that a rank holds: a row for each source, of those for the ranks of the current group, in their order.
class Rows {
 public:
  explicit Rows(std::size_t width) : width_(width) {}

  void reserve(std::size_t rows) { blocks_.reserve(rows * width_); }
  /// In the order of rows.
  void add(Slice block) { blocks_.push_back(block); }

  /// The indices in the group of a part's ranks, ascending.
  static void find_places(std::span<const int> group, std::span<const int> part, std::vector<std::size_t>& places) {
    places.clear();
    auto place = static_cast<std::size_t>(std::ranges::lower_bound(group, part.front()) - group.begin());
    for (const int rank : part) {
      while (group[place] != rank) ++place;
      places.push_back(place);
    }
  }
  /// Calls visit(block) for those for some of the ranks, row by row.
  template <typename Visit>
  void for_each_at(std::span<const std::size_t> places, const Visit& visit) const {
    for (std::size_t row = 0; row < blocks_.size(); row += width_)
      for (const std::size_t place : places) visit(blocks_[row + place]);
  }
  Rows at(std::span<const std::size_t> places) const {
    Rows narrowed(places.size());
    narrowed.reserve(blocks_.size() / width_);
    for_each_at(places, [&](Slice block) { narrowed.add(block); });
    return narrowed;
  }
  std::span<const Slice> blocks() const { return blocks_; }

 private:
  std::size_t width_;
  std::vector<Slice> blocks_;
};

/// The same segment of every block: at most `most` elements from `first` on.
class Segment {
 public:
  Segment(const Problem& problem, int size, std::int64_t first, std::int64_t most)
      : problem_(problem), size_(size), first_(first), max_(most) {}

  /// The segment of the block of one rank for another, which is this slice.
  Slice of(Slice block) const {
    const std::int64_t first = std::min(first_, block.count);
    return block.part(first, std::min(max_, block.count - first));
  }
  std::int64_t count(int from, int to) const { return of_count(block_count(problem_, size_, from, to)); }
  std::int64_t count(std::span<const int> sources, std::span<const int> ranks) const {
    if (problem_.counts.empty()) return std::ssize(sources) * std::ssize(ranks) * of_count(problem_.count);
    std::int64_t count = 0;
    for (const int source : sources)
      for (const int rank : ranks) count += this->count(source, rank);
    return count;
  }
  /// Adds the blocks of a message, source by source.
  void add_blocks_of(Slice message, std::span<const int> sources, std::span<const int> ranks, Rows& rows) const {
    std::int64_t at = 0;
    for (const int source : sources)
      for (const int rank : ranks) {
        const std::int64_t elements = problem_.counts.empty() ? of_count(problem_.count) : count(source, rank);
        rows.add(message.part(at, elements));
        at += elements;
      }
  }

 private:
  std::int64_t of_count(std::int64_t count) const { return of({Buffer::input, 0, count}).count; }

  const Problem& problem_;
  int size_;
  std::int64_t first_, max_;
};

/// The number of segments of the longest block; at least 1.
std::vector<Segment> segments_of(const Problem& problem, int size, std::int64_t segment) {
  const std::int64_t longest =
      problem.counts.empty() ? problem.count : *std::max_element(problem.counts.begin(), problem.counts.end());
  const std::int64_t step = segment > 0 ? segment : std::max<std::int64_t>(longest, 1);
  std::vector<Segment> segments;
  for (std::int64_t first = 0; first == 0 || first < longest; first += step)
    segments.emplace_back(problem, size, first, step);
  return segments;
}

/// The memory for the blocks for a rank.
Blocks places_of(const Problem& problem, int size, int rank) {
  Problem received{.collective = Collective::gatherv, .count = problem.count};
  for (int from = 0; !problem.counts.empty() && from < size; ++from)
    received.counts.push_back(block_count(problem, size, from, rank));
  return {received, size, Buffer::output};
}

}  // namespace

void alltoall_multilevel(Program& program, const Topology& topology, int rank, const Problem& problem,
                         std::int64_t segment) {
  const int size = topology.size();
  const Blocks places = places_of(problem, size, rank);
  const ExchangedBlocks blocks(problem, size, rank);
  const std::vector<Segment> segments = segments_of(problem, size, segment);
  std::vector<Rows> rows(segments.size(), Rows(size));  // by segment
  for (std::size_t k = 0; k < segments.size(); ++k) {
    rows[k].reserve(1);
    for (const int to : topology.group(0).ranks) rows[k].add(segments[k].of(blocks.to(to)));
  }

  const std::vector<RelayStage> stages = relay_stages(topology, rank);
  std::vector<std::size_t> places_of_part;
  std::vector<Slice> held;
  for (const RelayStage& stage : stages) {
    if (segments.size() > 1 && &stage != stages.data()) program.add_lane();
    const std::span<const int> own_part = stage.parts[stage.own_part];
    const bool is_last = own_part.size() == 1;
    const bool whole = segments.size() == 1;
    const auto in_place = [&](std::span<const int> sources) {
      return is_last && (whole ? consecutive(sources) : sources.size() == 1);
    };

    std::vector<std::vector<Slice>> coming(segments.size());
    for (std::size_t k = 0; k < segments.size(); ++k)
      for (const int sender : stage.senders) {
        const std::span<const int> sources = stage.held_by(sender);
        if (!in_place(sources))
          coming[k].push_back(program.reserve(segments[k].count(sources, own_part)));
        else if (whole)
          coming[k].push_back(places.range(sources.front(), sources.back() + 1));
        else
          coming[k].push_back(segments[k].of(places.of(sources.front())));
        program.receive(coming[k].back(), sender);
      }
    for (std::size_t k = 0; k < segments.size(); ++k) {
      for (const auto& [part, receiver] : stage.receivers) {
        held.clear();
        Rows::find_places(stage.ranks, stage.parts[part], places_of_part);
        rows[k].for_each_at(places_of_part, [&](Slice block) { held.push_back(block); });
        program.send(as_one(program, held), receiver);
      }
      Rows::find_places(stage.ranks, own_part, places_of_part);
      rows[k] = rows[k].at(places_of_part);
    }
    const auto put_into_places = [&](std::size_t k, std::span<const Slice> brought, std::span<const int> sources) {
      for (std::size_t i = 0; i < sources.size(); ++i) program.copy(segments[k].of(places.of(sources[i])), brought[i]);
    };
    for (std::size_t k = 0; is_last && k < segments.size(); ++k) put_into_places(k, rows[k].blocks(), stage.own());
    for (std::size_t k = 0; k < segments.size(); ++k)
      for (std::size_t i = 0; i < stage.senders.size(); ++i) {
        const std::span<const int> sources = stage.held_by(stage.senders[i]);
        if (in_place(sources)) continue;
        Rows brought(own_part.size());
        segments[k].add_blocks_of(coming[k][i], sources, own_part, is_last ? brought : rows[k]);
        if (is_last) put_into_places(k, brought.blocks(), sources);
      }
    if (is_last) return;
  }
}

}  // namespace isthmus
