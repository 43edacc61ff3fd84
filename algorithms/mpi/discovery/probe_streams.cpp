// Streams of messages between the ranks of a discovery: many at once, and the rates at which they arrive.
#include <algorithm>
#include <cstddef>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/measuring/stream_window.hpp"
#include "algorithms/mpi/discovery/probe_orders.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr int first_stream_tag = 16;

/// Receives of a rank that are open at once, and their bytes; each stream has one at least. MPI looks at all of them
/// for each message.
constexpr std::int64_t max_open_receives = 256, max_open_bytes = 64 << 20;

/// The messages of a rank that come in: of each stream several receives at a time, so that messages that wait for their
/// receive do not each wait for a round trip too. MPI may write to the memory of a receive until it is cancelled, so
/// that those that are still open are cancelled in the end.
class StreamReceives {
 public:
  StreamReceives(const std::vector<ProbeOrder::Part>& parts, MPI_Comm comm, int rank)
      : parts_(parts), comm_(comm), rank_(rank), streams_(parts.size()) {}
  StreamReceives(const StreamReceives&) = delete;
  StreamReceives& operator=(const StreamReceives&) = delete;
  ~StreamReceives() {
    for (MPI_Request& request : requests_) {
      if (request == MPI_REQUEST_NULL) continue;
      PMPI_Cancel(&request);
      PMPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }

  void start() {
    const auto streams = std::max<std::int64_t>(1, static_cast<std::int64_t>(streams_.size()));
    for (std::size_t stream = 0; stream < streams_.size(); ++stream) {
      const ProbeOrder::Part& part = parts_[stream];
      const std::int64_t fitting = max_open_bytes / std::max<std::int64_t>(1, part.bytes);
      const std::int64_t open =
          std::min(std::max<std::int64_t>(1, std::min(fitting, max_open_receives) / streams), part.messages);
      for (std::int64_t i = 0; i < open; ++i)
        slots_.push_back({stream, std::vector<std::byte>(static_cast<std::size_t>(part.bytes))});
    }
    requests_.assign(slots_.size(), MPI_REQUEST_NULL);
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) receive(slot);
  }

  bool are_open() const {
    return std::ranges::any_of(requests_, [](MPI_Request one) { return one != MPI_REQUEST_NULL; });
  }

  /// The receive whose message has come. Only one that waits surely gives one.
  std::optional<std::size_t> next(bool waits) {
    int slot = MPI_UNDEFINED, is_done = 1;
    const int count = static_cast<int>(requests_.size());
    if (waits)
      check_mpi(PMPI_Waitany(count, requests_.data(), &slot, MPI_STATUS_IGNORE),
                {.call = "MPI_Waitany", .rank = rank_});
    else
      check_mpi(PMPI_Testany(count, requests_.data(), &slot, &is_done, MPI_STATUS_IGNORE),
                {.call = "MPI_Testany", .rank = rank_});
    if (is_done == 0 || slot == MPI_UNDEFINED) return std::nullopt;
    return static_cast<std::size_t>(slot);
  }

  /// The message of a receive came at an instant; one more of its stream is received, if there is one.
  void note(std::size_t slot, double instant_s) {
    Stream& stream = streams_[slots_[slot].stream];
    stream.instants_s.push_back(instant_s);
    if (stream.received < parts_[slots_[slot].stream].messages) receive(slot);
  }

  void cancel() {
    for (MPI_Request& request : requests_) {
      if (request == MPI_REQUEST_NULL) continue;
      check_mpi(PMPI_Cancel(&request), {.call = "MPI_Cancel", .rank = rank_});
      check_mpi(PMPI_Wait(&request, MPI_STATUS_IGNORE), {.call = "MPI_Wait", .rank = rank_});
    }
  }

  bool is_complete(std::size_t stream) const {
    return static_cast<std::int64_t>(streams_[stream].instants_s.size()) >= parts_[stream].messages;
  }
  const std::vector<double>& instants_s(std::size_t stream) const { return streams_[stream].instants_s; }

 private:
  struct Stream {
    std::int64_t received = 0;  ///< receives that were begun
    std::vector<double> instants_s;
  };
  struct Slot {
    std::size_t stream;
    std::vector<std::byte> into;
  };

  void receive(std::size_t slot) {
    const ProbeOrder::Part& part = parts_[slots_[slot].stream];
    check_mpi(PMPI_Irecv(slots_[slot].into.data(), static_cast<int>(part.bytes), MPI_BYTE, static_cast<int>(part.peer),
                         first_stream_tag + static_cast<int>(part.number), comm_, &requests_[slot]),
              {.call = "MPI_Irecv", .rank = rank_, .peer = static_cast<int>(part.peer)});
    ++streams_[slots_[slot].stream].received;
  }

  const std::vector<ProbeOrder::Part>& parts_;
  MPI_Comm comm_;
  int rank_;
  std::vector<Stream> streams_;
  std::vector<Slot> slots_;
  std::vector<MPI_Request> requests_;
};

