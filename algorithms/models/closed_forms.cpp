#include "algorithms/models/closed_forms.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace isthmus {
namespace {

FormCall call_of(const ModelParameters& parameters, const Plan& plan, const Problem& problem, int ranks) {
  const auto size = static_cast<unsigned>(ranks);
  FormCall call;
  call.ranks = ranks;
  call.bytes = carries_data(problem.collective) ? static_cast<double>(problem.bytes())
                                                : static_cast<double>(problem.element_bytes);
  const auto segment = static_cast<double>(plan.parameters.segment_bytes);
  call.segment_bytes = segment > 0 ? std::min(segment, call.bytes) : call.bytes;
  call.segments = call.segment_bytes > 0 ? std::ceil(call.bytes / call.segment_bytes) : 1;
  call.degree = std::min(plan.parameters.degree > 0 ? plan.parameters.degree : default_degree, std::max(1, ranks - 1));
  call.computation_s = parameters.computation_s_per_byte * call.segment_bytes;
  call.binomial_height = std::bit_width(size - 1);
  call.binary_height = std::bit_width(size) - 1;
  return call;
}

}  // namespace

double stream_s(const LogGP& net, double bytes) { return std::max(0.0, bytes - 1) * net.gap_s_per_byte; }
double message_s(const LogGP& net, double bytes) { return net.latency_s + 2 * net.overhead_s + stream_s(net, bytes); }
double next_s(const LogGP& net, double bytes) { return net.gap_s + stream_s(net, bytes); }

FormTime LinearFromRoot::hockney(const Hockney& p2p, const FormCall& call) {
  return call.segments * (call.ranks - 1) * p2p(call.segment_bytes);
}

FormTime LinearFromRoot::loggp(const LogGP& net, const FormCall& call) {
  return net.latency_s + 2 * net.overhead_s - net.gap_s +
         call.segments * (call.ranks - 1) * next_s(net, call.segment_bytes);
}

FormTime LinearFromRoot::plogp(const PLogP& net, const FormCall& call) {
  return net.latency_s + call.segments * (call.ranks - 1) * net.gap(call.segment_bytes);
}

std::span<const ClosedForm> closed_forms() {
  static const auto* const all = [] {  // never destroyed: exit handlers of MPI programs may choose plans
    auto* const rows = new std::vector<ClosedForm>;
    for (const auto some : {barrier_forms(), broadcast_forms(), reduce_forms(), alltoall_scatter_forms()})
      rows->insert(rows->end(), some.begin(), some.end());
    return rows;
  }();
  return *all;
}

const ClosedForm* form_of(const Algorithm& algorithm) {
  for (const ClosedForm& form : closed_forms())
    if (form.collective == algorithm.collective && form.algorithm == algorithm.id) return &form;
  return nullptr;
}

std::optional<FormTime> predict(Model model, const ModelParameters& parameters, const Plan& plan,
                                const Problem& problem, int ranks) {
  const ClosedForm* form = form_of(*plan.algorithm);
  if (form == nullptr) return std::nullopt;
  if (ranks < 2 || (carries_data(problem.collective) && problem.bytes() == 0)) return FormTime{0};
  const FormCall call = call_of(parameters, plan, problem, ranks);
  switch (model) {
    case Model::hockney:
      return form->hockney(parameters.hockney, call);
    case Model::logp: {
      LogGP small = parameters.loggp;
      small.gap_s_per_byte = 0;
      return form->loggp(small, call);
    }
    case Model::loggp:
      return form->loggp(parameters.loggp, call);
    case Model::plogp:
      break;
  }
  return form->plogp(parameters.plogp, call);
}

}  // namespace isthmus
