// Arguments that a program frees as soon as a call has been started: lists of counts, displacements and datatypes,
// which are overwritten and freed here, and communicators. Blocks lie in reverse order with gaps, so that they are
// copied to their places when a call completes.
#include <array>
#include <memory>

#include "conformance.hpp"

namespace {

constexpr int gap = -7;

// A list with a number for each rank; its destructor overwrites the numbers.
template <typename T>
class List {
 public:
  template <typename Value>
  List(int size, Value value, T wrong) : size_(size), wrong_(wrong), values_(new T[size]) {
    for (int rank = 0; rank < size; ++rank) values_[rank] = value(rank);
  }
  ~List() {
    for (int rank = 0; rank < size_; ++rank) values_[rank] = wrong_;
  }
  operator const T*() const { return values_.get(); }

 private:
  int size_;
  T wrong_;
  std::unique_ptr<T[]> values_;
};

// Of the blocks of one call: counts, places, and places in bytes.
struct Lists {
  explicit Lists(int size)
      : counts(
            size, [](int) { return 1; }, 1 << 20),
        places(
            size, [size](int rank) { return place_of(rank, size); }, 1 << 24),
        byte_places(
            size, [size](int rank) { return place_of(rank, size) * static_cast<int>(sizeof(int)); }, 1 << 24),
        types(
            size, [](int) { return MPI_INT; }, MPI_DATATYPE_NULL) {}
  static int place_of(int rank, int size) { return 2 * (size - 1 - rank); }

  List<int> counts, places, byte_places;
  List<MPI_Datatype> types;
};

std::vector<int> blocks(int size) { return std::vector<int>(2 * size, gap); }
std::vector<int> blocks(const Ranks& r) {
  std::vector<int> filled = blocks(r.size);
  for (int to = 0; to < r.size; ++to) filled[Lists::place_of(to, r.size)] = value(r.rank, to);
  return filled;
}

// Starts a call with lists that are destroyed when it has returned.
template <typename Start>
MPI_Request start(const Ranks& r, Start start) {
  MPI_Request request = MPI_REQUEST_NULL;
  const Lists lists(r.size);
  start(lists, &request);
  return request;
}

void expect_blocks(Ranks& r, const std::vector<int>& received, int position, const std::string& what) {
  for (int from = 0; from < r.size; ++from) {
    r.expect(received[Lists::place_of(from, r.size)] == value(from, position), what + " of " + std::to_string(from));
    r.expect(received[Lists::place_of(from, r.size) + 1] == gap, what + ": a gap");
  }
}

CONFORMANCE_CASE("lists-freed", lists_may_be_freed_meanwhile) {
  const std::vector<int> send = blocks(r);
  const int own = value(r.rank, 0);
  std::array<std::vector<int>, 6> in;
  for (auto& each : in) each = blocks(r.size);
  int scattered = gap;
  int reduced = gap;
  std::array<MPI_Request, 8> requests = {
      start(r,
            [&](const Lists& l, MPI_Request* q) {
              MPI_Iallgatherv(&own, 1, MPI_INT, in[0].data(), l.counts, l.places, MPI_INT, r.comm, q);
            }),
      start(r,
            [&](const Lists& l, MPI_Request* q) {
              MPI_Igatherv(&own, 1, MPI_INT, in[1].data(), l.counts, l.places, MPI_INT, 0, r.comm, q);
            }),
      start(r,
            [&](const Lists& l, MPI_Request* q) {
              MPI_Iscatterv(send.data(), l.counts, l.places, MPI_INT, &scattered, 1, MPI_INT, 0, r.comm, q);
            }),
      start(r,
            [&](const Lists& l, MPI_Request* q) {
              MPI_Ialltoallv(send.data(), l.counts, l.places, MPI_INT, in[2].data(), l.counts, l.places, MPI_INT,
                             r.comm, q);
            }),
      start(r,
            [&](const Lists& l, MPI_Request* q) {
              MPI_Ialltoallw(send.data(), l.counts, l.byte_places, l.types, in[3].data(), l.counts, l.byte_places,
                             l.types, r.comm, q);
            }),
      start(r,
            [&](const Lists& l, MPI_Request* q) {
              in[4] = blocks(r);
              MPI_Ialltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_INT, in[4].data(), l.counts, l.places, MPI_INT, r.comm,
                             q);
            }),
      start(r,
            [&](const Lists& l, MPI_Request* q) {
              in[5][Lists::place_of(r.rank, r.size)] = own;
              MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_INT, in[5].data(), l.counts, l.places, MPI_INT, r.comm, q);
            }),
      start(r, [&](const Lists& l, MPI_Request* q) {
        MPI_Ireduce_scatter(send.data(), &reduced, l.counts, MPI_INT, MPI_MAX, r.comm, q);
      })};
  MPI_Waitall(8, requests.data(), MPI_STATUSES_IGNORE);
  expect_blocks(r, in[0], 0, "allgatherv");
  if (r.rank == 0) expect_blocks(r, in[1], 0, "gatherv");
  r.expect(scattered == value(0, r.rank), "scatterv");
  expect_blocks(r, in[2], r.rank, "alltoallv");
  expect_blocks(r, in[3], r.rank, "alltoallw");
  expect_blocks(r, in[4], r.rank, "alltoallv in place");
  expect_blocks(r, in[5], 0, "allgatherv in place");
  // Place i of the last rank's blocks is the largest.
  r.expect(reduced == (r.rank % 2 == 0 ? value(r.size - 1, r.size - 1 - r.rank / 2) : gap), "reduce_scatter");
}

