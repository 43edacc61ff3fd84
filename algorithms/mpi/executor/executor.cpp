#include "algorithms/mpi/executor/executor.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "algorithms/mpi/executor/tags.hpp"
#include "algorithms/schedule/dependencies.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

bool is_message(const Op& op) { return op.kind == OpKind::send || op.kind == OpKind::receive; }

// MPI_Reduce_local overwrites its right operand, so the right operand must be in the memory of the result, or be copied
// there.
bool reduces_in_place(const Op& op) { return op.to == op.right && !overlap(op.to, op.from); }
bool can_bring_right(const Op& op) { return !overlap(op.to, op.from) && !overlap(op.to, op.right); }

// Many executors are kept, so that memory that only a large run needs is freed.
constexpr std::size_t kept_scratch_bytes = std::size_t{4} << 20;

void check_tags(int tags) {
  if (tags - 1 > highest_tag())
    throw std::length_error("a program with " + std::to_string(tags) + " tags; this MPI has fewer");
}

}  // namespace

Executor::Executor(Program program, MPI_Comm comm, ExecutorOptions options)
    : program_(std::move(program)), comm_(comm), options_(std::move(options)) {
  check_mpi(PMPI_Comm_rank(comm_, &rank_), {.call = "MPI_Comm_rank"});
  const auto ops = program_.ops();
  const auto lanes = program_.lanes();
  check_tags(static_cast<int>(lanes.size()) * (options_.eager_bytes > 0 ? 2 : 1));
  requests_.assign(ops.size(), MPI_REQUEST_NULL);
  find_waits();
  if (options_.eager_bytes > 0) find_sources();

  const auto one_at_a_time = [](const Lane& lane) { return lane.one_send_at_a_time; };
  if (std::any_of(lanes.begin(), lanes.end(), one_at_a_time)) {
    send_before_.assign(ops.size(), -1);
    std::vector<int> last(lanes.size(), -1);
    for (std::size_t op = 0; op < ops.size(); ++op)
      if (ops[op].kind == OpKind::send && lanes[ops[op].lane].one_send_at_a_time)
        send_before_[op] = std::exchange(last[ops[op].lane], static_cast<int>(op));
  }
  for (const Op& op : ops)
    if (op.kind == OpKind::reduce && !reduces_in_place(op) && !can_bring_right(op))
      reduce_count_ = std::max(reduce_count_, op.to.count);
}

void Executor::find_waits() {
  const auto ops = program_.ops();
  const bool one_lane = program_.lanes().size() == 1;
  Dependencies dependencies;
  derive(program_, dependencies);
  std::vector<char> waited(ops.size(), 0);
  waits_begin_.reserve(ops.size() + 1);
  waits_begin_.push_back(0);
  for (int op = 0; op < static_cast<int>(ops.size()); ++op) {
    for (const int before : dependencies.after(op)) {
      const bool needed = one_lane ? is_message(ops[before]) && !waited[before]
                                   : is_message(ops[before]) || ops[before].lane != ops[op].lane;
      if (needed) waits_.push_back(before);
      waited[before] = 1;
    }
    waits_begin_.push_back(static_cast<int>(waits_.size()));
  }
  for (int op = 0; op < static_cast<int>(ops.size()); ++op)
    if (is_message(ops[op]) && !(one_lane && waited[op])) last_waits_.push_back(op);
  if (one_lane) return;
  lane_ops_.resize(program_.lanes().size());
  for (int op = 0; op < static_cast<int>(ops.size()); ++op) lane_ops_[ops[op].lane].push_back(op);
  done_.assign(ops.size(), 0);
}

void Executor::find_sources() {
  const auto ops = program_.ops();
  std::map<std::pair<int, int>, int> numbers;  // by peer and lane
  source_.assign(ops.size(), -1);
  for (std::size_t op = 0; op < ops.size(); ++op)
    if (ops[op].kind == OpKind::receive)
      source_[op] = numbers.try_emplace({ops[op].peer, ops[op].lane}, static_cast<int>(numbers.size())).first->second;
  sources_ = static_cast<int>(numbers.size());
  unposted_.assign(ops.size(), 0);
}

