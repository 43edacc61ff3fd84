#include "algorithms/tuning/trials/link_load.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace isthmus {
namespace {

struct Sum {
  double bytes = 0, messages = 0;
  std::vector<double> gaps_s;  // of all messages, by class of links
};

/// Sums by host and by pair of endpoints first: there are many messages and few of these.
class Loads {
 public:
  explicit Loads(const PlacedNetwork& placed)
      : placed_(placed),
        network_(placed.network()),
        out_(network_.hosts.size()),
        in_(network_.hosts.size()),
        inside_(network_.hosts.size()) {}

  void add(int from_rank, int to_rank, double bytes) {
    const int from = placed_.host_of(from_rank), to = placed_.host_of(to_rank);
    if (from == to) {
      add(inside_[from], bytes);
      return;
    }
    add(out_[from], bytes);
    add(in_[to], bytes);
    const std::pair ends{network_.hosts[from].endpoint, network_.hosts[to].endpoint};
    if (last_ == nullptr || ends != last_ends_) {
      if (!between_.contains(ends)) network_.route(from, to);  // throws for a missing route
      last_ = &between_[ends];
      last_ends_ = ends;
    }
    add(*last_, bytes);
  }

  std::vector<LinkLoad> by_link() const {
    std::vector<Sum> loads(network_.links.size());
    const auto charge = [&](const std::vector<int>& links, const Sum& sum, double share = 1) {
      for (const int link : links) {
        Sum& load = loads[link];
        load.bytes += share * sum.bytes;
        load.messages += share * sum.messages;
        load.gaps_s.resize(network_.classes.size());
        for (std::size_t i = 0; i < sum.gaps_s.size(); ++i) load.gaps_s[i] += share * sum.gaps_s[i];
      }
    };
    for (std::size_t host = 0; host < network_.hosts.size(); ++host) {
      charge(network_.hosts[host].up, out_[host]);
      charge(network_.hosts[host].down, in_[host]);
      charge(network_.hosts[host].loopback, inside_[host]);
    }
    for (const auto& [ends, sum] : between_) {
      const Trunk& trunk = network_.trunks.at(ends);
      const double share = 1 / (1 + static_cast<double>(trunk.other_ways.size()));
      charge(trunk.links, sum, share);
      for (const std::vector<int>& links : trunk.other_ways) charge(links, sum, share);
    }
    std::vector<LinkLoad> by_link;
    for (std::size_t number = 0; number < loads.size(); ++number) {
      const Link& link = network_.links[number];
      const Sum& load = loads[number];
      if (link.sharing != Sharing::shared || load.messages == 0) continue;
      LinkLoad& of_link = by_link.emplace_back();
      of_link.link = static_cast<int>(number);
      of_link.bytes = load.bytes;
      if (link.link_class < 0) {
        of_link.header_s = load.messages * network_.transport.header_bytes / link.bandwidth_Bps;
        of_link.seconds = load.bytes / link.bandwidth_Bps + of_link.header_s;
      } else {
        const LinkClass& costs = network_.classes[link.link_class];
        double least_factor = 1;
        for (const auto& [destinations, factor] : costs.gap_factors) least_factor = std::min(least_factor, factor);
        of_link.header_s = load.messages * costs.gap(0) * least_factor;
        of_link.seconds = load.gaps_s[link.link_class] * least_factor;
      }
    }
    return by_link;
  }

 private:
  void add(Sum& sum, double bytes) const {
    sum.bytes += bytes;
    sum.messages += 1;
    sum.gaps_s.resize(network_.classes.size());
    for (std::size_t i = 0; i < sum.gaps_s.size(); ++i) sum.gaps_s[i] += network_.classes[i].gap(bytes);
  }

  const PlacedNetwork& placed_;
  const Network& network_;
  std::vector<Sum> out_, in_, inside_;  // by host
  std::map<std::pair<int, int>, Sum> between_;
  std::pair<int, int> last_ends_;
  Sum* last_ = nullptr;
};

}  // namespace

std::vector<LinkLoad> link_loads(const PlacedNetwork& placed, const ProgramSource& programs,
                                 std::int64_t element_bytes) {
  Loads loads(placed);
  Program program;
  for (int rank = 0; rank < placed.size(); ++rank) {
    program.clear();
    programs(rank, program);
    for (const Op& op : program.ops())
      if (op.kind == OpKind::send) loads.add(rank, op.peer, static_cast<double>(op.from.count * element_bytes));
  }
  return loads.by_link();
}

LinkLoad busiest_link(const PlacedNetwork& placed, const ProgramSource& programs, std::int64_t element_bytes) {
  LinkLoad busiest;
  for (const LinkLoad& load : link_loads(placed, programs, element_bytes))
    if (load.seconds > busiest.seconds) busiest = load;
  return busiest;
}

}  // namespace isthmus
