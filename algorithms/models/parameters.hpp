// The parameters of the four model families of Pjesivac-Grbovic 2005, section 3.1, for one class of links, derived from
// P-LogP.
#pragma once

#include <cstdint>
#include <string_view>

#include "algorithms/models/plogp.hpp"

namespace isthmus {

enum class Model : std::uint8_t { hockney, logp, loggp, plogp };

/// The name used on the command line and in records, e.g. `loggp`.
std::string_view name(Model model);
inline constexpr Model all_models[] = {Model::hockney, Model::logp, Model::loggp, Model::plogp};

/// Hockney: a message of m bytes takes alpha(m) + beta(m) m seconds. In the paper both depend on m, but only the sum
/// can be measured; here alpha = L + g(0) for all m, and beta(m) = (g(m) - g(0)) / m, in seconds per byte.
struct Hockney {
  double latency_s = 0;     ///< alpha
  SizeFunction transfer_s;  ///< beta(m) m

  double operator()(double bytes) const { return latency_s + transfer_s(bytes); }
};

/// LogP (with G = 0) and LogGP: a message of m bytes takes L + 2 o + (m - 1) G seconds, and the next one may leave
/// g + (m - 1) G after it.
struct LogGP {
  double latency_s = 0;       ///< L
  double overhead_s = 0;      ///< o, of each processor
  double gap_s = 0;           ///< g, between messages of one byte
  double gap_s_per_byte = 0;  ///< G
};

/// Derived as in the paper, by Kielmann, Bal, Verstoep 2000 (Fast measurement of LogP parameters), section 2: o =
/// (os(1) + or(1)) / 2, L = L' + g(1) - os(1) - or(1) with L' that of P-LogP, g = g(1), and G = g(m) / m for large m,
/// which is the slope of the last piece of g. So L + 2 o = L' + g(1): a message of one byte takes the same.
Hockney hockney_of(const PLogP& layer);
LogGP loggp_of(const PLogP& layer);

/// The parameters of all four families, for the closed forms.
struct ModelParameters {
  PLogP plogp;
  Hockney hockney;
  LogGP loggp;
  double computation_s_per_byte = 0;  ///< gamma, of combining two operands (section 3.2)
};
ModelParameters parameters_of(const PLogP& layer, double computation_s_per_byte = 0);

}  // namespace isthmus
