// Rounds, in which disjoint pairs of hosts measure at the same time.
#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace isthmus {

/// Pairs in rounds: no host is in two pairs of one; one pair a round unless `at_once`. `lot` says what else may be in
/// one pair of a round only.
template <class Lot>
std::vector<std::vector<std::pair<int, int>>> rounds_of(const std::vector<std::pair<int, int>>& pairs, Lot lot,
                                                        bool at_once) {
  std::vector<std::vector<std::pair<int, int>>> rounds;
  std::vector<std::set<int>> busy;
  for (const std::pair<int, int>& pair : pairs) {
    std::size_t round = at_once ? 0 : rounds.size();
    const int one = lot(pair.first), other = lot(pair.second);
    while (round < rounds.size() && (busy[round].contains(one) || busy[round].contains(other))) ++round;
    if (round == rounds.size()) rounds.emplace_back(), busy.emplace_back();
    rounds[round].push_back(pair);
    busy[round].insert({one, other});
  }
  return rounds;
}

/// Whether pairs that measure at the same time disturb each other, as on a cable: some are measured alone as well.
struct RoundChecks {
  int made = 0, slower = 0;

  static bool wants(std::size_t round, std::size_t pairs) {
    constexpr std::size_t first = 8, every = 4;
    return pairs > 1 && (round < first || round % every == 0);
  }
  void add(double together_s, double alone_s) {
    constexpr double disturbed = 1.1;
    ++made;
    if (together_s > disturbed * alone_s) ++slower;
  }
  bool are_disturbed() const { return 4 * slower > made; }
};

}  // namespace isthmus
