// Trains and streams of datagrams between the ranks of a discovery. Messages of MPI agree on them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "algorithms/errors.hpp"
#include "algorithms/mpi/discovery/probe_orders.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr int train_tag = 5;
constexpr std::uint32_t end_number = std::numeric_limits<std::uint32_t>::max();
constexpr int ends_of_series = 3;  // one of them arrives
constexpr int frames_to_try = 3;   // an address
constexpr std::size_t max_addresses = 4;
constexpr double look_s = 0.05;                         // between two signs of life
constexpr double batch_s = 0.0005;                      // of datagrams that leave together
constexpr std::uint32_t first_test_series = 1U << 31U;  // those of trains are lower
constexpr std::uint32_t max_streams = 1U << 12U;        // of a test

/// What a receiver asks of a sender of trains: numbers of a message.
struct TrainRequest {
  double receiver = 0, host = 0, port = 0, series = 0, frames = 0;  ///< 0 frames: no more trains
};

/// A stream that leaves at a steady rate.
struct LeavingDatagrams {
  DatagramAddress to;
  std::uint64_t receiver;
  std::uint32_t series;
  double delay_s, frames_per_s;
  std::uint32_t frames, sent = 0;

  bool have_left() const { return sent >= frames; }
  double next_s() const { return delay_s + sent / frames_per_s; }
  void send_until(double now_s, DatagramSocket& socket) {
    while (sent < frames && next_s() <= now_s) socket.send_or_lose(to, {receiver, series, sent++});
  }
  void end(DatagramSocket& socket) const {
    for (int end = 0; end < ends_of_series; ++end) socket.send(to, {receiver, series, end_number});
  }
};

/// The series of a stream of a test.
std::uint32_t series_of(const ProbeOrder& test, const ProbeOrder::Part& part) {
  return first_test_series + static_cast<std::uint32_t>(test.repetitions) * max_streams +
         static_cast<std::uint32_t>(part.number);
}

}  // namespace

DatagramSocket* ProbeParty::datagrams() {
  if (socket_ || has_no_socket_) return socket_ ? &*socket_ : nullptr;
  try {
    return &socket_.emplace();
  } catch (const Refused&) {
    has_no_socket_ = true;
    return nullptr;
  }
}

FrameTrain ProbeParty::receive_train(int peer, std::uint32_t address, int frames, double patience_s) {
  DatagramSocket& socket = *socket_;
  const std::uint32_t series = ++trains_;
  const TrainRequest request{static_cast<double>(socket.receiver()), static_cast<double>(address),
                             static_cast<double>(socket.port()), static_cast<double>(series),
                             static_cast<double>(frames)};
  post(&request, sizeof request, peer, train_tag);
  FrameTrain train{frames, 0, 0};
  double first_s = 0, last_s = 0;
  for (double quiet_since_s = clock_.now_s(); clock_.now_s() - quiet_since_s < patience_s;) {
    const std::optional<ArrivedDatagram> datagram = socket.receive(std::min(look_s, patience_s));
    give_sign();
    if (!datagram || datagram->series != series) continue;
    if (datagram->number == end_number) break;
    quiet_since_s = clock_.now_s();
    const double instant_s = quiet_since_s - datagram->age_s;
    first_s = train.arrived == 0 ? instant_s : std::min(first_s, instant_s);
    last_s = train.arrived == 0 ? instant_s : std::max(last_s, instant_s);
    ++train.arrived;
  }
  train.span_s = last_s - first_s;
  return train;
}

std::vector<double> ProbeParty::measure_trains(const ProbeOrder& order) {
  const int peer = static_cast<int>(order.peer);
  std::vector<double> values;
  if (datagrams() != nullptr) {
    std::vector<std::uint32_t> addresses;
    if (const auto known = address_seen_by_.find(peer); known != address_seen_by_.end())
      addresses.push_back(known->second);
    else
      addresses = DatagramSocket::own_addresses();
    addresses.resize(std::min(addresses.size(), max_addresses));
    for (const std::uint32_t address : addresses) {
      if (receive_train(peer, address, frames_to_try, order.patience_s).arrived == 0) continue;
      address_seen_by_[peer] = address;
      LineRate line;
      if (order.repetitions > 0) {
        const auto train = [&](int frames) { return receive_train(peer, address, frames, order.patience_s); };
        line = line_rate(train, tcp_bytes_in_frame, order.message_Bps);
      }
      values = {line.rate_Bps, static_cast<double>(line.sent), static_cast<double>(line.lost)};
      break;
    }
  }
  const TrainRequest end;
  post(&end, sizeof end, peer, train_tag);
  return values;
}

