#include "validation/request.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/models/network_json.hpp"
#include "algorithms/tuning/search.hpp"
#include "algorithms/tuning/select.hpp"
#include "validation/record.hpp"

namespace isthmus {

std::string PlanRequest::name() const { return fmt::format("{}/{}", isthmus::name(collective), text); }

PlanRequest parse_plan_request(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos)
    throw BadInput(
        fmt::format("`{}` names no algorithm; COLLECTIVE/ALGORITHM, as in `broadcast/binomial`, would be right", text));
  PlanRequest request;
  request.collective = collective_named(text.substr(0, slash));
  request.text = text.substr(slash + 1);
  request.automatic = request.text == "auto";
  if (request.automatic) return request;
  if (request.text.starts_with("auto:"))
    throw BadInput(fmt::format("`{}`: the automatic choice chooses its parameters too; `{}/auto` would be right", text,
                               text.substr(0, slash)));

  // The search is asked for where a plan would say a size; the plan itself knows only sizes.
  std::string plain = request.text;
  constexpr std::string_view automatic = "segment=auto";
  for (std::size_t at = plain.find(automatic); at != std::string::npos; at = plain.find(automatic)) {
    plain.replace(at, automatic.size(), "segment=none");
    request.segment_auto = true;
  }
  request.plan = parse_plan(request.collective, plain);
  return request;
}

RequestedPoint completed(const Network& network, const Placement& placement, const PlanRequest& plan,
                         const Problem& problem) {
  if (plan.automatic) return {problem, choose(network, placement, problem).plan, plan.text};
  const Topology topology = topology_of(network, placement);
  check(plan.plan, topology, problem);
  RequestedPoint point = {problem, complete(plan.plan, network, placement, problem, plan.segment_auto), plan.text};
  check(point.plan, topology, problem);
  return point;
}

void add_point(RunRequest& request, const PlanRequest& plan, const Problem& problem) {
  request.points.push_back(completed(request.network, request.placement, plan, problem));
  if (request.network_digest.empty()) request.network_digest = digest(to_json(request.network).dump());
}

}  // namespace isthmus
