// Tests of several routes between parts of groups at once.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/measuring/host_rates.hpp"
#include "algorithms/measuring/load/loaded_rates.hpp"
#include "algorithms/measuring/partition.hpp"

namespace isthmus {

constexpr int outside_group = -1;  ///< in place of a part: any part beyond the group around the other

struct LoadInput {
  const Partition& groups;
  const std::vector<int>& representatives;                 ///< by part: the host that measures for it
  const std::map<std::pair<int, int>, double>& rates_Bps;  ///< by hosts; of a group's parts by their representatives
  const std::map<int, bool>& stars;                        ///< groups of hosts: whether each host has links of its own
  std::function<double(int, int)> way_s;
  int tests;                                              ///< of the same streams at most: see rates_at_once()
  std::function<bool(int, int)> is_faster_than_messages;  ///< a route between two hosts: its rate is not by messages
  std::function<double(int, int)> measured_Bps;           ///< from one host to another: measured if it is not known
};

/// Routes that were measured at once.
struct RouteLoad {
  std::vector<std::pair<int, int>> routes;
  std::vector<LoadedPair> pairs;
  std::vector<double> loaded_Bps;

  std::vector<double> alone_Bps() const;
  double alone() const { return sum_of(alone_Bps()); }
  bool is_slower(std::size_t i) const { return loaded_Bps[i] < shares_below * pairs[i].alone_Bps; }
};

/// Which hosts measure for parts, and what they get. A route is a pair of parts of one group, or of one of them and
/// `outside_group`.
class RouteLoads {
 public:
  using Route = std::pair<int, int>;

  RouteLoads(const LoadInput& input, const PairProber& prober);

  /// The group around a part; -1: none.
  int parent(int part) const { return parents_[part]; }
  /// The hosts of a part: its representative first, then the quickest of each part inside it, and so on.
  int host(int part, std::size_t number = 0) const;
  std::vector<int> hosts(int part) const;
  /// The part beyond the group around this one that messages reach at the highest rate; -1: none.
  int beyond(int part) const;
  /// What a stream between the representatives gets alone; 0: not measured.
  double rate_Bps(Route route) const;

  LoadedPair pair_of(int from_host, int to_host, double alone_Bps, Route route) const;
  /// A stream of a route, between hosts of these numbers.
  LoadedPair pair_of(Route route, std::size_t from_number, std::size_t to_number) const;
  /// The streams of these routes at once, from as many hosts of a part as there are. Where there are more streams than
  /// hosts, the slowest ones share a host, that with the most left of its own link. What this link leaves of them is
  /// what they get alone.
  RouteLoad load(const std::vector<Route>& routes, bool arrive_together = false) const {
    return load(routes, input_.tests, arrive_together);
  }
  RouteLoad load(const std::vector<Route>& routes, int tests, bool arrive_together) const;
  std::vector<double> at_once(const std::vector<LoadedPair>& pairs, double longer = 1) const {
    return rates_at_once(pairs, prober_, input_.tests, false, longer);
  }
  /// The same where nothing came in time: links for both directions were busy with what leaves, and are done with all
  /// after twice the time.
  std::vector<double> at_once_from_start(const std::vector<LoadedPair>& pairs) const;
  /// Each host of this group sends and receives over one link, which one stream fills: from now on others send than
  /// receive, as long as there are some.
  void add_half_duplex(int group) { half_duplex_.insert(group); }

 private:
  /// The parts that stand for both ends.
  Route ends(Route route) const;

  /// What a host sends or receives in a test.
  struct Use {
    std::size_t streams = 0;
    double Bps = 0;
  };
  enum class Side { sender, receiver };
  using Uses = std::map<std::pair<int, Side>, Use>;
  Use& use_of(int host, Side side, Uses& used) const {
    return used[{host, half_duplex_.contains(parents_[host]) ? Side::sender : side}];
  }
  /// The number of the host of a part that a further stream of this rate is given to, by those in use.
  std::size_t next_host(int part, Side side, double rate_Bps, Uses& used) const;
  double own_Bps(int host, Side side) const {
    return side == Side::sender ? own_rates_.out_Bps(host) : own_rates_.in_Bps(host);
  }

  const LoadInput& input_;
  const PairProber& prober_;
  HostRates own_rates_;
  std::vector<int> parents_;
  std::set<int> half_duplex_;  // groups
};

}  // namespace isthmus
