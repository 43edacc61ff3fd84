// An alltoall along any tree, used by eco and k-ary.
#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/patterns/packing.hpp"

namespace isthmus {
namespace {

/// A message with the blocks of some sources for some destinations, source by source.
class Bundle {
 public:
  Bundle(const Problem& problem, int size, std::vector<int> sources, std::vector<int> destinations)
      : sources_(std::move(sources)), destinations_(std::move(destinations)), index_(size, -1) {
    int next = 0;
    for (const int destination : destinations_) index_[destination] = next++;
    begins_.push_back(0);
    for (const int source : sources_)
      for (const int destination : destinations_)
        begins_.push_back(begins_.back() + block_count(problem, size, source, destination));
  }

  const std::vector<int>& sources() const { return sources_; }
  std::int64_t count() const { return begins_.back(); }
  void put(Slice slice) { slice_ = slice; }
  Slice slice() const { return slice_; }

  /// The block of the source with this index.
  Slice block(std::size_t source, int destination) const {
    const std::size_t at = source * destinations_.size() + index_[destination];
    return slice_.part(begins_[at], begins_[at + 1] - begins_[at]);
  }
  /// The slices that `held(source, destination)` gives for all its blocks, in their order.
  template <typename Held>
  std::vector<Slice> slices(Held&& held) const {
    std::vector<Slice> found;
    for (const int source : sources_)
      for (const int destination : destinations_) found.push_back(held(source, destination));
    return found;
  }

 private:
  std::vector<int> sources_, destinations_;
  std::vector<int> index_;  // of a destination, by rank
  std::vector<std::int64_t> begins_;
  Slice slice_;
};

std::vector<int> all_but(std::vector<int> ranks, int size) {
  std::sort(ranks.begin(), ranks.end());
  std::vector<int> others;
  for (int rank = 0; rank < size; ++rank)
    if (!std::binary_search(ranks.begin(), ranks.end(), rank)) others.push_back(rank);
  return others;
}

}  // namespace

void alltoall_along(Program& program, const PlaceOf& place_of, int size, int rank, const Problem& problem) {
  const ExchangedBlocks blocks(problem, size, rank);
  const std::vector<Branch> branches = branches_of(place_of, rank);
  const int parent = place_of(rank).parent;

  // What a rank holds of a source is its own, or came up from a child, or came down from the parent.
  std::vector<Bundle> received;
  std::vector<std::pair<int, std::size_t>> bundle_of(size, {-1, 0});
  const auto receive = [&](Bundle bundle, int from) {
    for (std::size_t index = 0; index < bundle.sources().size(); ++index)
      bundle_of[bundle.sources()[index]] = {static_cast<int>(received.size()), index};
    bundle.put(program.reserve(bundle.count()));
    program.receive(bundle.slice(), from);
    received.push_back(std::move(bundle));
  };
  const auto held = [&](int source, int destination) {
    if (source == rank) return blocks.to(destination);
    const auto [number, index] = bundle_of[source];
    return received[number].block(index, destination);
  };
  const auto send = [&](const Bundle& bundle, int to) { program.send(as_one(program, bundle.slices(held)), to); };

  std::vector<int> below{rank};
  for (const auto& [child, ranks] : branches) {
    below.insert(below.end(), ranks.begin(), ranks.end());
    receive(Bundle(problem, size, ranks, all_but(ranks, size)), child);
  }
  if (parent >= 0) {
    const std::vector<int> others = all_but(below, size);
    send(Bundle(problem, size, below, others), parent);
    receive(Bundle(problem, size, others, below), parent);
  }
  for (const auto& [child, ranks] : branches) send(Bundle(problem, size, all_but(ranks, size), ranks), child);

  // Runs that are contiguous at both ends are copied at once.
  Slice to, from;
  for (int source = 0; source < size; ++source) {
    const Slice block = held(source, rank), place = blocks.from(source);
    if (!to.empty() && from.buffer == block.buffer && from.end() == block.offset) {
      to.count += place.count;
      from.count += block.count;
      continue;
    }
    program.copy(to, from);
    to = place;
    from = block;
  }
  program.copy(to, from);
}

}  // namespace isthmus
