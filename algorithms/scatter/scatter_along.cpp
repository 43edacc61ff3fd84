// A scatter along any tree: what binomial and multilevel share.
#include <algorithm>

#include "algorithms/patterns/block_tree.hpp"
#include "algorithms/patterns/packing.hpp"

namespace isthmus {
namespace {

/// The blocks of a child's subtree.
struct Parcel {
  int child;
  Slice message;
};

/// The farthest child, with the largest subtree where the tree is binomial, comes first; with segments all children are
/// served in turn, so that the links to all of them are busy.
void send_in_turn(Program& program, std::span<const Parcel> parcels, std::int64_t segment) {
  std::int64_t longest = 0;
  for (const Parcel& parcel : parcels) longest = std::max(longest, parcel.message.count);
  const std::int64_t step = segment > 0 ? segment : std::max<std::int64_t>(longest, 1);
  for (std::int64_t first = 0; first < longest; first += step)
    for (auto parcel = parcels.rbegin(); parcel != parcels.rend(); ++parcel) {
      const Slice& message = parcel->message;
      if (first < message.count)
        program.send(message.part(first, std::min(step, message.count - first)), parcel->child);
    }
}

std::vector<Parcel> parcels_of_root(Program& program, std::span<const Branch> branches, const Blocks& all) {
  std::vector<Parcel> parcels;
  for (const auto& [child, ranks] : branches) {
    if (consecutive(ranks)) {
      parcels.push_back({child, all.range(ranks.front(), ranks.back() + 1)});
      continue;
    }
    parcels.push_back({child, program.reserve(all.count_of(ranks))});
    pack(program, parcels.back().message, ranks, all);
  }
  return parcels;
}

}  // namespace

void scatter_along(Program& program, const PlaceOf& place_of, int rank, Slice own, const Blocks& all,
                   std::int64_t segment) {
  const std::vector<Branch> branches = branches_of(place_of, rank);
  const int parent = place_of(rank).parent;
  if (parent < 0) {
    send_in_turn(program, parcels_of_root(program, branches, all), segment);
    program.copy(own, all.of(rank));
    return;
  }
  std::int64_t count = own.count;
  for (const Branch& branch : branches) count += all.count_of(branch.ranks);
  const Slice coming = branches.empty() ? own : program.reserve(count);
  for (const Slice part : split(coming, segment)) program.receive(part, parent);
  if (branches.empty()) return;

  std::vector<Parcel> parcels;
  std::int64_t at = own.count;
  for (const auto& [child, ranks] : branches) {
    parcels.push_back({child, coming.part(at, all.count_of(ranks))});
    at += parcels.back().message.count;
  }
  // What comes in segments goes on in the order in which it comes.
  if (segment > 0)
    for (const Parcel& parcel : parcels) send_in_turn(program, {&parcel, 1}, segment);
  else
    send_in_turn(program, parcels, segment);
  program.copy(own, coming.part(0, own.count));
}

}  // namespace isthmus
