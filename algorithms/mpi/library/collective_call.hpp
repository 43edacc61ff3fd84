// One call of a collective with MPI's own arguments, which isthmus serves or leaves to the MPI beneath it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "algorithms/collective/problem.hpp"
#include "algorithms/neighbourhood/neighbourhood.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// A caller's array of counts or displacements, by rank: of int, or of the wide integers of the large (_c) forms. The
/// array belongs to the caller, who may free it when the call returns.
class IntegerList {
 public:
  IntegerList() = default;
  template <typename Integer>
  IntegerList(const Integer* values) : values_(values), wide_(sizeof(Integer) == sizeof(std::int64_t)) {
    static_assert(sizeof(Integer) == sizeof(int) || sizeof(Integer) == sizeof(std::int64_t));
  }

  bool given() const { return values_ != nullptr; }
  bool wide() const { return wide_; }
  std::int64_t operator[](int index) const { return wide_ ? at<std::int64_t>(index) : at<int>(index); }
  /// A copy of the integers for `size` ranks.
  IntegerList copied(int size, std::unique_ptr<std::byte[]>& memory) const {
    if (!given()) return *this;
    const std::size_t bytes = static_cast<std::size_t>(size) * (wide_ ? sizeof(std::int64_t) : sizeof(int));
    memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
    std::memcpy(memory.get(), values_, bytes);
    IntegerList copy = *this;
    copy.values_ = memory.get();
    return copy;
  }
  const MPI_Aint* aints() const { return wide_ ? static_cast<const MPI_Aint*>(values_) : nullptr; }
  /// Null when wide.
  const int* ints() const { return wide_ ? nullptr : static_cast<const int*>(values_); }

 private:
  template <typename Integer>
  Integer at(int index) const {
    Integer value;
    std::memcpy(&value, static_cast<const char*>(values_) + index * sizeof(Integer), sizeof(Integer));
    return value;
  }

  const void* values_ = nullptr;
  bool wide_ = false;
};

/// The sending or the receiving half of an argument list. `count` and `datatype` are of one block; the v forms have
/// `counts` and `displacements` (in extents of `datatype`) in place of the count, alltoallw `datatypes` in place of the
/// datatype as well, and displacements in bytes.
struct CallSide {
  void* address = nullptr;  ///< of the sending side it is only read; may be MPI_IN_PLACE where MPI allows it
  std::int64_t count = 0;
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  IntegerList counts = {};
  IntegerList displacements = {};
  const MPI_Datatype* datatypes = nullptr;
};

/// The message of a broadcast is `receive`. Collectives that reduce have one count (or counts) and datatype, in
/// `receive`; `send` has only the address.
struct CollectiveCall {
  Collective collective = Collective::barrier;
  CallSide send = {};
  CallSide receive = {};
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  /// The collective among neighbours: MPI_Neighbor_allgather is an allgather. `neighbours` are those of the
  /// communicator, once they are known.
  bool among_neighbours = false;
  const Neighbourhood* neighbours = nullptr;
  bool blocking = false;  ///< returns when this rank's part is done
  bool started = false;   ///< non-blocking: it must not wait for other ranks
  bool large = false;     ///< made by a large (_c) form, the same on all ranks; MPI 3.1 may not have this call
};

/// The name for reports: `allgather`, or `neighbour_allgather`. A constant.
std::string_view name_of(const CollectiveCall& call);

/// The blocks in a rank's lists on each side; among neighbours these have to be known.
struct BlockNumbers {
  int sent = 0, received = 0;
};
BlockNumbers block_numbers(const CollectiveCall& call, int rank, int size);

/// Whether this rank gave MPI_IN_PLACE.
bool in_place(const CollectiveCall& call);

/// Whether counts and datatypes of a side matter on a rank of an intracommunicator.
bool send_matters(const CollectiveCall& call, int rank);
bool receive_matters(const CollectiveCall& call, int rank);

/// The error class of the arguments that matter on this rank: MPI_ERR_ROOT, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP,
/// MPI_ERR_ARG (MPI_IN_PLACE or null where it is not allowed); or MPI_SUCCESS. For an intracommunicator of `size`
/// ranks. Does not check whether an operator takes a datatype.
int check_arguments(const CollectiveCall& call, int rank, int size);

/// MPI_ERR_TYPE if the MPI does not take a datatype of the call in messages, as one that has not been committed; of a
/// call that check_arguments() has found right. Errors are raised on `quiet` alone, whose handler returns.
int check_datatypes(const CollectiveCall& call, int rank, int size, MPI_Comm quiet);

/// MPI_ERR_BUFFER if a reduction has elements but no buffer for them: only this rank would find out, in the middle of
/// the schedule. Of a call that check_datatypes() has found right. To a derived datatype null is MPI_BOTTOM.
int check_operands(const CollectiveCall& call, int rank, int size);

