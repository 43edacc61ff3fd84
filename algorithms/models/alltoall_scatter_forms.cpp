// Pjesivac-Grbovic 2005, table 4 (alltoall), and the linear scatter. The paper's library OCC has that scatter but no
// table does: it costs as much as the linear broadcast, with blocks instead of the message.

#include "algorithms/models/closed_forms.hpp"

namespace isthmus {
namespace {

/// The number of messages that leave one after the other when ranks take turns: n_s (P - 1) of each of P ranks, less P
/// - 2 - i for rank i, because the next rank begins as soon as its own block is complete. Together (P - 1) (n_s P + 1 -
/// P / 2).
double turns(const FormCall& call) { return (call.ranks - 1) * (call.segments * call.ranks + 1 - call.ranks / 2); }

constexpr ClosedForm of_alltoall_scatter[] = {
    // Linear, one rank after the other; `N = (P - 1) (n_s P + 1 - P / 2)`.
    //   Hockney  N P(m_s). Printed `P P(m_s) + N alpha`, in which the bytes of nearly all messages cost nothing.
    //   LogGP    P (L + 2 o - g) + N (g + (m_s - 1) G). Printed `P (L + 2 o)`: the first message of a turn has its `g`
    //            in `N` already (in the linear broadcast the table takes it off).
    //   P-LogP   P L + N g(m_s)
    {Collective::alltoall, "linear-sequential",
     [](const Hockney& p2p, const FormCall& call) -> FormTime { return turns(call) * p2p(call.segment_bytes); },
     [](const LogGP& net, const FormCall& call) -> FormTime {
       return call.ranks * (net.latency_s + 2 * net.overhead_s - net.gap_s) +
              turns(call) * next_s(net, call.segment_bytes);
     },
     [](const PLogP& net, const FormCall& call) -> FormTime {
       return call.ranks * net.latency_s + turns(call) * net.gap(call.segment_bytes);
     }},
    // Pairwise exchange: `P - 1` steps, unsegmented.
    //   Hockney  (P - 1) P(m)
    //   LogGP    (P - 1) (L + o + (m - 1) G + g)
    //   P-LogP   (P - 1) (L + g(m))
    {Collective::alltoall, "pairwise",
     [](const Hockney& p2p, const FormCall& call) -> FormTime { return (call.ranks - 1) * p2p(call.bytes); },
     [](const LogGP& net, const FormCall& call) -> FormTime {
       return (call.ranks - 1) * (net.latency_s + net.overhead_s + next_s(net, call.bytes));
     },
     [](const PLogP& net, const FormCall& call) -> FormTime {
       return (call.ranks - 1) * net.receive_time_s(call.bytes);
     }},
    {Collective::scatter, "linear", LinearFromRoot::hockney, LinearFromRoot::loggp, LinearFromRoot::plogp},
};

}  // namespace

std::span<const ClosedForm> alltoall_scatter_forms() { return of_alltoall_scatter; }

}  // namespace isthmus
