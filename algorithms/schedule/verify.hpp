// Proves a schedule without running it.
//
// What is proved, for a schedule and the contract of its collective:
//   - every operation is well formed: peers are other ranks, lanes exist, slices lie within their buffers, `input` is
//   never written, a copy or reduction does not overwrite a part of what it reads;
//   - every receive is matched by a send of the same count, and no message is left over;
//   - no two operations of a rank that use the same element, one of them writing, can run at the same time or in either
//     order (conflicts.hpp);
//   - nothing gets stuck, even when every send completes only once its receive has been posted (execution.hpp);
//   - no operation reads what has not been defined;
//   - at the end every rank holds what the contract requires, with the operands of every reduction in order.
// Contents are symbols over intervals: the cost depends on the number of slices, not on their length.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "algorithms/schedule/contract.hpp"
#include "algorithms/schedule/dependencies.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// The outcome of a proof.
class Verdict {
 public:
  Verdict() = default;
  explicit Verdict(std::string fault) : fault_(std::move(fault)) {}

  bool ok() const { return fault_.empty(); }
  /// The first fault, in one line that names the rank, the operation (by its index and in words), its peer and its
  /// slice. Empty when there is none.
  const std::string& message() const { return fault_; }

 private:
  std::string fault_;
};

/// Verifies one schedule after another and keeps its memory between them.
class Verifier {
 public:
  Verifier();
  ~Verifier();
  Verifier(Verifier&&) noexcept;
  Verifier& operator=(Verifier&&) noexcept;

  /// With derived dependencies, as all interpreters of schedules use them. Throws std::invalid_argument for a contract
  /// that contradicts itself.
  Verdict verify(const Schedule& schedule, const Contract& contract);
  /// With the given dependencies, one for each rank.
  Verdict verify(const Schedule& schedule, const Contract& contract, std::span<const Dependencies> dependencies);

 private:
  class Proof;
  std::unique_ptr<Proof> proof_;
};

/// Verifies a single schedule.
Verdict verify(const Schedule& schedule, const Contract& contract);

}  // namespace isthmus
