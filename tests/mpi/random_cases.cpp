// Random programs of several lanes, against the simplest interpreter: it runs one operation after the other, in the
// global order in which they were generated.
#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "algorithms/mpi/executor/executor.hpp"
#include "tests/mpi/cases.hpp"

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

using Value = std::uint64_t;

// Neither commutative nor associative: any other order of operands or operations changes the result.
Value combined(Value left, Value right) { return 31 * left + 17 * right + 1; }
void combine(void* left, void* right, int* count, MPI_Datatype*) {
  const auto* a = static_cast<const Value*>(left);
  auto* b = static_cast<Value*>(right);
  for (int i = 0; i < *count; ++i) b[i] = combined(a[i], b[i]);
}

constexpr int lanes = 3;

// The programs of all ranks, and the contents of the buffers before and after.
class RandomSchedule {
 public:
  RandomSchedule(std::uint64_t seed, int size, std::int64_t count)
      : programs(size), buffers(size), random_(seed), size_(size), count_(count) {
    for (int rank = 0; rank < size; ++rank) {
      Program& program = programs[rank];
      for (int lane = 1; lane < lanes; ++lane) program.add_lane({.one_send_at_a_time = lane == 1});
      program.reserve(count);
      program.copy({Buffer::scratch, 0, count}, input(0, count));
      for (std::vector<Value>& buffer : buffers[rank]) buffer.resize(count);
      for (std::int64_t i = 0; i < count; ++i) {
        at(rank, Buffer::input)[i] = random_();
        at(rank, Buffer::output)[i] = random_();
      }
      at(rank, Buffer::scratch) = at(rank, Buffer::input);
    }
    start = buffers;
    for (int step = 0; step < 40 * size; ++step) add_step();
  }

  std::vector<Program> programs;
  std::vector<std::array<std::vector<Value>, 3>> buffers;  // at the end, by rank and Buffer
  std::vector<std::array<std::vector<Value>, 3>> start;    // at the start

 private:
  int below(std::int64_t limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }
  Slice anywhere(std::int64_t count, int buffers_to_choose_from) {
    constexpr Buffer choice[] = {Buffer::output, Buffer::scratch, Buffer::input};
    return {choice[below(buffers_to_choose_from)], below(count_ - count + 1), count};
  }

  void add_step() {
    const std::int64_t count = 1 + below(count_ / 2);
    const Slice to = anywhere(count, 2);
    const Slice from = anywhere(count, 3);
    const Slice right = anywhere(count, 3);
    const int rank = below(size_);
    const int lane = below(lanes);
    programs[rank].use_lane(lane);
    switch (below(3)) {
      case 0: {
        const int peer = below(size_);
        if (peer == rank) return;
        programs[rank].send(from, peer);
        programs[peer].use_lane(lane);
        programs[peer].receive(to, rank);
        write(peer, to, read(rank, from));
        return;
      }
      case 1:
        if (overlap(to, from)) return;
        programs[rank].copy(to, from);
        write(rank, to, read(rank, from));
        return;
      default: {
        programs[rank].reduce(to, from, right);
        std::vector<Value> values = read(rank, from);
        const std::vector<Value> others = read(rank, right);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = combined(values[i], others[i]);
        write(rank, to, values);
      }
    }
  }

  std::vector<Value>& at(int rank, Buffer buffer) { return buffers[rank][static_cast<int>(buffer)]; }
  std::vector<Value> read(int rank, const Slice& slice) {
    const auto begin = at(rank, slice.buffer).begin() + slice.offset;
    return {begin, begin + slice.count};
  }
  void write(int rank, const Slice& slice, const std::vector<Value>& values) {
    std::copy(values.begin(), values.end(), at(rank, slice.buffer).begin() + slice.offset);
  }

  std::mt19937_64 random_;
  int size_;
  std::int64_t count_;
};

void run_random(World& world, std::int64_t count, int schedules) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm(), &comm);
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(&combine, 0, &op);
  for (int seed = 1; seed <= schedules; ++seed) {
    RandomSchedule schedule(static_cast<std::uint64_t>(seed), world.size(), count);
    const auto& input = schedule.start[world.rank()][static_cast<int>(Buffer::input)];
    const auto& right = schedule.buffers[world.rank()][static_cast<int>(Buffer::output)];
    // With receives posted at once, and with those of small messages posted late.
    for (const std::int64_t eager_bytes : {0, 300}) {
      Executor executor(schedule.programs[world.rank()], comm, {.buffered_bytes = 300, .eager_bytes = eager_bytes});
      for (const bool waiting : {true, false}) {
        auto output = schedule.start[world.rank()][static_cast<int>(Buffer::output)];
        const Arguments arguments{.input = input.data(), .output = output.data(), .datatype = MPI_UINT64_T, .op = op};
        if (waiting) {
          executor.run(arguments);
        } else {
          executor.start(arguments);
          while (!executor.progress()) {
          }
        }
        world.expect(output == right, "schedule " + std::to_string(seed) + ", eager up to " +
                                          std::to_string(eager_bytes) + (waiting ? ", waiting" : ", testing"));
      }
    }
  }
  MPI_Op_free(&op);
  MPI_Comm_free(&comm);
}

MPI_CASE(RandomProgramsDoWhatTheirOperationsSay) { run_random(world, 100, 40); }
MPI_CASE(RandomProgramsOfLargeMessagesDoWhatTheirOperationsSay) { run_random(world, 20000, 5); }

}  // namespace

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
