// Random calls of collectives, consistent on all ranks: the blocks of each rank, their datatypes and displacements. A
// call can be repeated, with receive buffers that have the same contents before each.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "algorithms/mpi/job/byte_pattern.hpp"
#include "algorithms/mpi/library/collective_call.hpp"

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Two by two matrices of integers: their product does not commute.
using Matrix = std::array<std::uint64_t, 4>;
inline Matrix times(const Matrix& a, const Matrix& b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
}
inline void multiply(void* left, void* right, int* count, MPI_Datatype*) {
  auto* a = static_cast<Matrix*>(left);
  auto* b = static_cast<Matrix*>(right);
  for (int i = 0; i < *count; ++i) b[i] = times(a[i], b[i]);
}

/// Every other number of four: the operator must leave those between untouched.
struct Sparse {
  std::int32_t first, hole, second, end;
};
inline void join_sparse(void* left, void* right, int* count, MPI_Datatype*) {
  auto* a = static_cast<Sparse*>(left);
  auto* b = static_cast<Sparse*>(right);
  for (int i = 0; i < *count; ++i) {  // not the whole struct: Open MPI leaves no room for the padding of the last one
    b[i].first ^= a[i].first;
    b[i].second ^= a[i].second;
  }
}

/// A datatype for a unit of data: so many of its elements make one unit.
struct Form {
  MPI_Datatype type;
  int elements;
  std::ptrdiff_t extent;
};
/// Two datatypes with the same signature: one may be sent and the other received.
struct Pair {
  const char* name;
  Form a, b;
};
struct Operation {
  const char* name;
  MPI_Datatype type;
  MPI_Op op;
  std::ptrdiff_t extent;
};

/// What the underlying MPI gets wrong itself (SMPI 3.32), so that there is nothing to compare with: datatypes whose
/// elements lie in reverse, v and w forms of alltoall in place, operators that do not commute in scans.
#ifdef ISTHMUS_TEST_SIMULATED
constexpr bool mpi_is_right = false;
#else
constexpr bool mpi_is_right = true;
#endif

/// Datatypes and operators, freed at the end.
class Kinds {
 public:
  Kinds() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 2, 4, MPI_SHORT, &type);
    pairs.push_back({"shorts and vectors of them", {MPI_SHORT, 6, 2}, {keep(type), 1, 20}});
    const int lengths[] = {1, 1};
    const int displacements[] = {1, 0};
    MPI_Type_indexed(2, lengths, displacements, MPI_INT, &type);
    const Form reverse{keep(type), 1, 8};
    if (mpi_is_right) pairs.push_back({"ints and ints in reverse", {MPI_INT, 2, 4}, reverse});
    MPI_Type_contiguous(3, MPI_DOUBLE, &type);
    pairs.push_back({"doubles and three at once", {keep(type), 1, 24}, {MPI_DOUBLE, 3, 8}});
    const int four = 4;
    const MPI_Aint behind = 8;
    MPI_Datatype bytes = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &four, &behind, MPI_BYTE, &bytes);
    MPI_Type_create_resized(bytes, 0, 12, &type);
    MPI_Type_free(&bytes);
    pairs.push_back({"bytes and bytes behind their address", {MPI_BYTE, 4, 1}, {keep(type), 1, 12}});
    pairs.push_back({"ints", {MPI_INT, 1, 4}, {MPI_INT, 1, 4}});

    MPI_Type_contiguous(4, MPI_UINT64_T, &type);
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(&multiply, 0, &op);
    operations.push_back({"products of matrices", keep(type), keep(op), 32});
    const int ones[] = {1, 1};
    const MPI_Aint places[] = {0, 8};
    const MPI_Datatype ints[] = {MPI_INT, MPI_INT};
    MPI_Datatype packed = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, ones, places, ints, &packed);
    MPI_Type_create_resized(packed, 0, sizeof(Sparse), &type);
    MPI_Type_free(&packed);
    MPI_Op_create(&join_sparse, 1, &op);
    operations.push_back({"structs with holes", keep(type), keep(op), sizeof(Sparse)});
    operations.push_back({"sums of ints", MPI_INT, MPI_SUM, 4});
    operations.push_back({"places of the greatest", MPI_2INT, MPI_MAXLOC, 8});
    operations.push_back({"bits", MPI_UNSIGNED_CHAR, MPI_BXOR, 1});
  }
  ~Kinds() {
    for (MPI_Datatype& type : types_) MPI_Type_free(&type);
    for (MPI_Op& op : ops_) MPI_Op_free(&op);
  }
  Kinds(const Kinds&) = delete;
  Kinds& operator=(const Kinds&) = delete;

  std::vector<Pair> pairs;
  std::vector<Operation> operations;

 private:
  MPI_Datatype keep(MPI_Datatype type) {
    MPI_Type_commit(&type);
    types_.push_back(type);
    return type;
  }
  MPI_Op keep(MPI_Op op) {
    ops_.push_back(op);
    return op;
  }

  std::vector<MPI_Datatype> types_;
  std::vector<MPI_Op> ops_;
};

