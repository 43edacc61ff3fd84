// The multilevel alltoall, with the work shared by all members of a group: Karonis 2000 leaves alltoall open, and
// Lowekamp 1995 has a bottleneck at its tree's root. At each level, outermost first, every rank sends to one rank of
// each other group all the blocks that it holds for that group, as one message (relay.hpp); then the ranks of a group
// go on among themselves. So every byte crosses each boundary of the topology once at most, all wide-area links are
// busy from the start, and instead of s_c s_d messages from a cluster of s_c ranks to one of s_d there are s_c, one
// from each of its ranks.
//
// Cost for C clusters of s ranks with links of their own from cluster to cluster (alpha_w, beta_w) and from rank to
// rank (alpha_l, beta_l): alpha_w + s^2 n beta_w + (s - 1) (alpha_l + C n beta_l).
#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/collective/packing.hpp"
#include "algorithms/topology/relay.hpp"

namespace isthmus {
namespace {

/// The blocks of one source for the ranks of the group at hand, in their order.
using Row = std::vector<Slice>;

/// The blocks as one message: in place where they lie one behind the other, else packed.
Slice as_one(Program& program, const std::vector<Slice>& blocks) {
  std::vector<Slice> joined;
  std::int64_t count = 0;
  for (const Slice& block : blocks) {
    count += block.count;
    if (!joined.empty() && joined.back().buffer == block.buffer && joined.back().end() == block.offset)
      joined.back().count += block.count;
    else
      joined.push_back(block);
  }
  if (joined.size() == 1) return joined.front();
  const Slice packed = program.reserve(count);
  std::int64_t at = 0;
  for (const Slice& block : joined) {
    program.copy(packed.part(at, block.count), block);
    at += block.count;
  }
  return packed;
}

/// Calls visit(place) for the places that the ranks of a part have in its group; both ascend.
template <typename Visit>
void for_each_place(std::span<const int> group, std::span<const int> part, Visit&& visit) {
  std::size_t place = 0;
  for (const int rank : part) {
    while (group[place] != rank) ++place;
    visit(place);
  }
}

std::vector<Row> rows_for(const std::vector<Row>& rows, std::span<const int> group, std::span<const int> part) {
  std::vector<Row> narrowed;
  for (const Row& row : rows) {
    narrowed.emplace_back();
    for_each_place(group, part, [&](std::size_t place) { narrowed.back().push_back(row[place]); });
  }
  return narrowed;
}

/// The elements of the blocks that a rank has for others.
std::int64_t count_between(const Problem& problem, int size, int from, std::span<const int> to) {
  std::int64_t count = 0;
  for (const int rank : to) count += block_count(problem, size, from, rank);
  return count;
}

/// The rows of a message, source by source.
void add_rows(std::vector<Row>& rows, const Problem& problem, int size, Slice message, std::span<const int> sources,
              std::span<const int> ranks) {
  std::int64_t at = 0;
  for (const int source : sources) {
    rows.emplace_back();
    for (const int rank : ranks) {
      rows.back().push_back(message.part(at, block_count(problem, size, source, rank)));
      at = rows.back().back().end() - message.offset;
    }
  }
}

/// Where the blocks for a rank come to lie.
Blocks places_of(const Problem& problem, int size, int rank) {
  Problem received{.collective = Collective::gatherv, .count = problem.count};
  for (int from = 0; !problem.counts.empty() && from < size; ++from)
    received.counts.push_back(block_count(problem, size, from, rank));
  return {received, size, Buffer::output};
}

}  // namespace

void alltoall_multilevel(Program& program, const Topology& topology, int rank, const Problem& problem) {
  const int size = topology.size();
  const Blocks places = places_of(problem, size, rank);
  const std::vector<int>& everybody = topology.group(0).ranks;
  std::vector<Row> rows;  // by what this rank holds
  add_rows(rows, problem, size, input(0, count_between(problem, size, rank, everybody)), {&rank, 1}, everybody);

  for (const RelayStage& stage : relay_stages(topology, rank)) {
    const std::span<const int> own_part = stage.parts[stage.own_part];
    const bool is_last = own_part.size() == 1;
    std::vector<Slice> coming;
    for (const int sender : stage.senders) {
      const std::vector<int>& sources = stage.held_by(sender);
      std::int64_t count = 0;
      for (const int source : sources) count += count_between(problem, size, source, own_part);
      const bool in_place = is_last && consecutive(sources);
      coming.push_back(in_place ? places.range(sources.front(), sources.back() + 1) : program.reserve(count));
      program.receive(coming.back(), sender);
    }
    for (const auto& [part, receiver] : stage.receivers) {
      std::vector<Slice> blocks;
      for (const Row& row : rows_for(rows, stage.ranks, stage.parts[part]))
        blocks.insert(blocks.end(), row.begin(), row.end());
      program.send(as_one(program, blocks), receiver);
    }
    rows = rows_for(rows, stage.ranks, own_part);
    if (is_last) {
      for (std::size_t source = 0; source < rows.size(); ++source)
        program.copy(places.of(stage.own()[source]), rows[source].front());
      for (std::size_t i = 0; i < coming.size(); ++i)
        if (coming[i].buffer == Buffer::scratch) unpack(program, places, stage.held_by(stage.senders[i]), coming[i]);
      return;
    }
    for (std::size_t i = 0; i < coming.size(); ++i)
      add_rows(rows, problem, size, coming[i], stage.held_by(stage.senders[i]), own_part);
  }
}

}  // namespace isthmus
