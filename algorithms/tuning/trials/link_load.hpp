// What the messages of a plan put on each link, without their times.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/network/placed_network.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// What messages put on a shared link.
struct LinkLoad {
  int link = -1;     ///< in Network::links
  double bytes = 0;  ///< without headers
  /// How long its messages occupy it, headers included: no replay is shorter, however the messages are timed. More
  /// segments only add headers.
  double seconds = 0;
  double header_s = 0;  ///< the part of headers, which grows with the number of segments
};

/// Adds up the messages of programs, rank by rank.
class LinkLoads {
 public:
  /// `placed` must outlive it.
  LinkLoads(const PlacedNetwork& placed, std::int64_t element_bytes);

  /// In time proportional to the operations. Throws BadInput for a missing route.
  void add(int rank, const Program& program);

  /// Of the shared links that messages use, ascending.
  std::vector<LinkLoad> by_link() const;
  /// The one with the most seconds; 0 without any.
  LinkLoad busiest() const;

 private:
  struct Sum {
    double bytes = 0, messages = 0;
    std::vector<double> gaps_s;  // of all messages, by class of links
  };

  void add(int from_rank, int to_rank, double bytes);
  void add(Sum& sum, double bytes) const;
  void charge(const std::vector<int>& links, const Sum& sum, double share, std::vector<Sum>& loads) const;
  LinkLoad load_of(int link, const Sum& sum) const;

  // By host and by pair of endpoints: there are many messages and few of these.
  const PlacedNetwork& placed_;
  const Network& network_;
  const std::int64_t element_bytes_;
  std::vector<Sum> out_, in_, inside_;  // by host
  std::map<std::pair<int, int>, Sum> between_;
  std::pair<int, int> last_ends_;
  Sum* last_ = nullptr;
};

/// Of all programs. Throws BadInput for a missing route.
std::vector<LinkLoad> link_loads(const PlacedNetwork& placed, const ProgramSource& programs,
                                 std::int64_t element_bytes);

LinkLoad busiest_link(const PlacedNetwork& placed, const ProgramSource& programs, std::int64_t element_bytes);

}  // namespace isthmus
