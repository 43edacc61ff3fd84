#include "algorithms/mpi/library/collective_call.hpp"

#include <algorithm>
#include <limits>

#include "algorithms/mpi/executor/element_type.hpp"
#include "algorithms/mpi/executor/mpi_error.hpp"
#include "algorithms/mpi/library/call_buffers.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

// Which sides have a list of counts.
bool has_send_counts(Collective collective) {
  return collective == Collective::scatterv || collective == Collective::alltoallv ||
         collective == Collective::alltoallw;
}
bool has_receive_counts(Collective collective) { return has_counts(collective) && collective != Collective::scatterv; }

int check_side(const CallSide& side, bool has_counts, bool has_displacements, bool has_datatypes, int size) {
  if (!has_datatypes && side.datatype == MPI_DATATYPE_NULL) return MPI_ERR_TYPE;
  if (has_counts && size == 0) return MPI_SUCCESS;  // no block
  if (!has_counts) return side.count < 0 ? MPI_ERR_COUNT : MPI_SUCCESS;
  if (!side.counts.given()) return MPI_ERR_COUNT;
  if (has_displacements && !side.displacements.given()) return MPI_ERR_ARG;
  if (has_datatypes && side.datatypes == nullptr) return MPI_ERR_TYPE;
  for (int rank = 0; rank < size; ++rank) {
    if (side.counts[rank] < 0) return MPI_ERR_COUNT;
    if (has_datatypes && side.counts[rank] > 0 && side.datatypes[rank] == MPI_DATATYPE_NULL) return MPI_ERR_TYPE;
  }
  return MPI_SUCCESS;
}

// No elements are packed: an MPI checks the datatype first.
bool is_taken(MPI_Datatype datatype, MPI_Comm quiet) {
  char none[2] = {};
  int position = 0;
  return PMPI_Pack(&none[0], 0, datatype, &none[1], 1, &position, quiet) == MPI_SUCCESS;
}

bool are_taken(const CallSide& side, bool has_counts, int blocks, MPI_Comm quiet) {
  if (has_counts && blocks == 0) return true;  // the lists may be null
  if (side.datatypes == nullptr) return is_taken(side.datatype, quiet);
  for (int rank = 0; rank < blocks; ++rank)
    if (side.counts[rank] != 0 && !is_taken(side.datatypes[rank], quiet)) return false;
  return true;
}

int check_in_place(const CollectiveCall& call, int rank) {
  const bool send = call.send.address == MPI_IN_PLACE;
  const bool receive = call.receive.address == MPI_IN_PLACE;
  if (!carries_data(call.collective)) return MPI_SUCCESS;
  if (call.among_neighbours) return send || receive ? MPI_ERR_ARG : MPI_SUCCESS;
  const bool root_alone = is_gather(call.collective) || call.collective == Collective::reduce;
  if (send && (root_alone ? rank != call.root : is_scatter(call.collective) && rank == call.root)) return MPI_ERR_ARG;
  if (receive && receive_matters(call, rank)) return MPI_ERR_ARG;
  return MPI_SUCCESS;
}

