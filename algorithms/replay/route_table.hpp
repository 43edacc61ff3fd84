// The routes of a network and the state of its links, for fast iteration over the links of many routes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/network/network.hpp"
#include "algorithms/replay/ticks.hpp"

namespace isthmus {

/// Links that cost the same share one kind.
struct LinkKind {
  double s_per_byte = 0;
  double latency_s = 0;  ///< in ticks, like all durations here
  bool shared = true;
  const LinkClass* measured = nullptr;  ///< its gap in place of s_per_byte
  LastValueCache gap = {};

  /// Whether the order of messages on it matters.
  bool in_turn() const { return shared || (measured != nullptr && !measured->gap_factors.empty()); }
};

/// The state of a link in a replay.
struct LinkState {
  double free_s = 0;  ///< when it becomes free
  std::uint32_t kind = 0;
  std::uint32_t fed_by = 0;  ///< see RouteTable::has_one_feeder()
};

class RouteTable {
 public:
  /// The links from one host to another, in up to three parts: the sender's own, the trunk's, the receiver's own.
  class Route {
   public:
    std::size_t size() const { return up_.size() + trunk_.size() + down_.size(); }
    std::uint32_t operator[](std::size_t i) const {
      if (i < up_.size()) return up_[i];
      i -= up_.size();
      return i < trunk_.size() ? trunk_[i] : down_[i - trunk_.size()];
    }
    bool contains(std::uint32_t link) const {
      std::size_t i = 0;
      while (i < size() && (*this)[i] != link) ++i;
      return i < size();
    }

   private:
    friend class RouteTable;
    std::span<const int> up_, trunk_, down_;
  };

  static constexpr std::size_t longest_route = 65535;

  /// Of a network that stays as it is. Throws BadInput when a link number is out of range, or when a route may be
  /// longer than `longest_route`.
  explicit RouteTable(const Network& network);

  /// Throws BadInput naming both hosts when there is none.
  Route route(int from_host, int to_host) const {
    Route route;
    const Host& from = network_.hosts[from_host];
    if (from_host == to_host) {
      route.up_ = from.loopback;
      return route;
    }
    const Host& to = network_.hosts[to_host];
    const TrunkLinks* trunk = find_trunk(from.endpoint, to.endpoint);
    if (trunk == nullptr) refuse(from_host, to_host);
    route.up_ = from.up;
    route.trunk_ = {trunk->links, trunk->count};
    route.down_ = to.down;
    return route;
  }
  double latency_s(int from_host, int to_host) const;
  bool has_route(int from_host, int to_host) const {
    return from_host == to_host ||
           find_trunk(network_.hosts[from_host].endpoint, network_.hosts[to_host].endpoint) != nullptr;
  }

  /// Whether processors take time at all, and how long for a message: by the class of the route if it has one, else by
  /// the transport.
  bool has_overheads() const { return has_overheads_; }
  double send_overhead_s(int from_host, int to_host, double bytes) const {
    const std::int32_t of_route = class_of_route(from_host, to_host);
    return in_ticks(of_route >= 0 ? overheads_of_classes_[of_route].send(bytes)
                                  : transport_.send_overhead_s + transport_.send_overhead_s_per_byte * bytes);
  }
  double receive_overhead_s(int from_host, int to_host, double bytes) const {
    const std::int32_t of_route = class_of_route(from_host, to_host);
    return in_ticks(of_route >= 0 ? overheads_of_classes_[of_route].receive(bytes)
                                  : transport_.receive_overhead_s + transport_.receive_overhead_s_per_byte * bytes);
  }
  double reduction_s(double bytes) const { return in_ticks(network_.transport.reduction_s_per_byte * bytes); }

  /// Marks all links as free.
  void free_links() {
    for (LinkState& link : links_) link.free_s = 0;
    queued_.clear();
    queued_of_link_.clear();
  }
  /// The same, and no link has a feeder: for another replay.
  void reset() {
    free_links();
    for (LinkState& link : links_) link.fed_by = nobody;
  }
  LinkState& link(std::uint32_t number) { return links_[number]; }
  /// Asks the processor for what route() and link() will read.
  void prefetch_host(int host) const { __builtin_prefetch(&network_.hosts[host].endpoint); }
  void prefetch_links_of(int host) const {
    for (const LinkList* list : {&network_.hosts[host].up, &network_.hosts[host].down})
      if (!list->empty()) prefetch_link(list->front());
  }
  void prefetch_link(std::uint32_t number) const { __builtin_prefetch(&links_[number], 1); }
  std::size_t links() const { return links_.size(); }
  const LinkKind& kind(const LinkState& link) const { return kinds_[link.kind]; }

