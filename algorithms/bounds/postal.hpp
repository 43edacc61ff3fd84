// How quickly a word gets around: the postal model.
#pragma once

namespace isthmus::bounds {

/// Hosts that have heard a word pass it on, each at most one message every `gap_s`, to a host that has heard
/// `latency_s` after the message was begun. Further hosts hear from outside, one every `inflow_gap_s` after
/// `inflow_from_s`.
struct PostalModel {
  double gap_s = 0, latency_s = 0;
  double start = 1;                            ///< hosts that know the word at time 0
  double inflow_from_s = 0, inflow_gap_s = 0;  ///< inflow_gap_s infinite: nothing from outside
};

/// The time before which fewer than `hosts` can know the word (Karp, Sahay, Santos, Schauser 1993, "Optimal broadcast
/// and summation in the LogP model"; Bar-Noy, Kipnis 1992): with nothing from outside N(t) = N(t - gap) + N(t -
/// latency). After very many messages the time that has been reached, which is a lower bound too.
double spreading_s(const PostalModel& model, double hosts);

}  // namespace isthmus::bounds