void Executor::begin(const Arguments& arguments) {
  Run& run = run_.emplace(arguments, rank_);
  run.type.reserve(scratch_, program_.scratch_count());
  run.type.reserve(reduce_scratch_, reduce_count_);
  run.base[static_cast<int>(Buffer::input)] = static_cast<std::byte*>(const_cast<void*>(arguments.input));
  run.base[static_cast<int>(Buffer::output)] = static_cast<std::byte*>(arguments.output);
  run.base[static_cast<int>(Buffer::scratch)] = scratch_.base();
  run.unposted.resize(sources_);
  if (lane_ops_.empty()) return;
  std::fill(done_.begin(), done_.end(), 0);
  run.lane_next.assign(lane_ops_.size(), 0);
  run.awaits.assign(lane_ops_.size(), -1);
  run.lanes_left = static_cast<int>(lane_ops_.size());
  first_waiting_.assign(program_.ops().size(), -1);
  next_waiting_.assign(lane_ops_.size(), -1);
  run.ready.add_all(lane_ops_.size());
}

void Executor::run(const Arguments& arguments) {
  if (program_.ops().empty()) return;
  guarded([&] { begin(arguments); });
  finish();
}

void Executor::start(const Arguments& arguments) {
  guarded([&] {
    begin(arguments);
    if (lane_ops_.empty())
      issue_one_lane(*run_);
    else
      issue_lanes(*run_);
  });
}

bool Executor::progress() {
  if (!run_) return true;
  const bool is_done = guarded([&] {
    if (!(lane_ops_.empty() ? progress_one_lane(*run_) : progress_lanes(*run_))) return false;
    for (std::size_t& last = run_->last_wait; last < last_waits_.size(); ++last)
      if (!test(*run_, last_waits_[last])) return false;
    return true;
  });
  if (is_done) end();
  return is_done;
}

void Executor::add_awaited(std::vector<int>& ops, std::vector<MPI_Request>& requests) {
  if (!run_) return;
  const auto add = [&](int op) {
    ops.push_back(op);
    requests.push_back(requests_[op]);
  };
  if (lane_ops_.empty() && run_->next < program_.ops().size()) {
    if (const int op = first_under_way(*run_, static_cast<int>(run_->next)); op >= 0) add(op);
  } else if (!lane_ops_.empty() && run_->lanes_left > 0) {
    find_awaited(*run_);
    ops.insert(ops.end(), run_->awaited.begin(), run_->awaited.end());
    requests.insert(requests.end(), run_->awaited_requests.begin(), run_->awaited_requests.end());
  } else {
    std::size_t& last = run_->last_wait;
    while (last < last_waits_.size() && !is_under_way(*run_, last_waits_[last])) ++last;
    if (last < last_waits_.size()) add(last_waits_[last]);
  }
}

bool Executor::issue() {
  if (!run_) return true;
  const bool is_done = guarded([&] {
    if (!(lane_ops_.empty() ? issue_one_lane(*run_) : issue_lanes(*run_))) return false;
    for (std::size_t& last = run_->last_wait; last < last_waits_.size(); ++last)
      if (is_under_way(*run_, last_waits_[last])) return false;
    return true;
  });
  if (is_done) end();
  return is_done;
}

void Executor::has_completed(int op, int code, MPI_Request left) {
  requests_[op] = left;
  if (code != MPI_SUCCESS) [[unlikely]]
    return failed(*run_, code, "MPI_Testsome", op);
  after_completion(*run_, op);
}

void Executor::finish() {
  if (!run_) return;
  guarded([&] {
    if (lane_ops_.empty())
      run_one_lane(*run_);
    else
      run_lanes(*run_);
    for (const int op : last_waits_) wait_for(*run_, op);
  });
  end();
}

