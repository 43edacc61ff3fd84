// Pjesivac-Grbovic 2005, table 1. Messages are tokens of m bytes, 0 in the paper.
#include <bit>

#include "algorithms/models/closed_forms.hpp"

namespace isthmus {
namespace {

/// Steps of recursive doubling: log2 P for a power of two, else floor(log2 P) + 2. (Table 1 leaves the floor out in the
/// formula for Hockney; section 4.2 has it.)
double doubling_steps(const FormCall& call) {
  const auto ranks = static_cast<unsigned>(call.ranks);
  return std::bit_width(ranks) - 1 + (std::has_single_bit(ranks) ? 0 : 2);
}

double token_s(const LogGP& net, const FormCall& call) { return std::max(0.0, call.bytes - 1) * net.gap_s_per_byte; }

/// A step in which every rank sends a token and waits for one, as in table 1: L + o + g in LogGP (g - o more than one
/// message takes), L + g in P-LogP.
double step_s(const LogGP& net, const FormCall& call) {
  return net.latency_s + net.overhead_s + net.gap_s + token_s(net, call);
}
double step_s(const PLogP& net, const FormCall& call) { return net.receive_time_s(call.bytes); }

constexpr ClosedForm of_barrier[] = {
    // Flat tree: the reports arrive all at once, or one after the other; then `P - 1` releases are sent.
    //   Hockney  P alpha. Printed `(P - 1) alpha`, which leaves out the report that section 5 says is counted.
    //   LogGP    from (P - 2) g + 2 (L + 2 o) to (P - 2) (g + o) + 2 (L + 2 o)
    //   P-LogP   from P g + 2 L to P (g + or) + 2 (L - or)
    {Collective::barrier, "flat",
     [](const Hockney& p2p, const FormCall& call) -> FormTime { return call.ranks * p2p(call.bytes); },
     [](const LogGP& net, const FormCall& call) -> FormTime {
       const double gap_s = net.gap_s + token_s(net, call);
       const double ends_s = 2 * (net.latency_s + 2 * net.overhead_s + token_s(net, call));
       return {(call.ranks - 2) * gap_s + ends_s, (call.ranks - 2) * (gap_s + net.overhead_s) + ends_s};
     },
     [](const PLogP& net, const FormCall& call) -> FormTime {
       const double gap_s = net.gap(call.bytes), receive_s = net.receive_overhead(call.bytes);
       return {call.ranks * gap_s + 2 * net.latency_s,
               call.ranks * (gap_s + receive_s) + 2 * (net.latency_s - receive_s)};
     }},
    // Double ring: `2 P - 1` hops. Printed with `2 P`: the schedule leaves out the last hop of the second round, which
    // tells rank 0 nothing new.
    //   Hockney  (2 P - 1) alpha
    //   LogGP    (2 P - 1) (L + o + g)
    //   P-LogP   (2 P - 1) (L + g)
    {Collective::barrier, "double-ring",
     [](const Hockney& p2p, const FormCall& call) -> FormTime { return (2 * call.ranks - 1) * p2p(call.bytes); },
     [](const LogGP& net, const FormCall& call) -> FormTime { return (2 * call.ranks - 1) * step_s(net, call); },
     [](const PLogP& net, const FormCall& call) -> FormTime { return (2 * call.ranks - 1) * step_s(net, call); }},
    // Recursive doubling: `log2 P` steps, where `P` is no power of two `floor(log2 P) + 2`.
    //   Hockney  steps alpha
    //   LogGP    steps (L + o + g)
    //   P-LogP   steps (L + g)
    {Collective::barrier, "recursive-doubling",
     [](const Hockney& p2p, const FormCall& call) -> FormTime { return doubling_steps(call) * p2p(call.bytes); },
     [](const LogGP& net, const FormCall& call) -> FormTime { return doubling_steps(call) * step_s(net, call); },
     [](const PLogP& net, const FormCall& call) -> FormTime { return doubling_steps(call) * step_s(net, call); }},
    // Bruck: `ceil(log2 P)` steps.
    //   Hockney  b alpha
    //   LogGP    b (L + o + g)
    //   P-LogP   b (L + g)
    {Collective::barrier, "dissemination",
     [](const Hockney& p2p, const FormCall& call) -> FormTime { return call.binomial_height * p2p(call.bytes); },
     [](const LogGP& net, const FormCall& call) -> FormTime { return call.binomial_height * step_s(net, call); },
     [](const PLogP& net, const FormCall& call) -> FormTime { return call.binomial_height * step_s(net, call); }},
};

}  // namespace

std::span<const ClosedForm> barrier_forms() { return of_barrier; }

}  // namespace isthmus
