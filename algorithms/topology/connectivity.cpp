#include "algorithms/topology/connectivity.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "algorithms/errors.hpp"

namespace isthmus {

Connectivity::Connectivity(std::vector<int> class_of_rank, std::vector<char> direct) {
  if (std::ranges::find(direct, 0) == direct.end()) return;
  class_of_rank_ = std::move(class_of_rank);
  direct_ = std::move(direct);
  members_.resize(*std::ranges::max_element(class_of_rank_) + 1);
  for (int rank = 0; rank < static_cast<int>(class_of_rank_.size()); ++rank)
    members_[class_of_rank_[rank]].push_back(rank);
  const std::size_t classes = members_.size();
  // By the number of messages to each class, found backwards from it.
  next_.assign(classes * classes, -1);
  for (std::size_t to = 0; to < classes; ++to) {
    std::vector<std::size_t> reached{to};
    std::vector<int> hops(classes, -1);
    hops[to] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const std::size_t via = reached[i];
      for (std::size_t from = 0; from < classes; ++from) {
        if (direct_[from * classes + via] == 0 || from == to) continue;
        int& next = next_[from * classes + to];
        if (hops[from] < 0) {
          hops[from] = hops[via] + 1;
          reached.push_back(from);
          next = static_cast<int>(via);
        } else if (hops[from] == hops[via] + 1 && members_[via].size() > members_[next].size()) {
          next = static_cast<int>(via);
        }
      }
    }
  }
}

std::vector<int> Connectivity::classes_between(int from_rank, int to_rank) const {
  std::vector<int> between;
  if (direct(from_rank, to_rank)) return between;
  const int to = class_of(to_rank);
  for (int at = class_of(from_rank);;) {
    at = next_[at * members_.size() + to];
    if (at < 0)
      throw BadInput("rank " + std::to_string(from_rank) + " has no way to rank " + std::to_string(to_rank) +
                     ": no route, and no other rank that could relay");
    if (at == to) return between;
    between.push_back(at);
  }
}

std::pair<int, int> Connectivity::unreachable() const {
  for (int from = 0; from < classes(); ++from)
    for (int to = 0; to < classes(); ++to)
      if (from != to && next_[from * members_.size() + to] < 0) return {members_[from].front(), members_[to].front()};
  return {-1, -1};
}

}  // namespace isthmus
