#include "algorithms/mpi/discovery/probe_orders.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

#include "algorithms/measuring/growing_rate.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr int order_tag = 1, values_tag = 2, text_tag = 3, trip_tag = 4;
constexpr std::size_t max_numbers = 1 << 15;    // of an order or a result
constexpr double implausible = 0.7;             // of the next quicker trip: a clock that jumped
constexpr double same_trip = 0.001;             // relative difference of trips that are alike
constexpr double signs_per_answer = 8;          // signs of life in the time that a rank has to answer
constexpr double busy_share = 0.75;             // of the time to answer that rank 0 may itself have been busy
constexpr double sign_of_life = 0, result = 1;  // the first number of a message to rank 0

/// Thrown while a rate is measured, when a peer does not answer.
struct NoAnswer {};

std::vector<double> as_numbers(const ProbeOrder& order) {
  std::vector<double> numbers{static_cast<double>(order.kind),
                              static_cast<double>(order.peer),
                              static_cast<double>(order.bytes),
                              static_cast<double>(order.repetitions),
                              order.window_s,
                              order.patience_s,
                              order.message_Bps,
                              static_cast<double>(order.leave.size())};
  for (const auto* parts : {&order.leave, &order.arrive}) {
    for (const ProbeOrder::Part& part : *parts) {
      for (const std::int64_t whole : {part.peer, part.bytes, part.messages, part.number})
        numbers.push_back(static_cast<double>(whole));
      numbers.insert(numbers.end(), {part.delay_s, part.rate_Bps});
    }
  }
  return numbers;
}

ProbeOrder order_from(const std::vector<double>& numbers) {
  const auto whole = [&](std::size_t at) { return static_cast<std::int64_t>(numbers.at(at)); };
  ProbeOrder order;
  order.kind = static_cast<ProbeOrder::Kind>(whole(0));
  order.peer = whole(1);
  order.bytes = whole(2);
  order.repetitions = whole(3);
  order.window_s = numbers.at(4);
  order.patience_s = numbers.at(5);
  order.message_Bps = numbers.at(6);
  const auto leaving = static_cast<std::size_t>(whole(7));
  constexpr std::size_t first_part = 8, numbers_of_part = 6;
  for (std::size_t at = first_part; at < numbers.size(); at += numbers_of_part) {
    auto& parts = order.leave.size() < leaving ? order.leave : order.arrive;
    parts.push_back({whole(at), whole(at + 1), whole(at + 2), whole(at + 3), numbers.at(at + 4), numbers.at(at + 5)});
  }
  return order;
}

/// The number of the quickest trip; one far quicker than the next is taken for an error of the clock.
std::size_t quickest(const std::vector<double>& trips_s) {
  std::vector<std::size_t> ascending(trips_s.size());
  std::iota(ascending.begin(), ascending.end(), 0);
  std::ranges::sort(ascending, {}, [&](std::size_t trip) { return trips_s[trip]; });
  auto first = ascending.begin();
  while (ascending.end() - first > 2 && (trips_s[*first] <= 0 || trips_s[*first] < implausible * trips_s[*(first + 1)]))
    ++first;
  return *first;
}

}  // namespace

ProbeParty::ProbeParty(MPI_Comm comm, const Clock& clock, double answer_s)
    : comm_(comm), clock_(clock), answer_s_(answer_s) {
  check_mpi(PMPI_Comm_rank(comm, &rank_), {.call = "MPI_Comm_rank"});
  check_mpi(PMPI_Comm_size(comm, &size_), {.call = "MPI_Comm_size"});
}

bool ProbeParty::wait(MPI_Request& request, double patience_s, MPI_Status* status) {
  if (patience_s == 0) {
    check_mpi(PMPI_Wait(&request, status), {.call = "MPI_Wait", .rank = rank_});
    return true;
  }
  const double start_s = clock_.now_s();
  for (;;) {
    int is_done = 0;
    check_mpi(PMPI_Test(&request, &is_done, status), {.call = "MPI_Test", .rank = rank_});
    if (is_done != 0) return true;
    if (clock_.now_s() - start_s > patience_s) return false;
    give_sign();
  }
}

void ProbeParty::give_sign() {
  if (!gives_signs_ || clock_.now_s() - last_sign_s_ < answer_s_ / signs_per_answer) return;
  last_sign_s_ = clock_.now_s();
  gives_signs_ = false;  // while this message leaves
  post(&sign_of_life, sizeof(sign_of_life), 0, values_tag);
  gives_signs_ = true;
}

