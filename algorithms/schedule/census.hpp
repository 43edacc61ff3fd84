// Facts derived from a schedule: numbers of messages and bytes, by rank and by pair, and the longest chain of messages.
// Tests compare formulas from papers with these; nothing here is a formula.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

struct Traffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;

  Traffic& operator+=(const Traffic& more) {
    messages += more.messages;
    bytes += more.bytes;
    return *this;
  }
  bool operator==(const Traffic&) const = default;
};

/// What one rank does.
struct RankCensus {
  Traffic sent;
  Traffic received;
  std::int64_t reduced_bytes = 0;  ///< results of reductions
  std::int64_t copied_bytes = 0;

  bool operator==(const RankCensus&) const = default;
};

/// What one rank sends to another.
struct PairCensus {
  int source = 0;
  int destination = 0;
  Traffic traffic;

  bool operator==(const PairCensus&) const = default;
};

struct Census {
  Traffic total;                  ///< all that is sent
  std::vector<RankCensus> ranks;  ///< by rank
  std::vector<PairCensus> pairs;  ///< those with messages, by source, then destination
};

/// Counts a schedule whose elements have `element_bytes` bytes each.
Census census(const Schedule& schedule, std::int64_t element_bytes);
/// Counts the programs of ranks 0..size-1 without keeping them.
Census census(int size, const ProgramSource& source, std::int64_t element_bytes);

/// The traffic of those pairs for which crosses(source, destination) holds, for example between two sites:
/// `crossing(census, [&](int a, int b) { return site[a] != site[b]; })`.
template <class Crosses>
Traffic crossing(const Census& counted, Crosses crosses) {
  Traffic sum;
  for (const PairCensus& pair : counted.pairs)
    if (crosses(pair.source, pair.destination)) sum += pair.traffic;
  return sum;
}

/// The number of messages in the longest chain in which each message can begin only when the one before it has arrived.
/// It follows from what operations read and write and from the order of lanes: ceil(log2 P) for a binomial broadcast
/// over P = 2^k ranks, P - 1 for a chain. The time that a rank spends on other messages does not count. Throws Refused
/// when a send or receive has no match or the schedule cannot complete.
int longest_chain(const Schedule& schedule);
/// The same, with only those messages counted for which counts(source, destination) holds, for example those between
/// two sites.
int longest_chain(const Schedule& schedule, const std::function<bool(int source, int destination)>& counts);

}  // namespace isthmus
