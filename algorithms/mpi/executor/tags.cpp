#include "algorithms/mpi/executor/tags.hpp"

#include "algorithms/mpi/executor/mpi_error.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

int highest_tag() {
  void* value = nullptr;
  int found = 0;
  check_mpi(PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found), {.call = "MPI_Comm_get_attr"});
  constexpr int guaranteed = 32767;  // by the MPI standard
  return found != 0 ? *static_cast<int*>(value) : guaranteed;
}

void TagTurns::hold(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  held_.insert(number);
  any_held_ = true;
}

void TagTurns::release(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  held_.erase(number);
  any_held_ = !held_.empty();
}

bool TagTurns::may_begin(std::uint64_t number) const {
  if (!any_held_) return true;
  const std::lock_guard lock(mutex_);
  return held_.empty() || number < *held_.begin() + turn();
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