bool ProbeParty::receive_bytes(int from, int tag, double patience_s, std::vector<std::byte>& into) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(PMPI_Irecv(into.data(), static_cast<int>(into.size()), MPI_BYTE, from, tag, comm_, &request),
            {.call = "MPI_Irecv", .rank = rank_, .peer = from});
  MPI_Status status;
  if (!wait(request, patience_s, &status)) {
    check_mpi(PMPI_Cancel(&request), {.call = "MPI_Cancel", .rank = rank_});
    check_mpi(PMPI_Wait(&request, MPI_STATUS_IGNORE), {.call = "MPI_Wait", .rank = rank_});
    return false;
  }
  int bytes = 0;
  check_mpi(PMPI_Get_count(&status, MPI_BYTE, &bytes), {.call = "MPI_Get_count"});
  into.resize(static_cast<std::size_t>(bytes));
  return true;
}

bool ProbeParty::receive_numbers(int from, int tag, double patience_s, std::vector<double>& into) {
  std::vector<std::byte> bytes(max_numbers * sizeof(double));
  if (!receive_bytes(from, tag, patience_s, bytes)) return false;
  into.resize(bytes.size() / sizeof(double));
  std::memcpy(into.data(), bytes.data(), into.size() * sizeof(double));
  return true;
}

std::byte* ProbeParty::buffer(std::int64_t bytes) {
  if (static_cast<std::int64_t>(buffer_.size()) < bytes) buffer_.resize(static_cast<std::size_t>(bytes));
  return buffer_.data();
}

bool ProbeParty::send(int peer, int tag, std::int64_t bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(PMPI_Isend(buffer(bytes), static_cast<int>(bytes), MPI_BYTE, peer, tag, comm_, &request),
            {.call = "MPI_Isend", .rank = rank_, .peer = peer});
  if (wait(request, answer_s_)) return true;
  new std::vector<std::byte>(std::move(buffer_));  // the message may still leave; its bytes stay where they are
  return false;
}

std::optional<std::int64_t> ProbeParty::receive(int peer, int tag, std::int64_t bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  check_mpi(PMPI_Irecv(buffer(bytes), static_cast<int>(bytes), MPI_BYTE, peer, tag, comm_, &request),
            {.call = "MPI_Irecv", .rank = rank_, .peer = peer});
  if (wait(request, answer_s_, &status)) {
    int came = 0;
    check_mpi(PMPI_Get_count(&status, MPI_BYTE, &came), {.call = "MPI_Get_count"});
    return came;
  }
  check_mpi(PMPI_Cancel(&request), {.call = "MPI_Cancel", .rank = rank_});
  check_mpi(PMPI_Wait(&request, MPI_STATUS_IGNORE), {.call = "MPI_Wait", .rank = rank_});
  return std::nullopt;
}