std::vector<double> ProbeParty::send_trains(const ProbeOrder& order) {
  const int peer = static_cast<int>(order.peer);
  double sender_Bps = 0;
  std::vector<double> numbers;
  for (;;) {
    if (!receive_numbers(peer, train_tag, answer_s_, numbers)) return {not_done};
    const auto frames = static_cast<std::uint32_t>(numbers.at(4));
    if (frames == 0) return {sender_Bps};
    DatagramSocket* const socket = datagrams();
    if (socket == nullptr) continue;
    const DatagramAddress to{static_cast<std::uint32_t>(numbers.at(1)), static_cast<std::uint16_t>(numbers.at(2))};
    DatagramLabel label{static_cast<std::uint64_t>(numbers.at(0)), static_cast<std::uint32_t>(numbers.at(3)), 0};
    receivers_[peer] = {to, label.receiver};
    const double start_s = clock_.now_s();
    for (label.number = 0; label.number < frames; ++label.number) socket->send(to, label);
    constexpr double shortest_s = 1e-9;
    sender_Bps = frames * double{tcp_bytes_in_frame} / std::max(shortest_s, clock_.now_s() - start_s);
    label.number = end_number;
    for (int end = 0; end < ends_of_series; ++end) socket->send(to, label);
  }
}

std::vector<double> ProbeParty::datagram_rates(const ProbeOrder& order) {
  const double ordered_s = clock_.now_s();
  DatagramSocket& socket = *datagrams();
  std::vector<LeavingDatagrams> leaving;
  for (const ProbeOrder::Part& part : order.leave) {
    const double frames_per_s = part.rate_Bps / tcp_bytes_in_frame;
    const KnownReceiver& to = receivers_.at(static_cast<int>(part.peer));
    leaving.push_back({to.address, to.receiver, series_of(order, part), part.delay_s, frames_per_s,
                       static_cast<std::uint32_t>(std::ceil(frames_per_s * order.window_s))});
  }
  std::map<std::uint32_t, std::vector<double>> instants;
  std::set<std::uint32_t> open;
  double last_end_s = 0;
  for (const ProbeOrder::Part& part : order.arrive) {
    open.insert(series_of(order, part));
    last_end_s = std::max(last_end_s, part.delay_s + order.window_s);
  }
  double heard_s = 0;
  for (;;) {
    double now_s = clock_.now_s() - ordered_s, next_s = std::numeric_limits<double>::infinity();
    for (LeavingDatagrams& one : leaving) {
      one.send_until(now_s, socket);
      if (!one.have_left()) next_s = std::min(next_s, std::max(one.next_s(), now_s + batch_s));
    }
    std::erase_if(leaving, [&](const LeavingDatagrams& one) {
      if (one.have_left()) one.end(socket);
      return one.have_left();
    });
    const bool is_quiet = now_s > std::max(last_end_s, heard_s) + order.patience_s;
    if (leaving.empty() && (open.empty() || is_quiet)) break;
    give_sign();
    for (now_s = clock_.now_s() - ordered_s; now_s < next_s;) {
      const auto datagram = socket.receive(std::min(look_s, next_s - now_s));
      now_s = clock_.now_s() - ordered_s;
      if (!datagram) break;
      if (!open.contains(datagram->series)) continue;
      heard_s = now_s;
      if (datagram->number == end_number)
        open.erase(datagram->series);
      else
        instants[datagram->series].push_back(ordered_s + now_s - datagram->age_s);
      if (open.empty() && leaving.empty()) break;
    }
  }
  std::vector<double> rates;
  for (const ProbeOrder::Part& part : order.arrive) {
    std::vector<double>& arrived_s = instants[series_of(order, part)];
    std::ranges::sort(arrived_s);
    rates.push_back(rate_in_window(arrived_s, tcp_bytes_in_frame, ordered_s + part.delay_s, order.window_s));
  }
  return rates;
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
