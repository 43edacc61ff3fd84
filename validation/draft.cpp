#include "validation/draft.hpp"

namespace isthmus {
namespace {

constexpr const char* median_of_maxima = "max_over_ranks_median";

}  // namespace

bool answers(Source source, const RequestedPoint& point) {
  if (source != Source::plogp) return true;
  const std::string_view id = point.plan.algorithm->id;
  return point.problem.collective == Collective::broadcast &&
         (id == "kielmann" || (id == "magpie" && point.plan.parameters.segment_bytes == 0));
}

Record draft(Source source, const RunRequest& request, const RequestedPoint& point) {
  Record record;
  record.source = source;
  record.platform = request.network.name;
  record.collective = name(point.problem.collective);
  record.algorithm = point.plan.algorithm->id;
  record.bytes = point.problem.bytes();
  if (point.plan.parameters.segment_bytes > 0) record.segment_bytes = point.plan.parameters.segment_bytes;
  record.ranks = request.placement.size();
  record.root = point.problem.root;
  record.plan = to_string(point.plan);
  record.requested = point.requested;
  record.element_bytes = point.problem.element_bytes;
  record.placement = placement_text(request.placement.host_of_rank);
  record.network_digest = request.network_digest;
  record.settings["isthmus"] = ISTHMUS_VERSION;
  if (!point.problem.commutative) record.settings["commutative"] = false;
  switch (source) {
    case Source::plogp:
      record.statistic = "closed_form";
      break;
    case Source::replay:
      record.statistic = "max_over_ranks";
      break;
    case Source::smpi:
      record.statistic = median_of_maxima;
      record.repetitions = request.repetitions;
      record.settings["queueing"] = request.queueing == Queueing::fifo ? "fifo" : "fluid";
      break;
    case Source::emulated:
      record.statistic = median_of_maxima;
      record.repetitions = request.repetitions;
      record.settings["warm_up"] = request.warm_up;
      record.settings["substrate"] = request.substrate;
      break;
  }
  return record;
}

}  // namespace isthmus
