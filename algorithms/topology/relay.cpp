#include "algorithms/topology/relay.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace isthmus {
namespace {

int place_among(std::span<const int> ranks, int rank) {
  // Fast path: most groups are consecutive ranks.
  const int ahead = rank - ranks.front();
  if (ahead >= 0 && ahead < std::ssize(ranks) && ranks[ahead] == rank) return ahead;
  return static_cast<int>(std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin());
}

std::vector<std::span<const int>> parts_of(const Topology& topology, const Group& group, int number) {
  std::vector<std::span<const int>> parts;
  const std::span<const int> members = topology.members(number);
  parts.reserve(members.size());
  std::size_t child = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const bool heads =
        child < group.children.size() && topology.group(group.children[child]).ranks.front() == members[i];
    if (heads)
      parts.emplace_back(topology.group(group.children[child++]).ranks);
    else
      parts.push_back(members.subspan(i, 1));
  }
  return parts;
}

/// Calls deal(sender, member) for every rank outside a part, part by part. `member` is the index in the part of the
/// rank that receives what the sender holds.
template <typename Deal>
void deal_over(const RelayStage& stage, std::size_t part, Deal&& deal) {
  std::size_t next = 0;
  for (std::size_t other = 0; other < stage.parts.size(); ++other) {
    if (other == part) continue;
    for (const int sender : stage.parts[other]) deal(sender, next++ % stage.parts[part].size());
  }
}

RelayStage stage_of(const Topology& topology, int number, int rank, RankLists held) {
  const Group& group = topology.group(number);
  RelayStage stage;
  stage.innermost = group.children.empty();
  stage.ranks = group.ranks;
  stage.parts = parts_of(topology, group, number);
  stage.place = place_among(stage.ranks, rank);
  stage.held = std::move(held);
  std::size_t before = 0;  // ranks in the parts before the own one
  for (const std::span<const int> part : stage.parts) {
    if (std::binary_search(part.begin(), part.end(), rank)) break;
    before += part.size();
    ++stage.own_part;
  }
  const std::span<const int> own_part = stage.parts[stage.own_part];
  const auto place = static_cast<std::size_t>(place_among(own_part, rank));
  const int parts = static_cast<int>(stage.parts.size());
  stage.receivers.reserve(parts);
  for (int distance = 1; distance < parts; ++distance) {
    const int part = (stage.own_part + distance) % parts;
    const std::span<const int> to = stage.parts[part];
    const std::size_t turn = before + place - (part < stage.own_part ? to.size() : 0);
    stage.receivers.push_back({part, to[turn % to.size()]});
  }
  deal_over(stage, stage.own_part, [&](int sender, std::size_t member) {
    if (member == place) stage.senders.push_back(sender);
  });
  return stage;
}

RankLists held_after(const RelayStage& stage) {
  const std::span<const int> members = stage.parts[stage.own_part];
  std::vector<std::size_t> sizes;
  sizes.reserve(members.size());
  for (const int member : members) sizes.push_back(stage.held_by(member).size());
  deal_over(stage, stage.own_part,
            [&](int sender, std::size_t member) { sizes[member] += stage.held_by(sender).size(); });
  RankLists held(sizes);
  std::ranges::fill(sizes, 0);  // from here on of what is there
  const auto add = [&](int of, std::size_t member) {
    const std::span<const int> more = stage.held_by(of);
    std::ranges::copy(more, held[member].begin() + static_cast<std::ptrdiff_t>(sizes[member]));
    sizes[member] += more.size();
  };
  for (std::size_t member = 0; member < members.size(); ++member) add(members[member], member);
  deal_over(stage, stage.own_part, add);
  return held;
}

}  // namespace

RankLists::RankLists(std::span<const std::size_t> sizes) {
  begin_.reserve(sizes.size() + 1);
  for (const std::size_t size : sizes) begin_.push_back(begin_.back() + size);
  ranks_.resize(begin_.back());
}

RankLists::RankLists(const std::vector<std::vector<int>>& lists) {
  for (const std::vector<int>& list : lists) {
    ranks_.insert(ranks_.end(), list.begin(), list.end());
    begin_.push_back(ranks_.size());
  }
}

RankLists RankLists::of_each(std::span<const int> ranks) {
  RankLists lists;
  lists.ranks_.assign(ranks.begin(), ranks.end());
  lists.begin_.resize(ranks.size() + 1);
  std::iota(lists.begin_.begin(), lists.begin_.end(), std::size_t{0});
  return lists;
}

std::span<const int> RelayStage::held_by(int rank) const { return held[place_among(ranks, rank)]; }

std::vector<RelayStage> relay_stages(const Topology& topology, int rank) {
  return relay_stages(topology, rank, 0, RankLists::of_each(topology.group(0).ranks));
}

std::vector<RelayStage> relay_stages(const Topology& topology, int rank, int level, RankLists held) {
  std::vector<RelayStage> stages;
  stages.reserve(std::max(1, topology.depth(rank) - level + 1));
  stages.push_back(stage_of(topology, topology.group_at(rank, level), rank, std::move(held)));
  while (++level <= topology.depth(rank))
    stages.push_back(stage_of(topology, topology.group_at(rank, level), rank, held_after(stages.back())));
  return stages;
}

}  // namespace isthmus
