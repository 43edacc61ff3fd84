#include "algorithms/mpi/job/measure_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "algorithms/errors.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr int command_tag = 1, data_tag = 2, result_tag = 3;
constexpr int saturating_messages = 64;
constexpr int deepest = 4;              // halvings of the way between two sizes
constexpr std::int64_t narrowest = 64;  // bytes between two sizes

/// A command of the measuring rank to the other.
enum class ProbeCommand : std::int64_t { stop, time, answer_with };

struct ProbeRequest {
  ProbeCommand kind = ProbeCommand::stop;
  std::int64_t bytes = 0;     ///< of each message
  std::int64_t messages = 1;  ///< that the other rank receives, or sends
};
constexpr int command_words = sizeof(ProbeRequest) / sizeof(std::int64_t);

/// Sends and receives of one of the two.
class PairChannel {
 public:
  PairChannel(MPI_Comm comm, int peer, std::int64_t max_bytes)
      : comm_(comm), peer_(peer), buffer_(static_cast<std::size_t>(max_bytes)) {}

  void send(std::int64_t bytes) {
    check_mpi(MPI_Send(buffer_.data(), static_cast<int>(bytes), MPI_BYTE, peer_, data_tag, comm_),
              {.call = "MPI_Send"});
  }
  void receive(std::int64_t bytes) {
    check_mpi(MPI_Recv(buffer_.data(), static_cast<int>(bytes), MPI_BYTE, peer_, data_tag, comm_, MPI_STATUS_IGNORE),
              {.call = "MPI_Recv"});
  }
  void send_seconds(double seconds) {
    check_mpi(MPI_Send(&seconds, 1, MPI_DOUBLE, peer_, data_tag, comm_), {.call = "MPI_Send"});
  }
  double receive_seconds() {
    double seconds = 0;
    check_mpi(MPI_Recv(&seconds, 1, MPI_DOUBLE, peer_, data_tag, comm_, MPI_STATUS_IGNORE), {.call = "MPI_Recv"});
    return seconds;
  }
  void send(const ProbeRequest& command) {
    check_mpi(MPI_Send(&command, command_words, MPI_INT64_T, peer_, command_tag, comm_), {.call = "MPI_Send"});
  }
  ProbeRequest receive_command() {
    ProbeRequest command;
    check_mpi(MPI_Recv(&command, command_words, MPI_INT64_T, peer_, command_tag, comm_, MPI_STATUS_IGNORE),
              {.call = "MPI_Recv"});
    return command;
  }

 private:
  MPI_Comm comm_;
  int peer_;
  std::vector<std::byte> buffer_;
};

/// Executes the other rank's commands; sends an empty message when ready for each. To time messages is to tell how long
/// after this empty message they have arrived: what TCP sends back for them delays no answer so.
void serve(PairChannel channel, const RankEnvironment& environment) {
  for (;;) {
    const ProbeRequest command = channel.receive_command();
    if (command.kind == ProbeCommand::stop) return;
    const double start_s = environment.now_s();
    channel.send(0);
    if (command.kind == ProbeCommand::time) {
      for (std::int64_t message = 0; message < command.messages; ++message) channel.receive(command.bytes);
      channel.send_seconds(environment.now_s() - start_s);
      continue;
    }
    channel.receive(0);
    for (std::int64_t message = 0; message < command.messages; ++message) channel.send(command.bytes);
  }
}

class PairMeasurement {
 public:
  PairMeasurement(const MeasuringTask& task, const MeasuringTask::Pair& pair, PairChannel channel,
                  const RankEnvironment& environment)
      : task_(task), channel_(std::move(channel)), environment_(environment) {
    result_.from = pair.from;
    result_.to = pair.to;
  }

  MeasuredPair run(bool in_full) {
    const double round_s = round_trip_s(0).first;  // opens connections
    gap_of_empty_ = empty_gap(round_s, [this](int messages) { return arrivals_s(messages); });
    const Estimate gap_back = empty_gap(round_s, [this](int messages) { return arrivals_back_s(messages); });
    const RoundTrip empty = round_trip(0);
    empty_s_ = empty.seconds.seconds;
    result_.latency = {std::max(0.0, (empty_s_ - gap_of_empty_.seconds - gap_back.seconds) / 2),
                       (empty.seconds.half_width_s + gap_of_empty_.half_width_s + gap_back.half_width_s) / 2};
    add(0, empty);
    if (in_full) {
      for (std::int64_t bytes = 1; bytes < task_.max_bytes; bytes *= 4) add(bytes);
    }
    add(task_.max_bytes);
    if (in_full) look_for_bends();
    channel_.send(ProbeRequest{});
    for (auto& [bytes, size] : sizes_) result_.sizes.push_back(size);
    return result_;
  }