/// Everything that a program depends on besides topology and plan, as far as this rank knows it. Elements are bytes if
/// data is moved (call_buffers.hpp), and the caller's elements if it is reduced.
struct Signature {
  Collective collective = Collective::barrier;
  bool among_neighbours = false;
  bool commutative = true;
  int root = 0;
  std::int64_t element_bytes = 1;
  std::int64_t count = 0;
  /// gatherv, scatterv: counts of all blocks at the root, of the own block on other ranks; alltoallv, alltoallw: of the
  /// blocks sent, then of those received; allgatherv, reduce_scatter: of all blocks. Among neighbours: of those sent,
  /// then of those received.
  std::vector<std::int64_t> counts = {};

  /// gatherv, scatterv, alltoallv, alltoallw: the counts are those of all blocks, on all ranks alike.
  bool all_counts = false;

  bool operator==(const Signature&) const = default;
};

/// Of a call that the checks above have found right. Returns MPI_SUCCESS, or the error class
/// where a rank's own block has two sizes. Throws MpiError.
int set_signature(const CollectiveCall& call, int rank, int size, Signature& signature);
std::uint64_t hash_of(const Signature& signature);

/// Makes the same call of the MPI beneath, on any communicator, and returns its code; the non-blocking one if there is
/// a request. A large form must fit (fits_mpi()).
int call_mpi(const CollectiveCall& call, MPI_Request* request = nullptr);
/// Whether all counts and displacements that matter on this rank are ints, as MPI 3.1 has them.
bool fits_mpi(const CollectiveCall& call);

