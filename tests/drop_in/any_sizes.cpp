// any_sizes COLLECTIVE [BYTES [CALLS]]: calls of gatherv, scatterv or alltoallv in plain MPI, whose blocks have other
// sizes in each call, BYTES on average. Checks all data and what lies between blocks. Prints how long each call took on
// the rank that took longest. The root is rank 0.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

constexpr char untouched = -7;
constexpr int gap = 3;  // between blocks

/// Blocks of one rank, one for each other, with gaps between them.
struct Blocks {
  std::vector<int> counts, places;
  std::vector<char> data;

  void add(int count) {
    counts.push_back(count);
    places.push_back(static_cast<int>(data.size()));
    data.resize(data.size() + count + gap, untouched);
  }
};

struct Caller {
  int rank = 0, size = 1;
  int bytes = 0;

  /// From half the average to one and a half times it.
  int count(int from, int to, int call) const {
    const int part = (from * 7 + to * 13 + call * 5) % 17;  // 8 on average
    return bytes / 2 + bytes / 16 * part;
  }
  static char byte(int from, int to, int place) { return static_cast<char>((from * 31 + to * 17 + place) % 101); }

  bool are_right(const Blocks& blocks, bool received) const {
    for (int other = 0; other < static_cast<int>(blocks.counts.size()); ++other) {
      const char* const block = &blocks.data[blocks.places[other]];
      for (int i = 0; i < blocks.counts[other]; ++i)
        if (block[i] != (received ? byte(other, rank, i) : untouched)) return false;
      for (int i = 0; i < gap; ++i)
        if (block[blocks.counts[other] + i] != untouched) return false;
    }
    return true;
  }
  void fill(Blocks& blocks) const {
    for (int to = 0; to < static_cast<int>(blocks.counts.size()); ++to)
      for (int i = 0; i < blocks.counts[to]; ++i) blocks.data[blocks.places[to] + i] = byte(rank, to, i);
  }
};

double seconds_of_slowest(double begin_s) {
  const double own = MPI_Wtime() - begin_s;
  double most = 0;
  MPI_Reduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return most;
}

double begin_together() {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

bool alltoallv(const Caller& one, int call, double& seconds) {
  Blocks sent, received;
  for (int other = 0; other < one.size; ++other) {
    sent.add(one.count(one.rank, other, call));
    received.add(one.count(other, one.rank, call));
  }
  one.fill(sent);
  const double begin_s = begin_together();
  MPI_Alltoallv(sent.data.data(), sent.counts.data(), sent.places.data(), MPI_CHAR, received.data.data(),
                received.counts.data(), received.places.data(), MPI_CHAR, MPI_COMM_WORLD);
  seconds = seconds_of_slowest(begin_s);
  return one.are_right(received, true);
}

bool gatherv(const Caller& one, int call, double& seconds) {
  Blocks received;
  for (int other = 0; other < one.size && one.rank == 0; ++other) received.add(one.count(other, 0, call));
  std::vector<char> own(one.count(one.rank, 0, call));
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = Caller::byte(one.rank, 0, static_cast<int>(i));
  const double begin_s = begin_together();
  MPI_Gatherv(own.data(), static_cast<int>(own.size()), MPI_CHAR, received.data.data(), received.counts.data(),
              received.places.data(), MPI_CHAR, 0, MPI_COMM_WORLD);
  seconds = seconds_of_slowest(begin_s);
  return one.are_right(received, true);
}

bool scatterv(const Caller& one, int call, double& seconds) {
  Blocks sent;
  for (int other = 0; other < one.size && one.rank == 0; ++other) sent.add(one.count(0, other, call));
  one.fill(sent);
  std::vector<char> own(one.count(0, one.rank, call));
  const double begin_s = begin_together();
  MPI_Scatterv(sent.data.data(), sent.counts.data(), sent.places.data(), MPI_CHAR, own.data(),
               static_cast<int>(own.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  seconds = seconds_of_slowest(begin_s);
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i] != Caller::byte(0, one.rank, static_cast<int>(i))) return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Caller one;
  MPI_Comm_rank(MPI_COMM_WORLD, &one.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &one.size);
  const std::string_view collective = argc > 1 ? argv[1] : "";
  one.bytes = argc > 2 ? std::atoi(argv[2]) : 65536;
  const int calls = argc > 3 ? std::atoi(argv[3]) : 4;
  bool (*const run)(const Caller&, int, double&) = collective == "alltoallv"  ? alltoallv
                                                   : collective == "gatherv"  ? gatherv
                                                   : collective == "scatterv" ? scatterv
                                                                              : nullptr;
  if (run == nullptr) {
    if (one.rank == 0) std::fprintf(stderr, "any_sizes gatherv|scatterv|alltoallv [BYTES [CALLS]]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int wrong = 0;
  for (int call = 1; call <= calls; ++call) {
    double seconds = 0;
    if (!run(one, call, seconds)) ++wrong;
    if (one.rank == 0) std::printf("call %d: %.4f s\n", call, seconds);
  }
  int all_wrong = 0;
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (one.rank == 0) std::printf(all_wrong == 0 ? "all blocks right\n" : "%d ranks and calls wrong\n", all_wrong);
  MPI_Finalize();
  return all_wrong == 0 ? 0 : 1;
}
