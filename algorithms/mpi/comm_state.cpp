#include "algorithms/mpi/comm_state.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "algorithms/tuning/search.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr std::size_t most_ready = 64;

std::string rank_0_environment(const char* name, MPI_Comm comm) {
  const char* value = std::getenv(name);
  return share_text(value == nullptr ? "" : value, comm);
}

Plan find_plan(MPI_Comm comm) {
  const std::string text = rank_0_environment("ISTHMUS_BROADCAST", comm);
  if (text.empty()) return {&algorithm_named(Collective::broadcast, "multilevel"), {}};
  try {
    return parse_plan(Collective::broadcast, text);
  } catch (const BadInput& error) {
    throw BadInput(std::string("ISTHMUS_BROADCAST: ") + error.what());
  }
}

MPI_Comm duplicate(MPI_Comm of) {
  MPI_Comm comm = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(of, &comm), {.call = "MPI_Comm_dup"});
  check_mpi(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), {.call = "MPI_Comm_set_errhandler"});
  return comm;
}

}  // namespace

CommState::CommState(MPI_Comm comm) : comm_(duplicate(comm)), topology_(Topology::flat(1)) {
  try {
    check_mpi(MPI_Comm_rank(comm_, &rank_), {.call = "MPI_Comm_rank"});
    const std::string file = rank_0_environment("ISTHMUS_NETWORK", comm_);
    if (!file.empty()) placed_ = placed_on_network(file, comm_);
    topology_ = placed_ ? topology_of(placed_->network, placed_->placement) : topology_of_nodes(comm_);
    plan_ = find_plan(comm_);
  } catch (...) {
    MPI_Comm_free(&comm_);
    throw;
  }
}

CommState::~CommState() {
  // Attributes of the predefined communicators are deleted when MPI takes no more calls.
  int finalized = 0;
  if (MPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0) MPI_Comm_free(&comm_);
}

Executor& CommState::broadcast(std::int64_t count, std::int64_t element_bytes, int root) {
  const Key key{count, element_bytes, root};
  if (latest_ < ready_.size() && ready_[latest_].key == key) return *ready_[latest_].executor;
  for (std::size_t i = 0; i < ready_.size(); ++i)
    if (ready_[i].key == key) {
      latest_ = i;
      return *ready_[i].executor;
    }
  return make_ready(key);
}

Executor& CommState::make_ready(const Key& key) {
  const Problem problem{Collective::broadcast, key.count, key.element_bytes, key.root};
  Plan plan = plan_;
  std::int64_t& segment = plan.parameters.segment_bytes;
  if (segment > 0) segment = std::max(segment - segment % key.element_bytes, key.element_bytes);
  check(plan, topology_, problem);
  if (placed_) plan = complete(plan, placed_->network, placed_->placement, problem);
  Program program;
  source(plan, topology_, problem)(rank_, program);
  auto executor = std::make_unique<Executor>(std::move(program), comm_);
  if (ready_.size() < most_ready) {
    ready_.push_back({key, std::move(executor)});
    latest_ = ready_.size() - 1;
  } else {
    latest_ = (latest_ + 1) % most_ready;  // the one before has just been used, this one perhaps long ago
    ready_[latest_] = {key, std::move(executor)};
  }
  return *ready_[latest_].executor;
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
