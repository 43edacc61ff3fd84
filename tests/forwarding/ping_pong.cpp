// The ping-pong of Aumage 2003, section 4, in plain MPI: the first rank and the last one exchange messages.
//
// Usage: ping_pong [--from RANK] [--to RANK] [--sizes BYTES,...] [--repetitions N] [--through RANK [--segment BYTES]]
// Prints for each size the half of a round trip, and the one-way time in each direction (the clocks of all ranks are
// the same on one machine, emulated, and simulated), in microseconds, with the bandwidth of the latter in MB/s. With
// --through a rank passes each message on by the program's own means, whole or in segments.
#include "tests/forwarding/ping_pong.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Options {
  int from = 0, to = -1, through = -1, repetitions = 10;
  int segment = 0;
  std::vector<int> sizes = {0, 1, 4, 16, 17, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576};
};

int segment_of(const Options& options, int bytes) {
  return options.through >= 0 && options.segment > 0 ? options.segment : std::max(bytes, 1);
}

void send(const Options& options, std::vector<char>& data, int bytes, int to) {
  const int segment = segment_of(options, bytes);
  if (segment >= bytes) {
    MPI_Send(data.data(), bytes, MPI_CHAR, options.through >= 0 ? options.through : to, 1, MPI_COMM_WORLD);
    return;
  }
  std::vector<MPI_Request> requests;
  for (int at = 0; at < bytes; at += segment) {
    requests.emplace_back();
    MPI_Isend(data.data() + at, std::min(segment, bytes - at), MPI_CHAR, options.through >= 0 ? options.through : to, 1,
              MPI_COMM_WORLD, &requests.back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void receive(const Options& options, std::vector<char>& data, int bytes, int from) {
  const int segment = segment_of(options, bytes);
  if (segment >= bytes) {
    MPI_Recv(data.data(), bytes, MPI_CHAR, options.through >= 0 ? options.through : from, 1, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return;
  }
  std::vector<MPI_Request> requests;
  for (int at = 0; at < bytes; at += segment) {
    requests.emplace_back();
    MPI_Irecv(data.data() + at, std::min(segment, bytes - at), MPI_CHAR, options.through >= 0 ? options.through : from,
              1, MPI_COMM_WORLD, &requests.back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void pass_on(const Options& options, std::vector<char>& data, int bytes, int from, int to) {
  const int segment = segment_of(options, bytes);
  if (segment >= bytes) {
    MPI_Recv(data.data(), bytes, MPI_CHAR, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(data.data(), bytes, MPI_CHAR, to, 1, MPI_COMM_WORLD);
    return;
  }
  std::vector<MPI_Request> arrive;
  std::vector<MPI_Request> leave;
  for (int at = 0; at < bytes; at += segment) {
    arrive.emplace_back();
    MPI_Irecv(data.data() + at, std::min(segment, bytes - at), MPI_CHAR, from, 1, MPI_COMM_WORLD, &arrive.back());
  }
  int number = 0;
  for (int at = 0; at < bytes; at += segment) {
    MPI_Wait(&arrive[static_cast<std::size_t>(number++)], MPI_STATUS_IGNORE);
    leave.emplace_back();
    MPI_Isend(data.data() + at, std::min(segment, bytes - at), MPI_CHAR, to, 1, MPI_COMM_WORLD, &leave.back());
  }
  MPI_Waitall(static_cast<int>(leave.size()), leave.data(), MPI_STATUSES_IGNORE);
}

Options read_options(int argc, char** argv, int ranks) {
  Options options;
  options.to = ranks - 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const char* const value = argv[i + 1];
    if (name == "--from") options.from = std::atoi(value);
    if (name == "--to") options.to = std::atoi(value);
    if (name == "--through") options.through = std::atoi(value);
    if (name == "--segment") options.segment = std::atoi(value);
    if (name == "--repetitions") options.repetitions = std::atoi(value);
    if (name == "--sizes") {
      options.sizes.clear();
      for (const char* at = value; at != nullptr; at = std::strchr(at, ',')) {
        if (*at == ',') ++at;
        options.sizes.push_back(std::atoi(at));
      }
    }
  }
  return options;
}

char byte_at(int place, int turn) { return static_cast<char>(place * 31 + turn); }

}  // namespace

int ping_pong(int argc, char** argv, double (*now_s)()) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Options options = read_options(argc, argv, ranks);
  std::vector<char> data(static_cast<std::size_t>(*std::max_element(options.sizes.begin(), options.sizes.end())) + 1);
  std::vector<char> instant(sizeof(double));
  int wrong = 0;
  if (rank == options.from)
    std::printf("%10s %14s %12s %12s %10s %10s\n", "bytes", "half round us", "there us", "back us", "there MB/s",
                "back MB/s");
  for (const int bytes : options.sizes) {
    double round_s = 1e9;
    double there_s = 1e9;
    double back_s = 1e9;
    for (int turn = 0; turn < options.repetitions; ++turn) {
      double start_s = 0;
      double arrived_s = 0;
      if (rank == options.from) {
        for (int i = 0; i < bytes; ++i) data[static_cast<std::size_t>(i)] = byte_at(i, turn);
        start_s = now_s();
        send(options, data, bytes, options.to);
        std::fill(data.begin(), data.end(), '\0');
        receive(options, data, bytes, options.to);
        const double end_s = now_s();
        for (int i = 0; i < bytes; ++i) wrong += data[static_cast<std::size_t>(i)] != byte_at(i, turn);
        round_s = std::min(round_s, end_s - start_s);
        receive(options, instant, sizeof arrived_s, options.to);
        std::memcpy(&arrived_s, instant.data(), sizeof arrived_s);
        there_s = std::min(there_s, arrived_s - start_s);
        back_s = std::min(back_s, end_s - arrived_s);
      } else if (rank == options.to) {
        receive(options, data, bytes, options.from);
        arrived_s = now_s();
        send(options, data, bytes, options.from);
        std::memcpy(instant.data(), &arrived_s, sizeof arrived_s);
        send(options, instant, sizeof arrived_s, options.from);
      } else if (rank == options.through) {
        pass_on(options, data, bytes, options.from, options.to);
        pass_on(options, data, bytes, options.to, options.from);
        pass_on(options, instant, sizeof arrived_s, options.to, options.from);
      }
    }
    if (rank == options.from)
      std::printf("%10d %14.2f %12.2f %12.2f %10.2f %10.2f\n", bytes, round_s / 2 * 1e6, there_s * 1e6, back_s * 1e6,
                  bytes / there_s / 1e6, bytes / back_s / 1e6);
  }
  if (rank == options.from) std::printf("%s\n", wrong == 0 ? "data right" : "data WRONG");
  return wrong == 0 ? 0 : 1;
}