 private:
  struct RoundTrip {
    Estimate seconds, send_overhead;
  };

  void ask(const ProbeRequest& command) {
    channel_.send(command);
    channel_.receive(0);
  }

  /// The round trip of an empty message of the other rank and one of so many bytes back; of it, the send of the latter.
  std::pair<double, double> round_trip_s(std::int64_t bytes) {
    ask({ProbeCommand::time, bytes, 1});
    const double start_s = environment_.now_s();
    channel_.send(bytes);
    const double sent_s = environment_.now_s();
    return {channel_.receive_seconds(), sent_s - start_s};
  }

  /// Until so many empty messages have arrived at the other rank.
  double arrivals_s(int messages) {
    ask({ProbeCommand::time, 0, messages});
    for (int message = 0; message < messages; ++message) channel_.send(0);
    return channel_.receive_seconds();
  }

  /// Until so many have arrived from it.
  double arrivals_back_s(int messages) {
    ask({ProbeCommand::answer_with, 0, messages});
    const double start_s = environment_.now_s();
    channel_.send(0);
    for (int message = 0; message < messages; ++message) channel_.receive(0);
    return environment_.now_s() - start_s;
  }

  double receive_s(std::int64_t bytes, double after_s) {
    ask({ProbeCommand::answer_with, bytes, 1});
    channel_.send(0);
    environment_.sleep_until(environment_.now_s() + after_s);
    const double start_s = environment_.now_s();
    channel_.receive(bytes);
    return environment_.now_s() - start_s;
  }

  /// Repeats until the interval is narrow enough relative to `of_s`, the whole time of which the estimate is a part.
  template <class Sample>
  Estimate estimate(Sample sample, double of_s, const char* what, std::int64_t bytes) const {
    constexpr int least = 3;
    std::vector<double> samples;
    Estimate found;
    while (static_cast<int>(samples.size()) < std::max(least, task_.repetitions)) {
      samples.push_back(sample());
      if (static_cast<int>(samples.size()) < least) continue;
      found = median_of(samples);
      if (found.half_width_s <= task_.accuracy * std::max(of_s, found.seconds)) return found;
    }
    const double whole_s = std::max(of_s, found.seconds);
    if (found.half_width_s > task_.noise * whole_s) {
      const auto microseconds = [](double seconds) { return std::to_string(1e6 * seconds) + " us"; };
      throw Refused("rank " + std::to_string(result_.from) + " to " + std::to_string(result_.to) + ": " + what +
                    " of " + std::to_string(bytes) + " B is too noisy to use: " + microseconds(found.seconds) + " +-" +
                    microseconds(found.half_width_s) + " after " + std::to_string(samples.size()) +
                    " repetitions; a quieter machine, or more repetitions, would be right");
    }
    return found;
  }

  template <class Arrivals>
  Estimate empty_gap(double round_s, Arrivals arrivals_s) const {
    return estimate(
        [&] {
          const double once_s = arrivals_s(saturating_messages);
          return std::max(0.0, (arrivals_s(2 * saturating_messages) - once_s) / saturating_messages);
        },
        round_s / 2, "the gap", 0);
  }

  RoundTrip round_trip(std::int64_t bytes) {
    std::vector<double> sends;
    const Estimate seconds = estimate(
        [&] {
          const auto [whole_s, send_s] = round_trip_s(bytes);
          sends.push_back(send_s);
          return whole_s;
        },
        0, "the round trip", bytes);
    return {seconds, median_of(sends)};
  }

  void add(std::int64_t bytes) { add(bytes, round_trip(bytes)); }

