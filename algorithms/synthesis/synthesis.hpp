// Synthesis: the packing of least time for a collective on a network, by a linear programme over ways.
//
// A way of latency l that carries a bytes/s until the end T moves a (T - l) bytes by then. For a horizon T
//
//   maximise theta:  sum over the ways of c of a_w (1 - l_w / T) >= bytes_c theta  for each commodity c
//                    sum of a_w load_w <= capacity                                 for each row (site_rows.hpp)
//
// and T theta(T) = 1 is the end. It is found by Newton's steps: the rates are kept, the end that they give is computed,
// and the programme is solved again. Few bytes take the quickest way alone, many the greatest rate. The ways are trees
// (Edmonds 1973), which for one root reach the least cut between it and any site, and paths.
//
// The programme has many solutions that are nearly as good, and which vertex it ends at would depend on the last digit
// of a rate. So theta is charged a little for every link that is filled: the solution that uses least of them is one.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/collective/packing.hpp"
#include "algorithms/collective/problem.hpp"
#include "algorithms/synthesis/site_network.hpp"

namespace isthmus {

struct Synthesis {
  Packing packing;
  std::int64_t piece_bytes = 0;  ///< of a piece; a vector or block that is smaller is one piece
  double seconds = 0;            ///< the forecast
  /// How often in a second the collective could be done if nothing had a latency.
  double rate_per_s = 0;
  /// Of more than 16 sites in a dense network only the best edges are used. This is what the rate then lacks at most,
  /// as a share of what could enter and leave each site over all edges; it may be above 0 where no packing reaches
  /// that.
  double loss = 0;
  bool finished = true;  ///< else the programme's budget was used up, and this is the best so far
};

/// Pieces of `piece_bytes`, at least 1. Equal arguments give equal results. Throws BadInput if a site cannot reach
/// another that it has to reach (names both), for collectives that packings do not serve, and for an operator that does
/// not commute.
Synthesis synthesise(const SiteNetwork& network, const Problem& problem, std::int64_t piece_bytes);

/// The same with a good size of pieces, as large as costs little time.
Synthesis synthesise_with_piece(const SiteNetwork& network, const Problem& problem);

/// That of synthesise_with_piece() first, then others whose forecast is not much longer: fewer ways that fill fewer
/// links, and more. A forecast does not know how pieces of several ways meet; a replay of each tells which is best.
/// `piece_bytes` 0: a good size.
std::vector<Synthesis> synthesise_several(const SiteNetwork& network, const Problem& problem,
                                          std::int64_t piece_bytes = 0);

/// For an allreduce of few bytes, or a barrier: trees along which each site sends its sum to all others
/// (packed/exchanged_sums.hpp). The same errors.
Synthesis synthesise_exchange(const SiteNetwork& network, const Problem& problem);

/// That first, then others as synthesise_several() has them.
std::vector<Synthesis> synthesise_several_exchanges(const SiteNetwork& network, const Problem& problem);

/// No forecast of synthesise_exchange(), with pieces of whatever size, is shorter; found in less time, and in least
/// where it is above `enough_s`. The same errors.
double least_exchange_s(const SiteNetwork& network, const Problem& problem, double enough_s);

/// For an alltoall of few bytes: paths on which all that one site has for another is one piece. The same errors.
Synthesis synthesise_bundles(const SiteNetwork& network, const Problem& problem);

}  // namespace isthmus
