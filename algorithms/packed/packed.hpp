// Collectives along the ways of a packing (collective/packing.hpp): trees over the sites for what all need or what is
// combined, paths for the rest. A uniform mesh, a star and a chain of sites are special cases.
//
// Few bytes: an allreduce exchanges the sums of sites (exchanged_sums.hpp), an alltoall bundles blocks (bundles.hpp).
//
// Each way takes its share of the message, cut into equal pieces. A piece is due when the bytes before it on its way
// have set out, and every rank issues in that order. What a rank has from the start, and what only the members of its
// site have added to, is sent in lane 0; what comes from other sites is sent on in a lane of its way, so that a way
// whose pieces are late holds up no other. Pacing (pacing.hpp) holds lane 0 back where other ways would starve. In a
// reduce most ranks receive nothing by which they could be paced: the rank above sends them credits (Kung and Chapman
// 1993), an element of each sum that it has made.
//
// Cost where the packing has the greatest rate C: M / C and the latency of the ways in use, while the pieces are short
// against M; M / C is the lower bound by cuts (Edmonds 1973, for one root).
#pragma once

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// The parameters of the algorithms `packed`, and those of reduce.
inline constexpr std::string_view packed_parameters = "segment merged packing drivers lag slack lines";
inline constexpr std::string_view packed_reduce_parameters = "segment merged packing drivers lag slack credit lines";

/// What it is and what its parameters mean, for `isthmus list`. A line each.
inline constexpr std::string_view packed_explanation[] = {
    "packed: data take several ways through the sites at once, trees or paths, each with a share of the message.",
    "Ways and shares are made for the rates of the network. `isthmus explain` draws those of a choice.",
    "packing: the ways with their shares, by numbers of sites; behind @ when their first and last pieces set out, in",
    "thousandths of the whole time, so that those for far sites go first. drivers: how many ranks of each site its",
    "pieces enter and leave by, in turn; 0: all, from each of which a piece goes straight to all others of the site,",
    "not along a chain. lag: the time of a hop between sites, in thousandths of the whole time. slack: how late a",
    "piece may be before a site's own pieces wait for those it passes on, in the same unit; 0: they never wait.",
    "credit, of a reduce: how far the operands of a rank may run ahead of the sums that the rank above has made; 0: as",
    "far as they like. lines: latency (us) and rate (kB/s) of each line; pieces pass it in the order of what they have",
    "left to go, and the other times do not count."};

/// The generator of the algorithms `packed`, for all collectives that have one.
Write write_packed;

/// The ways for a call without a packing: straight from each site to each other, all with one share.
std::vector<Way> direct_ways(const Topology& topology, const Problem& problem);

/// Whether a packing may have lines (Packing::lines).
bool takes_lines(Collective collective, const Packing& packing);

/// Throws BadInput for a packing that does not fit the sites of the topology, or lacks a way that the
/// collective needs; for an operator that does not commute; and for counts of blocks that a rank does not know.
void serves_packed(const Topology& topology, const Problem& problem, const Parameters& parameters);

/// The row of a collective's table.
constexpr Algorithm packed_row(Collective collective) {
  return Algorithm{collective,
                   "packed",
                   "Edmonds 1973; Gilmore and Gomory 1961",
                   "ways through the sites, each with a share of the message, made for the rates of the links",
                   collective == Collective::reduce ? packed_reduce_parameters : packed_parameters,
                   write_packed,
                   nullptr,
                   serves_packed}
      .using_groups();
}

}  // namespace isthmus