// A call of the MPI beneath, its non-blocking form if there is a request.
#define CALL(name, nonblocking_name, ...) \
  (request == nullptr ? PMPI_##name(__VA_ARGS__) : PMPI_##nonblocking_name(__VA_ARGS__, request))

int call_mpi_among_neighbours(const CollectiveCall& call, MPI_Request* request) {
  const CallSide& s = call.send;
  const CallSide& r = call.receive;
  const int send_count = static_cast<int>(s.count);
  const int count = static_cast<int>(r.count);
  switch (call.collective) {
    case Collective::allgather:
      return CALL(Neighbor_allgather, Ineighbor_allgather, s.address, send_count, s.datatype, r.address, count,
                  r.datatype, call.comm);
    case Collective::allgatherv:
      return CALL(Neighbor_allgatherv, Ineighbor_allgatherv, s.address, send_count, s.datatype, r.address,
                  r.counts.ints(), r.displacements.ints(), r.datatype, call.comm);
    case Collective::alltoall:
      return CALL(Neighbor_alltoall, Ineighbor_alltoall, s.address, send_count, s.datatype, r.address, count,
                  r.datatype, call.comm);
    case Collective::alltoallv:
      return CALL(Neighbor_alltoallv, Ineighbor_alltoallv, s.address, s.counts.ints(), s.displacements.ints(),
                  s.datatype, r.address, r.counts.ints(), r.displacements.ints(), r.datatype, call.comm);
    case Collective::alltoallw:
      return CALL(Neighbor_alltoallw, Ineighbor_alltoallw, s.address, s.counts.ints(), s.displacements.aints(),
                  s.datatypes, r.address, r.counts.ints(), r.displacements.aints(), r.datatypes, call.comm);
    default:
      return MPI_ERR_ARG;
  }
}

bool is_int(std::int64_t value) {
  return value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
}
bool side_fits(const CallSide& side, bool has_counts) {
  // Wide lists would have to be copied, and kept until a non-blocking call has ended: left to isthmus.
  return has_counts ? !side.counts.wide() && !side.displacements.wide() : is_int(side.count);
}

void add_bytes(const CallSide& side, int size, std::vector<std::int64_t>& counts) {
  MPI_Count element_bytes = 0;
  if (side.datatypes == nullptr && size > 0)
    check_mpi(PMPI_Type_size_x(side.datatype, &element_bytes), {.call = "MPI_Type_size_x"});
  for (int rank = 0; rank < size; ++rank)
    counts.push_back(side.datatypes == nullptr ? side.counts[rank] * element_bytes
                                               : bytes_of(side.counts[rank], side.datatypes[rank]));
}

// Sets the counts of a collective that moves data. Returns whether this rank's own block has the same size on both
// sides, if both are given.
bool set_movement(const CollectiveCall& call, int rank, int size, Signature& signature) {
  const CallSide& send = call.send;
  const CallSide& receive = call.receive;
  const bool apart = !in_place(call);
  std::vector<std::int64_t>& counts = signature.counts;
  switch (call.collective) {
    case Collective::broadcast:
      signature.count = bytes_of(receive.count, receive.datatype);
      return true;
    case Collective::gather:
    case Collective::scatter: {
      const bool at_root = rank == call.root;
      const CallSide& all = call.collective == Collective::gather ? receive : send;  // only at the root
      const CallSide& own = call.collective == Collective::gather ? send : receive;
      const CallSide& known = at_root ? all : own;
      signature.count = bytes_of(known.count, known.datatype);
      return !at_root || !apart || bytes_of(own.count, own.datatype) == signature.count;
    }
    case Collective::gatherv:
    case Collective::scatterv: {
      const CallSide& all = call.collective == Collective::gatherv ? receive : send;
      const CallSide& own = call.collective == Collective::gatherv ? send : receive;
      if (rank != call.root) {
        counts.push_back(bytes_of(own.count, own.datatype));
        return true;
      }
      add_bytes(all, size, counts);
      return !apart || bytes_of(own.count, own.datatype) == counts[rank];
    }
    case Collective::allgather:
    case Collective::alltoall:
      signature.count = bytes_of(receive.count, receive.datatype);
      return !apart || bytes_of(send.count, send.datatype) == signature.count;
    case Collective::allgatherv:
      add_bytes(receive, size, counts);
      return !apart || bytes_of(send.count, send.datatype) == counts[rank];
    case Collective::alltoallv:
    case Collective::alltoallw:
      add_bytes(apart ? send : receive, size, counts);
      add_bytes(receive, size, counts);
      return counts[rank] == counts[size + rank];
    default:
      return true;
  }
}

// The same among neighbours. A rank without neighbours on one side may give any count there.
bool set_movement_among_neighbours(const CollectiveCall& call, int rank, Signature& signature) {
  const CallSide& send = call.send;
  const CallSide& receive = call.receive;
  const BlockNumbers blocks = block_numbers(call, rank, 0);
  if (has_counts(call.collective)) {
    if (is_alltoall(call.collective))
      add_bytes(send, blocks.sent, signature.counts);
    else
      signature.counts.push_back(bytes_of(send.count, send.datatype));
    add_bytes(receive, blocks.received, signature.counts);
    return true;
  }
  const std::int64_t sent = bytes_of(send.count, send.datatype);
  const std::int64_t received = bytes_of(receive.count, receive.datatype);
  signature.count = blocks.received > 0 ? received : sent;
  return blocks.sent == 0 || blocks.received == 0 || sent == received;
}

}  // namespace

std::string_view name_of(const CollectiveCall& call) {
  if (!call.among_neighbours) return name(call.collective);
  switch (call.collective) {
    case Collective::allgather:
      return "neighbour_allgather";
    case Collective::allgatherv:
      return "neighbour_allgatherv";
    case Collective::alltoall:
      return "neighbour_alltoall";
    case Collective::alltoallv:
      return "neighbour_alltoallv";
    default:
      return "neighbour_alltoallw";
  }
}

