// Whether isthmus serves a call of a collective, and how it is carried out then: one way for isthmus.h and for the
// drop-in, which differ in what they do with a call that is left to the MPI beneath.
#pragma once

#include <optional>

#include "algorithms/mpi/executor/mpi_error.hpp"
#include "algorithms/mpi/library/collective_call.hpp"
#include "algorithms/mpi/library/comm_attributes.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Why all calls like this one are left to the MPI beneath on their communicator; none where isthmus may serve it.
inline std::optional<PassThroughReason> pass_through_reason(const CollectiveCall& call,
                                                            const CommAttributes& attributes) {
  if (attributes.failure != MPI_SUCCESS) return PassThroughReason::not_ready;
  if (attributes.intercommunicator()) return PassThroughReason::intercommunicator;
  return attributes.state->left_to_mpi(call);
}

struct DispatchResult {
  int code = MPI_SUCCESS;                        ///< the communicator's error handler has heard of it
  std::optional<PassThroughReason> passed = {};  ///< the call was not carried out, and is right as far as is known
  CallDecision decision = {};                    ///< where isthmus may serve calls like it
};

/// Decides on a call, and has `run(state, decision)` carry it out where isthmus serves it.
template <typename Run>
DispatchResult dispatch(const CollectiveCall& call, const CommAttributes& attributes, Run run) {
  DispatchResult result{.passed = pass_through_reason(call, attributes)};
  if (result.passed) return result;
  result.code = guarded(call.comm, [&] {
    result.decision = attributes.state->answer(call);
    if (result.decision.error != MPI_SUCCESS) return result.decision.error;
    result.passed = result.decision.pass_through_reason;
    if (!result.passed) run(attributes.state, result.decision);
    return MPI_SUCCESS;
  });
  return result;
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
