#include "algorithms/tuning/decision_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"

namespace isthmus {

using nlohmann::json;

std::string digest_of(const Topology& topology) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&](std::int64_t value) {
    for (int byte = 0; byte < 8; ++byte) {
      hash ^= static_cast<std::uint64_t>(value >> (8 * byte)) & 0xffU;
      hash *= 0x100000001b3U;
    }
  };
  for (const Group& group : topology.groups()) {
    add(group.level);
    for (const int rank : group.ranks) add(rank);
  }
  return fmt::format("{:016x}", hash);
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

DecisionTable decision_table_from_json(const json& value, const Topology& topology) {
  DecisionTable table;
  try {
    table.platform = value.at("platform").get<std::string>();
    table.topology = value.at("topology").get<std::string>();
    table.ranks = static_cast<int>(whole_number(value.at("ranks"), 1, INT32_MAX));
    for (const json& one : value.at("decisions")) {
      Decision& decision = table.decisions.emplace_back();
      decision.collective = collective_named(one.at("collective").get<std::string>());
      decision.root = static_cast<int>(whole_number(one.at("root"), 0, table.ranks - 1));
      decision.bytes = whole_number(one.at("bytes"), 0, INT64_MAX);
      decision.by = one.at("by").get<std::string>();
      for (const json& plan : one.at("plans")) {
        decision.candidates.push_back({parse_plan(decision.collective, plan.at("plan").get<std::string>()),
                                       plan.at("seconds").get<double>(), plan.value("messages", std::int64_t{0})});
      }
      if (decision.candidates.empty()) throw BadInput("a decision without plans; one at least is needed");
    }
  } catch (const json::exception& error) {
    throw BadInput(fmt::format("decision table: {}", error.what()));
  } catch (const BadInput& error) {
    throw BadInput(fmt::format("decision table: {}", error.what()));
  }
  if (table.topology != digest_of(topology)) {
    throw Refused(
        fmt::format("the decision table is for another topology ({} ranks of {}, digest {}; here are {} ranks, "
                    "digest {}); `isthmus tune` makes one for this",
                    table.ranks, table.platform, table.topology, topology.size(), digest_of(topology)));
  }
  return table;
}

DecisionTable read_decision_table(const std::string& file, const Topology& topology) {
  const json value = read_json(file, "a decision table is needed");
  try {
    return decision_table_from_json(value, topology);
  } catch (const BadInput& error) {
    throw BadInput(fmt::format("{}: {}", file, error.what()));
  } catch (const Refused& error) {
    throw Refused(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace isthmus