void ProbeParty::post(const void* data, std::size_t bytes, int to, int tag) {
  auto kept = std::make_unique<std::vector<std::byte>>(static_cast<const std::byte*>(data),
                                                       static_cast<const std::byte*>(data) + bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(PMPI_Isend(kept->data(), static_cast<int>(bytes), MPI_BYTE, to, tag, comm_, &request),
            {.call = "MPI_Isend", .rank = rank_, .peer = to});
  if (!wait(request, answer_s_)) static_cast<void>(kept.release());  // as in send()
}

void ProbeParty::send_order(const ProbeOrder& order, int to) {
  const std::vector<double> numbers = as_numbers(order);
  post(numbers.data(), numbers.size() * sizeof(double), to, order_tag);
}

ProbeOrder ProbeParty::receive_order() {
  std::vector<double> numbers;
  receive_numbers(0, order_tag, 0, numbers);
  return order_from(numbers);
}

std::vector<double> ProbeParty::execute(const ProbeOrder& order) {
  gives_signs_ = answer_s_ > 0 && rank_ != 0;
  last_sign_s_ = clock_.now_s();
  switch (order.kind) {
    case ProbeOrder::Kind::trip:
      return quickest_trip(order);
    case ProbeOrder::Kind::answer:
      return answer(order);
    case ProbeOrder::Kind::growth:
      return growing_rate(order);
    case ProbeOrder::Kind::growth_answer:
      return answer_growth(order);
    case ProbeOrder::Kind::streams:
      return stream_rates(order);
    case ProbeOrder::Kind::trains:
      return measure_trains(order);
    case ProbeOrder::Kind::train_answer:
      return send_trains(order);
    case ProbeOrder::Kind::datagram_streams:
      return datagram_rates(order);
    case ProbeOrder::Kind::end:
      break;
  }
  return {};
}

std::vector<double> ProbeParty::quickest_trip(const ProbeOrder& order) {
  const int peer = static_cast<int>(order.peer);
  std::vector<double> starts_s, trips_s, sends_s;
  buffer(order.bytes);
  for (std::int64_t repetition = 0; repetition < order.repetitions; ++repetition) {
    starts_s.push_back(clock_.now_s());
    if (!send(peer, trip_tag, order.bytes)) return {not_done};
    sends_s.push_back(clock_.now_s() - starts_s.back());
    if (!receive(peer, trip_tag, 0)) return {not_done};
    trips_s.push_back(clock_.now_s() - starts_s.back());
  }
  const std::size_t best = quickest(trips_s);
  const auto alike = std::ranges::count_if(
      trips_s, [&](double seconds) { return std::abs(seconds - trips_s[best]) <= same_trip * trips_s[best]; });
  return {trips_s[best], sends_s[quickest(sends_s)], starts_s[best], static_cast<double>(best), alike > 1 ? 1.0 : 0.0};
}

std::vector<double> ProbeParty::answer(const ProbeOrder& order) {
  const int peer = static_cast<int>(order.peer);
  std::vector<double> instants_s;
  for (std::int64_t repetition = 0; repetition < order.repetitions; ++repetition) {
    if (!receive(peer, trip_tag, order.bytes)) return {not_done};
    instants_s.push_back(clock_.now_s());
    if (!send(peer, trip_tag, 0)) return {not_done};
  }
  return instants_s;
}

std::vector<double> ProbeParty::growing_rate(const ProbeOrder& order) {
  const int peer = static_cast<int>(order.peer);
  buffer(order.bytes);
  const auto trip_s = [&](std::int64_t bytes) {
    const double start_s = clock_.now_s();
    if (!send(peer, trip_tag, bytes) || !receive(peer, trip_tag, 0)) throw NoAnswer();
    return clock_.now_s() - start_s;
  };
  try {
    const double rate_Bps = growing_rate_Bps(trip_s, order.bytes, static_cast<int>(order.repetitions));
    if (send(peer, trip_tag, 0)) return {rate_Bps};
  } catch (const NoAnswer&) {
  }
  return {not_done};
}

/// Until an empty message comes.
std::vector<double> ProbeParty::answer_growth(const ProbeOrder& order) {
  const int peer = static_cast<int>(order.peer);
  for (;;) {
    const std::optional<std::int64_t> bytes = receive(peer, trip_tag, order.bytes);
    if (!bytes) return {not_done};
    if (*bytes == 0) return {};
    if (!send(peer, trip_tag, 0)) return {not_done};
  }
}

void ProbeParty::send_result(const std::vector<double>& values) {
  gives_signs_ = false;
  std::vector<double> numbers{result};
  numbers.insert(numbers.end(), values.begin(), values.end());
  post(numbers.data(), numbers.size() * sizeof(double), 0, values_tag);
}

std::map<int, std::vector<double>> ProbeParty::receive_results(const std::set<int>& from, double since_s) {
  std::map<int, std::vector<double>> results;
  std::vector<double> numbers;
  if (answer_s_ == 0) {
    for (const int rank : from) {
      receive_numbers(rank, values_tag, 0, numbers);
      results[rank].assign(numbers.begin() + 1, numbers.end());
    }
    return results;
  }
  // Rank 0 may have been busy since; what came meanwhile needs a moment to be seen.
  std::map<int, double> heard_s;
  for (const int rank : from) heard_s[rank] = std::max(since_s, clock_.now_s() - busy_share * answer_s_);
  while (!heard_s.empty()) {
    int is_there = 0;
    MPI_Status status;
    check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, values_tag, comm_, &is_there, &status), {.call = "MPI_Iprobe"});
    const double now_s = clock_.now_s();
    if (is_there != 0) {
      receive_numbers(status.MPI_SOURCE, values_tag, 0, numbers);
      const auto rank = heard_s.find(status.MPI_SOURCE);
      if (rank == heard_s.end()) continue;  // of one that is too late
      rank->second = now_s;
      if (numbers.at(0) == sign_of_life) continue;
      results[rank->first].assign(numbers.begin() + 1, numbers.end());
      heard_s.erase(rank);
      continue;
    }
    std::erase_if(heard_s, [&](const auto& rank) { return now_s - rank.second > answer_s_; });
  }
  return results;
}

void ProbeParty::send_text(const std::string& text, int to) {
  const auto size = static_cast<double>(text.size());
  post(&size, sizeof(size), to, text_tag);
  post(text.data(), text.size(), to, text_tag);
}

bool ProbeParty::receive_text(int from, std::string& text, double patience_s) {
  std::vector<double> size;
  if (!receive_numbers(from, text_tag, patience_s, size)) return false;
  std::vector<std::byte> bytes(static_cast<std::size_t>(size.at(0)));
  if (!receive_bytes(from, text_tag, patience_s, bytes)) return false;
  text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return true;
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
