// Decides whether isthmus serves a call of a collective, and runs it. Used by isthmus.h and by the drop-in, which
// differ in the handling of calls that are left to the MPI beneath.
#pragma once

#include <optional>

#include "algorithms/mpi/executor/mpi_error.hpp"
#include "algorithms/mpi/library/collective_call.hpp"
#include "algorithms/mpi/library/comm_attributes.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Why all calls like this one are left to the MPI beneath on their communicator; no value if isthmus may serve them.
inline std::optional<PassThroughReason> pass_through_reason(const CollectiveCall& call,
                                                            const CommAttributes& attributes) {
  if (attributes.failure != MPI_SUCCESS) return PassThroughReason::not_ready;
  if (attributes.intercommunicator()) return PassThroughReason::intercommunicator;
  if (call.among_neighbours && call.neighbours == nullptr) {
    const auto why = attributes.state->left_to_mpi(call);
    return why ? why : PassThroughReason::not_ready;  // without a topology, which the MPI reports
  }
  return attributes.state->left_to_mpi(call);
}

struct DispatchResult {
  int code = MPI_SUCCESS;  ///< already passed to the communicator's error handler
  std::optional<PassThroughReason> passed =
      {};                      ///< the call was not run; its arguments are right as far as they were checked
  CallDecision decision = {};  ///< if isthmus may serve calls like it
};

/// Decides on a call, and calls `run(state, decision)` if isthmus serves it.
template <typename Run>
DispatchResult dispatch(const CollectiveCall& call, const CommAttributes& attributes, Run run) {
  DispatchResult result{.passed = pass_through_reason(call, attributes)};
  if (result.passed) return result;
  result.code = guarded(call.comm, [&] {
    result.decision = attributes.state->decide(call);
    if (result.decision.error != MPI_SUCCESS) return result.decision.error;
    result.passed = result.decision.pass_through_reason;
    if (!result.passed) run(attributes.state, result.decision);
    return MPI_SUCCESS;
  });
  return result;
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