class Deal {
 public:
  /// Blocks of up to `most` units. The same seed, kinds in the same order, on all ranks.
  Deal(Collective collective, const Kinds& kinds, std::uint64_t seed, int most, MPI_Comm comm)
      : collective_(collective), comm_(comm), random_(seed), max_(most) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
    root_ = has_root(collective) ? below(size_) : 0;
    in_place_ = below(3) == 0;
    if (!mpi_is_right && (collective == Collective::alltoallv || collective == Collective::alltoallw))
      in_place_ = false;
    if (has_operator(collective))
      reduces(kinds);
    else
      moves(kinds);
  }

  std::string name() const {
    return std::string(isthmus::name(collective_)) + " of " + kind_ + ", " + std::to_string(count_) + " units, root " +
           std::to_string(root_) + (in_place_ ? ", in place" : "");
  }
  /// The contents of a receive buffer before the call.
  std::vector<std::byte> buffer() const { return start_; }
  /// The number of bytes that the call defines: none for an exscan on rank 0; only the own block for a reduce_scatter
  /// in place.
  std::size_t defined() const {
    if (collective_ == Collective::exscan && rank_ == 0) return 0;
    if (collective_ == Collective::reduce_scatter) return counts_[rank_] * operation_.extent;
    if (collective_ == Collective::reduce_scatter_block) return count_ * operation_.extent;
    return start_.size();
  }

  /// The call into a buffer of that kind; this must outlive it.
  CollectiveCall call(std::vector<std::byte>& into) const {
    const std::byte* const send = send_.data();
    const bool own_in_place = in_place_ && (!has_root(collective_) || rank_ == root_);
    const void* from = own_in_place ? MPI_IN_PLACE : send;
    switch (collective_) {
      case Collective::barrier:
        return calls::barrier(comm_);
      case Collective::broadcast: {
        const Form& form = rank_ == root_ ? sent_ : received_;
        return calls::broadcast(into.data(), count_ * form.elements, form.type, root_, comm_);
      }
      case Collective::reduce:
        return calls::reduce(from, into.data(), count_, operation_.type, operation_.op, root_, comm_);
      case Collective::reduce_scatter:
        return calls::reduce_scatter(from, into.data(), counts_.data(), operation_.type, operation_.op, comm_);
      case Collective::allreduce:
      case Collective::reduce_scatter_block:
      case Collective::scan:
      case Collective::exscan:
        return calls::reducing(collective_, from, into.data(), count_, operation_.type, operation_.op, comm_);
      case Collective::gather:
        return calls::gather(from, count_ * sent_.elements, sent_.type, into.data(), count_ * received_.elements,
                             received_.type, root_, comm_);
      case Collective::gatherv:
        return calls::gatherv(from, units_[rank_] * sent_.elements, sent_.type, into.data(), counts_.data(),
                              places_.data(), received_.type, root_, comm_);
      case Collective::scatter:
        return calls::scatter(send, count_ * sent_.elements, sent_.type,
                              own_in_place ? MPI_IN_PLACE : static_cast<void*>(into.data()),
                              count_ * received_.elements, received_.type, root_, comm_);
      case Collective::scatterv:
        return calls::scatterv(send, send_counts_.data(), send_places_.data(), sent_.type,
                               own_in_place ? MPI_IN_PLACE : static_cast<void*>(into.data()),
                               units_[rank_] * received_.elements, received_.type, root_, comm_);
      case Collective::allgather:
        return calls::allgather(from, count_ * sent_.elements, sent_.type, into.data(), count_ * received_.elements,
                                received_.type, comm_);
      case Collective::allgatherv:
        return calls::allgatherv(from, units_[rank_] * sent_.elements, sent_.type, into.data(), counts_.data(),
                                 places_.data(), received_.type, comm_);
      case Collective::alltoall:
        return calls::alltoall(from, count_ * sent_.elements, sent_.type, into.data(), count_ * received_.elements,
                               received_.type, comm_);
      case Collective::alltoallv:
        return calls::alltoallv(from, send_counts_.data(), send_places_.data(), sent_.type, into.data(), counts_.data(),
                                places_.data(), received_.type, comm_);
      case Collective::alltoallw:
        return calls::alltoallw(from, send_counts_.data(), send_places_.data(), send_types_.data(), into.data(),
                                counts_.data(), places_.data(), types_.data(), comm_);
    }
    return {};
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }

  std::vector<std::byte> filled(std::size_t bytes, int which) const {
    std::vector<std::byte> buffer(bytes);
    write_pattern(buffer, pattern_seed(static_cast<std::uint64_t>(which), rank_));
    return buffer;
  }

  void reduces(const Kinds& kinds) {
    const bool scans = collective_ == Collective::scan || collective_ == Collective::exscan;
    const int first = scans && !mpi_is_right ? 1 : 0;  // behind the one that does not commute
    operation_ = kinds.operations[first + below(static_cast<int>(kinds.operations.size()) - first)];
    kind_ = operation_.name;
    count_ = below(max_ + 1);
    std::int64_t all = count_;
    if (collective_ == Collective::reduce_scatter_block) all *= size_;
    if (collective_ == Collective::reduce_scatter) {
      for (int rank = 0; rank < size_; ++rank) counts_.push_back(below(max_ + 1));
      all = std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
    }
    send_ = filled(static_cast<std::size_t>(all * operation_.extent), 1);
    start_ = filled(send_.size(), 2);
  }

  // Places in a random order, with gaps, for blocks of the counts given.
  std::vector<int> places_for(const std::vector<int>& counts) {
    std::vector<int> order(counts.size());
    std::iota(order.begin(), order.end(), 0);
    if (below(2) == 0) std::shuffle(order.begin(), order.end(), random_);
    const int widest_gap = below(3);
    std::vector<int> places(counts.size());
    int next = 0;
    for (const int block : order) {
      places[block] = next;
      next += counts[block] + (widest_gap > 0 ? below(widest_gap + 1) : 0);
    }
    return places;
  }

  static std::size_t room(const std::vector<int>& counts, const std::vector<int>& places, std::ptrdiff_t extent) {
    std::ptrdiff_t end = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) end = std::max(end, (counts[i] + places[i]) * extent);
    return static_cast<std::size_t>(end + 32);
  }

  static std::vector<int> multiplied(std::vector<int> values, int by) {
    for (int& value : values) value *= by;
    return values;
  }

  void moves(const Kinds& kinds) {
    const Pair& pair = kinds.pairs[below(static_cast<int>(kinds.pairs.size()))];
    kind_ = pair.name;
    const bool turned = below(2) == 1;
    sent_ = turned ? pair.b : pair.a;
    received_ = turned ? pair.a : pair.b;
    count_ = below(max_ + 1);
    if (has_counts(collective_)) {
      lists();
      return;
    }
    const std::size_t blocks = collective_ == Collective::broadcast || collective_ == Collective::barrier ? 1 : size_;
    send_ = filled(blocks * count_ * sent_.elements * sent_.extent + 32, 1);
    start_ = filled(blocks * count_ * received_.elements * received_.extent + 32, 2);
    if (collective_ == Collective::broadcast && rank_ == root_) start_ = send_;
  }

  void lists() {
    const bool alltoall = collective_ != Collective::gatherv && collective_ != Collective::scatterv &&
                          collective_ != Collective::allgatherv;
    std::vector<int> sent(size_), received(size_);  // in units, by the other rank
    for (int from = 0; from < size_; ++from)
      for (int to = 0; to < (alltoall ? size_ : 1); ++to) {
        const int units = below(4) == 0 ? 0 : below(max_ + 1);
        if (!alltoall) units_.push_back(units);
        // In place both sides have the same blocks.
        matrix_.push_back(units);
      }
    if (alltoall) {
      const auto units = [&](int from, int to) {
        const int a = in_place_ ? std::min(from, to) : from;
        const int b = in_place_ ? std::max(from, to) : to;
        return matrix_[static_cast<std::size_t>(a) * size_ + b];
      };
      for (int other = 0; other < size_; ++other) {
        sent[other] = units(rank_, other);
        received[other] = units(other, rank_);
      }
    } else {
      sent = received = units_;
    }
    send_counts_ = multiplied(sent, sent_.elements);
    counts_ = multiplied(received, received_.elements);
    send_places_ = places_for(send_counts_);
    places_ = places_for(counts_);
    // Every rank draws equally many numbers, except for shuffles of its own lists.
    send_ = filled(room(send_counts_, send_places_, sent_.extent), 1);
    if (collective_ == Collective::gatherv || collective_ == Collective::allgatherv)
      send_ = filled(static_cast<std::size_t>(units_[rank_] * sent_.elements * sent_.extent + 32), 1);
    start_ = filled(room(counts_, places_, received_.extent), 2);
    if (collective_ == Collective::scatterv)
      start_ = filled(static_cast<std::size_t>(units_[rank_] * received_.elements * received_.extent + 32), 2);
    if (collective_ != Collective::alltoallw) return;
    send_places_ = multiplied(send_places_, static_cast<int>(sent_.extent));
    places_ = multiplied(places_, static_cast<int>(received_.extent));
    send_types_.assign(size_, sent_.type);
    types_.assign(size_, received_.type);
  }

  Collective collective_;
  MPI_Comm comm_;
  std::mt19937_64 random_;
  int max_;
  int rank_ = 0, size_ = 0, root_ = 0;
  bool in_place_ = false;
  std::string kind_;
  std::int64_t count_ = 0;
  Operation operation_{};
  Form sent_{}, received_{};
  std::vector<int> units_, matrix_;
  std::vector<int> send_counts_, send_places_, counts_, places_;
  std::vector<MPI_Datatype> send_types_, types_;
  std::vector<std::byte> send_, start_;
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
