// The routes of a network laid out flat, for those who walk a great many of them link by link.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/models/network.hpp"

namespace isthmus {

/// Links that cost the same share one kind, so that a million hosts' links need four bytes each.
struct LinkKind {
  double s_per_byte = 0;
  double latency_s = 0;
  bool shared = true;
};

/// A position on the way of a message: the next link, and where it goes on. A route has up to three parts, the sender's
/// own links, the trunk, the receiver's own; `part` is the one that `next` lies in.
struct RoutePosition {
  std::uint32_t next = 0;
  std::uint8_t part = 0;
};

class RouteTable {
 public:
  /// Throws BadInput when a link number is out of range, or a host has more than 65535 links of its own in one
  /// direction.
  explicit RouteTable(const Network& network);

  /// At the first link of the route. Throws BadInput naming both hosts when there is none.
  RoutePosition begin(int from_host, int to_host) const;

  /// The link at a position, or -1 at the end of the route; moves the position to it over the ends of parts.
  int link_at(RoutePosition& position, int from_host, int to_host) const {
    while (position.next == end_of(position.part, from_host, to_host)) {
      if (position.part >= down_part) return -1;
      ++position.part;
      position.next = begin_of(position.part, from_host, to_host);
    }
    return static_cast<int>(links_[position.next]);
  }

  const LinkKind& kind(int link) const { return kinds_[kind_of_[link]]; }
  std::size_t links() const { return kind_of_.size(); }
  double latency_s(int from_host, int to_host) const;

 private:
  enum : std::uint8_t { up_part, trunk_part, down_part, loopback_part };

  // The lists of a host follow each other: up, down, loopback, those of the next host.
  struct HostLists {
    std::uint32_t up;
    std::int32_t endpoint;
    std::uint16_t ups, downs;

    std::uint32_t down() const { return up + ups; }
    std::uint32_t loopback() const { return up + ups + downs; }
  };
  struct TrunkList {
    std::int32_t to;
    std::uint32_t begin, end;
  };

  std::uint32_t begin_of(std::uint8_t part, int from_host, int to_host) const {
    if (part == up_part) return hosts_[from_host].up;
    if (part == down_part) return hosts_[to_host].down();
    if (part == loopback_part) return hosts_[from_host].loopback();
    const TrunkList* list = find_trunk(from_host, to_host);
    return list->begin;
  }
  std::uint32_t end_of(std::uint8_t part, int from_host, int to_host) const {
    if (part == up_part) return hosts_[from_host].down();
    if (part == down_part) return hosts_[to_host].loopback();
    if (part == loopback_part) return hosts_[from_host + 1].up;
    return find_trunk(from_host, to_host)->end;
  }
  const TrunkList* find_trunk(int from_host, int to_host) const;

  const Network& network_;
  std::vector<std::uint32_t> links_;        // all lists
  std::vector<HostLists> hosts_;            // and one more for the end
  std::vector<TrunkList> trunks_;           // by origin, then by destination
  std::vector<std::uint32_t> first_trunk_;  // by origin endpoint; and one more for the end
  std::vector<LinkKind> kinds_;
  std::vector<std::uint32_t> kind_of_;  // by link
};

}  // namespace isthmus
