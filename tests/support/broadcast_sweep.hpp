// Proving broadcast plans over many sizes, roots, counts, segments and groupings.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/collective/contract.hpp"
#include "algorithms/schedule/verify.hpp"
#include "tests/support/catalog_plans.hpp"
#include "tests/support/groupings.hpp"

namespace isthmus::tests {

inline constexpr std::int64_t sweep_counts[] = {0, 1, 7, 1000};

/// Segments in elements: none, one, a few, more than the message has; for long messages, primes that leave a remainder.
inline std::vector<std::int64_t> segments_of(const Algorithm& algorithm, std::int64_t count) {
  if (!takes(algorithm, "segment")) return {0};
  if (count > 7) return {0, 17, 331};
  return {0, 1, 3, 11};
}

struct Sweep {
  std::int64_t proofs = 0;
  std::string failure;  ///< of the first that failed; empty when all is proved
  Verifier verifier;    ///< keeps its memory from proof to proof
};

/// Proves a plan for one grouping and the given roots, all counts and segments.
inline void prove(const std::string& plan_text, const Grouping& grouping, std::span<const int> roots, Sweep& sweep) {
  constexpr std::int64_t element_bytes = 4;
  const int size = grouping.topology.size();
  Plan plan = parse_plan(Collective::broadcast, plan_text);
  Schedule schedule(size);
  for (const int root : roots) {
    for (const std::int64_t count : sweep_counts) {
      const Problem problem{.count = count, .element_bytes = element_bytes, .root = root};
      const Contract contract = contract_of(problem, size);
      for (const std::int64_t segment : segments_of(*plan.algorithm, count)) {
        plan.parameters.segment_bytes = segment * element_bytes;
        check(plan, grouping.topology, problem);
        const ProgramSource write = source(plan, grouping.topology, problem);
        for (int rank = 0; rank < size; ++rank) {
          schedule[rank].clear();
          write(rank, schedule[rank]);
        }
        const Verdict verdict = sweep.verifier.verify(schedule, contract);
        if (!verdict.ok()) {
          sweep.failure = fmt::format("{} on {} of {}, root {}, {} elements: {}", to_string(plan), grouping.name, size,
                                      root, count, verdict.message());
          return;
        }
        ++sweep.proofs;
      }
    }
  }
}

inline std::vector<int> all_roots(int size) {
  std::vector<int> roots(size);
  for (int rank = 0; rank < size; ++rank) roots[rank] = rank;
  return roots;
}

/// Proves a plan for all roots of the given sizes; one that uses groups in every grouping, others in a flat one.
inline Sweep prove_all(const std::string& plan, std::span<const int> sizes) {
  Sweep sweep;
  const bool uses_groups = parse_plan(Collective::broadcast, plan).algorithm->uses_groups;
  for (const int size : sizes) {
    if (!uses_groups) prove(plan, {"flat", Topology::flat(size)}, all_roots(size), sweep);
    if (uses_groups)
      for (const Grouping& grouping : groupings(size))
        if (sweep.failure.empty()) prove(plan, grouping, all_roots(size), sweep);
    if (!sweep.failure.empty()) break;
  }
  return sweep;
}

/// 1 to 33, and 64.
inline std::vector<int> full_sweep_sizes() {
  std::vector<int> sizes;
  for (int size = 1; size <= 33; ++size) sizes.push_back(size);
  sizes.push_back(64);
  return sizes;
}

}  // namespace isthmus::tests
