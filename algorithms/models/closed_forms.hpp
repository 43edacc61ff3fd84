// Closed forms of Pjesivac-Grbovic 2005, tables 1 to 4: what the algorithms of its section 4.2 take on one class of
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
// Each row says where it departs from the printed formula, and why. A formula with g + (m - 1) G of a message in place
// of g(m), and L + 2 o - g in place of L, is what P-LogP gives when g(m) is linear (section 3.1); where a printed LogGP
// formula of one algorithm differs from that by some g - o a step, it is left, as a model's coarseness.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/models/parameters.hpp"

namespace isthmus {

/// What the formulas read beside the parameters.
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

/// Where the paper gives the best and the worst case both, or the two differ in what they count; else both are equal.
struct FormTime {
  FormTime(double seconds) : min_s(seconds), max_s(seconds) {}
  FormTime(double least, double most) : min_s(least), max_s(most) {}

  double min_s;  ///< what the paper predicts with: its measurements lay near the best case (section 6.2)
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

/// From the start of a message to that of the next one: (m - 1) G + g.
double next_s(const LogGP& net, double bytes);

/// The rows of a collective, one file each; `closed_forms()` is all of them.
std::span<const ClosedForm> barrier_forms();
std::span<const ClosedForm> broadcast_forms();
std::span<const ClosedForm> reduce_forms();
std::span<const ClosedForm> alltoall_scatter_forms();  ///< alltoall and scatter
std::span<const ClosedForm> closed_forms();

/// The row of an algorithm; null where there is none.
const ClosedForm* form_of(const Algorithm& algorithm);

/// What the model predicts for the plan over `ranks` ranks, all joined by links of one class. Nothing to do (one rank,
/// or no bytes in a collective that has some) takes 0 seconds. No value when the algorithm has no closed form.
std::optional<FormTime> predict(Model model, const ModelParameters& parameters, const Plan& plan,
                                const Problem& problem, int ranks);

}  // namespace isthmus
