#include "algorithms/mpi/library/request.hpp"

#include <algorithm>
#include <utility>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr std::size_t calls_at_a_time = 256;

MPI_Request ended_request() {
  const auto query = [](void*, MPI_Status* status) -> int {
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    return PMPI_Status_set_cancelled(status, 0);
  };
  const auto free = [](void*) -> int { return MPI_SUCCESS; };
  const auto cancel = [](void*, int) -> int { return MPI_SUCCESS; };
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(PMPI_Grequest_start(query, free, cancel, nullptr, &request), {.call = "MPI_Grequest_start"});
  check_mpi(PMPI_Grequest_complete(request), {.call = "MPI_Grequest_complete"});
  return request;
}

}  // namespace

InFlight::InFlight() {
  int level = MPI_THREAD_SINGLE;
  check_mpi(PMPI_Query_thread(&level), {.call = "MPI_Query_thread"});
  many_threads_ = level == MPI_THREAD_MULTIPLE;
}

// Calls end in about the order of their starts. So each time the oldest calls are tested, and if none has advanced,
// some of the others in turn. Thus with thousands of calls in flight not every call is tested for every message, and
// MPI, which calls this from its progress engine, is not delayed.
int InFlight::progress(bool within_mpi) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || busy_) return 0;
  const Busy busy(*this);
  bool look_only = within_mpi;  // MPI makes progress once, in the test of the oldest calls that wait for a message
  int ended = progress_of(0, look_only);
  if (ended > 0 || requests_.size() <= calls_at_a_time) {
    others_ = calls_at_a_time;
    return ended;
  }
  if (others_ >= requests_.size()) others_ = calls_at_a_time;
  ended = progress_of(others_, look_only);
  others_ = ended > 0 ? calls_at_a_time : others_ + calls_at_a_time;
  // Not idle before all calls have been tested.
  return others_ < requests_.size() ? ended + 1 : ended;
}

int InFlight::progress_of(std::size_t first, bool& look_only) {
  std::size_t end = std::min(first + calls_at_a_time, requests_.size());
  int ended = test_awaited(first, end, look_only);
  // A call that ends is removed from the list; later ones move up.
  for (std::size_t i = first; i < end;) {
    Request& request = *requests_[i];
    const bool ends = request.can_advance_ && request.progress();
    ends ? --end : ++i;
    ended += ends ? 1 : 0;
  }
  return ended;
}

int InFlight::test_awaited(std::size_t first, std::size_t end, bool& look_only) {
  auto& [requests, ops, owners, completed, statuses] = awaited_;
  requests.clear();
  ops.clear();
  owners.clear();
  for (std::size_t i = first; i < end; ++i) {
    Request* const request = requests_[i];
    request->add_awaited(ops, requests);
    request->can_advance_ = ops.size() == owners.size();
    owners.resize(ops.size(), request);
  }
  if (requests.empty()) return 0;
  // If one of the requests has already completed, Open MPI only tests them and makes no progress. Inside MPI's own
  // progress, more progress here would delay the detection of new messages.
  if (look_only) requests.push_back(ended_request());
  look_only = true;
  completed.resize(requests.size());
  statuses.resize(requests.size());
  int count = 0;
  const int code =
      PMPI_Testsome(static_cast<int>(requests.size()), requests.data(), &count, completed.data(), statuses.data());
  if (code != MPI_ERR_IN_STATUS) check_mpi(code, {.call = "MPI_Testsome"});
  int messages = 0;
  for (int i = 0; i < count; ++i) {  // none if it is MPI_UNDEFINED
    const auto which = static_cast<std::size_t>(completed[i]);
    if (which == ops.size()) continue;
    ++messages;
    owners[which]->can_advance_ = true;
    owners[which]->own_.executor->has_completed(ops[which], code == MPI_SUCCESS ? code : statuses[i].MPI_ERROR,
                                                requests[which]);
  }
  return messages;
}

// The MPI itself is asked: it also knows Fortran's datatypes and its own extensions. MPI_Reduce_local() has no
// communicator, so that its errors would go to the handler of MPI_COMM_WORLD.
bool InFlight::takes(MPI_Op op, MPI_Datatype datatype) {
  if (op == MPI_Op{}) return false;  // which Open MPI would read
  const std::lock_guard lock(asking_);
  if (alone_ == MPI_COMM_NULL) {
    // Not a duplicate, for which attributes of the program would be copied.
    check_mpi(PMPI_Comm_split(MPI_COMM_SELF, 0, 0, &alone_), {.call = "MPI_Comm_split"});
    check_mpi(PMPI_Comm_set_errhandler(alone_, MPI_ERRORS_RETURN), {.call = "MPI_Comm_set_errhandler"});
  }
  char none[2] = {};
  return PMPI_Allreduce(&none[0], &none[1], 0, datatype, op, alone_) == MPI_SUCCESS;
}

