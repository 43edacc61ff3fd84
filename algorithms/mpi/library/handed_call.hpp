// A call of which one level is handed to the MPI's own collective (collective/handed_over.hpp): the ranks of a group
// make one call among themselves, before the coordinators exchange messages, after it, or both.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "algorithms/collective/handed_over.hpp"
#include "algorithms/mpi/executor/executor.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// The communicators of this rank's groups, made when first needed and kept.
class GroupComms {
 public:
  GroupComms() = default;
  ~GroupComms();
  GroupComms(const GroupComms&) = delete;
  GroupComms& operator=(const GroupComms&) = delete;

  /// Collective over `of`, whose ranks are those of the groups; MPI_COMM_NULL for a rank alone. Throws MpiError.
  MPI_Comm of_group(const HandedOver& over, const Plan& plan, MPI_Comm of);

 private:
  std::map<std::pair<int, int>, MPI_Comm> comms_;  // by level, and number of levels that count as one
};

class HandedCall {
 public:
  /// `count` elements, as in the problem. Throws MpiError.
  HandedCall(HandedOver over, const Plan& plan, std::int64_t count, MPI_Comm comm);

  /// Blocking. `between` runs the messages between coordinators. Other calls in progress advance during these, and
  /// during the MPI's own where its progress engine advances them. Throws MpiError.
  using RunBetween = std::function<void(Executor& executor, const Arguments& arguments)>;
  void run(const Arguments& arguments, GroupComms& comms, const RunBetween& between);

 private:
  void reduce_inside(const Arguments& arguments, void* sum, MPI_Comm inside) const;
  void broadcast_inside(const Arguments& arguments, MPI_Comm inside) const;

  HandedOver over_;
  Plan plan_;
  Collective collective_;
  std::int64_t count_;
  MPI_Comm comm_;
  int rank_ = 0;
  bool speaks_ = false;  // is the coordinator of its group
  Executor between_;
  ElementBuffer sum_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
