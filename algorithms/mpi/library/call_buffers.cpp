#include "algorithms/mpi/library/call_buffers.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

SideBlocks one_block(const CallSide& side) { return {side, 0, 1}; }

// The buffer that a rank's program reads, and the one that it writes; no value if there is none.
std::optional<SideBlocks> input_blocks(const CollectiveCall& call, int rank, int size) {
  switch (call.collective) {
    case Collective::gather:
    case Collective::gatherv:
    case Collective::allgather:
    case Collective::allgatherv:
      return in_place(call) ? SideBlocks(call.receive, rank, rank + 1) : one_block(call.send);
    case Collective::scatter:
    case Collective::scatterv:
      if (rank != call.root) return std::nullopt;
      return SideBlocks(call.send, 0, size);
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return SideBlocks(in_place(call) ? call.receive : call.send, 0, block_numbers(call, rank, size).sent);
    default:
      return std::nullopt;
  }
}

std::optional<SideBlocks> output_blocks(const CollectiveCall& call, int rank, int size) {
  switch (call.collective) {
    case Collective::broadcast:
      return one_block(call.receive);
    case Collective::gather:
    case Collective::gatherv:
      if (rank != call.root) return std::nullopt;
      return SideBlocks(call.receive, 0, size);
    case Collective::scatter:
    case Collective::scatterv:
      if (in_place(call)) return SideBlocks(call.send, rank, rank + 1);
      return one_block(call.receive);
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return SideBlocks(call.receive, 0, block_numbers(call, rank, size).received);
    default:
      return std::nullopt;
  }
}

template <typename Transfer>
void for_each_part(const SideBlocks& blocks, std::byte* staged, Transfer transfer) {
  for (int index = 0; index < blocks.parts(); ++index) {
    const SideBlocks::Part part = blocks.part(index);
    if (part.count == 0) continue;
    const ElementType type(part.datatype, -1);
    if (type.size() > 0) transfer(type, part, staged);
    staged += part.count * type.size();
  }
}

void pack(const SideBlocks& blocks, std::byte* to) {
  for_each_part(blocks, to, [](const ElementType& type, const SideBlocks::Part& part, std::byte* staged) {
    type.pack(staged, part.address, part.count);
  });
}

void unpack(const SideBlocks& blocks, std::byte* from) {
  for_each_part(blocks, from, [](const ElementType& type, const SideBlocks::Part& part, std::byte* staged) {
    type.unpack(part.address, staged, part.count);
  });
}

}  // namespace

std::int64_t bytes_of(std::int64_t count, MPI_Datatype datatype) {
  if (count == 0) return 0;
  MPI_Count size = 0;
  check_mpi(PMPI_Type_size_x(datatype, &size), {.call = "MPI_Type_size_x"});
  return count * size;
}

SideBlocks::SideBlocks(const CallSide& side, int first, int end) : side_(&side), first_(first), end_(end) {
  if (first == end || side.datatypes != nullptr || (!side.counts.given() && first == 0)) return;
  MPI_Aint lower = 0;
  check_mpi(PMPI_Type_get_extent(side.datatype, &lower, &extent_), {.call = "MPI_Type_get_extent"});
}

SideBlocks::Part SideBlocks::part(int index) const {
  auto* const address = static_cast<std::byte*>(side_->address);
  if (!side_->counts.given()) {
    const std::ptrdiff_t before = first_ * side_->count * extent_;
    return {behind(address, before), (end_ - first_) * side_->count, side_->datatype};
  }
  const int rank = first_ + index;
  const std::ptrdiff_t before = side_->displacements[rank] * extent_;
  return {behind(address, before), side_->counts[rank],
          side_->datatypes != nullptr ? side_->datatypes[rank] : side_->datatype};
}

std::int64_t SideBlocks::bytes() const {
  std::int64_t all = 0;
  for (int index = 0; index < parts(); ++index) {
    const Part each = part(index);
    all += bytes_of(each.count, each.datatype);
  }
  return all;
}

