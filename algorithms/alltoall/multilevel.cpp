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

/// The blocks of one source for the ranks of the current group, in their order.
using Row = std::vector<Slice>;

/// Calls visit(place) for the indices of a part's ranks in the group, ascending.
template <typename Visit>
void for_each_place(std::span<const int> group, std::span<const int> part, Visit&& visit) {
  std::size_t place = 0;
  for (const int rank : part) {
    while (group[place] != rank) ++place;
    visit(place);
  }
}

/// The blocks of the rows for a part's ranks, source by source.
void append_for(const std::vector<Row>& rows, std::span<const int> group, std::span<const int> part,
                std::vector<Slice>& blocks) {
  for (const Row& row : rows) for_each_place(group, part, [&](std::size_t place) { blocks.push_back(row[place]); });
}

std::vector<Row> rows_for(const std::vector<Row>& rows, std::span<const int> group, std::span<const int> part) {
  std::vector<Row> narrowed;
  narrowed.reserve(rows.size());
  for (const Row& row : rows) {
    narrowed.emplace_back().reserve(part.size());
    for_each_place(group, part, [&](std::size_t place) { narrowed.back().push_back(row[place]); });
  }
  return narrowed;
}

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
  std::int64_t count(int from, int to) const {
    return of({Buffer::input, 0, block_count(problem_, size_, from, to)}).count;
  }
  std::int64_t count(std::span<const int> sources, std::span<const int> ranks) const {
    std::int64_t count = 0;
    for (const int source : sources)
      for (const int rank : ranks) count += this->count(source, rank);
    return count;
  }
  /// The rows of a message, source by source.
  std::vector<Row> rows_of(Slice message, std::span<const int> sources, std::span<const int> ranks) const {
    std::vector<Row> rows;
    rows.reserve(sources.size());
    std::int64_t at = 0;
    for (const int source : sources) {
      rows.emplace_back().reserve(ranks.size());
      for (const int rank : ranks) {
        rows.back().push_back(message.part(at, count(source, rank)));
        at += rows.back().back().count;
      }
    }
    return rows;
  }

 private:
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
  std::vector<std::vector<Row>> rows(segments.size());  // by segment, then by what this rank holds
  for (std::size_t k = 0; k < segments.size(); ++k) {
    rows[k].emplace_back().reserve(size);
    for (const int to : topology.group(0).ranks) rows[k].back().push_back(segments[k].of(blocks.to(to)));
  }

  const std::vector<RelayStage> stages = relay_stages(topology, rank);
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
        const std::vector<int>& sources = stage.held_by(sender);
        if (!in_place(sources))
          coming[k].push_back(program.reserve(segments[k].count(sources, own_part)));
        else if (whole)
          coming[k].push_back(places.range(sources.front(), sources.back() + 1));
        else
          coming[k].push_back(segments[k].of(places.of(sources.front())));
        program.receive(coming[k].back(), sender);
      }
    std::vector<Slice> held;
    for (std::size_t k = 0; k < segments.size(); ++k) {
      for (const auto& [part, receiver] : stage.receivers) {
        held.clear();
        append_for(rows[k], stage.ranks, stage.parts[part], held);
        program.send(as_one(program, held), receiver);
      }
      rows[k] = rows_for(rows[k], stage.ranks, own_part);
    }
    const auto put_into_places = [&](std::size_t k, const std::vector<Row>& brought, std::span<const int> sources) {
      for (std::size_t i = 0; i < sources.size(); ++i)
        program.copy(segments[k].of(places.of(sources[i])), brought[i].front());
    };
    for (std::size_t k = 0; is_last && k < segments.size(); ++k) put_into_places(k, rows[k], stage.own());
    for (std::size_t k = 0; k < segments.size(); ++k)
      for (std::size_t i = 0; i < stage.senders.size(); ++i) {
        const std::vector<int>& sources = stage.held_by(stage.senders[i]);
        if (in_place(sources)) continue;
        const std::vector<Row> brought = segments[k].rows_of(coming[k][i], sources, own_part);
        if (is_last)
          put_into_places(k, brought, sources);
        else
          rows[k].insert(rows[k].end(), brought.begin(), brought.end());
      }
    if (is_last) return;
  }
}

}  // namespace isthmus
