// Pjesivac-Grbovic 2005, table 2.
#include <algorithm>
#include <cmath>

#include "algorithms/models/closed_forms.hpp"

namespace isthmus {
namespace {

/// One level of a binary tree, until the second child has a segment.
double two_children_s(const LogGP& net, double bytes) { return message_s(net, bytes) + next_s(net, bytes); }

/// The interval between segments at an inner member of a binary tree, P-LogP: max(2 g, or + g + os).
double pace_s(const PLogP& net, double bytes) {
  const double gap_s = net.gap(bytes);
  return std::max(2 * gap_s, net.receive_overhead(bytes) + gap_s + net.send_overhead(bytes));
}

/// The halves of a splitted-binary broadcast: n_h = ceil(n_s / 2) segments each, no segment longer than a half.
struct Half {
  explicit Half(const FormCall& call)
      : bytes(std::ceil(call.bytes / 2)),
        segment_bytes(std::min(call.segment_bytes, bytes)),
        segments(std::ceil(bytes / segment_bytes)) {}

  double bytes, segment_bytes, segments;
};

constexpr ClosedForm of_broadcast[] = {
    {Collective::broadcast, "linear", LinearFromRoot::hockney, LinearFromRoot::loggp, LinearFromRoot::plogp},
    // Pipeline: `P - 1` hops of the first segment, followed by the others.
    //   Hockney  (P + n_s - 2) P(m_s)
    //   LogGP    (P - 1) (L + 2 o + (m_s - 1) G) + (n_s - 1) (g + (m_s - 1) G)
    //   P-LogP   (P - 1) (L + g(m_s)) + (n_s - 1) g(m_s)
    {Collective::broadcast, "chain",
     [](const Hockney& p2p, const FormCall& call) -> FormTime {
       return (call.ranks + call.segments - 2) * p2p(call.segment_bytes);
     },
     [](const LogGP& net, const FormCall& call) -> FormTime {
       return (call.ranks - 1) * message_s(net, call.segment_bytes) +
              (call.segments - 1) * next_s(net, call.segment_bytes);
     },
     [](const PLogP& net, const FormCall& call) -> FormTime {
       return (call.ranks - 1) * net.receive_time_s(call.segment_bytes) +
              (call.segments - 1) * net.gap(call.segment_bytes);
     }},
    // Binomial. The text of the table repeats the last term of LogGP as a denominator.
    //   Hockney  b n_s P(m_s)
    //   LogGP    b (L + 2 o + (m_s - 1) G + (n_s - 1) (g + (m_s - 1) G))
    //   P-LogP   b (L + n_s g(m_s))
    {Collective::broadcast, "binomial",
     [](const Hockney& p2p, const FormCall& call) -> FormTime {
       return call.binomial_height * call.segments * p2p(call.segment_bytes);
     },
     [](const LogGP& net, const FormCall& call) -> FormTime {
       return call.binomial_height *
              (message_s(net, call.segment_bytes) + (call.segments - 1) * next_s(net, call.segment_bytes));
     },
     [](const PLogP& net, const FormCall& call) -> FormTime {
       return call.binomial_height * (net.latency_s + call.segments * net.gap(call.segment_bytes));
     }},
    // Binary: `h` levels, at each of which the second child waits for the first; then `n_s - 1` more segments.
    //   Hockney  from (h + n_s - 1) (2 alpha + beta m_s) to 2 (h + n_s - 1) P(m_s). The first, as printed, counts the
    //            bytes of one of the two children; the second those of both, as in the paper's own reduction.
    //   LogGP    h (L + 2 o + 2 (m_s - 1) G + g) + (n_s - 1) 2 (g + (m_s - 1) G). Printed with one `g` more a level,
    //            which is not there in the paper's formula for splitted-binary, and without the factor `n_s - 1`.
    //   P-LogP   h (L + 2 g(m_s)) + (n_s - 1) max(2 g(m_s), or(m_s) + g(m_s) + os(m_s))
    {Collective::broadcast, "binary",
     [](const Hockney& p2p, const FormCall& call) -> FormTime {
       const double steps = call.binary_height + call.segments - 1;
       return {steps * (p2p.latency_s + p2p(call.segment_bytes)), steps * 2 * p2p(call.segment_bytes)};
     },
     [](const LogGP& net, const FormCall& call) -> FormTime {
       return call.binary_height * two_children_s(net, call.segment_bytes) +
              (call.segments - 1) * 2 * next_s(net, call.segment_bytes);
     },
     [](const PLogP& net, const FormCall& call) -> FormTime {
       const double gap_s = net.gap(call.segment_bytes);
       return call.binary_height * (net.latency_s + 2 * gap_s) + (call.segments - 1) * pace_s(net, call.segment_bytes);
     }},
    // Splitted-binary: a binary tree for the `n_h = ceil(n_s / 2)` segments of a half, then an exchange of halves. No
    // segment is longer than a half: without segments `m_s` is `m / 2`.
    //   Hockney  from (h + n_h - 1) (2 alpha + beta m_s) + P(m / 2) to 2 (h + n_h - 1) P(m_s) + P(m / 2). As for
    //            binary. Printed with `m_s / 2` in the exchange, in which whole halves go.
    //   LogGP    h (L + 2 o + 2 (m_s - 1) G + g) + (n_h - 1) 2 (g + (m_s - 1) G) + L + 2 o + (m / 2 - 1) G. Printed
    //            with the two factors `h` and `2 (n_h - 1)` in each other's place, and `m_s / 2` for `m / 2`.
    //   P-LogP   h (L + 2 g(m_s)) + (n_h - 1) max(2 g(m_s), or(m_s) + g(m_s) + os(m_s)) + L + g(m / 2). Printed without
    //            the exchange, and `n_s / 2` not rounded.
    {Collective::broadcast, "splitted-binary",
     [](const Hockney& p2p, const FormCall& call) -> FormTime {
       const Half half(call);
       const double steps = call.binary_height + half.segments - 1, exchange_s = p2p(half.bytes);
       return {steps * (p2p.latency_s + p2p(half.segment_bytes)) + exchange_s,
               steps * 2 * p2p(half.segment_bytes) + exchange_s};
     },
     [](const LogGP& net, const FormCall& call) -> FormTime {
       const Half half(call);
       return call.binary_height * two_children_s(net, half.segment_bytes) +
              (half.segments - 1) * 2 * next_s(net, half.segment_bytes) + message_s(net, half.bytes);
     },
     [](const PLogP& net, const FormCall& call) -> FormTime {
       const Half half(call);
       return call.binary_height * (net.latency_s + 2 * net.gap(half.segment_bytes)) +
              (half.segments - 1) * pace_s(net, half.segment_bytes) + net.receive_time_s(half.bytes);
     }},
};

}  // namespace

std::span<const ClosedForm> broadcast_forms() { return of_broadcast; }

}  // namespace isthmus