  /// Whether no gap depends on the number of destinations.
  bool has_fixed_gaps() const;
  /// How long a message of `size` bytes (with header) to `to_host` occupies a link that its head reaches now.
  double occupied_s(const LinkState& link, double size, int to_host, double head_s) {
    const LinkKind& cost = kind(link);
    return in_ticks(cost.measured == nullptr ? size * cost.s_per_byte
                                             : measured_s(link, cost, size - header_bytes_, to_host, head_s));
  }

  /// The message, whose head and tail reach the link at these times, crosses it as soon as it is free.
  void cross(LinkState& link, double size, int to_host, double& head_s, double& tail_s) {
    const LinkKind& cost = kind(link);
    const double occupied_s = this->occupied_s(link, size, to_host, head_s);
    double start_s = head_s;
    if (cost.shared) {
      start_s = std::max(start_s, link.free_s);
      link.free_s = start_s + occupied_s;
    }
    head_s = start_s + cost.latency_s;
    tail_s = std::max(start_s + occupied_s, tail_s) + cost.latency_s;
  }

  /// To be called for every message with its route and the number of the sending lane. False when a link of the route
  /// on which order matters also gets messages from another lane, or from another link than the shared one before it.
  /// As long as this returns true, all messages cross such a link in the order in which one lane sends them.
  bool has_one_feeder(const Route& route, std::uint32_t lane) {
    std::uint32_t feeder = 2 * lane + 1;
    for (std::size_t i = 0; i < route.size(); ++i) {
      LinkState& link = links_[route[i]];
      const bool shared = kind(link).shared;
      if (kind(link).in_turn()) {
        if (feeder == nobody || (link.fed_by != nobody && link.fed_by != feeder)) return false;
        link.fed_by = feeder;
      }
      feeder = shared ? 2 * route[i] : nobody;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t nobody = 0xffffffff;

  struct TrunkLinks {
    std::int32_t to;
    std::uint32_t count;
    const int* links;
  };

  const TrunkLinks* find_trunk(int from_endpoint, int to_endpoint) const {
    std::uint32_t first = first_trunk_[from_endpoint], last = first_trunk_[from_endpoint + 1];
    while (first < last) {
      const std::uint32_t middle = (first + last) / 2;
      if (trunks_[middle].to == to_endpoint) return &trunks_[middle];
      if (trunks_[middle].to < to_endpoint)
        first = middle + 1;
      else
        last = middle;
    }
    return nullptr;
  }
  [[noreturn]] void refuse(int from_host, int to_host) const;

  /// The messages that are on a link or wait for it.
  struct QueuedMessages {
    std::vector<std::pair<double, int>> leaving;  ///< time of leaving and destination host, in order of time
    std::size_t gone = 0;                         ///< the number of these that have left
    std::vector<std::pair<int, int>>
        messages_for;  ///< (host, number of messages), by host, ascending; only hosts with messages

    void arrive(int to_host);
    void let_go(double until_s);
  };

  double measured_s(const LinkState& link, const LinkKind& cost, double bytes, int to_host, double head_s) {
    const double gap_s = cost.gap(bytes);
    return cost.measured->gap_factors.empty() ? gap_s : gap_by_destinations_s(link, cost, gap_s, to_host, head_s);
  }
  double gap_by_destinations_s(const LinkState& link, const LinkKind& cost, double gap_s, int to_host, double head_s);

  std::int32_t class_of_route(int from_host, int to_host) const {
    if (overheads_of_classes_.empty()) return -1;
    const ClassesOfHost& from = classes_of_hosts_[from_host];
    if (from_host == to_host) return from.loopback;
    const TrunkLinks* trunk = find_trunk(network_.hosts[from_host].endpoint, network_.hosts[to_host].endpoint);
    if (trunk == nullptr) refuse(from_host, to_host);
    return std::max(from.up, std::max(classes_of_trunks_[trunk - trunks_.data()], classes_of_hosts_[to_host].down));
  }

  // Classes of the links of a host, contiguous, from the innermost to the outermost.
  struct ClassesOfHost {
    std::int32_t up, down, loopback;
  };
  struct OverheadsOfClass {
    LastValueCache send, receive;
  };

  const Network& network_;
  const Transport& transport_;
  double header_bytes_;
  bool has_overheads_ = false;
  std::vector<QueuedMessages> queued_;         // only for links whose gap depends on destinations
  std::vector<std::uint32_t> queued_of_link_;  // index in queued_, by link; empty if there are none
  std::vector<TrunkLinks> trunks_;             // by origin, then by destination
  std::vector<std::uint32_t> first_trunk_;     // by origin endpoint; and one entry for the end
  std::vector<LinkKind> kinds_;
  std::vector<LinkState> links_;
  // Only if links have classes and processors take time.
  std::vector<OverheadsOfClass> overheads_of_classes_;
  std::vector<ClassesOfHost> classes_of_hosts_;
  std::vector<std::int32_t> classes_of_trunks_;
};

}  // namespace isthmus