void Executor::end() {
  run_.reset();
  scratch_.release_above(kept_scratch_bytes);
  reduce_scratch_.release_above(kept_scratch_bytes);
  if (!failure_) return;
  const Failure failure = *std::exchange(failure_, std::nullopt);
  throw_mpi_error(
      failure.code,
      {.call = failure.call, .rank = rank_, .peer = program_.ops()[failure.op].peer, .operation = failure.op});
}

void Executor::run_one_lane(Run& run) {
  const std::size_t size = program_.ops().size();
  for (; run.next < size; ++run.next) {
    const int op = static_cast<int>(run.next);
    for (const int before : waits(op)) wait_for(run, before);
    if (const int send = send_before(op); send >= 0 && is_synchronous(run, send)) wait_for(run, send);
    start(run, op);
  }
}

bool Executor::issue_one_lane(Run& run) {
  const std::size_t size = program_.ops().size();
  for (; run.next < size; ++run.next) {
    const int op = static_cast<int>(run.next);
    if (first_under_way(run, op) >= 0) return false;
    start(run, op);
  }
  return true;
}

bool Executor::progress_one_lane(Run& run) {
  while (!issue_one_lane(run))
    if (!test(run, first_under_way(run, static_cast<int>(run.next)))) return false;
  return true;
}

int Executor::first_under_way(Run& run, int op) {
  for (const int before : waits(op))
    if (is_under_way(run, before)) return before;
  const int send = send_before(op);
  return send >= 0 && is_synchronous(run, send) && is_under_way(run, send) ? send : -1;
}

bool Executor::is_under_way(Run& run, int message) {
  post(run, message);
  return requests_[message] != MPI_REQUEST_NULL;
}

void Executor::run_lanes(Run& run) {
  while (!issue_lanes(run)) wait_for_some(run);
}

// Lane by lane, each as far as possible, again and again until none advances: a lane that an earlier one made ready has
// its turn in the same round. The replay does the same.
bool Executor::issue_lanes(Run& run) {
  const auto end = static_cast<std::uint32_t>(lane_ops_.size());
  std::uint32_t from = 0;
  while (const auto lane = run.ready.next(0, from, end)) {
    run.ready.remove(*lane);
    advance(run, static_cast<int>(*lane));
    from = *lane + 1;
  }
  return run.lanes_left == 0;
}

bool Executor::progress_lanes(Run& run) {
  while (!issue_lanes(run)) {
    for (const int op : run.awaits)
      if (op >= 0 && done_[op] == 0) test(run, op);
    if (!run.ready.next(0, 0, static_cast<std::uint32_t>(lane_ops_.size()))) return false;
  }
  return true;
}

void Executor::advance(Run& run, int lane) {
  const auto& ops = lane_ops_[lane];
  for (std::size_t& next = run.lane_next[lane]; next < ops.size(); ++next) {
    const int op = ops[next];
    run.awaits[lane] = unfinished_before(run, op);
    if (run.awaits[lane] >= 0) return wait(run.awaits[lane], lane);
    start(run, op);
  }
  --run.lanes_left;
}

// The lowest lane stands first: by its number the operation has its place among those that the rank waits for.
void Executor::wait(int op, int lane) {
  int& first = first_waiting_[op];
  int& before = first >= 0 && first < lane ? next_waiting_[first] : first;
  next_waiting_[lane] = std::exchange(before, lane);
}

int Executor::unfinished_before(const Run& run, int op) const {
  for (const int before : waits(op))
    if (done_[before] == 0) return before;
  const int send = send_before(op);
  return send >= 0 && done_[send] == 0 && is_synchronous(run, send) ? send : -1;
}

void Executor::is_done(Run& run, int op) {
  if (done_.empty()) return;
  done_[op] = 1;
  for (int lane = std::exchange(first_waiting_[op], -1); lane >= 0; lane = next_waiting_[lane]) {
    run.awaits[lane] = -1;
    run.ready.add(static_cast<std::uint32_t>(lane));
  }
}