BlockNumbers block_numbers(const CollectiveCall& call, int rank, int size) {
  if (!call.among_neighbours) return {size, size};
  return {call.neighbours->out_degree(rank), call.neighbours->in_degree(rank)};
}

bool send_matters(const CollectiveCall& call, int rank) {
  switch (call.collective) {
    case Collective::gather:
    case Collective::gatherv:
      return rank != call.root || !in_place(call);
    case Collective::scatter:
    case Collective::scatterv:
      return rank == call.root;
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return !in_place(call);
    default:
      return false;
  }
}

bool receive_matters(const CollectiveCall& call, int rank) {
  if (!carries_data(call.collective)) return false;
  if (is_gather(call.collective)) return rank == call.root;
  if (is_scatter(call.collective)) return rank != call.root || !in_place(call);
  return true;
}

bool in_place(const CollectiveCall& call) {
  return (is_scatter(call.collective) ? call.receive.address : call.send.address) == MPI_IN_PLACE;
}

int check_arguments(const CollectiveCall& call, int rank, int size) {
  if (has_root(call.collective) && (call.root < 0 || call.root >= size)) return MPI_ERR_ROOT;
  if (const int code = check_in_place(call, rank); code != MPI_SUCCESS) return code;
  const bool w = call.collective == Collective::alltoallw;
  const BlockNumbers blocks = block_numbers(call, rank, size);
  if (send_matters(call, rank))
    if (const int code = check_side(call.send, has_send_counts(call.collective), true, w, blocks.sent);
        code != MPI_SUCCESS)
      return code;
  if (receive_matters(call, rank))
    if (const int code = check_side(call.receive, has_receive_counts(call.collective),
                                    call.collective != Collective::reduce_scatter, w, blocks.received);
        code != MPI_SUCCESS)
      return code;
  return has_operator(call.collective) && call.op == MPI_OP_NULL ? MPI_ERR_OP : MPI_SUCCESS;
}

int check_datatypes(const CollectiveCall& call, int rank, int size, MPI_Comm quiet) {
  const BlockNumbers blocks = block_numbers(call, rank, size);
  const bool sent = has_operator(call.collective) || !send_matters(call, rank) ||
                    are_taken(call.send, has_send_counts(call.collective), blocks.sent, quiet);
  const bool received = !receive_matters(call, rank) ||
                        are_taken(call.receive, has_receive_counts(call.collective), blocks.received, quiet);
  return sent && received ? MPI_SUCCESS : MPI_ERR_TYPE;
}

