// isthmus tune: a decision table for a placed network, by model, by simulation, by measurement, or refined.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/tuning/decision_table.hpp"
#include "validation/harness/request.hpp"
#include "validation/records/record.hpp"

namespace isthmus {

struct TuneRequest {
  RunRequest run;  ///< network, placement, substrate ...; its points are not read
  std::vector<Collective> collectives = {};
  std::vector<std::int64_t> sizes = {};
  std::vector<int> roots{0};
  std::int64_t effort_messages = default_effort_messages;  ///< replayed for a decision, see candidates()
  Source by = Source::replay;                              ///< replay: the model alone; smpi or emulated: what it says
  /// Measured are the plans that the model puts within this of its best, relative; negative: all that it tried.
  double close = 0.25;
  int max_plans = 8;    ///< measured for a size, at most
  double budget_s = 0;  ///< of real time for measuring; 0: none. What is left then stays by model.
  std::function<void(const std::string&)> progress = {};
};

struct Tuned {
  DecisionTable table;
  /// For each decision that was measured: time of the model's choice over the best, both measured, minus one; else 0.
  std::vector<double> regret;
  int measured = 0;  ///< decisions
};

/// Candidates by model come from candidates(); refined means: those that lie close, measured. Throws as run() does.
Tuned tune(const TuneRequest& request);

}  // namespace isthmus
