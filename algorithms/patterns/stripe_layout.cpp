#include "algorithms/patterns/stripe_layout.hpp"

#include <algorithm>

namespace isthmus {

StripeLayout::StripeLayout(const Clusters& clusters, const BlockOf& block_of)
    : clusters_(clusters), block_of_(block_of) {
  std::size_t ranks = 0;
  for (int cluster = 0; cluster < clusters.size(); ++cluster) ranks += clusters.ranks(cluster).size();
  first_begin_.reserve(clusters.size());
  begins_.reserve(ranks + clusters.size());
  for (int cluster = 0; cluster < clusters.size(); ++cluster) {
    first_begin_.push_back(begins_.size());
    begins_.push_back(0);
    for (const int rank : clusters.ranks(cluster)) begins_.push_back(begins_.back() + block_of(rank).count);
  }
}

/// Share `share` of `shares` of a cluster's region, as a range within it.
Slice StripeLayout::share_of(int cluster, int share, int shares) const {
  return block({Buffer::output, 0, begins_in(cluster).back()}, share, shares);
}

void StripeLayout::add_share_in(int cluster, int place, std::vector<BlockPiece>& pieces) const {
  const Slice share = share_of(cluster, place, static_cast<int>(members().size()));
  const std::span<const std::int64_t> begins = begins_in(cluster);
  const std::span<const int> owners = clusters_.ranks(cluster);
  auto owner =
      static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), share.offset) - begins.begin()) - 1;
  for (; owner < owners.size() && begins[owner] < share.end(); ++owner) {
    const std::int64_t first = std::max(begins[owner], share.offset), end = std::min(begins[owner + 1], share.end());
    if (first < end)
      pieces.push_back({owners[owner], block_of_(owners[owner]).part(first - begins[owner], end - first)});
  }
}

void StripeLayout::add_inner_block(int place, std::vector<BlockPiece>& pieces) const {
  pieces.push_back({members()[place], block_of_(members()[place])});
  for_each_other_cluster([&](int cluster) { add_share_in(cluster, place, pieces); });
}

std::vector<BlockPiece> StripeLayout::inner_block(int place) const {
  std::vector<BlockPiece> pieces;
  add_inner_block(place, pieces);
  return pieces;
}

std::vector<BlockPiece> StripeLayout::holders_in(int cluster, Slice block) const {
  std::vector<BlockPiece> pieces;
  const std::int64_t begin = begins_in(home())[clusters_.index_in_cluster()],
                     end = begins_in(home())[clusters_.index_in_cluster() + 1];
  const std::span<const int> holders = clusters_.ranks(cluster);
  for (std::size_t holder = 0; holder < holders.size(); ++holder) {
    const Slice share = share_of(home(), static_cast<int>(holder), static_cast<int>(holders.size()));
    const std::int64_t from = std::max(begin, share.offset), to = std::min(end, share.end());
    if (from < to) pieces.push_back({holders[holder], block.part(from - begin, to - from)});
  }
  return pieces;
}

std::int64_t count_of(std::span<const BlockPiece> pieces) {
  std::int64_t count = 0;
  for (const BlockPiece& piece : pieces) count += piece.slice.count;
  return count;
}

}  // namespace isthmus
