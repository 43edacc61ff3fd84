// Pjesivac-Grbovic 2005, table 3, and the k-chain, which is not in the table. `gamma m_s` is the time to combine
// one segment.
//
// The text of the table shows the last factor of several formulas as a denominator.
#include <algorithm>
#include <cmath>

#include "algorithms/models/closed_forms.hpp"

namespace isthmus {
namespace {

/// A segment is received and combined while the next one arrives: max(g + (m_s - 1) G, o + gamma m_s).
double take_in_s(const LogGP& net, const FormCall& call) {
  return std::max(net.gap_s + stream_s(net, call.segment_bytes), net.overhead_s + call.computation_s);
}

/// max(g(m_s), or(m_s) + gamma m_s)
double take_in_s(const PLogP& net, const FormCall& call) {
  return std::max(net.gap(call.segment_bytes), net.receive_overhead(call.segment_bytes) + call.computation_s);
}

double combined_s(const Hockney& p2p, const FormCall& call) { return p2p(call.segment_bytes) + call.computation_s; }

constexpr ClosedForm of_reduce[] = {
    // Flat tree: the root receives `n_s (P - 1)` segments.
    //   Hockney  n_s (P - 1) (P(m_s) + gamma m_s)
    //   LogGP    L + 2 o + (m_s - 1) G + gamma m_s + (n_s (P - 1) - 1) max(g + (m_s - 1) G, o + gamma m_s). Printed
    //            `o + (m_s - 1) G + L + n_s max(g, (P - 1) (o + (m_s - 1) G + gamma m_s))`, by which one message of
    //            many bytes takes `2 (m_s - 1) G`.
    //   P-LogP   L + (P - 1) n_s max(g(m_s), or(m_s) + gamma m_s)
    {Collective::reduce, "flat",
     [](const Hockney& p2p, const FormCall& call) -> FormTime {
       return call.segments * (call.ranks - 1) * combined_s(p2p, call);
     },
     [](const LogGP& net, const FormCall& call) -> FormTime {
       return message_s(net, call.segment_bytes) + call.computation_s +
              (call.segments * (call.ranks - 1) - 1) * take_in_s(net, call);
     },
     [](const PLogP& net, const FormCall& call) -> FormTime {
       return net.latency_s + (call.ranks - 1) * call.segments * take_in_s(net, call);
     }},
    // Pipeline.
    //   Hockney  (P + n_s - 2) (P(m_s) + gamma m_s)
    //   LogGP    (P - 1) (L + 2 o + (m_s - 1) G + gamma m_s) + (n_s - 1) ((m_s - 1) G + max(g, 2 o + gamma m_s)).
    //            Printed `max(g, 2 o + (m_s - 1) G + gamma m_s)`: two segments may not follow within
    //            `g + (m_s - 1) G`, and the table's own binomial reduction has the bracket as here.
    //   P-LogP   (P - 1) (L + max(g(m_s), or(m_s) + gamma m_s))
    //            + (n_s - 1) (max(g(m_s), or(m_s) + gamma m_s) + os(m_s))
    {Collective::reduce, "chain",
     [](const Hockney& p2p, const FormCall& call) -> FormTime {
       return (call.ranks + call.segments - 2) * combined_s(p2p, call);
     },
     [](const LogGP& net, const FormCall& call) -> FormTime {
       return (call.ranks - 1) * (message_s(net, call.segment_bytes) + call.computation_s) +
              (call.segments - 1) *
                  (stream_s(net, call.segment_bytes) + std::max(net.gap_s, 2 * net.overhead_s + call.computation_s));
     },
     [](const PLogP& net, const FormCall& call) -> FormTime {
       return (call.ranks - 1) * (net.latency_s + take_in_s(net, call)) +
              (call.segments - 1) * (take_in_s(net, call) + net.send_overhead(call.segment_bytes));
     }},
    // Binomial.
    //   Hockney  n_s b (P(m_s) + gamma m_s)
    //   LogGP    b (o + L + n_s ((m_s - 1) G + max(g, o + gamma m_s)))
    //   P-LogP   b (L + n_s max(g(m_s), or(m_s) + gamma m_s + os(m_s)))
    {Collective::reduce, "binomial",
     [](const Hockney& p2p, const FormCall& call) -> FormTime {
       return call.segments * call.binomial_height * combined_s(p2p, call);
     },
     [](const LogGP& net, const FormCall& call) -> FormTime {
       return call.binomial_height * (net.overhead_s + net.latency_s +
                                      call.segments * (stream_s(net, call.segment_bytes) +
                                                       std::max(net.gap_s, net.overhead_s + call.computation_s)));
     },
     [](const PLogP& net, const FormCall& call) -> FormTime {
       const double busy_s =
           net.receive_overhead(call.segment_bytes) + call.computation_s + net.send_overhead(call.segment_bytes);
       return call.binomial_height * (net.latency_s + call.segments * std::max(net.gap(call.segment_bytes), busy_s));
     }},
    // Binary: at each of `h` levels a rank receives the segments of two children.
    //   Hockney  2 (h + n_s - 1) (P(m_s) + gamma m_s)
    //   LogGP    h (L + 2 o + (m_s - 1) G + gamma m_s + x) + (n_s - 1) (o + 2 x). With
    //            `x = max(g + (m_s - 1) G, o + gamma m_s)`. Printed
    //            `h ((L + 3 o + (m_s - 1) G + 2 gamma m_s) + (n_s - 1) ((m_s - 1) G + max(g, 3 o + 2 gamma m_s)))`,
    //            in which the pipeline's `n_s - 1` would be paid at each level, against the formula for P-LogP, and
    //            both children's bytes would come in the time of one's.
    //   P-LogP   h (L + 2 max(g(m_s), or(m_s) + gamma m_s))
    //            + (n_s - 1) (os(m_s) + 2 max(g(m_s), or(m_s) + gamma m_s))
    {Collective::reduce, "binary",
     [](const Hockney& p2p, const FormCall& call) -> FormTime {
       return 2 * (call.binary_height + call.segments - 1) * combined_s(p2p, call);
     },
     [](const LogGP& net, const FormCall& call) -> FormTime {
       const double take_s = take_in_s(net, call);
       return call.binary_height * (message_s(net, call.segment_bytes) + call.computation_s + take_s) +
              (call.segments - 1) * (net.overhead_s + 2 * take_s);
     },
     [](const PLogP& net, const FormCall& call) -> FormTime {
       const double take_s = take_in_s(net, call);
       return call.binary_height * (net.latency_s + 2 * take_s) +
              (call.segments - 1) * (net.send_overhead(call.segment_bytes) + 2 * take_s);
     }},
    // k-chain, not in the table: `K` chains, the longest of `C = ceil((P - 1) / K)` members, end at the root, which
    // takes in `K` segments where a member of a chain takes in one, and so sets the pace. With `K = 1` this is the
    // pipeline, but for `os(m_s)`, which the root has none of.
    //   Hockney  (C - 1 + K n_s) (P(m_s) + gamma m_s)
    //   LogGP    C (L + 2 o + (m_s - 1) G + gamma m_s) + (K n_s - 1) max(g + (m_s - 1) G, o + gamma m_s)
    //   P-LogP   C L + (C - 1 + K n_s) max(g(m_s), or(m_s) + gamma m_s)
    {Collective::reduce, "k-chain",
     [](const Hockney& p2p, const FormCall& call) -> FormTime {
       return (std::ceil((call.ranks - 1) / call.degree) - 1 + call.degree * call.segments) * combined_s(p2p, call);
     },
     [](const LogGP& net, const FormCall& call) -> FormTime {
       return std::ceil((call.ranks - 1) / call.degree) * (message_s(net, call.segment_bytes) + call.computation_s) +
              (call.degree * call.segments - 1) * take_in_s(net, call);
     },
     [](const PLogP& net, const FormCall& call) -> FormTime {
       const double hops = std::ceil((call.ranks - 1) / call.degree);
       return hops * net.latency_s + (hops - 1 + call.degree * call.segments) * take_in_s(net, call);
     }},
};

}  // namespace

std::span<const ClosedForm> reduce_forms() { return of_reduce; }

}  // namespace isthmus
