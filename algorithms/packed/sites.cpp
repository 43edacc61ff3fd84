#include "algorithms/packed/sites.hpp"

#include <algorithm>

namespace isthmus {
namespace {

/// Appends the ranks of a group: those of each child together, in the order of their lowest ranks.
void append_members(const Topology& topology, int number, std::vector<int>& members) {
  const Group& group = topology.group(number);
  if (group.children.empty()) {
    members.insert(members.end(), group.ranks.begin(), group.ranks.end());
    return;
  }
  for (const int rank : group.members) {
    const int inner = topology.group_at(rank, group.level + 1);
    if (inner == number)
      members.push_back(rank);
    else
      append_members(topology, inner, members);
  }
}

}  // namespace

int SiteNumbers::of(int rank) const {
  const int group = topology_.group_at(rank, 1);
  const int lowest = group == 0 ? rank : topology_.group(group).ranks.front();
  const std::span<const int> lowest_ranks = topology_.members(0);
  return static_cast<int>(std::ranges::lower_bound(lowest_ranks, lowest) - lowest_ranks.begin());
}

Sites::Sites(const Topology& topology) : site_(topology.size()), position_(topology.size()) {
  const Group& everybody = topology.group(0);
  if (everybody.children.empty()) {
    for (int rank = 0; rank < topology.size(); ++rank) members_.push_back({rank});
  } else {
    for (const int rank : everybody.members) {
      const int group = topology.group_at(rank, 1);
      std::vector<int>& members = members_.emplace_back();
      if (group == 0)
        members.push_back(rank);
      else
        append_members(topology, group, members);
    }
  }
  for (int site = 0; site < count(); ++site)
    for (int i = 0; i < size(site); ++i) {
      site_[members_[site][i]] = site;
      position_[members_[site][i]] = i;
    }
}

}  // namespace isthmus
