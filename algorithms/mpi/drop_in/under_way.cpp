#include "algorithms/mpi/drop_in/under_way.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <utility>

#include "algorithms/mpi/drop_in/session.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {
namespace {

// Of Open MPI, from its first version on; its own non-blocking collectives make progress by it.
using ProgressFunction = int (*)();
using Register = int (*)(ProgressFunction);

Register registering(const char* name) { return reinterpret_cast<Register>(dlsym(RTLD_DEFAULT, name)); }

int progress_of_session() {
  Session* const here = session();
  if (here != nullptr) here->under_way.progress();
  return 0;
}

bool register_progress() {
  const Register add = registering("opal_progress_register");
  return add != nullptr && registering("opal_progress_unregister") != nullptr && add(progress_of_session) == 0;
}

}  // namespace

UnderWay::~UnderWay() {
  if (in_flight_ != nullptr) registering("opal_progress_unregister")(progress_of_session);
}

bool UnderWay::possible() {
  static const bool there = registering("opal_progress_register") != nullptr;
  return there;
}

int UnderWay::query(void* started, MPI_Status* status) {
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return static_cast<const Started*>(started)->code;
}

int UnderWay::free(void* started) {
  delete static_cast<Started*>(started);
  return MPI_SUCCESS;
}

int UnderWay::cancel(void*, int) { return MPI_ERR_REQUEST; }

MPI_Request UnderWay::start(const std::shared_ptr<CommState>& state, const CollectiveCall& call, const Answer& answer,
                            std::function<void()> ended) {
  auto made = std::make_unique<Started>();
  made->ended = std::move(ended);
  const std::lock_guard lock(mutex_);
  if (in_flight_ == nullptr && register_progress()) in_flight_ = state->in_flight();
  made->request = std::make_unique<Request>(state, call, answer, Request::Kind::once);
  check_mpi(PMPI_Grequest_start(query, free, cancel, made.get(), &made->handle), {.call = "MPI_Grequest_start"});
  const MPI_Request handle = made->handle;
  started_.push_back(made.release());
  return handle;
}

bool UnderWay::empty() {
  const std::lock_guard lock(mutex_);
  return started_.empty();
}

void UnderWay::progress() {
  // The MPI beneath calls this while it serves any call, those made from here among them.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || busy_ || started_.empty()) return;
  busy_ = true;
  in_flight_->progress();
  for (std::size_t i = 0; i < started_.size();) {
    Started& each = *started_[i];
    if (each.request->active()) {
      ++i;
      continue;
    }
    try {
      each.request->wait();
    } catch (...) {
      each.code = code_of_current_exception();
    }
    each.request.reset();
    each.ended();
    started_.erase(started_.begin() + static_cast<std::ptrdiff_t>(i));
    PMPI_Grequest_complete(each.handle);
  }
  if (started_.empty())
    for (const auto& work : std::exchange(put_off_, {})) work();
  busy_ = false;
}

void UnderWay::when_none_is_under_way(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  if (started_.empty())
    work();
  else
    put_off_.push_back(std::move(work));
}

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
