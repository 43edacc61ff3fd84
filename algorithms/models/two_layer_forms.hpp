// The two-layer construction of Kielmann 2000, section 3.2, for the multilevel algorithms: what goes on inside the
// clusters and what goes on between them, one after the other, T = T_w + T_l, or with segments pipelined,
// T = (k - 1) gamma + lambda_w + lambda_l. The paper does it for broadcast (kielmann.hpp) and leaves the others open.
//
// Symbols: C clusters of S ranks, H = ceil(log2 S); M message or block and m segment in bytes, k segments; L, g(m),
// os(m), or(m) of the wide area (_w) and inside clusters (_l), r(m) = L + g(m). A coordinator's own link is one of its
// cluster's: what it sends to or takes in from several other clusters follows each other in s_w(m) = max(g_l, os_w) and
// t_w(m) = max(g_l, or_w + c m), with c the computation per byte of a reduction; inside, t_l(m) = max(g_l, or_l + c m).
// Messages from all other clusters at once are in at L_w + max(g_w(m), (C - 1) t_w(m)), since each comes over a
// wide-area link of its own. Times in seconds.
//
// All hold for the default levels, linear between clusters and binomial inside. Without segments they are exact over
// clusters of S = 2^H ranks each with a first rank as root and processors that take no time, and upper bounds where
// clusters are smaller. Pipelined they count each part at its slowest, and leave out that the first segment may meet
// others in a queue: on the networks of the tests from 0.2 % below the replay to 1.6 times above.
#pragma once

#include <cstdint>
#include <optional>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/models/plogp.hpp"

namespace isthmus {

/// Sums come together in every cluster, then the coordinators' at the root's:
///   lambda_l = H (L_l + t_l(m)), lambda_w = L_w + max(g_w(m), (C - 1) t_w(m)),
///   gamma = max(g_w(m), H t_l(m) + (C - 1) t_w(m)): the root takes in a segment of everybody's.
double reduce_seconds(const TwoLayers& layers, std::int64_t bytes, std::int64_t segment_bytes,
                      double computation_s_per_byte);

/// Fan-in, the coordinators tell each other, fan-out: T = 2 H r_l(m) + r_w(m) + 2 (C - 2) s_w(m). The last coordinator
/// is the last one that each of the others tells, after C - 2 messages, and then takes in C - 1 at once.
double barrier_seconds(const TwoLayers& layers, std::int64_t token_bytes);

/// The root sends each other cluster its S blocks of M bytes, which halve from step to step there:
///   T_w = (C - 2) s_w(S M) + r_w(S M), T_l = sum over i < H of L_l + g_l(2^i M).
/// With segments: k = ceil(S M / m), gamma = max(g_w(m), (C - 1) s_w(m) + H g_l(m)), lambda_w = (C - 2) s_w(m) +
/// r_w(m), lambda_l = H r_l(m).
double scatter_seconds(const TwoLayers& layers, std::int64_t block_bytes, std::int64_t segment_bytes);

/// The reverse, with t_w (c = 0) in the place of s_w, and L_w + max(g_w, (C - 1) t_w) in the place of (C - 2) s_w +
/// r_w.
double gather_seconds(const TwoLayers& layers, std::int64_t block_bytes, std::int64_t segment_bytes);

/// Whether a plan has a closed form over both layers: `multilevel` for the four above with default levels and operators
/// that commute, and for broadcast those of kielmann.hpp.
bool has_two_layer_form(const Plan& plan, const Problem& problem, int clusters);

/// That closed form; no value where there is none.
std::optional<double> two_layer_seconds(const TwoLayers& layers, const Transport& transport, const Plan& plan,
                                        const Problem& problem, double computation_s_per_byte = 0);

}  // namespace isthmus
