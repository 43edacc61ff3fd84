#include "algorithms/replay/route_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <span>
#include <tuple>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

bool takes_time(const SizeFunction& overhead) {
  return std::ranges::any_of(overhead.points(), [](const SizeFunction::Point& point) { return point.seconds > 0; });
}

bool any_overheads(const Network& network) {
  const Transport& transport = network.transport;
  return transport.send_overhead_s > 0 || transport.send_overhead_s_per_byte > 0 || transport.receive_overhead_s > 0 ||
         transport.receive_overhead_s_per_byte > 0 || transport.reduction_s_per_byte > 0 ||
         std::ranges::any_of(network.classes, [](const LinkClass& one) {
           return takes_time(one.send_overhead) || takes_time(one.receive_overhead);
         });
}

}  // namespace

RouteTable::RouteTable(const Network& network)
    : network_(network),
      transport_(network.transport),
      header_bytes_(network.transport.header_bytes),
      has_overheads_(any_overheads(network)) {
  const auto check = [&](std::span<const int> list) {
    for (int link : list) {
      if (link < 0 || link >= static_cast<int>(network.links.size())) {
        throw BadInput(fmt::format("{}: a route uses link {}; links are 0..{}", network.name, link,
                                   static_cast<int>(network.links.size()) - 1));
      }
    }
  };

  int endpoints = 0;
  std::size_t ups = 0, trunks = 0, downs = 0;  // maximum numbers of links
  for (const Host& host : network.hosts) {
    check(host.up);
    check(host.down);
    check(host.loopback);
    endpoints = std::max(endpoints, host.endpoint + 1);
    ups = std::max({ups, host.up.size(), host.loopback.size()});
    downs = std::max(downs, host.down.size());
  }

  first_trunk_.assign(endpoints + 1, 0);
  trunks_.reserve(network.trunks.size());
  for (const auto& [ends, trunk] : network.trunks) {  // ordered by origin, then by destination
    if (ends.first < 0 || ends.first >= endpoints) continue;
    check(trunk.links);
    trunks_.push_back({ends.second, static_cast<std::uint32_t>(trunk.links.size()), trunk.links.data()});
    ++first_trunk_[ends.first + 1];
    trunks = std::max(trunks, trunk.links.size());
  }
  for (int endpoint = 0; endpoint < endpoints; ++endpoint) first_trunk_[endpoint + 1] += first_trunk_[endpoint];
  if (ups + trunks + downs > longest_route) {
    throw BadInput(fmt::format("{}: a route has {} links; at most {} are possible", network.name, ups + trunks + downs,
                               longest_route));
  }

  std::map<std::tuple<double, double, Sharing, int>, std::uint32_t> numbers;
  links_.reserve(network.links.size());
  for (const Link& link : network.links) {
    const bool as_before = !links_.empty() && (&link - 1)->bandwidth_Bps == link.bandwidth_Bps &&
                           (&link - 1)->latency_s == link.latency_s && (&link - 1)->sharing == link.sharing &&
                           (&link - 1)->link_class == link.link_class;
    if (as_before) {
      links_.push_back({.kind = links_.back().kind, .fed_by = nobody});
      continue;
    }
    const auto [at, is_new] =
        numbers.try_emplace({link.bandwidth_Bps, link.latency_s, link.sharing, link.link_class}, kinds_.size());
    if (is_new) {
      kinds_.push_back({1 / link.bandwidth_Bps, in_ticks(link.latency_s), link.sharing == Sharing::shared});
      if (link.link_class >= 0) {
        kinds_.back().measured = &network.classes.at(link.link_class);
        kinds_.back().gap = LastValueCache(kinds_.back().measured->gap);
      }
    }
    links_.push_back({.kind = at->second, .fed_by = nobody});
  }

  if (!has_overheads_ || network.classes.empty()) return;
  for (const LinkClass& one : network.classes) {
    overheads_of_classes_.push_back({LastValueCache(one.send_overhead), LastValueCache(one.receive_overhead)});
  }
  classes_of_hosts_.reserve(network.hosts.size());
  for (const Host& host : network.hosts)
    classes_of_hosts_.push_back(
        {network.class_of(host.up), network.class_of(host.down), network.class_of(host.loopback)});
  for (const TrunkLinks& trunk : trunks_) classes_of_trunks_.push_back(network.class_of({trunk.links, trunk.count}));
}

bool RouteTable::has_fixed_gaps() const {
  return std::ranges::all_of(network_.classes, [](const LinkClass& one) { return one.gap_factors.empty(); });
}

void RouteTable::refuse(int from_host, int to_host) const {
  network_.route(from_host, to_host);  // throws, naming both
  std::abort();
}

void RouteTable::QueuedMessages::arrive(int to_host) {
  const auto at = std::lower_bound(messages_for.begin(), messages_for.end(), std::pair(to_host, 0));
  if (at != messages_for.end() && at->first == to_host)
    ++at->second;
  else
    messages_for.insert(at, {to_host, 1});
}

void RouteTable::QueuedMessages::let_go(double until_s) {
  for (; gone < leaving.size() && leaving[gone].first <= until_s; ++gone) {
    const auto at = std::lower_bound(messages_for.begin(), messages_for.end(), std::pair(leaving[gone].second, 0));
    if (--at->second == 0) messages_for.erase(at);
  }
  if (2 * gone < leaving.size()) return;
  leaving.erase(leaving.begin(), leaving.begin() + static_cast<std::ptrdiff_t>(gone));
  gone = 0;
}

double RouteTable::gap_by_destinations_s(const LinkState& link, const LinkKind& cost, double gap_s, int to_host,
                                         double head_s) {
  if (queued_of_link_.empty()) queued_of_link_.assign(links_.size(), nobody);
  std::uint32_t& number = queued_of_link_[&link - links_.data()];
  if (number == nobody) {
    number = static_cast<std::uint32_t>(queued_.size());
    queued_.emplace_back();
  }
  QueuedMessages& queued = queued_[number];
  queued.let_go(head_s);
  queued.arrive(to_host);
  const double occupied_s = in_ticks(gap_s * cost.measured->gap_factor(static_cast<int>(queued.messages_for.size())));
  const double start_s = cost.shared ? std::max(head_s, link.free_s) : head_s;
  queued.leaving.emplace_back(start_s + occupied_s, to_host);
  return occupied_s;
}

double RouteTable::latency_s(int from_host, int to_host) const {
  const Route links = route(from_host, to_host);
  double latency_s = 0;
  for (std::size_t i = 0; i < links.size(); ++i) latency_s += kind(links_[links[i]]).latency_s;
  return latency_s;
}

}  // namespace isthmus
