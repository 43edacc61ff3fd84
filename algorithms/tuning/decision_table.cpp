#include "algorithms/tuning/decision_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/json/json_reader.hpp"
#include "algorithms/text/digest.hpp"

namespace isthmus {

using nlohmann::json;

std::string digest_of(const Topology& topology) {
  Digest digest;
  for (const Group& group : topology.groups()) {
    digest.add(group.level);
    for (const int rank : group.ranks) digest.add(rank);
  }
  return digest.text();
}

const Decision* decision_for(const DecisionTable& table, Collective collective, int root, std::int64_t bytes) {
  int of_root = -1;
  for (const Decision& decision : table.decisions) {
    if (decision.collective != collective) continue;
    if (decision.root == root) of_root = root;
    if (of_root != root && (of_root < 0 || decision.root < of_root)) of_root = decision.root;
  }
  const Decision* nearest = nullptr;
  double least = 0;
  for (const Decision& decision : table.decisions) {
    if (decision.collective != collective || decision.root != of_root) continue;
    const double apart =
        std::abs(std::log2(static_cast<double>(decision.bytes) + 1) - std::log2(static_cast<double>(bytes) + 1));
    if (nearest != nullptr && apart >= least) continue;
    nearest = &decision;
    least = apart;
  }
  return nearest;
}

json to_json(const DecisionTable& table) {
  json decisions = json::array();
  for (const Decision& decision : table.decisions) {
    json candidates = json::array();
    for (const Candidate& one : decision.candidates) {
      candidates.push_back({{"plan", to_string(one.plan)}, {"seconds", one.seconds}, {"messages", one.messages}});
    }
    decisions.push_back({{"collective", name(decision.collective)},
                         {"root", decision.root},
                         {"bytes", decision.bytes},
                         {"by", decision.by},
                         {"plans", std::move(candidates)}});
  }
  return {{"platform", table.platform},
          {"topology", table.topology},
          {"ranks", table.ranks},
          {"decisions", std::move(decisions)}};
}

namespace {

DecisionTable table_from(const JsonReader& value, const Topology& topology) {
  if (value.has("hosts") && !value.has("decisions"))
    value.fail("is a network and no decision table; a file that `isthmus tune ... -o FILE` writes would be right");
  DecisionTable table;
  table.platform = value.at("platform").text();
  table.topology = value.at("topology").text();
  table.ranks = static_cast<int>(value.at("ranks").integer(1, INT32_MAX));
  for (const JsonReader& one : value.at("decisions").elements()) {
    Decision& decision = table.decisions.emplace_back();
    decision.collective = one.at("collective").name_as(collective_named);
    decision.root = static_cast<int>(one.at("root").integer(0, table.ranks - 1));
    decision.bytes = one.at("bytes").integer(0, INT64_MAX);
    decision.by = one.at("by").text();
    for (const JsonReader& plan : one.at("plans").elements(1, "a list with at least one plan")) {
      const auto parse = [&](const std::string& text) { return parse_plan(decision.collective, text); };
      decision.candidates.push_back(
          {plan.at("plan").name_as(parse), plan.at("seconds").number(), plan.integer_or("messages", 0, 0, INT64_MAX)});
    }
  }
  if (table.topology != digest_of(topology)) {
    throw Refused(
        fmt::format("the decision table is for another topology ({} ranks of {}, digest {}; here are {} ranks, "
                    "digest {}); `isthmus tune` makes one for this",
                    table.ranks, table.platform, table.topology, topology.size(), digest_of(topology)));
  }
  return table;
}

}  // namespace

DecisionTable decision_table_from_json(const json& value, const Topology& topology) {
  return table_from(JsonReader(value, "decision table"), topology);
}

DecisionTable read_decision_table(const std::string& file, const Topology& topology) {
  const JsonDocument document = JsonDocument::of_file(file, "a decision table would be right");
  try {
    return table_from(document.whole(), topology);
  } catch (const Refused& error) {
    throw Refused(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace isthmus