/// Calls by MPI's argument lists. Counts may be int or MPI_Count; lists of them int or MPI_Count, of displacements int
/// or MPI_Aint.
namespace calls {

inline CallSide side(const void* address, std::int64_t count, MPI_Datatype datatype) {
  return {.address = const_cast<void*>(address), .count = count, .datatype = datatype};
}
inline CallSide side(const void* address, IntegerList counts, IntegerList displacements, MPI_Datatype datatype) {
  return {
      .address = const_cast<void*>(address), .datatype = datatype, .counts = counts, .displacements = displacements};
}
inline CallSide side(const void* address, IntegerList counts, IntegerList displacements,
                     const MPI_Datatype* datatypes) {
  return {
      .address = const_cast<void*>(address), .counts = counts, .displacements = displacements, .datatypes = datatypes};
}

inline CollectiveCall barrier(MPI_Comm comm) { return {.collective = Collective::barrier, .comm = comm}; }
inline CollectiveCall broadcast(void* buffer, std::int64_t count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return {.collective = Collective::broadcast, .receive = side(buffer, count, datatype), .root = root, .comm = comm};
}
inline CollectiveCall reduce(const void* send, void* receive, std::int64_t count, MPI_Datatype datatype, MPI_Op op,
                             int root, MPI_Comm comm) {
  return {.collective = Collective::reduce,
          .send = {.address = const_cast<void*>(send)},
          .receive = side(receive, count, datatype),
          .op = op,
          .root = root,
          .comm = comm};
}
/// Of allreduce, reduce_scatter_block, scan and exscan.
inline CollectiveCall reducing(Collective collective, const void* send, void* receive, std::int64_t count,
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return {.collective = collective,
          .send = {.address = const_cast<void*>(send)},
          .receive = side(receive, count, datatype),
          .op = op,
          .comm = comm};
}
inline CollectiveCall allreduce(const void* send, void* receive, std::int64_t count, MPI_Datatype datatype, MPI_Op op,
                                MPI_Comm comm) {
  return reducing(Collective::allreduce, send, receive, count, datatype, op, comm);
}
inline CollectiveCall reduce_scatter_block(const void* send, void* receive, std::int64_t count, MPI_Datatype datatype,
                                           MPI_Op op, MPI_Comm comm) {
  return reducing(Collective::reduce_scatter_block, send, receive, count, datatype, op, comm);
}
inline CollectiveCall scan(const void* send, void* receive, std::int64_t count, MPI_Datatype datatype, MPI_Op op,
                           MPI_Comm comm) {
  return reducing(Collective::scan, send, receive, count, datatype, op, comm);
}
inline CollectiveCall exscan(const void* send, void* receive, std::int64_t count, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm) {
  return reducing(Collective::exscan, send, receive, count, datatype, op, comm);
}
inline CollectiveCall reduce_scatter(const void* send, void* receive, IntegerList counts, MPI_Datatype datatype,
                                     MPI_Op op, MPI_Comm comm) {
  return {.collective = Collective::reduce_scatter,
          .send = {.address = const_cast<void*>(send)},
          .receive = side(receive, counts, {}, datatype),
          .op = op,
          .comm = comm};
}
/// Of the collectives that only move data.
inline CollectiveCall moving(Collective collective, const CallSide& send, const CallSide& receive, MPI_Comm comm,
                             int root = 0) {
  return {.collective = collective, .send = send, .receive = receive, .root = root, .comm = comm};
}
inline CollectiveCall gather(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                             std::int64_t receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return moving(Collective::gather, side(send, send_count, send_type), side(receive, receive_count, receive_type), comm,
                root);
}
inline CollectiveCall gatherv(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                              IntegerList counts, IntegerList displacements, MPI_Datatype receive_type, int root,
                              MPI_Comm comm) {
  return moving(Collective::gatherv, side(send, send_count, send_type),
                side(receive, counts, displacements, receive_type), comm, root);
}
inline CollectiveCall scatter(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                              std::int64_t receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return moving(Collective::scatter, side(send, send_count, send_type), side(receive, receive_count, receive_type),
                comm, root);
}
inline CollectiveCall scatterv(const void* send, IntegerList counts, IntegerList displacements, MPI_Datatype send_type,
                               void* receive, std::int64_t receive_count, MPI_Datatype receive_type, int root,
                               MPI_Comm comm) {
  return moving(Collective::scatterv, side(send, counts, displacements, send_type),
                side(receive, receive_count, receive_type), comm, root);
}
inline CollectiveCall allgather(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                                std::int64_t receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  return moving(Collective::allgather, side(send, send_count, send_type), side(receive, receive_count, receive_type),
                comm);
}
inline CollectiveCall allgatherv(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                                 IntegerList counts, IntegerList displacements, MPI_Datatype receive_type,
                                 MPI_Comm comm) {
  return moving(Collective::allgatherv, side(send, send_count, send_type),
                side(receive, counts, displacements, receive_type), comm);
}
inline CollectiveCall alltoall(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                               std::int64_t receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  return moving(Collective::alltoall, side(send, send_count, send_type), side(receive, receive_count, receive_type),
                comm);
}
inline CollectiveCall alltoallv(const void* send, IntegerList send_counts, IntegerList send_displacements,
                                MPI_Datatype send_type, void* receive, IntegerList receive_counts,
                                IntegerList receive_displacements, MPI_Datatype receive_type, MPI_Comm comm) {
  return moving(Collective::alltoallv, side(send, send_counts, send_displacements, send_type),
                side(receive, receive_counts, receive_displacements, receive_type), comm);
}
inline CollectiveCall alltoallw(const void* send, IntegerList send_counts, IntegerList send_displacements,
                                const MPI_Datatype* send_types, void* receive, IntegerList receive_counts,
                                IntegerList receive_displacements, const MPI_Datatype* receive_types, MPI_Comm comm) {
  return moving(Collective::alltoallw, side(send, send_counts, send_displacements, send_types),
                side(receive, receive_counts, receive_displacements, receive_types), comm);
}

inline CollectiveCall among_neighbours(CollectiveCall call) {
  call.among_neighbours = true;
  return call;
}
inline CollectiveCall neighbour_allgather(const void* send, std::int64_t send_count, MPI_Datatype send_type,
                                          void* receive, std::int64_t receive_count, MPI_Datatype receive_type,
                                          MPI_Comm comm) {
  return among_neighbours(allgather(send, send_count, send_type, receive, receive_count, receive_type, comm));
}
inline CollectiveCall neighbour_allgatherv(const void* send, std::int64_t send_count, MPI_Datatype send_type,
                                           void* receive, IntegerList counts, IntegerList displacements,
                                           MPI_Datatype receive_type, MPI_Comm comm) {
  return among_neighbours(allgatherv(send, send_count, send_type, receive, counts, displacements, receive_type, comm));
}
inline CollectiveCall neighbour_alltoall(const void* send, std::int64_t send_count, MPI_Datatype send_type,
                                         void* receive, std::int64_t receive_count, MPI_Datatype receive_type,
                                         MPI_Comm comm) {
  return among_neighbours(alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm));
}
inline CollectiveCall neighbour_alltoallv(const void* send, IntegerList send_counts, IntegerList send_displacements,
                                          MPI_Datatype send_type, void* receive, IntegerList receive_counts,
                                          IntegerList receive_displacements, MPI_Datatype receive_type, MPI_Comm comm) {
  return among_neighbours(alltoallv(send, send_counts, send_displacements, send_type, receive, receive_counts,
                                    receive_displacements, receive_type, comm));
}
inline CollectiveCall neighbour_alltoallw(const void* send, IntegerList send_counts, IntegerList send_displacements,
                                          const MPI_Datatype* send_types, void* receive, IntegerList receive_counts,
                                          IntegerList receive_displacements, const MPI_Datatype* receive_types,
                                          MPI_Comm comm) {
  return among_neighbours(alltoallw(send, send_counts, send_displacements, send_types, receive, receive_counts,
                                    receive_displacements, receive_types, comm));
}

}  // namespace calls

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
