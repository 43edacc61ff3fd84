#include "algorithms/patterns/ordered_fan_in.hpp"

#include <algorithm>
#include <vector>

namespace isthmus {
namespace {

constexpr Tree binomial{TreeShape::binomial};

/// The place of `rank` among the first ranks of the runs on one side of the root. Their sums are combined at the first
/// of them, whose sum goes to the root.
void add_side(FanIn& fan, std::span<const Run> runs, int rank, int root) {
  std::vector<int> heads;
  for (const Run& run : runs) heads.push_back(run.first);
  if (!std::binary_search(heads.begin(), heads.end(), rank)) return;
  const FanIn here = fan_in_along(binomial, RootedGroup(heads, rank, heads.front()));
  fan.parent = here.parent >= 0 ? here.parent : root;
  fan.after = here.after;
}

}  // namespace

FanIn ordered_fan_in(const Topology& topology, int rank, int root) {
  FanIn fan;
  std::vector<std::vector<int>> behind_root;  // by level, outermost first
  Run run{0, topology.size()};
  int level = 0;
  if (!topology.group(0).children.empty()) {
    run = run_around(topology, 1, rank);
    level = 1;
    if (rank == root) {
      std::vector<int>& behind = behind_root.emplace_back();
      for (const Run& other : runs_within(topology, 1, {0, topology.size()})) {
        if (other.end <= root) fan.before.push_back(other.first);
        if (other.first > root) behind.push_back(other.first);
      }
    } else if (rank == run.first && !run.contains(root)) {
      fan.parent = root;
    }
  }
  // The runs around the root that contain this rank.
  for (; run.contains(root) && run.size() > 1; ++level) {
    const std::vector<Run> parts = runs_within(topology, level + 1, run);
    const auto part_of = [&](int of) {
      return std::find_if(parts.begin(), parts.end(), [&](const Run& part) { return part.contains(of); });
    };
    const auto middle = part_of(root);
    if (rank == root) {
      if (middle != parts.begin()) fan.before.push_back(parts.front().first);
      if (middle + 1 != parts.end()) behind_root.push_back({(middle + 1)->first});
    } else {
      add_side(fan, {parts.begin(), middle}, rank, root);
      add_side(fan, {middle + 1, parts.end()}, rank, root);
    }
    run = *part_of(rank);
  }
  if (rank == root) {
    for (auto behind = behind_root.rbegin(); behind != behind_root.rend(); ++behind)
      fan.after.insert(fan.after.end(), behind->begin(), behind->end());
    return fan;
  }
  // Sums of neighbouring runs come after the sums from further inside.
  std::vector<int> beside;
  beside.swap(fan.after);
  add_ordered_fan_in(fan, topology, level, run, rank);
  fan.after.insert(fan.after.end(), beside.begin(), beside.end());
  return fan;
}

void add_ordered_fan_in(FanIn& fan, const Topology& topology, int level, Run run, int rank) {
  std::vector<std::vector<int>> added;  // by level, outermost first
  for (; run.size() > 1; ++level) {
    const std::vector<Run> parts = runs_within(topology, level + 1, run);
    const int size = static_cast<int>(parts.size());
    const int own = static_cast<int>(std::upper_bound(parts.begin(), parts.end(), rank,
                                                      [](int left, const Run& right) { return left < right.first; }) -
                                     parts.begin()) -
                    1;
    run = parts[own];
    if (rank != run.first) continue;
    if (own > 0) fan.parent = parts[parent_in(binomial, size, own)].first;
    std::vector<int>& children = added.emplace_back();
    for_each_child(binomial, size, own, [&](int child) { children.push_back(parts[child].first); });
    std::reverse(children.begin(), children.end());
  }
  for (auto children = added.rbegin(); children != added.rend(); ++children)
    fan.after.insert(fan.after.end(), children->begin(), children->end());
}

}  // namespace isthmus
