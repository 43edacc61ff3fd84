#include "algorithms/mpi/job/mpi_call.hpp"

#include <fmt/format.h>

#include <limits>

#include "algorithms/collective/mpi_own.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

int int_of(std::int64_t elements) {
  if (elements > std::numeric_limits<int>::max())
    throw BadInput(fmt::format("{} elements in one call; the MPI's own collectives take at most 2^31 - 1", elements));
  return static_cast<int>(elements);
}

/// Appends a block behind those that are there.
void add_block(std::vector<int>& counts, std::vector<int>& displacements, std::int64_t count) {
  displacements.push_back(counts.empty() ? 0 : int_of(std::int64_t{displacements.back()} + counts.back()));
  counts.push_back(int_of(count));
}

#ifdef OPEN_MPI
/// A communicator whose collectives come from the component that is asked for, and not from HAN otherwise: it is made
/// available to all communicators so that one can ask for it.
MPI_Comm comm_selected_by(const std::string& selector, MPI_Comm comm) {
  MPI_Info info = MPI_INFO_NULL;
  check_mpi(MPI_Info_create(&info), {.call = "MPI_Info_create"});
  check_mpi(MPI_Info_set(info, "ompi_comm_coll_preference", selector == "han" ? "han" : "tuned,^han"),
            {.call = "MPI_Info_set"});
  MPI_Comm made = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup_with_info(comm, info, &made), {.call = "MPI_Comm_dup_with_info"});
  MPI_Info_free(&info);
  check_mpi(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), {.call = "MPI_Comm_set_errhandler"});
  return made;
}
#endif

}  // namespace

MpiCall::MpiCall(const Problem& problem, [[maybe_unused]] const std::string& selector, MPI_Comm comm)
    : problem_(problem), comm_(comm), count_(int_of(problem.count)) {
#ifdef OPEN_MPI
  if (!selector.empty()) comm_ = made_comm_ = comm_selected_by(selector, comm);
#endif
  check_mpi(MPI_Comm_rank(comm_, &rank_), {.call = "MPI_Comm_rank"});
  check_mpi(MPI_Comm_size(comm_, &size_), {.call = "MPI_Comm_size"});
  find_blocks();
}

MpiCall::~MpiCall() {
  if (made_comm_ != MPI_COMM_NULL) MPI_Comm_free(&made_comm_);
}

void MpiCall::find_blocks() {
  for (int other = 0; other < size_; ++other) {
    switch (problem_.collective) {
      case Collective::gatherv:
      case Collective::allgatherv:
        add_block(receive_counts_, receive_displacements_, block_count(problem_, other));
        break;
      case Collective::scatterv:
      case Collective::reduce_scatter:
        add_block(send_counts_, send_displacements_, block_count(problem_, other));
        break;
      case Collective::alltoallv:
      case Collective::alltoallw:
        add_block(send_counts_, send_displacements_, block_count(problem_, size_, rank_, other));
        add_block(receive_counts_, receive_displacements_, block_count(problem_, size_, other, rank_));
        break;
      default:
        return;
    }
  }
}

void MpiCall::run(const Arguments& arguments) {
  check_mpi(call(arguments), {.call = "the MPI's own collective", .rank = rank_});
}

int MpiCall::call(const Arguments& arguments) {
  const auto [input, output, type, op, first_tag] = arguments;
  const int root = problem_.root;
  switch (problem_.collective) {
    case Collective::broadcast:
      return MPI_Bcast(output, count_, type, root, comm_);
    case Collective::barrier:
      return MPI_Barrier(comm_);
    case Collective::reduce:
      return MPI_Reduce(input, output, count_, type, op, root, comm_);
    case Collective::allreduce:
      return MPI_Allreduce(input, output, count_, type, op, comm_);
    case Collective::gather:
      return MPI_Gather(input, count_, type, output, count_, type, root, comm_);
    case Collective::gatherv:
      return MPI_Gatherv(input, receive_counts_[rank_], type, output, receive_counts_.data(),
                         receive_displacements_.data(), type, root, comm_);
    case Collective::scatter:
      return MPI_Scatter(input, count_, type, output, count_, type, root, comm_);
    case Collective::scatterv:
      return MPI_Scatterv(input, send_counts_.data(), send_displacements_.data(), type, output, send_counts_[rank_],
                          type, root, comm_);
    case Collective::allgather:
      return MPI_Allgather(input, count_, type, output, count_, type, comm_);
    case Collective::allgatherv:
      return MPI_Allgatherv(input, receive_counts_[rank_], type, output, receive_counts_.data(),
                            receive_displacements_.data(), type, comm_);
    case Collective::alltoall:
      return MPI_Alltoall(input, count_, type, output, count_, type, comm_);
    case Collective::alltoallv:
      return MPI_Alltoallv(input, send_counts_.data(), send_displacements_.data(), type, output, receive_counts_.data(),
                           receive_displacements_.data(), type, comm_);
    case Collective::alltoallw: {
      // Displacements are in bytes here.
      const int element_bytes = static_cast<int>(problem_.element_bytes);
      std::vector<int> from = send_displacements_, to = receive_displacements_;
      for (int& at : from) at = int_of(std::int64_t{at} * element_bytes);
      for (int& at : to) at = int_of(std::int64_t{at} * element_bytes);
      const std::vector<MPI_Datatype> types(size_, type);
      return MPI_Alltoallw(input, send_counts_.data(), from.data(), types.data(), output, receive_counts_.data(),
                           to.data(), types.data(), comm_);
    }
    case Collective::reduce_scatter:
      return MPI_Reduce_scatter(input, output, send_counts_.data(), type, op, comm_);
    case Collective::reduce_scatter_block:
      return MPI_Reduce_scatter_block(input, output, count_, type, op, comm_);
    case Collective::scan:
      return MPI_Scan(input, output, count_, type, op, comm_);
    case Collective::exscan:
      return MPI_Exscan(input, output, count_, type, op, comm_);
  }
  return MPI_ERR_UNSUPPORTED_OPERATION;
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