/// The messages of a rank that leave, all from one buffer. MPI may read it until the last has left. If some have not in
/// the end, its bytes stay where they are and the buffer is empty.
class StreamSends {
 public:
  StreamSends(std::vector<std::byte>& from, MPI_Comm comm, int rank) : from_(from), comm_(comm), rank_(rank) {}
  StreamSends(const StreamSends&) = delete;
  StreamSends& operator=(const StreamSends&) = delete;
  ~StreamSends() {
    const bool all_left = std::ranges::all_of(requests_, [](MPI_Request one) { return one == MPI_REQUEST_NULL; });
    if (!all_left) new (std::nothrow) std::vector<std::byte>(std::move(from_));
  }

  void post(const ProbeOrder::Part& part) {
    check_mpi(
        PMPI_Isend(from_.data(), static_cast<int>(part.bytes), MPI_BYTE, static_cast<int>(part.peer),
                   first_stream_tag + static_cast<int>(part.number), comm_, &requests_.emplace_back(MPI_REQUEST_NULL)),
        {.call = "MPI_Isend", .rank = rank_, .peer = static_cast<int>(part.peer)});
  }

  std::vector<MPI_Request>& requests() { return requests_; }

 private:
  std::vector<std::byte>& from_;
  MPI_Comm comm_;
  int rank_;
  std::vector<MPI_Request> requests_;
};

/// A message that leaves.
struct Departure {
  double delay_s, share;
  std::size_t part;
};

/// Messages of several streams take turns, each stream in proportion to its messages, after their delays.
std::vector<Departure> departures_of(const std::vector<ProbeOrder::Part>& parts) {
  std::vector<Departure> departures;
  for (std::size_t part = 0; part < parts.size(); ++part)
    for (std::int64_t message = 0; message < parts[part].messages; ++message)
      departures.push_back({parts[part].delay_s,
                            (static_cast<double>(message) + 0.5) / static_cast<double>(parts[part].messages), part});
  std::ranges::stable_sort(departures, {}, [](const Departure& one) { return std::pair(one.delay_s, one.share); });
  return departures;
}

}  // namespace

std::vector<double> ProbeParty::stream_rates(const ProbeOrder& order) {
  const double ordered_s = clock_.now_s();
  std::int64_t largest = 0;
  for (const ProbeOrder::Part& part : order.leave) largest = std::max(largest, part.bytes);
  buffer(largest);
  StreamReceives receives(order.arrive, comm_, rank_);
  receives.start();
  StreamSends sends(buffer_, comm_, rank_);
  for (const Departure& departure : departures_of(order.leave)) {
    if (departure.delay_s > 0) clock_.sleep_until(ordered_s + departure.delay_s);
    sends.post(order.leave[departure.part]);
  }
  // A request is waited for with the others' progress in between: a rank may send and receive at once.
  double last_s = clock_.now_s();
  bool in_time = true;
  while (receives.are_open() && in_time) {
    const std::optional<std::size_t> come = receives.next(answer_s_ == 0);
    if (answer_s_ != 0) {
      in_time = clock_.now_s() - last_s < answer_s_;
      give_sign();
    }
    if (!come) continue;
    last_s = clock_.now_s();
    receives.note(*come, last_s);
  }
  receives.cancel();
  bool all_left = true;
  for (MPI_Request& request : sends.requests()) all_left = wait(request, all_left ? answer_s_ : 1e-9) && all_left;
  std::vector<double> rates;
  for (std::size_t stream = 0; stream < order.arrive.size(); ++stream) {
    const ProbeOrder::Part& part = order.arrive[stream];
    rates.push_back(receives.is_complete(stream)
                        ? rate_in_window(receives.instants_s(stream), static_cast<double>(part.bytes),
                                         ordered_s + part.delay_s, order.window_s)
                        : not_done);
  }
  return rates;
}

double ProbeParty::rate_in_window(const std::vector<double>& instants, double bytes, double first_s, double window_s) {
  // Pieces that have arrived by an instant; between two arrivals in proportion.
  const auto arrived = [&](double instant_s) {
    const auto next = std::ranges::upper_bound(instants, instant_s);
    if (next == instants.begin()) return 0.0;
    const auto before = static_cast<double>(next - 1 - instants.begin());
    if (next == instants.end()) return before;
    return before + (instant_s - *(next - 1)) / (*next - *(next - 1));
  };
  // Where messages do not queue, as on a fatpipe link, all may have arrived before the window: at this rate or more.
  const double start_s = stream_window_start * window_s;
  if (!instants.empty() && instants.back() <= first_s + start_s)
    return static_cast<double>(instants.size()) * bytes / start_s;
  return (arrived(first_s + stream_window_end * window_s) - arrived(first_s + stream_window_start * window_s)) * bytes /
         ((stream_window_end - stream_window_start) * window_s);
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
