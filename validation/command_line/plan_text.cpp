#include "validation/command_line/plan_text.hpp"

namespace isthmus::command_line {

std::vector<PlanText> plans_named(const std::string& text) {
  std::vector<PlanText> plans;
  if (text.empty()) {
    for (const Algorithm& algorithm : algorithms()) plans.push_back({{&algorithm, {}}, false});
    return plans;
  }
  const std::size_t slash = text.find('/');
  const Collective collective = collective_named(text.substr(0, slash));
  if (slash == std::string::npos) {
    for (const Algorithm* algorithm : algorithms_of(collective)) plans.push_back({{algorithm, {}}, false});
    return plans;
  }
  const std::string algorithm = text.substr(slash + 1);
  plans.push_back({parse_plan(collective, algorithm), algorithm.find("segment=") != std::string::npos});
  return plans;
}

}  // namespace isthmus::command_line
