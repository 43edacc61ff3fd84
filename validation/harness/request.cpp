#include "validation/harness/request.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/catalog.hpp"
#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/text/printable.hpp"
#include "algorithms/tuning/search.hpp"

namespace isthmus {

std::string PlanRequest::name() const { return fmt::format("{}/{}", isthmus::name(collective), text); }

namespace {

/// `is_all`: the text is a name alone, `broadcast` or `broadcast/magpie`.
Collective collective_of(std::string_view text, bool is_all) {
  try {
    return collective_named(text);
  } catch (const BadInput& error) {
    if (!is_all) throw;
    throw BadInput(fmt::format("{}; a collective, or COLLECTIVE/ALGORITHM as in `broadcast/binomial`, would be right",
                               error.what()));
  }
}

/// What `text`, read as `plan`, leaves open.
Open open_in(const Plan& plan, std::string_view text) {
  const bool takes_segment = takes(*plan.algorithm, "segment");
  if (text.find(':') == std::string_view::npos)
    return has_parameters_to_choose(*plan.algorithm) ? Open::parameters : Open::nothing;
  if (text.find("segment=auto") != std::string_view::npos) return Open::segment;
  const bool says_segment = text.find("segment=") != std::string_view::npos;
  return takes_segment && !says_segment && has_degrees_to_choose(*plan.algorithm) ? Open::segment : Open::nothing;
}

}  // namespace

PlanRequest parse_plan_request(std::string_view text) {
  const std::size_t slash = text.find('/');
  PlanRequest request;
  request.collective = collective_of(text.substr(0, slash), slash == std::string_view::npos);
  request.text = slash == std::string_view::npos ? "auto" : text.substr(slash + 1);
  request.automatic = request.text == "auto";
  if (request.automatic) return request;
  if (request.text == "all")
    throw BadInput(fmt::format("`{}` names every algorithm; one plan, as in `{}/{}`, would be right", excerpt(text),
                               name(request.collective), algorithms_of(request.collective).front()->id));
  if (request.text.starts_with("auto:"))
    throw BadInput(fmt::format("`{}`: the automatic choice chooses its parameters too; `{}/auto` would be right",
                               excerpt(text), text.substr(0, slash)));

  // The search is asked for where a plan would say a size; the plan itself knows only sizes.
  std::string plain = request.text;
  constexpr std::string_view automatic = "segment=auto";
  for (std::size_t at = plain.find(automatic); at != std::string::npos; at = plain.find(automatic))
    plain.replace(at, automatic.size(), "segment=none");
  request.plan = parse_plan(request.collective, plain);
  request.open = open_in(request.plan, request.text);
  return request;
}

std::vector<PlanRequest> parse_plan_requests(std::string_view text) {
  if (!text.ends_with("/all")) return {parse_plan_request(text)};
  std::vector<PlanRequest> requests;
  for (const Algorithm* algorithm : algorithms_of(collective_named(text.substr(0, text.find('/'))))) {
    PlanRequest request = parse_plan_request(fmt::format("{}/{}", name(algorithm->collective), algorithm->id));
    request.one_of_all = true;
    requests.push_back(std::move(request));
  }
  return requests;
}

std::string request_text(const Plan& plan) {
  const std::string text = to_string(plan);
  if (is_mpi_own(plan) || !has_parameters_to_choose(*plan.algorithm)) return text;
  const bool says_nothing = text.find(':') == std::string::npos;
  const char* separator = says_nothing ? ":" : ",";
  if (plan.parameters.segment_bytes == 0 && takes(*plan.algorithm, "segment") &&
      (says_nothing || has_degrees_to_choose(*plan.algorithm)))
    return fmt::format("{}{}segment=none", text, separator);
  return says_nothing ? fmt::format("{}:degree={}", text, default_degree) : text;
}

RequestedPoint completed(const PlacedNetwork& placed, const PlanRequest& plan, const Problem& problem) {
  if (plan.automatic) {
    const Candidate best = choose(placed, problem);
    return {problem, best.plan, plan.text, ReplayTotals{best.seconds, best.messages, best.bytes}};
  }
  const Topology& topology = placed.topology();
  check(plan.plan, topology, problem);
  RequestedPoint point = {problem, choose_parameters(plan.plan, plan.open, placed, problem), plan.text};
  check(point.plan, topology, problem);
  return point;
}

namespace {

Network without_processor_times(Network network) {
  Transport& transport = network.transport;
  transport.send_overhead_s = transport.send_overhead_s_per_byte = 0;
  transport.receive_overhead_s = transport.receive_overhead_s_per_byte = 0;
  transport.reduction_s_per_byte = 0;
  for (Link& link : network.links) link.link_class = -1;
  return network;
}

}  // namespace

double KnownBounds::of(const PlacedNetwork& placed, const Conditions& conditions, Source source,
                       const Problem& problem) {
  const Network& network = placed.network();
  const bool changes = conditions.any() || !network.profiles.empty();
  const bool emulated = source == Source::emulated;
  const Question question{placed.digest(), changes ? nlohmann::json(conditions).dump() : "",
                          emulated,        problem.collective,
                          problem.bytes(), problem.root};
  const std::lock_guard lock(mutex_);
  if (const auto known = seconds_.find(question); known != seconds_.end()) return known->second;
  PlacedNetwork fastest = changes ? placed.with_links_of(fastest_state(network, conditions)) : placed;
  if (emulated) fastest = fastest.with_links_of(without_processor_times(fastest.network()));
  return seconds_.emplace(question, lower_bound(fastest, problem)).first->second;
}

void add_point(RunRequest& request, const PlanRequest& plan, const Problem& problem) {
  request.points.push_back(completed(request.placed, plan, problem));
}

}  // namespace isthmus