// Not run unless it is named: Open MPI 4.1.4 crashes in it.
CONFORMANCE_CASE("communicators-freed", communicators_may_be_freed_meanwhile, true) {
  constexpr int calls = 20;
  std::array<int, calls> sums = {};
  std::array<std::vector<int>, calls> gathered;
  std::vector<MPI_Request> requests;
  const int own = value(r.rank, 0);
  for (int i = 0; i < calls; ++i) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(r.comm, &comm);
    gathered[i] = blocks(r.size);
    requests.push_back(start(r, [&](const Lists& l, MPI_Request* q) {
      MPI_Iallgatherv(&own, 1, MPI_INT, gathered[i].data(), l.counts, l.places, MPI_INT, comm, q);
    }));
    requests.emplace_back();
    MPI_Iallreduce(&own, &sums[i], 1, MPI_INT, MPI_SUM, comm, &requests.back());
    MPI_Comm_free(&comm);
    r.expect(comm == MPI_COMM_NULL, "handle");
  }
  MPI_Waitall(2 * calls, requests.data(), MPI_STATUSES_IGNORE);
  for (int i = 0; i < calls; ++i) {
    r.expect(sums[i] == 1000 * (r.size * (r.size + 1) / 2), "sum " + std::to_string(i));
    expect_blocks(r, gathered[i], 0, "call " + std::to_string(i));
  }
}

// Datatypes are made and freed while a call is always in progress.
CONFORMANCE_CASE("types-freed-between", datatypes_may_be_freed_between_overlapping_calls) {
  constexpr int calls = 50;
  std::vector<int> own(2, value(r.rank, 0));
  std::array<std::vector<int>, calls> all;
  MPI_Request before = MPI_REQUEST_NULL;
  for (int i = 0; i < calls; ++i) {
    all[i] = blocks(r.size);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type);
    MPI_Type_commit(&type);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgather(own.data(), 1, type, all[i].data(), 1, type, r.comm, &request);
    MPI_Type_free(&type);
    MPI_Wait(&before, MPI_STATUS_IGNORE);
    before = request;
  }
  MPI_Wait(&before, MPI_STATUS_IGNORE);
  for (const std::vector<int>& each : all)
    for (int from = 0; from < r.size; ++from)
      r.expect(each[2 * from] == value(from, 0) && each[2 * from + 1] == gap, "block of " + std::to_string(from));
}

}  // namespace