bool SideBlocks::lie_together(std::byte*& base) const {
  base = nullptr;
  const std::byte* end = nullptr;
  for (int index = 0; index < parts(); ++index) {
    const Part each = part(index);
    if (each.count == 0) continue;
    const ElementType type(each.datatype, -1);
    if (type.size() == 0) continue;
    if (!type.is_plain()) return false;
    if (each.address == nullptr) throw MpiError(MPI_ERR_BUFFER, "a buffer is null");
    if (base != nullptr && each.address != end) return false;
    if (base == nullptr) base = each.address;
    end = each.address + each.count * type.size();
  }
  return true;
}

CallBuffers::CallBuffers(const CollectiveCall& call, int rank, int size, Staging& staging)
    : call_(call), rank_(rank), size_(size) {
  if (!carries_data(call.collective)) {
    staging.input.reserve(1, 0);
    staging.output.reserve(1, 0);
    input_ = staging.input.base();
    output_ = staging.output.base();
    *input_ = std::byte{1};
  } else if (has_operator(call.collective)) {
    place_elements(staging);
  } else {
    place_bytes(staging);
  }
}

void CallBuffers::place_elements(Staging& staging) {
  std::int64_t count = call_.receive.count;
  if (call_.collective == Collective::reduce_scatter_block) count *= size_;
  if (call_.collective == Collective::reduce_scatter)
    for (int rank = 0; rank < size_; ++rank) count += call_.receive.counts[rank];
  input_ = static_cast<std::byte*>(call_.send.address);
  output_ = static_cast<std::byte*>(call_.receive.address);
  ElementType type(call_.receive.datatype, rank_);
  if (in_place(call_)) {
    type.reserve(staging.input, count);
    input_ = staging.input.base();
    copied_elements_ = count;
  }
  // MPI does not ask for a receive buffer there.
  if (call_.collective == Collective::exscan && rank_ == 0) {
    type.reserve(staging.output, count);
    output_ = staging.output.base();
  }
}

void CallBuffers::place_bytes(Staging& staging) {
  const std::optional<SideBlocks> input = input_blocks(call_, rank_, size_);
  const std::optional<SideBlocks> output = output_blocks(call_, rank_, size_);
  const bool scatters = is_scatter(call_.collective);
  if (input && ((in_place(call_) && !scatters) || !input->lie_together(input_))) {
    staging.input.reserve(static_cast<std::size_t>(input->bytes()), 0);
    input_ = staging.input.base();
    packed_input_ = input;
  }
  const bool unwanted = in_place(call_) && scatters;  // the root's block stays in place
  if (output && (unwanted || !output->lie_together(output_))) {
    staging.output.reserve(static_cast<std::size_t>(output->bytes()), 0);
    output_ = staging.output.base();
    if (unwanted) return;
    // The block of a neighbour that there is not must stay as it is.
    const bool some_stay = call_.among_neighbours && static_cast<int>(call_.neighbours->edges_to(rank_).size()) <
                                                         call_.neighbours->in_degree(rank_);
    const bool root_of_broadcast = call_.collective == Collective::broadcast && rank_ == call_.root;
    if (root_of_broadcast || some_stay) packed_output_ = output;
    if (!root_of_broadcast) unpacked_output_ = output;
  }
}

void CallBuffers::bring() {
  if (copied_elements_ > 0)
    ElementType(call_.receive.datatype, rank_)
        .copy(input_, static_cast<const std::byte*>(call_.receive.address), copied_elements_);
  if (packed_input_) pack(*packed_input_, input_);
  if (packed_output_) pack(*packed_output_, output_);
}

void CallBuffers::deliver() {
  if (unpacked_output_) unpack(*unpacked_output_, output_);
}

Arguments CallBuffers::arguments(int first_tag) const {
  Arguments arguments{.input = input_, .output = output_, .first_tag = first_tag};
  if (call_.collective == Collective::barrier) {
    arguments.op = MPI_BOR;
  } else if (has_operator(call_.collective)) {
    arguments.datatype = call_.receive.datatype;
    arguments.op = call_.op;
  }
  return arguments;
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
