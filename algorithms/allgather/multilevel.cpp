// The multilevel allgather, with the work shared by all members of a group: Karonis 2000 leaves allgather open, and
// Lowekamp 1995 has a bottleneck at its tree's root. At each level, outermost first, every rank sends what it holds to
// one rank of each other group (relay.hpp); the ranks of a group, which then hold everything together, go on among
// themselves. So every byte enters each cluster once, all wide-area links are busy from the start with no rank sending
// more than its own block over any of them, and no path crosses two.
//
// Unsegmented, what a rank holds travels as one message, packed where its blocks do not lie one behind the other, and
// the ranks of an innermost group exchange by Bruck's algorithm: few messages. With segments every block travels on its
// own, in place, the innermost groups are rings, and what comes from further away is passed on while the rest still
// comes: each level has a lane of its own, so that none waits for another.
//
// Cost, unsegmented, for C clusters of s ranks with links of their own from cluster to cluster (alpha_w, beta_w) and
// from rank to rank (alpha_l, beta_l): alpha_w + s n beta_w + ceil(log2 s) alpha_l + (s - 1) C n beta_l.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/collective/packing.hpp"
#include "algorithms/topology/relay.hpp"

namespace isthmus {
namespace {

/// What travels as one: the blocks of some ranks.
struct Parcel {
  std::span<const int> ranks;
  Slice slice;  // where they lie, in the order of `ranks`; empty where each travels on its own, in its place

  bool is_packed() const { return slice.buffer == Buffer::scratch; }
};

class Allgather {
 public:
  Allgather(Program& program, const Blocks& all, std::int64_t segment)
      : program_(program), all_(all), segment_(segment) {}

  bool in_segments() const { return segment_ > 0; }

  /// The blocks of some ranks in a place to receive them: their own where that is possible.
  Parcel parcel(std::span<const int> ranks) {
    if (in_segments()) return {ranks, {}};
    if (consecutive(ranks)) return {ranks, all_.range(ranks.front(), ranks.back() + 1)};
    return {ranks, program_.reserve(count_of(ranks))};
  }
  /// The blocks of a parcel that follow after `skipped` elements.
  Parcel part(const Parcel& whole, std::int64_t skipped, std::span<const int> ranks) const {
    return {ranks, in_segments() ? Slice{} : whole.slice.part(skipped, count_of(ranks))};
  }
  std::int64_t count_of(std::span<const int> ranks) const {
    std::int64_t count = 0;
    for (const int rank : ranks) count += all_.of(rank).count;
    return count;
  }
  /// The messages of a parcel, before they are cut into segments.
  std::vector<Slice> pieces(const Parcel& parcel) const {
    if (!in_segments()) return {parcel.slice};
    std::vector<Slice> blocks;
    for (const int rank : parcel.ranks) blocks.push_back(all_.of(rank));
    return blocks;
  }

  void receive(const Parcel& parcel, int from) {
    for (const Slice piece : pieces(parcel))
      for (const Slice slice : split(piece, segment_)) program_.receive(slice, from);
  }
  void send_to_each(const Parcel& parcel, std::span<const RelayStage::Receiver> receivers) {
    for (const Slice piece : pieces(parcel))
      for (const Slice slice : split(piece, segment_))
        for (const RelayStage::Receiver& to : receivers) program_.send(slice, to.rank);
  }
  /// Leaves out the first `in_place` blocks.
  void put_into_places(const Parcel& parcel, std::size_t in_place = 0) {
    if (!parcel.is_packed()) return;
    const std::int64_t skipped = count_of(parcel.ranks.first(in_place));
    unpack(program_, all_, parcel.ranks.subspan(in_place), parcel.slice.part(skipped, parcel.slice.count - skipped));
  }
  /// Among the ranks of an innermost group, whose parcels these are.
  void exchange(std::span<const int> ranks, int self, std::span<const Parcel> parcels) {
    if (in_segments()) {
      std::vector<std::vector<Slice>> held;
      for (const Parcel& parcel : parcels) held.push_back(pieces(parcel));
      allgather_ring(program_, ranks, self, held, segment_);
    } else {
      std::vector<Slice> held;
      for (const Parcel& parcel : parcels) held.push_back(parcel.slice);
      allgather_bruck(program_, ranks, self, held);
    }
  }

 private:
  Program& program_;
  const Blocks& all_;
  std::int64_t segment_;
};

/// How many stages this rank takes part in: after the last one it is alone with what it has.
std::size_t stages_until_alone(std::span<const RelayStage> stages) {
  std::size_t count = 1;
  while (stages[count - 1].parts[stages[count - 1].own_part].size() > 1) ++count;
  return count;
}

}  // namespace

void allgather_multilevel(Program& program, const Topology& topology, int rank, Slice own, const Blocks& all,
                          std::int64_t segment) {
  const std::vector<RelayStage> relay = relay_stages(topology, rank);
  const std::span<const RelayStage> stages{relay.data(), stages_until_alone(relay)};
  Allgather allgather(program, all, segment);

  // What this rank holds before the last stage: it grows from the front, stage by stage.
  const Parcel mine = allgather.parcel(stages.back().own());
  program.copy(all.of(rank), own);
  if (mine.is_packed()) program.copy(mine.slice.part(0, own.count), own);

  std::vector<Parcel> last;  // what the last stage brings
  for (const RelayStage& stage : stages) {
    const bool is_last = &stage == &stages.back();
    if (allgather.in_segments() && &stage != stages.data()) program.add_lane();
    if (stage.innermost) {
      for (const std::vector<int>& held : stage.held)
        last.push_back(&held == &stage.own() ? mine : allgather.parcel(held));
      allgather.exchange(stage.ranks, stage.place, last);
      last.erase(last.begin() + stage.place);
      break;
    }
    std::int64_t held = allgather.count_of(stage.own());
    for (const int sender : stage.senders) {
      const std::vector<int>& ranks = stage.held_by(sender);
      const Parcel coming = is_last ? allgather.parcel(ranks) : allgather.part(mine, held, ranks);
      held += allgather.count_of(ranks);
      allgather.receive(coming, sender);
      if (is_last) last.push_back(coming);
    }
    allgather.send_to_each(allgather.part(mine, 0, stage.own()), stage.receivers);
  }
  allgather.put_into_places(mine, 1);
  for (const Parcel& parcel : last) allgather.put_into_places(parcel);
}

}  // namespace isthmus
