#include "algorithms/tuning/trials/link_load.hpp"

#include <algorithm>

namespace isthmus {

LinkLoads::LinkLoads(const PlacedNetwork& placed, std::int64_t element_bytes)
    : placed_(placed),
      network_(placed.network()),
      element_bytes_(element_bytes),
      out_(network_.hosts.size()),
      in_(network_.hosts.size()),
      inside_(network_.hosts.size()) {}

void LinkLoads::add(int rank, const Program& program) {
  for (const Op& op : program.ops())
    if (op.kind == OpKind::send) add(rank, op.peer, static_cast<double>(op.from.count * element_bytes_));
}

void LinkLoads::add(int from_rank, int to_rank, double bytes) {
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

void LinkLoads::add(Sum& sum, double bytes) const {
  sum.bytes += bytes;
  sum.messages += 1;
  sum.gaps_s.resize(network_.classes.size());
  for (std::size_t i = 0; i < sum.gaps_s.size(); ++i) sum.gaps_s[i] += network_.classes[i].gap(bytes);
}

void LinkLoads::charge(const std::vector<int>& links, const Sum& sum, double share, std::vector<Sum>& loads) const {
  for (const int link : links) {
    Sum& load = loads[link];
    load.bytes += share * sum.bytes;
    load.messages += share * sum.messages;
    load.gaps_s.resize(network_.classes.size());
    for (std::size_t i = 0; i < sum.gaps_s.size(); ++i) load.gaps_s[i] += share * sum.gaps_s[i];
  }
}

std::vector<LinkLoad> LinkLoads::by_link() const {
  std::vector<Sum> loads(network_.links.size());
  for (std::size_t host = 0; host < network_.hosts.size(); ++host) {
    charge(network_.hosts[host].up, out_[host], 1, loads);
    charge(network_.hosts[host].down, in_[host], 1, loads);
    charge(network_.hosts[host].loopback, inside_[host], 1, loads);
  }
  for (const auto& [ends, sum] : between_) {
    const Trunk& trunk = network_.trunks.at(ends);
    const double share = 1 / (1 + static_cast<double>(trunk.other_ways.size()));
    charge(trunk.links, sum, share, loads);
    for (const std::vector<int>& links : trunk.other_ways) charge(links, sum, share, loads);
  }
  std::vector<LinkLoad> by_link;
  by_link.reserve(loads.size());
  for (std::size_t link = 0; link < loads.size(); ++link)
    if (network_.links[link].sharing == Sharing::shared && loads[link].messages > 0)
      by_link.push_back(load_of(static_cast<int>(link), loads[link]));
  return by_link;
}

LinkLoad LinkLoads::load_of(int number, const Sum& sum) const {
  const Link& link = network_.links[number];
  LinkLoad load{.link = number, .bytes = sum.bytes};
  if (link.link_class < 0) {
    load.header_s = sum.messages * network_.transport.header_bytes / link.bandwidth_Bps;
    load.seconds = sum.bytes / link.bandwidth_Bps + load.header_s;
    return load;
  }
  const LinkClass& costs = network_.classes[link.link_class];
  double least_factor = 1;
  for (const auto& [destinations, factor] : costs.gap_factors) least_factor = std::min(least_factor, factor);
  load.header_s = sum.messages * costs.gap(0) * least_factor;
  load.seconds = sum.gaps_s[link.link_class] * least_factor;
  return load;
}

LinkLoad LinkLoads::busiest() const {
  LinkLoad busiest;
  for (const LinkLoad& load : by_link())
    if (load.seconds > busiest.seconds) busiest = load;
  return busiest;
}

namespace {

LinkLoads loads_of_all(const PlacedNetwork& placed, const ProgramSource& programs, std::int64_t element_bytes) {
  LinkLoads loads(placed, element_bytes);
  Program program;
  for (int rank = 0; rank < placed.size(); ++rank) {
    program.clear();
    programs(rank, program);
    loads.add(rank, program);
  }
  return loads;
}

}  // namespace

std::vector<LinkLoad> link_loads(const PlacedNetwork& placed, const ProgramSource& programs,
                                 std::int64_t element_bytes) {
  return loads_of_all(placed, programs, element_bytes).by_link();
}

LinkLoad busiest_link(const PlacedNetwork& placed, const ProgramSource& programs, std::int64_t element_bytes) {
  return loads_of_all(placed, programs, element_bytes).busiest();
}

}  // namespace isthmus
