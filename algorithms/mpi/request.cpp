#include "algorithms/mpi/request.hpp"

#include <algorithm>
#include <utility>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

bool is_predefined(MPI_Datatype datatype) {
  int integers = 0;
  int addresses = 0;
  int datatypes = 0;
  int combiner = 0;
  check_mpi(PMPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &combiner),
            {.call = "MPI_Type_get_envelope"});
  return combiner == MPI_COMBINER_NAMED;
}

}  // namespace

InFlight::InFlight() {
  int level = MPI_THREAD_SINGLE;
  check_mpi(PMPI_Query_thread(&level), {.call = "MPI_Query_thread"});
  many_threads_ = level == MPI_THREAD_MULTIPLE;
}

void InFlight::progress() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || busy_) return;
  const Busy busy(*this);
  // A call that ends leaves the list: what is behind it moves up.
  for (std::size_t i = 0; i < requests_.size();)
    if (Request& request = *requests_[i]; !request.progress()) ++i;
}

int InFlight::wait(MPI_Request& request) {
  while (!empty()) {
    int done = 0;
    if (const int code = PMPI_Test(&request, &done, MPI_STATUS_IGNORE); code != MPI_SUCCESS || done != 0) return code;
    progress();
  }
  return PMPI_Wait(&request, MPI_STATUS_IGNORE);
}

void InFlight::add(Request* request) {
  requests_.push_back(request);
  ++size_;
}

void InFlight::remove(Request* request) { size_ -= static_cast<int>(std::erase(requests_, request)); }

// Goes on with the program: to its end where the step says so, or throws, which is kept.
template <typename Step>
bool Request::advance(Step step) {
  try {
    if (!step()) return false;
    buffers_->deliver();
  } catch (...) {
    failure_ = std::current_exception();
  }
  end();
  return true;
}

Request::Request(std::shared_ptr<CommState> state, const CollectiveCall& call, const Answer& answer, Kind kind)
    : state_(std::move(state)), in_flight_(state_->in_flight()), call_(call), kind_(kind) {
  if (!answer.unserved) {
    executor_ = state_->new_executor(answer);
    first_tag_ = kind == Kind::persistent ? state_->take_tags() : answer.first_tag;
    keep_datatypes();
  }
  if (kind == Kind::once) start();
}

Request::Request(std::shared_ptr<InFlight> in_flight, const CollectiveCall& call, Kind kind)
    : in_flight_(std::move(in_flight)), call_(call), kind_(kind) {
  if (kind == Kind::once) start();
}

Request::~Request() {
  try {
    finish();
  } catch (...) {
    end();
  }
  for (MPI_Datatype& datatype : kept_) PMPI_Type_free(&datatype);
}

// The datatypes that are needed after the call has been started.
void Request::keep_datatypes() {
  if (has_operator(call_.collective) || call_.collective == Collective::barrier) return;
  const auto kept = [&](MPI_Datatype datatype) {
    if (datatype == MPI_DATATYPE_NULL || is_predefined(datatype)) return datatype;
    MPI_Datatype same = MPI_DATATYPE_NULL;  // as MPI_Type_dup makes it, but without what is attached to the other
    if (ElementType(datatype, -1).is_plain()) {
      check_mpi(PMPI_Type_contiguous(1, datatype, &same), {.call = "MPI_Type_contiguous"});
    } else {
      MPI_Aint lower = 0;
      MPI_Aint extent = 0;
      check_mpi(PMPI_Type_get_extent(datatype, &lower, &extent), {.call = "MPI_Type_get_extent"});
      check_mpi(PMPI_Type_create_resized(datatype, lower, extent, &same), {.call = "MPI_Type_create_resized"});
    }
    kept_.push_back(same);
    check_mpi(PMPI_Type_commit(&kept_.back()), {.call = "MPI_Type_commit"});
    return kept_.back();
  };
  const auto keep = [&](CallSide& side, std::vector<MPI_Datatype>& datatypes) {
    if (side.datatypes == nullptr) {
      side.datatype = kept(side.datatype);
      return;
    }
    for (int rank = 0; rank < state_->size(); ++rank) datatypes.push_back(kept(side.datatypes[rank]));
    side.datatypes = datatypes.data();
  };
  const int rank = state_->rank();
  if (send_matters(call_, rank)) keep(call_.send, send_types_);
  if (receive_matters(call_, rank)) keep(call_.receive, receive_types_);
}

void Request::start() {
  if (executor_ == nullptr) {
    check_mpi(call_mpi(call_, &beneath_), {.call = "the MPI's own collective"});
    active_ = true;
    return;
  }
  buffers_.emplace(call_, state_->rank(), state_->size(), staging_);
  buffers_->bring();
  const std::lock_guard lock(in_flight_->mutex_);
  const InFlight::Busy busy(*in_flight_);
  active_ = true;
  in_flight_->add(this);
  try {
    executor_->start(buffers_->arguments(first_tag_));
  } catch (...) {
    end();
    throw;
  }
}

bool Request::test() {
  if (!active_) return true;
  in_flight_->progress();
  if (executor_ == nullptr) {
    int done = 0;
    const int code = PMPI_Test(&beneath_, &done, MPI_STATUS_IGNORE);
    active_ = done == 0 && code == MPI_SUCCESS;
    check_mpi(code, {.call = "MPI_Test"});
    return !active_;
  }
  throw_failure();
  return !active_;
}

void Request::wait() {
  finish();
  throw_failure();
}

void Request::finish() {
  if (!active_) return;
  if (executor_ == nullptr) {
    active_ = false;
    check_mpi(in_flight_->wait(beneath_), {.call = "the MPI's own collective"});
    return;
  }
  while (active_) {
    // Alone it may sleep until something comes.
    if (!in_flight_->many_threads_ && in_flight_->size_ == 1) {
      const InFlight::Busy busy(*in_flight_);
      advance([&] {
        executor_->finish();
        return true;
      });
    } else {
      in_flight_->progress();
    }
  }
}

bool Request::progress() {
  return advance([&] { return executor_->progress(); });
}

void Request::end() {
  if (active_ && executor_ != nullptr) in_flight_->remove(this);
  active_ = false;
}

void Request::throw_failure() {
  if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
