// A packing: the ways that a collective's data take through the sites of a network, and the share of each.
//
// A site is an outermost group of the topology, or a rank in none. Sites are numbered by their lowest rank. A way is a
// tree over all sites (broadcast, reduce, allgather, reduce_scatter), a tree in and a tree out (allreduce), or a path
// (scatter, gather, alltoall, scan). What a way serves follows from its ends: a tree the data of its root's site, a
// path the blocks from its first site for its last, or, in a scan, the sum of all sites up to its first for the next.
// An allreduce of few bytes, and a barrier, may have one tree out of each site instead, along which the site's sum goes
// to all others.
//
// As text a way is a list of sites and its share. A tree lists the parent of each site, and its root is its own parent:
// `0.0.1.0:400` is the tree 0 -> 1 -> 2, 0 -> 3 with a share of 400. `0.0.1.0+:400`: another member of the root's site
// drives the edges at the root; where each member has data of its own and the packing has lines, that is the one which
// drives the edges of other ways. `0.0.1!.0:400`: each member of site 2 has an edge of its own to the
// site above, so that their operands leave the site uncombined, or the data enter it at each of them.
// `0.0.1.0^0.2.0.0:400` is a tree in and a tree out, `0.2.1:300` (in a scatter) the path
// 0 -> 2 -> 1. `0.2.1*:1` (in an alltoall): all blocks of site 0 for site 1 travel as one message. `0.2:300@0-400`: its
// pieces set out in the first 400 thousandths of the time, before those of ways that take less time. Ways are separated
// by `/`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

struct Way {
  std::vector<int> sites;  ///< the parent of each site, or the sites of a path in order
  std::vector<int> back;   ///< allreduce: the parents of the tree out, `sites` being those of the tree in; else empty
  std::vector<int> apart = {}, back_apart = {};  ///< sites of either tree whose members have edges of their own
  bool helped = false;                           ///< another member of the root's site drives the edges at the root
  bool bundled = false;                          ///< alltoall: what the path carries is one message
  std::int64_t share = 1;                        ///< of what the ways with the same ends move; at least 1
  /// When the first and the last piece set out, in thousandths of the time of the collective. last_due 0: evenly from
  /// the start on, until so many lags (Packing) before the end as the way has hops.
  int first_due = 0, last_due = 0;

  bool operator==(const Way&) const = default;
};

/// What a line between two sites can do, or what a site can send (`to` -1) or take in (`from` -1) over all its lines.
struct WayLine {
  int from = -1, to = -1;
  std::int64_t latency_us = 0;
  std::int64_t kBps = 0;

  bool operator==(const WayLine&) const = default;
};

/// Ways in use, and how their pieces are timed against each other.
struct Packing {
  std::vector<Way> ways;
  /// The number of members of each site at which pieces enter and leave, in turn. Empty: 1 for trees,
  /// whose pacing needs one stream of pieces; all for paths. 0: all, and along trees a piece goes straight between the
  /// member that it enters or leaves by and each other member of the site; else along a chain or a binary tree of them.
  std::vector<int> drivers;
  /// The time of an average hop between sites, in thousandths of the time of the collective.
  int lag = 0;
  /// What a site adds of its own waits for what its host should have received this long before, in thousandths of the
  /// time of the collective. 0: it waits for nothing.
  int slack = 0;
  /// Reduce: how long before the rank above has combined an operand the next ones may follow it, in the same unit. Of
  /// ranks that pass on nothing from other sites, which slack does not hold back. 0: at any time.
  int credit = 0;
  /// The lines between sites. Pieces pass them in the order of packed/line_times.hpp, and the times above do not count.
  /// Empty: by those.
  std::vector<WayLine> lines = {};
  /// What its synthesis says of it (Synthesis::loss and finished). No part of its text.
  double loss = 0;
  bool finished = true;
  bool for_lines = false;  ///< its shares were made for pieces in the order of packed/line_times.hpp

  bool empty() const { return ways.empty(); }
  bool operator==(const Packing&) const = default;
};

/// Whether data go straight from the root of each tree to all other sites, or from the first site of each path to the
/// last, by one way for each ends.
bool goes_straight(const Packing& packing);

/// The ways of a text. Throws BadInput that names the way.
std::vector<Way> parse_ways(std::string_view text);
std::string to_string(const std::vector<Way>& ways);
/// Numbers of drivers such as `2.1.1`. Throws BadInput.
std::vector<int> parse_drivers(std::string_view text);
/// Lines such as `0>1:10000@2500/0>*:0@12500`: a latency in microseconds and a rate in kB/s. Throws BadInput.
std::vector<WayLine> parse_lines(std::string_view text);
std::string lines_text(const std::vector<WayLine>& lines);
std::string drivers_text(const std::vector<int>& drivers);

}  // namespace isthmus
