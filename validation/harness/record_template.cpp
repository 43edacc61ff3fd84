#include "validation/harness/record_template.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/models/closed_forms.hpp"
#include "algorithms/models/two_layer_forms.hpp"
#include "algorithms/network/forwarded_routes.hpp"

namespace isthmus {
namespace {

constexpr const char* median_of_maxima = "max_over_ranks_median";

}  // namespace

std::optional<Model> model_of(Source source) {
  switch (source) {
    case Source::hockney:
      return Model::hockney;
    case Source::logp:
      return Model::logp;
    case Source::loggp:
      return Model::loggp;
    case Source::plogp:
      return Model::plogp;
    default:
      return std::nullopt;
  }
}

namespace {

bool has_closed_form(Model model, const RunRequest& request, const RequestedPoint& point) {
  // None of messages that are relayed or forwarded.
  if (!request.placed.topology().connectivity().complete() || has_forwarded_routes(request.placed.network()))
    return false;
  const bool has_one_layer_form = form_of(*point.plan.algorithm) != nullptr;
  if (!has_one_layer_form && model != Model::plogp) return false;
  const Topology& topology = request.placed.topology();
  const int clusters = topology.group(0).children.empty() ? 1 : static_cast<int>(topology.members(0).size());
  if (model == Model::plogp && has_two_layer_form(point.plan, point.problem, clusters)) return true;
  return has_one_layer_form && clusters == 1;
}

/// Why the source cannot apply the request's conditions; empty if it can.
std::string not_under_conditions(Source source, const RunRequest& request) {
  const Conditions& conditions = request.emulation.conditions;
  if (source == Source::emulated) return "";
  if (source == Source::smpi) return not_simulated(conditions);
  const bool disturbed = !conditions.links.empty() || !conditions.changes.empty() || !conditions.traffic.empty();
  return disturbed ? fmt::format("{} knows no conditions; smpi and emulated do", name(source)) : "";
}

/// SMPI has no TCP: the conditions' TCP settings are left out.
Conditions without_tcp(Conditions conditions) {
  conditions.tcp = {};
  return conditions;
}

}  // namespace

std::string why_unanswerable(Source source, const RunRequest& request, const RequestedPoint& point) {
  const std::string what = fmt::format("{}/{}", name(point.problem.collective), to_string(point.plan));
  if (std::string reason = not_under_conditions(source, request); !reason.empty()) return reason;
  if (source == Source::smpi || source == Source::emulated) {
    try {
      const bool relayed = !request.placed.topology().connectivity().complete();
      const bool forwarded = has_forwarded_routes(request.placed.network());
      if (is_mpi_own(point.plan) && (relayed || (forwarded && source == Source::smpi)))
        return fmt::format(
            "{}: {} has hosts without a route between them, and the MPI's own messages are not relayed; a "
            "plan of isthmus would be right",
            what, request.placed.network().name);
      if (source == Source::smpi) check_selector(point.plan, smpi_selectors, "SMPI");
      if (source == Source::emulated) check_selector(point.plan, openmpi_selectors, "Open MPI");
      return "";
    } catch (const BadInput& error) {
      return error.what();
    }
  }
  if (is_mpi_own(point.plan)) return fmt::format("{}: {}", what, no_schedule);
  const std::optional<Model> model = model_of(source);
  if (!model || has_closed_form(*model, request, point)) return "";
  return fmt::format("{} has no closed form for {} on {}; `replay` times any schedule", name(source), what,
                     request.placed.network().name);
}

Record record_template(Source source, const RunRequest& request, const RequestedPoint& point) {
  Record record;
  record.source = source;
  record.platform = request.placed.network().name;
  record.collective = name(point.problem.collective);
  record.algorithm = point.plan.algorithm->id;
  record.bytes = point.problem.bytes();
  if (point.plan.parameters.segment_bytes > 0) record.segment_bytes = point.plan.parameters.segment_bytes;
  record.ranks = request.placed.size();
  record.root = point.problem.root;
  record.plan = request_text(point.plan);
  record.requested = point.requested;
  record.element_bytes = point.problem.element_bytes;
  record.placement = placement_text(request.placed.placement().host_of_rank);
  record.network_digest = request.placed.digest();
  record.settings["isthmus"] = ISTHMUS_VERSION;
  if (!request.set_links.empty()) record.settings["set"] = request.set_links;
  if (!point.problem.commutative) record.settings["commutative"] = false;
  switch (source) {
    case Source::logp:
      record.statistic = "closed_form_without_length";
      break;
    case Source::hockney:
    case Source::loggp:
    case Source::plogp:
      record.statistic = "closed_form";
      break;
    case Source::replay:
      record.statistic = "max_over_ranks";
      break;
    case Source::smpi:
      record.statistic = median_of_maxima;
      record.repetitions = request.repetitions;
      if (request.confidence > 0) record.settings["confidence"] = request.confidence;
      record.settings["queueing"] = request.queueing == Queueing::fifo ? "fifo" : "fluid";
      if (const Conditions conditions = without_tcp(request.emulation.conditions); conditions.any()) {
        record.settings["conditions"] = conditions;
      }
      break;
    case Source::emulated:
      record.statistic = median_of_maxima;
      record.repetitions = request.repetitions;
      if (request.confidence > 0) record.settings["confidence"] = request.confidence;
      record.settings["warm_up"] = request.warm_up;
      record.settings["substrate"] = request.emulation.substrate;
      if (request.emulation.conditions.any()) record.settings["conditions"] = request.emulation.conditions;
      break;
  }
  return record;
}

}  // namespace isthmus
