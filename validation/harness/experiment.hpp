// An experiment: a data file with what is to be run, from which sources, and how far these may differ.
//
//   name           text       a short name without blanks
//   title          text       the question in a few words, head of the report
//   question       text       optional: what is asked, in a sentence or two
//   platforms      [text]     platform files, relative to the experiment's folder
//   algorithms     [text]     COLLECTIVE/PLAN, e.g. `broadcast/kielmann` (its parameters are chosen at every size),
//                             `broadcast/binomial:segment=none`; `broadcast`, the automatic choice; `broadcast/all`
//   sizes          text       `1,64Ki,4Mi`, `1..4Mi` or both mixed; not used for a barrier, which is run at 0 bytes
//   sources        [text]     of hockney, logp, loggp, plogp, replay, smpi, emulated
//   reference      text       optional: the source that errors are relative to; by default the last of `sources`
//   repetitions    number     optional, 1: runs of each point (smpi, emulated); or an object, {"until": 0.02,
//                             "at_most": 100}: until half the 95 % confidence interval of the median is at most 2 %
//                             of the median
//   warm_up        number     optional, 1: repetitions before those that count, under a real MPI
//   ranks_per_host number     optional, 1
//   ranks          [number]   optional, as many as fit: every point is run with each of these numbers of ranks
//   placement      text       optional, `block`: or `cyclic`
//   root           number     optional, 0: of the collectives that have one
//   element_bytes  number     optional, 1
//   substrate      text       optional, `auto`: of the emulated network
//   conditions     text       optional: a file of conditions (emulator/README.md) for the simulated and the emulated
//                             network, relative to the experiment's folder
//   timeout_s      number     optional, 600: for each run of a simulator or an emulator
//   tolerances     [object]   optional: source, against, bytes (`64Ki..4Mi`), percent, algorithms (by default all)
//   timeline       object     optional: algorithm, bytes; the schedule that the report draws
//   table          text       optional, `by_algorithm`: one block of rows an algorithm; or `by_size`: one block a size,
//                             the quickest first, with the plan that was run
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/network/network.hpp"
#include "validation/harness/request.hpp"
#include "validation/records/record.hpp"
#include "validation/text/units.hpp"

namespace isthmus {

/// Two sources may differ by this much: |source / against - 1| <= relative.
struct Tolerance {
  Source source = Source::replay;
  Source against = Source::emulated;
  SizeRange bytes;
  double relative = 0;
  std::vector<std::string> algorithms;  ///< as asked for, `broadcast/magpie`; empty: all

  bool applies_to(const std::string& algorithm, std::int64_t size) const;
};

/// The schedule whose timeline the report draws.
struct TimelineRequest {
  PlanRequest plan;
  std::int64_t bytes = 0;
};

struct Experiment {
  std::string file;
  std::string name, title, question;
  std::vector<std::string> platforms;  ///< paths that can be opened
  std::vector<PlanRequest> plans;
  std::vector<std::int64_t> sizes;
  std::vector<Source> sources;  ///< cheapest first
  Source reference = Source::emulated;
  int repetitions = 1, warm_up = 1;
  double confidence = 0;  ///< see Job
  int ranks_per_host = 1;
  std::vector<int> ranks = {0};  ///< ascending; 0: as many as fit
  PlacementRule placement = PlacementRule::block;
  int root = 0;
  std::int64_t element_bytes = 1;
  EmulationOptions emulation;
  std::vector<Tolerance> tolerances;
  std::optional<TimelineRequest> timeline;
  bool table_by_size = false;

  /// The sizes at which a plan is run.
  std::vector<std::int64_t> sizes_of(const PlanRequest& plan) const;
  Problem problem(const PlanRequest& plan, std::int64_t bytes) const;
};

/// Throws BadInput, one line: `FILE:LINE: /KEY: what is wrong; what would be right`.
Experiment read_experiment(const std::string& file);

}  // namespace isthmus
