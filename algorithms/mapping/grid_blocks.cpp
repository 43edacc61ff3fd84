#include "algorithms/mapping/grid_blocks.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace isthmus {
namespace {

// The best division of a block that can be had by planes depends on its lengths, on which of its ends meet, and on the
// sizes of the parts, whatever its place. So each of these is looked at once.
class Cuts {
 public:
  Cuts(const CartesianGrid& grid, std::span<const int> sizes) : grid_(grid) {
    for (const int size : sizes) ++left_[size];
    for (const auto& [size, number] : left_) distinct_.push_back(size);
  }

  std::vector<int> all() const {
    std::vector<int> numbers;
    for (const auto& [size, number] : left_) numbers.push_back(number);
    return numbers;
  }

  std::int64_t cost(const std::vector<int>& lengths, const std::vector<int>& numbers) {
    return best(lengths, numbers).cost;
  }
  bool gave_up() const { return steps_ > max_steps; }

  /// Appends the parts of a block that can be divided, by size.
  void divide(const GridBlock& block, const std::vector<int>& numbers, std::map<int, std::vector<GridBlock>>& parts) {
    const Best here = best(block.lengths, numbers);
    if (here.dimension < 0) {
      parts[volume(block.lengths)].push_back(block);
      return;
    }
    GridBlock left = block;
    GridBlock right = block;
    left.lengths[here.dimension] = here.at;
    right.first[here.dimension] += here.at;
    right.lengths[here.dimension] -= here.at;
    std::vector<int> rest = numbers;
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= here.left[i];
    divide(left, here.left, parts);
    divide(right, rest, parts);
  }

  static constexpr std::int64_t impossible = std::numeric_limits<std::int64_t>::max() / 4;

 private:
  struct Best {
    std::int64_t cost = impossible;
    int dimension = -1, at = 0;
    std::vector<int> left;
  };
  static constexpr std::int64_t max_steps = 200000;

  static int volume(const std::vector<int>& lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), 1, std::multiplies<>());
  }

  const Best& best(const std::vector<int>& lengths, const std::vector<int>& numbers) {
    const auto key = std::make_pair(lengths, numbers);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    Best found;
    if (std::accumulate(numbers.begin(), numbers.end(), 0) == 1) {
      found.cost = 0;
    } else {
      for (int d = 0; d < static_cast<int>(lengths.size()); ++d)
        for (int at = 1; 2 * at <= lengths[d]; ++at) try_plane(lengths, numbers, d, at, found);
    }
    return known_.emplace(key, std::move(found)).first->second;
  }

  void try_plane(const std::vector<int>& lengths, const std::vector<int>& numbers, int d, int at, Best& found) {
    const int across = volume(lengths) / lengths[d];
    const bool ends_meet = grid_.periodic[d] && lengths[d] == grid_.sizes[d];
    const std::int64_t cut = grid_.weight(d) * across * (ends_meet ? 2 : 1);
    if (cut >= found.cost) return;
    std::vector<int> left_lengths = lengths;
    std::vector<int> right_lengths = lengths;
    left_lengths[d] = at;
    right_lengths[d] -= at;
    std::vector<int> left(numbers.size());
    choose(numbers, left, 0, at * across, [&] {
      if (++steps_ > max_steps) return;
      std::vector<int> right = numbers;
      for (std::size_t i = 0; i < right.size(); ++i) right[i] -= left[i];
      const std::int64_t cost = cut + best(left_lengths, left).cost + best(right_lengths, right).cost;
      if (cost < found.cost) found = {cost, d, at, left};
    });
  }

  // Calls `use` for each choice of sizes that make up a volume.
  template <typename Use>
  void choose(const std::vector<int>& numbers, std::vector<int>& chosen, std::size_t from, int missing, Use use) {
    if (steps_ > max_steps) return;
    if (from == numbers.size()) {
      if (missing == 0) use();
      return;
    }
    for (chosen[from] = 0; chosen[from] <= numbers[from] && chosen[from] * distinct_[from] <= missing; ++chosen[from])
      choose(numbers, chosen, from + 1, missing - chosen[from] * distinct_[from], use);
    chosen[from] = 0;
    ++steps_;
  }

  const CartesianGrid& grid_;
  std::map<int, int> left_;
  std::vector<int> distinct_;
  std::map<std::pair<std::vector<int>, std::vector<int>>, Best> known_;
  std::int64_t steps_ = 0;
};

}  // namespace

std::vector<int> GridBlock::positions(const CartesianGrid& grid) const {
  std::vector<int> found = {0};
  for (int d = 0; d < grid.dimensions(); ++d) {
    std::vector<int> next;
    for (const int before : found)
      for (int i = 0; i < lengths[d]; ++i) next.push_back(before * grid.sizes[d] + first[d] + i);
    found = std::move(next);
  }
  return found;
}

std::optional<std::vector<GridBlock>> cut_into_blocks(const CartesianGrid& grid, const GridBlock& whole,
                                                      std::span<const int> sizes) {
  Cuts cuts(grid, sizes);
  if (cuts.cost(whole.lengths, cuts.all()) >= Cuts::impossible || cuts.gave_up()) return std::nullopt;
  std::map<int, std::vector<GridBlock>> parts;
  cuts.divide(whole, cuts.all(), parts);
  for (auto& [size, blocks] : parts)
    std::sort(blocks.begin(), blocks.end(), [](const GridBlock& a, const GridBlock& b) { return a.first < b.first; });
  std::map<int, std::size_t> used;
  std::vector<GridBlock> in_order;
  for (const int size : sizes) in_order.push_back(parts[size][used[size]++]);
  return in_order;
}

}  // namespace isthmus