/// Each message once, as MPI must see its request once, though several lanes may wait for it.
void Executor::find_awaited(Run& run) {
  run.awaited.clear();
  run.awaited_requests.clear();
  for (int lane = 0; lane < static_cast<int>(run.awaits.size()); ++lane) {
    const int op = run.awaits[lane];
    if (op < 0 || first_waiting_[op] != lane) continue;
    post(run, op);
    if (requests_[op] == MPI_REQUEST_NULL && std::ranges::find(run.unnoticed, op) == run.unnoticed.end()) continue;
    run.awaited.push_back(op);
    run.awaited_requests.push_back(requests_[op]);
  }
}

void Executor::wait_for_some(Run& run) {
  find_awaited(run);
  if (!run.unnoticed.empty()) {
    const auto first = std::ranges::find_first_of(run.awaited, run.unnoticed);
    return after_completion(run, run.awaited[first_come(run, static_cast<int>(first - run.awaited.begin()))]);
  }
  int index = MPI_UNDEFINED;
  const int code =
      PMPI_Waitany(static_cast<int>(run.awaited.size()), run.awaited_requests.data(), &index, MPI_STATUS_IGNORE);
  if (index == MPI_UNDEFINED) {
    check_mpi(code, {.call = "MPI_Waitany", .rank = rank_});
    throw std::logic_error("lanes of one rank wait for each other");
  }
  if (code != MPI_SUCCESS) [[unlikely]] {
    requests_[run.awaited[index]] = run.awaited_requests[index];
    return failed(run, code, "MPI_Waitany", run.awaited[index]);
  }
  if (options_.has_come) index = first_come(run, index);
  after_completion(run, run.awaited[index]);
}

int Executor::first_come(Run& run, int index) {
  int first = 0;
  const auto has_come = [&](int op) { return program_.ops()[op].kind == OpKind::receive && options_.has_come(op); };
  while (first < index && !has_come(run.awaited[first])) ++first;
  const int op = run.awaited[index];
  if (first == index) {
    std::erase(run.unnoticed, op);
    return index;
  }
  check_mpi(PMPI_Wait(&run.awaited_requests[first], MPI_STATUS_IGNORE), {.call = "MPI_Wait", .rank = rank_});
  if (std::ranges::find(run.unnoticed, op) == run.unnoticed.end()) run.unnoticed.push_back(op);
  requests_[op] = MPI_REQUEST_NULL;
  return first;
}

int Executor::tag_of(const Run& run, const Op& op) const {
  if (options_.eager_bytes <= 0) return run.first_tag + op.lane;
  const std::int64_t count = op.kind == OpKind::send ? op.from.count : op.to.count;
  return run.first_tag + 2 * op.lane + (count * run.type.size() > options_.eager_bytes ? 1 : 0);
}

void Executor::start(Run& run, int number) {
  const Op& op = program_.ops()[number];
  const int tag = tag_of(run, op);
  MPI_Request* const request = &requests_[number];
  switch (op.kind) {
    case OpKind::send: {
      const MessageArguments message = run.type.message(op.from.count);
      const bool synchronous = is_synchronous(run, number);
      if (options_.sending) options_.sending(number, synchronous);
      const int code = synchronous
                           ? PMPI_Issend(run.at(op.from), message.count, message.datatype, op.peer, tag, comm_, request)
                           : PMPI_Isend(run.at(op.from), message.count, message.datatype, op.peer, tag, comm_, request);
      if (code != MPI_SUCCESS) [[unlikely]]
        failed(run, code, synchronous ? "MPI_Issend" : "MPI_Isend", number);
      return;
    }
    case OpKind::receive:
      if (source_.empty()) return receive(run, number);
      run.unposted[source_[number]].push_back(number);
      unposted_[number] = 1;
      if (!may_post_late(run, op)) post(run, number);
      return;
    case OpKind::reduce:
      reduce(run, op);
      if (options_.reduced) options_.reduced(op.to.count * run.type.size());
      break;
    case OpKind::copy:
      run.type.copy(run.at(op.to), run.at(op.from), op.to.count);
      break;
    case OpKind::wait:
      break;
  }
  is_done(run, number);
}