void InFlight::end() {
  const std::lock_guard lock(asking_);
  int finalized = 0;
  if (alone_ != MPI_COMM_NULL && PMPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0) PMPI_Comm_free(&alone_);
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

void InFlight::remove(Request* request) {
  size_ -= static_cast<int>(std::erase(requests_, request));
  ++ended_;
}

// Advances the program by `step`, which returns whether it has ended; stores an exception.
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

Request::Request(std::shared_ptr<CommState> state, const CollectiveCall& call, const CallDecision& decision, Kind kind)
    : state_(std::move(state)),
      in_flight_(state_->in_flight()),
      call_(call),
      kind_(kind),
      number_(decision.number),
      exchange_(decision.exchange) {
  if (!decision.pass_through_reason)
    own_ = persistent() ? state_->new_persistent_executor(decision) : state_->new_executor(decision);
  prepare();
}

Request::Request(std::shared_ptr<InFlight> in_flight, const CollectiveCall& call, Kind kind)
    : in_flight_(std::move(in_flight)), call_(call), kind_(kind) {
  prepare();
}

Request::~Request() {
  try {
    finish();
  } catch (...) {
    end();
  }
  int finalized = 0;
  if (own_comm_ != MPI_COMM_NULL && PMPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0)
    PMPI_Comm_free(&own_comm_);
}

void Request::prepare() {
  // The MPI beneath keeps the datatypes of a call that it has begun, but may read the lists until it ends.
  kept_.emplace(call_, served() || persistent());
  if (persistent() && !served()) make_own_comm();
  if (!persistent()) start();
}

// For every start of a call that the MPI serves: the program's communicator may have been freed by then, and on one
// communicator all ranks would have to start their calls in the same order.
void Request::make_own_comm() {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(PMPI_Comm_idup(call_.comm, &own_comm_, &request), {.call = "MPI_Comm_idup"});
  check_mpi(in_flight_->wait(request), {.call = "MPI_Comm_idup"});
  check_mpi(PMPI_Comm_set_errhandler(own_comm_, MPI_ERRORS_RETURN), {.call = "MPI_Comm_set_errhandler"});
}

void Request::start() {
  if (!served()) {
    CollectiveCall call = call_;
    if (persistent()) call.comm = own_comm_;
    check_mpi(call_mpi(call, &beneath_), {.call = "the MPI's own collective"});
    active_ = true;
    return;
  }
  buffers_.emplace(call_, state_->rank(), state_->size(), staging_);
  buffers_->bring();
  const std::lock_guard lock(in_flight_->mutex_);
  const InFlight::Busy busy(*in_flight_);
  begun_ = false;
  active_ = true;
  in_flight_->add(this);
  if (!persistent()) state_->tags().hold(number_);
  if (exchange_) state_->tags().hold(exchange_->call_number);
  try {
    begin();
  } catch (...) {
    end();
    throw;
  }
}

// If an older call still holds the tags, the call begins later: starting a call must not wait for other ranks.
bool Request::begin() {
  if (begun_) return true;
  if (!persistent() && !state_->tags().may_begin(number_)) return false;
  begun_ = true;
  own_.executor->start(exchange_ ? exchange_->arguments(own_.first_tag) : buffers_->arguments(own_.first_tag));
  return true;
}

// Of a program that has ended: whether the call has, too. After an exchange of counts the call itself is to begin.
bool Request::is_over() {
  if (!exchange_) return true;
  own_ = state_->new_executor_with_counts(*exchange_);
  state_->tags().release(std::exchange(number_, exchange_->call_number));
  exchange_.reset();
  begun_ = false;
  return false;
}

void Request::add_awaited(std::vector<int>& ops, std::vector<MPI_Request>& requests) {
  if (begun_) own_.executor->add_awaited(ops, requests);
}

bool Request::test() {
  if (!active_) return true;
  in_flight_->progress();
  if (!served()) {
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
  if (!served()) {
    active_ = false;
    check_mpi(in_flight_->wait(beneath_), {.call = "the MPI's own collective"});
    return;
  }
  while (active_) {
    // If it is the only call it may block until a message arrives.
    if (!in_flight_->many_threads_ && in_flight_->size_ == 1) {
      const InFlight::Busy busy(*in_flight_);
      advance([&] {
        if (!begin()) return false;
        own_.executor->finish();
        return is_over();
      });
    } else {
      in_flight_->progress();
    }
  }
}

bool Request::progress() {
  return advance([&] {
    const auto program_has_ended = [&] { return begin() && own_.executor->issue(); };
    return program_has_ended() && (is_over() || program_has_ended());
  });
}

void Request::end() {
  if (active_ && served()) {
    in_flight_->remove(this);
    if (!persistent()) state_->tags().release(number_);
    if (exchange_) state_->tags().release(exchange_->call_number);
  }
  active_ = false;
}

void Request::throw_failure() {
  if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
