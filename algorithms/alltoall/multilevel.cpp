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

/// The rows of a message, source by source.
void add_rows(std::vector<Row>& rows, Slice message, std::size_t sources, std::size_t ranks, std::int64_t count) {
  for (std::size_t source = 0; source < sources; ++source) {
    rows.emplace_back();
    for (std::size_t rank = 0; rank < ranks; ++rank)
      rows.back().push_back(message.part(static_cast<std::int64_t>(source * ranks + rank) * count, count));
  }
}

}  // namespace

void alltoall_multilevel(Program& program, const Topology& topology, int rank, std::int64_t count) {
  const Blocks places({.collective = Collective::alltoall, .count = count}, topology.size(), Buffer::output);
  std::vector<Row> rows;  // by what this rank holds
  add_rows(rows, input(0, topology.size() * count), 1, topology.size(), count);

  for (const RelayStage& stage : relay_stages(topology, rank)) {
    const std::span<const int> own_part = stage.parts[stage.own_part];
    const bool is_last = own_part.size() == 1;
    std::vector<Slice> coming;
    for (const int sender : stage.senders) {
      const std::vector<int>& sources = stage.held_by(sender);
      const bool in_place = is_last && consecutive(sources);
      coming.push_back(in_place ? places.range(sources.front(), sources.back() + 1)
                                : program.reserve(std::ssize(sources) * std::ssize(own_part) * count));
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
      add_rows(rows, coming[i], stage.held_by(stage.senders[i]).size(), own_part.size(), count);
  }
}

}  // namespace isthmus
