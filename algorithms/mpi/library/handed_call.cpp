#include "algorithms/mpi/library/handed_call.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/mpi/executor/element_type.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr std::size_t kept_sum_bytes = std::size_t{16} << 20;
constexpr std::int64_t most_in_a_call = std::int64_t{1} << 30;  // elements; MPI 3.1 counts in int

}  // namespace

GroupComms::~GroupComms() {
  int finalized = 0;
  if (PMPI_Finalized(&finalized) != MPI_SUCCESS || finalized != 0) return;
  for (auto& [level, comm] : comms_)
    if (comm != MPI_COMM_NULL) PMPI_Comm_free(&comm);
}

// Every rank splits at the same calls, whatever its own group.
MPI_Comm GroupComms::of_group(const HandedOver& over, const Plan& plan, MPI_Comm of) {
  const std::pair key(handed_level(plan), plan.parameters.merged);
  if (const auto known = comms_.find(key); known != comms_.end()) return known->second;
  MPI_Comm comm = MPI_COMM_NULL;
  const int color = over.ranks.size() > 1 ? over.ranks.front() : MPI_UNDEFINED;
  check_mpi(PMPI_Comm_split(of, color, 0, &comm), {.call = "MPI_Comm_split"});
  if (comm != MPI_COMM_NULL)
    check_mpi(PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), {.call = "MPI_Comm_set_errhandler"});
  return comms_.emplace(key, comm).first->second;
}

HandedCall::HandedCall(HandedOver over, const Plan& plan, std::int64_t count, MPI_Comm comm)
    : over_(std::move(over)),
      plan_(plan),
      collective_(plan.algorithm->collective),
      count_(count),
      comm_(comm),
      between_(std::move(over_.between), comm) {
  check_mpi(PMPI_Comm_rank(comm, &rank_), {.call = "MPI_Comm_rank"});
  speaks_ = over_.ranks[over_.coordinator] == rank_;
}

void HandedCall::run(const Arguments& arguments, GroupComms& comms, const RunBetween& between) {
  const MPI_Comm inside = comms.of_group(over_, plan_, comm_);
  const bool alone = inside == MPI_COMM_NULL;
  const bool reduces = collective_ == Collective::reduce || collective_ == Collective::allreduce;
  Arguments among = arguments;
  if (reduces && !alone) {
    if (speaks_) {
      ElementType(arguments.datatype, rank_).reserve(sum_, count_);
      among.input = sum_.base();
    }
    reduce_inside(arguments, sum_.base(), inside);
  }
  if (collective_ == Collective::barrier && !alone)
    check_mpi(PMPI_Barrier(inside), {.call = "MPI_Barrier", .rank = rank_});
  if (speaks_) between(between_, among);
  if (collective_ != Collective::reduce && !alone) broadcast_inside(arguments, inside);
  sum_.release_above(kept_sum_bytes);
}

void HandedCall::reduce_inside(const Arguments& arguments, void* sum, MPI_Comm inside) const {
  const ElementType type(arguments.datatype, rank_);
  const auto* const own = static_cast<const std::byte*>(arguments.input);
  auto* const into = static_cast<std::byte*>(sum);
  for (std::int64_t done = 0; done < count_; done += most_in_a_call) {
    const std::ptrdiff_t at = type.displacement(done);
    const auto count = static_cast<int>(std::min(most_in_a_call, count_ - done));
    check_mpi(PMPI_Reduce(behind(own, at), speaks_ ? behind(into, at) : nullptr, count, arguments.datatype,
                          arguments.op, over_.coordinator, inside),
              {.call = "MPI_Reduce", .rank = rank_});
  }
}

// After a barrier: one token, which no rank has before the coordinator.
void HandedCall::broadcast_inside(const Arguments& arguments, MPI_Comm inside) const {
  ElementType type(arguments.datatype, rank_);
  const MessageArguments message = type.message(carries_data(collective_) ? count_ : 1);
  check_mpi(PMPI_Bcast(arguments.output, message.count, message.datatype, over_.coordinator, inside),
            {.call = "MPI_Bcast", .rank = rank_});
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
