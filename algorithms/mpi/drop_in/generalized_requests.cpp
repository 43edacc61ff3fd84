#include "algorithms/mpi/drop_in/generalized_requests.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <new>
#include <utility>

#include "algorithms/mpi/drop_in/session.hpp"
#include "algorithms/mpi/executor/mpi_error.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {
namespace {

// A function of Open MPI, in all versions; its own non-blocking collectives make progress by it.
using ProgressFunction = int (*)();
using Register = int (*)(ProgressFunction);

Register registering(const char* name) { return reinterpret_cast<Register>(dlsym(RTLD_DEFAULT, name)); }

// Returns the number of completed events to the MPI beneath. If it were 0 Open MPI would count as idle and yield the
// processor before it tests its own request, which may have ended here, and before it calls this again.
int progress_of_session() {
  Session* const here = session();
  if (here == nullptr) return 0;
  int events = 0;
  contained(MPI_COMM_WORLD, [&] {
    events = here->generalized_requests.progress();
    return MPI_SUCCESS;
  });
  return events;
}

bool register_progress() {
  const Register add = registering("opal_progress_register");
  return add != nullptr && registering("opal_progress_unregister") != nullptr && add(progress_of_session) == 0;
}

}  // namespace

GeneralizedRequests::~GeneralizedRequests() {
  if (in_flight_ != nullptr) registering("opal_progress_unregister")(progress_of_session);
}

bool GeneralizedRequests::possible() {
  static const bool there = registering("opal_progress_register") != nullptr;
  return there;
}

int GeneralizedRequests::query(void* started, MPI_Status* status) {
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return static_cast<const Started*>(started)->code;
}

int GeneralizedRequests::free(void* started) {
  delete static_cast<Started*>(started);
  return MPI_SUCCESS;
}

int GeneralizedRequests::cancel(void*, int) { return MPI_ERR_REQUEST; }

MPI_Request GeneralizedRequests::start(const std::shared_ptr<CommState>& state, const CollectiveCall& call,
                                       const CallDecision& decision, std::function<void()> ended) {
  auto made = std::make_unique<Started>();
  made->ended = std::move(ended);
  const std::lock_guard lock(mutex_);
  if (in_flight_ == nullptr && register_progress()) in_flight_ = state->in_flight();
  made->number = calls_++;
  if (started_.size() == started_.capacity()) started_.reserve(2 * started_.size() + 16);  // before the call begins
  made->request = std::make_unique<Request>(state, call, decision, Request::Kind::once);
  check_mpi(PMPI_Grequest_start(query, free, cancel, made.get(), &made->handle), {.call = "MPI_Grequest_start"});
  const MPI_Request handle = made->handle;
  started_.push_back(made.release());
  return handle;
}

template <typename Needs>
bool GeneralizedRequests::any(Needs needs) {
  const std::lock_guard lock(mutex_);
  return std::any_of(started_.begin(), started_.end(),
                     [&](const Started* each) { return each->request != nullptr && needs(*each->request); });
}

bool GeneralizedRequests::need_op(MPI_Op op) {
  return any([&](const Request& request) { return request.reduces_with(op); });
}

bool GeneralizedRequests::need_type(MPI_Datatype datatype) {
  return any([&](const Request& request) { return request.reduces_elements_of(datatype); });
}

int GeneralizedRequests::progress() {
  // The MPI beneath may call this during any MPI call, including calls made from here.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || busy_ || started_.empty()) return 0;
  struct Busy {
    explicit Busy(bool& now) : is(now) { is = true; }
    ~Busy() { is = false; }
    bool& is;
  } const busy(busy_);
  const int came = in_flight_->progress_within_mpi();
  int ended = 0;
  if (const std::uint64_t by_now = in_flight_->ended(); by_now != ended_in_flight_) {
    ended_in_flight_ = by_now;
    ended = end_those_done();
    if (ended > 0) do_what_was_put_off();
  }
  return came + ended;
}

int GeneralizedRequests::end_those_done() {
  std::size_t left = 0;
  for (Started* const each : started_) {
    if (each->request->active()) {
      started_[left++] = each;
      continue;
    }
    try {
      each->request->wait();
    } catch (...) {
      each->code = code_of_current_exception();
    }
    each->request.reset();
    try {
      each->ended();
    } catch (const std::bad_alloc&) {
      // The report does not count it.
    }
    PMPI_Grequest_complete(each->handle);  // a thread that waits for it may free it at once
  }
  const int ended = static_cast<int>(started_.size() - left);
  started_.resize(left);
  return ended;
}

void GeneralizedRequests::do_what_was_put_off() {
  const std::uint64_t oldest = started_.empty() ? calls_ : started_.front()->number;
  for (; !put_off_.empty() && put_off_.front().number <= oldest; put_off_.pop_front()) put_off_.front().work();
}

void GeneralizedRequests::when_these_have_ended(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  if (started_.empty())
    work();
  else
    put_off_.push_back({calls_, std::move(work)});
}

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
