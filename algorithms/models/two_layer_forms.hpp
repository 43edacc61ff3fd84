// The two-layer construction of Kielmann 2000, section 3.2, for the multilevel algorithms: the phases inside and
// between clusters one after the other, T = T_w + T_l, or pipelined with segments, T = (k - 1) gamma + lambda_w +
// lambda_l. The paper has it for broadcast only (kielmann.hpp).
//
// Symbols: C clusters of S ranks, H = ceil(log2 S); M message or block and m segment in bytes, k segments; L, g(m),
// os(m), or(m) of the wide area (_w) and inside clusters (_l), r(m) = L + g(m). A coordinator's own link is one of its
// cluster's links: messages that it sends to several other clusters follow each other at intervals of s_w(m) = max(g_l,
// os_w), and messages that it receives at intervals of t_w(m) = max(g_l, or_w + c m), with c the computation per byte
// of a reduction; inside, t_l(m) = max(g_l, or_l + c m). Messages sent by all other clusters at the same time have been
// received after L_w + max(g_w(m), (C - 1) t_w(m)), since each crosses a wide-area link of its own. Times in seconds.
//
// All formulas hold for the default levels, linear between clusters and binomial inside. Without segments they are
// exact if every cluster has S = 2^H ranks, the root is the first of its cluster and processors take no time; they are
// upper bounds if clusters are smaller. With segments they take the slowest part of each phase and neglect that the
// first segment may have to queue: on the networks of the tests from 0.2 % below the replay to 1.6 times above.
#pragma once

#include <cstdint>
#include <optional>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/models/plogp.hpp"

namespace isthmus {

/// Sums are computed in every cluster, then the coordinators' sums are combined at the root:
///   lambda_l = H (L_l + t_l(m)), lambda_w = L_w + max(g_w(m), (C - 1) t_w(m)),
///   gamma = max(g_w(m), H t_l(m) + (C - 1) t_w(m)): the root receives one segment from each child.
double reduce_seconds(const TwoLayers& layers, std::int64_t bytes, std::int64_t segment_bytes,
                      double computation_s_per_byte);

/// Fan-in, exchange among the coordinators, fan-out: T = 2 H r_l(m) + r_w(m) + 2 (C - 2) s_w(m). Each other coordinator
/// sends to the last coordinator last, after C - 2 messages; then C - 1 messages arrive there at once.
double barrier_seconds(const TwoLayers& layers, std::int64_t token_bytes);

/// The root sends each other cluster its S blocks of M bytes; inside, messages halve from step to step:
///   T_w = (C - 2) s_w(S M) + r_w(S M), T_l = sum over i < H of L_l + g_l(2^i M).
/// With segments: k = ceil(S M / m), gamma = max(g_w(m), (C - 1) s_w(m) + H g_l(m)), lambda_w = (C - 2) s_w(m) +
/// r_w(m), lambda_l = H r_l(m).
double scatter_seconds(const TwoLayers& layers, std::int64_t block_bytes, std::int64_t segment_bytes);

/// The reverse, with t_w (c = 0) instead of s_w, and L_w + max(g_w, (C - 1) t_w) instead of (C - 2) s_w + r_w.
double gather_seconds(const TwoLayers& layers, std::int64_t block_bytes, std::int64_t segment_bytes);

/// Whether a plan has a closed form over both layers: `multilevel` of the four collectives above with default levels
/// and operators that commute, and the broadcasts of kielmann.hpp.
bool has_two_layer_form(const Plan& plan, const Problem& problem, int clusters);

/// The time by this closed form; no value if there is none.
std::optional<double> two_layer_seconds(const TwoLayers& layers, const Transport& transport, const Plan& plan,
                                        const Problem& problem, double computation_s_per_byte = 0);

}  // namespace isthmus