void Executor::receive(Run& run, int number) {
  const Op& op = program_.ops()[number];
  if (options_.posting) options_.posting(number);
  const MessageArguments message = run.type.message(op.to.count);
  const int code =
      PMPI_Irecv(run.at(op.to), message.count, message.datatype, op.peer, tag_of(run, op), comm_, &requests_[number]);
  if (code != MPI_SUCCESS) [[unlikely]]
    failed(run, code, "MPI_Irecv", number);
}

// An eager message does not wait for its receive: its send completes at once, and its arrival does not depend on when
// the receive is posted. A synchronous send and a message beyond the eager protocol do depend on the posted receive.
bool Executor::may_post_late(const Run& run, const Op& receive) const {
  return receive.to.count * run.type.size() <= std::min(options_.buffered_bytes, options_.eager_bytes);
}

// Messages of one source and tag go to receives in the order in which these are posted.
void Executor::post(Run& run, int op) {
  if (unposted_.empty() || unposted_[op] == 0) return;
  std::deque<int>& unposted = run.unposted[source_[op]];
  for (bool posted = false; !posted; unposted.pop_front()) {
    const int first = unposted.front();
    unposted_[first] = 0;
    receive(run, first);
    posted = first == op;
  }
}

void Executor::reduce(Run& run, const Op& op) {
  if (!reduces_in_place(op)) {
    if (!can_bring_right(op)) {
      run.type.copy(reduce_scratch_.base(), run.at(op.right), op.to.count);
      run.type.reduce(run.at(op.from), reduce_scratch_.base(), op.to.count, run.op);
      run.type.copy(run.at(op.to), reduce_scratch_.base(), op.to.count);
      return;
    }
    run.type.copy(run.at(op.to), run.at(op.right), op.to.count);
  }
  run.type.reduce(run.at(op.from), run.at(op.to), op.to.count, run.op);
}

void Executor::wait_for(Run& run, int op) {
  post(run, op);
  if (requests_[op] == MPI_REQUEST_NULL) return;
  const int code = PMPI_Wait(&requests_[op], MPI_STATUS_IGNORE);
  if (code != MPI_SUCCESS) [[unlikely]]
    return failed(run, code, "MPI_Wait", op);
  after_completion(run, op);
}

bool Executor::test(Run& run, int op) {
  post(run, op);
  if (requests_[op] == MPI_REQUEST_NULL) return true;
  int done = 0;
  const int code = PMPI_Test(&requests_[op], &done, MPI_STATUS_IGNORE);
  if (code != MPI_SUCCESS) [[unlikely]] {
    failed(run, code, "MPI_Test", op);
    return true;
  }
  if (done == 0) return false;
  after_completion(run, op);
  return true;
}

// Other ranks wait for later messages of this rank. So it continues, and reports the first failure at the end.
void Executor::failed(Run& run, int code, const char* call, int op) {
  if (!failure_) failure_ = Failure{code, call, op};
  if (requests_[op] != MPI_REQUEST_NULL) PMPI_Request_free(&requests_[op]);
  after_completion(run, op);
}

void Executor::after_completion(Run& run, int op) {
  requests_[op] = MPI_REQUEST_NULL;
  is_done(run, op);
  if (options_.received && program_.ops()[op].kind == OpKind::receive) options_.received(op);
  if (options_.acknowledged && is_synchronous(run, op)) options_.acknowledged(op);
}

bool Executor::is_synchronous(const Run& run, int op) const {
  if (send_before_.empty()) return false;
  const Op& send = program_.ops()[op];
  return send.kind == OpKind::send && program_.lanes()[send.lane].one_send_at_a_time &&
         send.from.count * run.type.size() > options_.buffered_bytes;
}

void Executor::abandon() {
  std::fill(unposted_.begin(), unposted_.end(), 0);
  for (std::size_t op = 0; op < requests_.size(); ++op) {
    if (requests_[op] == MPI_REQUEST_NULL) continue;
    if (program_.ops()[op].kind == OpKind::receive) PMPI_Cancel(&requests_[op]);
    PMPI_Request_free(&requests_[op]);
    requests_[op] = MPI_REQUEST_NULL;
  }
  run_.reset();
  failure_.reset();
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