  void add(std::int64_t bytes, const RoundTrip& trip) {
    MeasuredSize& size = sizes_[bytes];
    size.bytes = bytes;
    size.gap = bytes == 0 ? gap_of_empty_
                          : Estimate{std::max(0.0, trip.seconds.seconds - empty_s_ + gap_of_empty_.seconds),
                                     trip.seconds.half_width_s + gap_of_empty_.half_width_s};
    size.send_overhead = trip.send_overhead;
    // The answer comes over the way back, which may be slower.
    const double after_s = 2 * std::max(trip.seconds.seconds, receive_s(bytes, 0)) + 1e-3;
    size.receive_overhead =
        estimate([&] { return receive_s(bytes, after_s); }, trip.seconds.seconds, "the receive", bytes);
  }

  void look_for_bends() {
    std::vector<std::int64_t> known;
    for (const auto& [bytes, size] : sizes_)
      if (bytes > 0) known.push_back(bytes);
    for (std::size_t i = 1; i < known.size(); ++i) halve(known[i - 1], known[i], 0);
  }

  void halve(std::int64_t left, std::int64_t right, int depth) {
    if (depth == deepest || right - left < 2 * narrowest) return;
    const std::int64_t middle = left + (right - left) / 2;
    add(middle);
    const auto gap_s = [&](std::int64_t bytes) { return sizes_.at(bytes).gap.seconds; };
    const double share = static_cast<double>(middle - left) / static_cast<double>(right - left);
    const double line_s = gap_s(left) + share * (gap_s(right) - gap_s(left));
    const double trip_s = result_.latency.seconds + gap_s(middle);
    const bool bends = std::abs(gap_s(middle) - line_s) > task_.bend * std::max(gap_s(middle), 0.1 * trip_s);
    if (!bends) return;
    halve(left, middle, depth + 1);
    halve(middle, right, depth + 1);
  }

  const MeasuringTask& task_;
  PairChannel channel_;
  const RankEnvironment& environment_;
  MeasuredPair result_;
  std::map<std::int64_t, MeasuredSize> sizes_;
  Estimate gap_of_empty_;
  double empty_s_ = 0;
};

void send_text(const std::string& text, MPI_Comm comm) {
  check_mpi(MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, result_tag, comm), {.call = "MPI_Send"});
}

std::string receive_text(int from, MPI_Comm comm) {
  MPI_Status status;
  check_mpi(MPI_Probe(from, result_tag, comm, &status), {.call = "MPI_Probe"});
  int size = 0;
  check_mpi(MPI_Get_count(&status, MPI_CHAR, &size), {.call = "MPI_Get_count"});
  std::string text(size, ' ');
  check_mpi(MPI_Recv(text.data(), size, MPI_CHAR, from, result_tag, comm, MPI_STATUS_IGNORE), {.call = "MPI_Recv"});
  return text;
}

}  // namespace

void measure_pairs(const MeasuringTask& task, MPI_Comm comm, const RankEnvironment& environment, const PairSink& done) {
  int rank = 0, size = 0;
  check_mpi(MPI_Comm_rank(comm, &rank), {.call = "MPI_Comm_rank"});
  check_mpi(MPI_Comm_size(comm, &size), {.call = "MPI_Comm_size"});
  for (const MeasuringTask::Pair& pair : task.pairs) {
    if (pair.from >= size || pair.to >= size) {
      throw BadInput("measuring: rank " + std::to_string(std::max(pair.from, pair.to)) + " of " + std::to_string(size) +
                     "; ranks are 0.." + std::to_string(size - 1));
    }
  }
  for (const MeasuringTask::Pair& pair : task.pairs) {
    check_mpi(MPI_Barrier(comm), {.call = "MPI_Barrier", .rank = rank});
    if (rank == pair.to) serve(PairChannel(comm, pair.from, task.max_bytes), environment);
    MeasuredPair measured;
    if (rank == pair.from) {
      measured = PairMeasurement(task, pair, PairChannel(comm, pair.to, task.max_bytes), environment).run(pair.in_full);
      if (rank != 0) send_text(to_json(measured).dump(), comm);
    }
    if (rank != 0) continue;
    if (pair.from != 0) measured = measured_pair_from_json(nlohmann::json::parse(receive_text(pair.from, comm)));
    if (done) done(measured);
  }
  check_mpi(MPI_Barrier(comm), {.call = "MPI_Barrier", .rank = rank});
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