int check_operands(const CollectiveCall& call, int rank, int size) {
  if (!has_operator(call.collective)) return MPI_SUCCESS;
  const bool writes =
      call.collective == Collective::reduce ? rank == call.root : call.collective != Collective::exscan || rank > 0;
  const bool reads_null = call.send.address == nullptr, writes_null = writes && call.receive.address == nullptr;
  if (!reads_null && !writes_null) return MPI_SUCCESS;
  std::int64_t read = call.receive.count, written = read;
  if (call.collective == Collective::reduce_scatter) {
    read = 0;
    for (int each = 0; each < size; ++each) read += call.receive.counts[each];
    written = call.receive.counts[rank];
  }
  if ((!reads_null || read == 0) && (!writes_null || written == 0)) return MPI_SUCCESS;
  const ElementType type(call.receive.datatype, rank);
  return type.size() > 0 && type.is_plain() ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

bool fits_mpi(const CollectiveCall& call) {
  return side_fits(call.send, has_send_counts(call.collective)) &&
         side_fits(call.receive, has_receive_counts(call.collective));
}

int call_mpi(const CollectiveCall& call, MPI_Request* request) {
  if (call.among_neighbours) return call_mpi_among_neighbours(call, request);
  const CallSide& s = call.send;
  const CallSide& r = call.receive;
  const int send_count = static_cast<int>(s.count);
  const int count = static_cast<int>(r.count);
  switch (call.collective) {
    case Collective::barrier:
      return CALL(Barrier, Ibarrier, call.comm);
    case Collective::broadcast:
      return CALL(Bcast, Ibcast, r.address, count, r.datatype, call.root, call.comm);
    case Collective::reduce:
      return CALL(Reduce, Ireduce, s.address, r.address, count, r.datatype, call.op, call.root, call.comm);
    case Collective::allreduce:
      return CALL(Allreduce, Iallreduce, s.address, r.address, count, r.datatype, call.op, call.comm);
    case Collective::gather:
      return CALL(Gather, Igather, s.address, send_count, s.datatype, r.address, count, r.datatype, call.root,
                  call.comm);
    case Collective::gatherv:
      return CALL(Gatherv, Igatherv, s.address, send_count, s.datatype, r.address, r.counts.ints(),
                  r.displacements.ints(), r.datatype, call.root, call.comm);
    case Collective::scatter:
      return CALL(Scatter, Iscatter, s.address, send_count, s.datatype, r.address, count, r.datatype, call.root,
                  call.comm);
    case Collective::scatterv:
      return CALL(Scatterv, Iscatterv, s.address, s.counts.ints(), s.displacements.ints(), s.datatype, r.address, count,
                  r.datatype, call.root, call.comm);
    case Collective::allgather:
      return CALL(Allgather, Iallgather, s.address, send_count, s.datatype, r.address, count, r.datatype, call.comm);
    case Collective::allgatherv:
      return CALL(Allgatherv, Iallgatherv, s.address, send_count, s.datatype, r.address, r.counts.ints(),
                  r.displacements.ints(), r.datatype, call.comm);
    case Collective::alltoall:
      return CALL(Alltoall, Ialltoall, s.address, send_count, s.datatype, r.address, count, r.datatype, call.comm);
    case Collective::alltoallv:
      return CALL(Alltoallv, Ialltoallv, s.address, s.counts.ints(), s.displacements.ints(), s.datatype, r.address,
                  r.counts.ints(), r.displacements.ints(), r.datatype, call.comm);
    case Collective::alltoallw:
      return CALL(Alltoallw, Ialltoallw, s.address, s.counts.ints(), s.displacements.ints(), s.datatypes, r.address,
                  r.counts.ints(), r.displacements.ints(), r.datatypes, call.comm);
    case Collective::reduce_scatter:
      return CALL(Reduce_scatter, Ireduce_scatter, s.address, r.address, r.counts.ints(), r.datatype, call.op,
                  call.comm);
    case Collective::reduce_scatter_block:
      return CALL(Reduce_scatter_block, Ireduce_scatter_block, s.address, r.address, count, r.datatype, call.op,
                  call.comm);
    case Collective::scan:
      return CALL(Scan, Iscan, s.address, r.address, count, r.datatype, call.op, call.comm);
    case Collective::exscan:
      return CALL(Exscan, Iexscan, s.address, r.address, count, r.datatype, call.op, call.comm);
  }
  return MPI_ERR_ARG;
}
#undef CALL

std::uint64_t hash_of(const Signature& signature) {
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  const auto add = [&](std::int64_t value) {
    hash = (hash ^ static_cast<std::uint64_t>(value)) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  };
  add(static_cast<std::int64_t>(signature.collective) * 4 + (signature.commutative ? 1 : 0) +
      (signature.among_neighbours ? 2 : 0));
  add(signature.all_counts ? 1 : 0);
  add(signature.root);
  add(signature.element_bytes);
  add(signature.count);
  for (const std::int64_t count : signature.counts) add(count);
  return hash;
}

int set_signature(const CollectiveCall& call, int rank, int size, Signature& signature) {
  signature.collective = call.collective;
  signature.among_neighbours = call.among_neighbours;
  signature.commutative = true;
  signature.root = has_root(call.collective) ? call.root : 0;
  signature.element_bytes = 1;
  signature.count = 0;
  signature.counts.clear();
  signature.all_counts = false;
  if (call.among_neighbours)
    return set_movement_among_neighbours(call, rank, signature) ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
  if (!has_operator(call.collective)) return set_movement(call, rank, size, signature) ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
  int commutes = 0;
  check_mpi(PMPI_Op_commutative(call.op, &commutes), {.call = "MPI_Op_commutative"});
  signature.commutative = commutes != 0;
  MPI_Count element_bytes = 0;
  check_mpi(PMPI_Type_size_x(call.receive.datatype, &element_bytes), {.call = "MPI_Type_size_x"});
  signature.element_bytes = std::max<MPI_Count>(1, element_bytes);
  const bool nothing = element_bytes == 0;
  if (!call.receive.counts.given()) signature.count = nothing ? 0 : call.receive.count;
  for (int each = 0; call.receive.counts.given() && each < size; ++each)
    signature.counts.push_back(nothing ? 0 : call.receive.counts[each]);
  return MPI_SUCCESS;
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
