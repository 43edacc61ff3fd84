#include "algorithms/tuning/packed_plans.hpp"

#include <algorithm>

#include "algorithms/synthesis/synthesis.hpp"

namespace isthmus {

bool PackedPlans::worth_a_search(std::size_t max_sites) const {
  const Group& everybody = placed_.topology().group(0);
  return !everybody.children.empty() && everybody.members.size() > 1 && everybody.members.size() <= max_sites;
}

const SiteNetwork& PackedPlans::sites() const {
  if (!sites_) sites_.emplace(placed_);
  return *sites_;
}

Synthesis PackedPlans::with_piece(const Problem& problem) const {
  constexpr int many_sites = 6;
  if (problem.collective != Collective::allreduce || sites().size() <= many_sites)
    return synthesise_with_piece(sites(), problem);
  // Pairs of trees of all roots take long to pack; the pieces of a broadcast are as good for them.
  Problem like = problem;
  like.collective = Collective::broadcast;
  return synthesise(sites(), problem, synthesise_with_piece(sites(), like).piece_bytes);
}

Choice PackedPlans::completed(const Plan& plan, const Problem& problem, bool segment_open) const {
  Choice choice{plan, -1};
  Parameters& parameters = choice.plan.parameters;
  if (!parameters.packing.empty()) return choice;
  const std::int64_t whole_bytes = std::max<std::int64_t>(problem.bytes(), 1);
  const Synthesis made =
      segment_open
          ? with_piece(problem)
          : synthesise(sites(), problem, parameters.segment_bytes > 0 ? parameters.segment_bytes : whole_bytes);
  parameters.packing = made.packing;
  if (segment_open) {
    // One piece is written as 0, unsegmented, which is also right for an empty message.
    const std::int64_t elements = (made.piece_bytes + problem.element_bytes - 1) / problem.element_bytes;
    parameters.segment_bytes =
        elements * problem.element_bytes < problem.bytes() ? elements * problem.element_bytes : 0;
  }
  choice.seconds = made.seconds;
  return choice;
}

}  // namespace isthmus
