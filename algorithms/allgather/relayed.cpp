// Stages of an exchange between groups, in which blocks are forwarded: used by multilevel and aggregated.
#include <algorithm>

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/patterns/packing.hpp"

namespace isthmus {
namespace {

/// The blocks of some ranks, which travel together.
struct Parcel {
  std::span<const int> ranks;
  Slice slice;  // the blocks, in the order of `ranks`; empty if each block travels on its own, in place

  bool is_packed() const { return slice.buffer == Buffer::scratch; }
};

class Allgather {
 public:
  Allgather(Program& program, const Blocks& all, std::int64_t segment)
      : program_(program), all_(all), segment_(segment) {}

  bool in_segments() const { return segment_ > 0; }

  /// Memory to receive the blocks of some ranks: their final positions if possible.
  Parcel parcel(std::span<const int> ranks) {
    if (in_segments() || ranks.empty()) return {ranks, {}};
    if (consecutive(ranks)) return {ranks, all_.range(ranks.front(), ranks.back() + 1)};
    return {ranks, program_.reserve(count_of(ranks))};
  }
  /// The blocks of a parcel after the first `skipped` elements.
  Parcel part(const Parcel& whole, std::int64_t skipped, std::span<const int> ranks) const {
    return {ranks, in_segments() ? Slice{} : whole.slice.part(skipped, count_of(ranks))};
  }
  std::int64_t count_of(std::span<const int> ranks) const {
    std::int64_t count = 0;
    for (const int rank : ranks) count += all_.of(rank).count;
    return count;
  }
  /// The messages of a parcel, before they are cut into segments. The first block is complete first. The others arrive
  /// at the same time, from different groups, so that their segments alternate.
  std::vector<Slice> pieces(const Parcel& parcel) const {
    if (!in_segments()) return {parcel.slice};
    if (parcel.ranks.empty()) return {};
    std::vector<Slice> pieces{all_.of(parcel.ranks.front())};
    std::int64_t longest = 0;
    for (const int rank : parcel.ranks) longest = std::max(longest, all_.of(rank).count);
    for (std::int64_t first = 0; first < longest; first += segment_)
      for (const int rank : parcel.ranks.subspan(1)) {
        const Slice block = all_.of(rank);
        if (first < block.count) pieces.push_back(block.part(first, std::min(segment_, block.count - first)));
      }
    return pieces;
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
  /// Copies the blocks to their positions, except the first `in_place` blocks.
  void put_into_places(const Parcel& parcel, std::size_t in_place = 0) {
    if (!parcel.is_packed()) return;
    const std::int64_t skipped = count_of(parcel.ranks.first(in_place));
    unpack(program_, all_, parcel.ranks.subspan(in_place), parcel.slice.part(skipped, parcel.slice.count - skipped));
  }
  /// The exchange among the ranks of an innermost group, with their parcels.
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

/// The number of stages in which this rank takes part. After the last one no other rank of its part remains.
std::size_t stages_until_alone(std::span<const RelayStage> stages) {
  std::size_t count = 1;
  while (stages[count - 1].parts[stages[count - 1].own_part].size() > 1) ++count;
  return count;
}

}  // namespace

void allgather_relayed(Program& program, std::span<const RelayStage> relay, const Blocks& all, std::int64_t segment) {
  const std::span<const RelayStage> stages = relay.first(stages_until_alone(relay));
  Allgather allgather(program, all, segment);

  // What this rank holds before the last stage; it is filled from the front, stage by stage.
  const Parcel mine = allgather.parcel(stages.back().own());
  const std::span<const int> at_first = stages.front().own();
  if (mine.is_packed()) pack(program, mine.slice.part(0, allgather.count_of(at_first)), at_first, all);

  std::vector<Parcel> last;  // received in the last stage
  for (const RelayStage& stage : stages) {
    const bool is_last = &stage == &stages.back();
    if (allgather.in_segments() && &stage != stages.data()) program.add_lane();
    if (stage.innermost) {
      for (int member = 0; member < std::ssize(stage.ranks); ++member)
        last.push_back(member == stage.place ? mine : allgather.parcel(stage.held[member]));
      allgather.exchange(stage.ranks, stage.place, last);
      last.erase(last.begin() + stage.place);
      break;
    }
    std::int64_t held = allgather.count_of(stage.own());
    for (const int sender : stage.senders) {
      const std::span<const int> ranks = stage.held_by(sender);
      const Parcel coming = is_last ? allgather.parcel(ranks) : allgather.part(mine, held, ranks);
      held += allgather.count_of(ranks);
      allgather.receive(coming, sender);
      if (is_last) last.push_back(coming);
    }
    allgather.send_to_each(allgather.part(mine, 0, stage.own()), stage.receivers);
  }
  allgather.put_into_places(mine, at_first.size());
  for (const Parcel& parcel : last) allgather.put_into_places(parcel);
}

}  // namespace isthmus
