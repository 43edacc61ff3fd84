// The harness: runs an experiment, stores its records, and checks its tolerances.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "algorithms/text/note.hpp"
#include "validation/harness/experiment.hpp"
#include "validation/harness/run_and_store.hpp"
#include "validation/records/comparison.hpp"
#include "validation/records/verdict.hpp"

namespace isthmus {

/// One platform of the experiment with one number of ranks in place.
struct Scene {
  std::string platform_file;
  PlacedNetwork placed;
};

struct Outcome {
  std::vector<Scene> scenes;
  std::vector<Record> records;  ///< by platform, source, algorithm, size
  std::vector<Check> checks;
  std::size_t reused = 0;   ///< records that the store held already
  std::vector<Note> notes;  ///< beside what the verdict says
};

/// Runs what the store does not hold yet, storing every record as it comes, so that a run that was interrupted goes on
/// where it stopped. Progress goes to `progress`, as one line that changes when it is a terminal; null: none. Throws
/// what the sources throw, and BadInput when a tolerance applies to no point.
Outcome run_experiment(const Experiment& experiment, Store& store, std::FILE* progress = stderr,
                       const RunSource& run_source = run);

/// How many checks were met, the largest errors, which algorithm is fastest.
ExperimentVerdict verdict(const Experiment& experiment, const Outcome& outcome);

/// Throws Refused, one line that names the points out of tolerance, worst first, when there are any.
void require_tolerances(const Outcome& outcome);

/// For comparison_table(): whether a cell is out of tolerance.
bool is_missed(const Outcome& outcome, const ComparisonRow& row, Source source);

}  // namespace isthmus
