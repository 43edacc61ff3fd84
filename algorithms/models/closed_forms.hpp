// Closed forms of Pjesivac-Grbovic 2005, tables 1 to 4: the times of the algorithms of its section 4.2 on one class of
// links, by Hockney, LogP, LogGP and P-LogP.
//
// Symbols: P ranks; m bytes of the message (broadcast, reduce) or of one block (scatter, alltoall), m_s of a segment,
// n_s = ceil(m / m_s) segments; all segments are taken to be as long as the longest. Times in seconds: alpha, beta
// (Hockney, beta per byte), L, o, g, G (LogGP, G per byte), L, os(m), or(m), g(m) (P-LogP; the LogGP formulas take the
// same letters for their own parameters); gamma is the computation per byte of a reduction. P(m) = alpha + beta m.
// h = ceil(log2(P + 1)) - 1 is the height of a binary tree, b = ceil(log2 P) that of a binomial one.
//
// Barriers send tokens of one element; the paper's are empty, so that m = 0 there.
//
// Each row says where it differs from the printed formula, and why. With g + (m - 1) G in place of g(m), and L + 2 o -
// g in place of L, a P-LogP formula becomes the LogGP formula for linear g(m) (section 3.1). Printed LogGP formulas
// that differ from this by a few g - o per step are kept: the difference is within the accuracy of the model.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/models/parameters.hpp"

namespace isthmus {

/// The inputs of the formulas besides the model's parameters.
struct FormCall {
  double ranks = 1;            ///< P, 2 or more
  double bytes = 0;            ///< m
  double segments = 1;         ///< n_s
  double segment_bytes = 0;    ///< m_s
  double degree = 1;           ///< K, chains of a k-chain
  double computation_s = 0;    ///< gamma m_s
  double binomial_height = 0;  ///< b
  double binary_height = 0;    ///< h
};

/// The best and the worst case if the paper gives both, or a range between two readings of a formula; else equal.
struct FormTime {
  FormTime(double seconds) : min_s(seconds), max_s(seconds) {}
  FormTime(double least, double most) : min_s(least), max_s(most) {}

  double min_s;  ///< used for predictions, as in the paper, whose measurements were near the best case (section 6.2)
  double max_s;
};

/// One row of tables 1 to 4.
struct ClosedForm {
  Collective collective;
  std::string_view algorithm;
  FormTime (*hockney)(const Hockney& p2p, const FormCall& call);
  FormTime (*loggp)(const LogGP& net, const FormCall& call);  ///< logp too, with G = 0
  FormTime (*plogp)(const PLogP& net, const FormCall& call);
};

/// Linear, in broadcast and scatter alike: n_s (P - 1) messages of the root.
///   Hockney  n_s (P - 1) P(m_s)
///   LogGP    L + 2 o - g + n_s (P - 1) ((m_s - 1) G + g)
///   P-LogP   L + n_s (P - 1) g(m_s)
struct LinearFromRoot {
  static FormTime hockney(const Hockney& p2p, const FormCall& call);
  static FormTime loggp(const LogGP& net, const FormCall& call);
  static FormTime plogp(const PLogP& net, const FormCall& call);
};

/// (m - 1) G
double stream_s(const LogGP& net, double bytes);
/// One message: L + 2 o + (m - 1) G.
double message_s(const LogGP& net, double bytes);
/// From the start of a message to that of the next one: (m - 1) G + g.
double next_s(const LogGP& net, double bytes);

/// The rows of each collective, one file each; `closed_forms()` is all of them.
std::span<const ClosedForm> barrier_forms();
std::span<const ClosedForm> broadcast_forms();
std::span<const ClosedForm> reduce_forms();
std::span<const ClosedForm> alltoall_scatter_forms();  ///< alltoall and scatter
std::span<const ClosedForm> closed_forms();

/// The row of an algorithm; null where there is none.
const ClosedForm* form_of(const Algorithm& algorithm);

/// The time that the model predicts for the plan over `ranks` ranks with links of one class. 0 seconds for one rank, or
/// for 0 bytes in a collective with data. No value when the algorithm has no closed form.
std::optional<FormTime> predict(Model model, const ModelParameters& parameters, const Plan& plan,
                                const Problem& problem, int ranks);

}  // namespace isthmus
