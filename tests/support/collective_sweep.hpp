// Proving the plans of any collective over many sizes, groupings, roots, counts, segments and kinds of operators.
#pragma once

#include <fmt/format.h>

#include <cctype>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/collective/contract.hpp"
#include "algorithms/schedule/verify.hpp"
#include "tests/support/groupings.hpp"

namespace isthmus::tests {

/// How far a sweep goes. Counts are of each block, in elements; 0 and primes are among them.
struct SweepRange {
  std::vector<int> sizes;
  std::vector<std::int64_t> counts{0, 1, 7, 97};
  bool all_roots = false;  ///< else first, middle and last
};

/// The range of the normal, quick test run.
inline SweepRange quick_range() { return {{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 33}, {0, 1, 7, 97}, false}; }
/// 1 to 17, 24 and 33 ranks.
inline SweepRange full_range() {
  SweepRange range;
  for (int size = 1; size <= 17; ++size) range.sizes.push_back(size);
  range.sizes.insert(range.sizes.end(), {24, 33});
  return range;
}

struct CollectiveSweep {
  std::int64_t proofs = 0;
  std::int64_t proofs_in_order = 0;  ///< those of operators that do not commute
  std::string failure;               ///< of the first that failed; empty when all is proved
  Verifier verifier;                 ///< keeps its memory from proof to proof
  Schedule schedule;
};

inline std::vector<int> sweep_roots(Collective collective, int size, bool all) {
  std::vector<int> roots{0};
  if (!has_root(collective)) return roots;
  if (all) {
    for (int root = 1; root < size; ++root) roots.push_back(root);
    return roots;
  }
  if (size > 2) roots.push_back(size / 2);
  if (size > 1) roots.push_back(size - 1);
  return roots;
}

/// Uneven blocks around `count`, some of them empty; with 0, all are.
inline std::vector<std::int64_t> uneven_counts(Collective collective, int size, std::int64_t count) {
  const bool pairs = collective == Collective::alltoallv || collective == Collective::alltoallw;
  std::vector<std::int64_t> counts;
  for (int i = 0; i < (pairs ? size * size : size); ++i)
    counts.push_back(count * ((i * 5 + 3) % 4) + (count > 0 ? i % 2 : 0));
  return counts;
}

/// The problems of one collective, shape and root: with equal and with uneven blocks, with operators of both kinds.
inline std::vector<Problem> sweep_problems(Collective collective, int size, std::int64_t count, int root) {
  std::vector<Problem> problems{{collective, count, 4, root}};
  if (has_counts(collective)) {
    problems.push_back(problems.front());
    problems.back().counts = uneven_counts(collective, size, count);
  }
  if (!has_operator(collective)) return problems;
  const std::size_t shapes = problems.size();
  for (std::size_t i = 0; i < shapes; ++i) {
    problems.push_back(problems[i]);
    problems.back().commutative = false;
  }
  return problems;
}

/// Proves one plan for one problem; false where it failed.
inline bool prove(const Plan& plan, const Grouping& grouping, const Problem& problem, CollectiveSweep& sweep) {
  const int size = grouping.topology.size();
  check(plan, grouping.topology, problem);
  const ProgramSource write = source(plan, grouping.topology, problem);
  sweep.schedule.resize(size);
  for (int rank = 0; rank < size; ++rank) {
    sweep.schedule[rank].clear();
    write(rank, sweep.schedule[rank]);
  }
  const Verdict verdict = sweep.verifier.verify(sweep.schedule, contract_of(problem, size));
  if (verdict.ok()) {
    ++sweep.proofs;
    sweep.proofs_in_order += problem.commutative ? 0 : 1;
    return true;
  }
  sweep.failure =
      fmt::format("{}/{} on {} of {}, root {}, {} elements{}{}: {}", name(problem.collective), to_string(plan),
                  grouping.name, size, problem.root, problem.count, problem.counts.empty() ? "" : " in uneven blocks",
                  problem.commutative ? "" : " and an operator that does not commute", verdict.message());
  return false;
}

/// Proves a plan for every root, count, segment and operator of a range in one grouping. What its algorithm does not
/// serve is left out.
inline void prove(Plan plan, const Grouping& grouping, const SweepRange& range, CollectiveSweep& sweep) {
  const Collective collective = plan.algorithm->collective;
  const int size = grouping.topology.size();
  const std::vector<std::int64_t> counts = carries_data(collective) ? range.counts : std::vector<std::int64_t>{0};
  const bool segmented = takes(*plan.algorithm, "segment");
  for (const std::int64_t count : counts) {
    for (const int root : sweep_roots(collective, size, range.all_roots)) {
      for (const Problem& problem : sweep_problems(collective, size, count, root)) {
        if (!serves(plan, grouping.topology, problem)) continue;
        for (const std::int64_t segment :
             segmented ? std::vector<std::int64_t>{0, 3, 41} : std::vector<std::int64_t>{0}) {
          if (segment > 0 && segment >= 2 * count) continue;  // the same as unsegmented
          plan.parameters.segment_bytes = segment * problem.element_bytes;
          if (!prove(plan, grouping, problem, sweep)) return;
        }
      }
    }
  }
}

/// Proves a plan over a range, in every grouping when its algorithm uses groups, else in a flat one.
inline CollectiveSweep prove_all(Collective collective, std::string_view plan_text, const SweepRange& range) {
  CollectiveSweep sweep;
  const Plan plan = parse_plan(collective, plan_text);
  for (const int size : range.sizes) {
    if (!plan.algorithm->uses_groups) prove(plan, {"flat", Topology::flat(size)}, range, sweep);
    if (plan.algorithm->uses_groups)
      for (const Grouping& grouping : groupings(size))
        if (sweep.failure.empty()) prove(plan, grouping, range, sweep);
    if (!sweep.failure.empty()) break;
  }
  return sweep;
}

/// `k-chain:degree=3` as the name of a test.
inline std::string test_name(std::string name) {
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

}  // namespace isthmus::tests
