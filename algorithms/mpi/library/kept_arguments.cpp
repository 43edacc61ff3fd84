#include "algorithms/mpi/library/kept_arguments.hpp"

#include "algorithms/mpi/executor/element_type.hpp"
#include "algorithms/mpi/executor/mpi_error.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

// The sides of a call that matter on this rank, and the number of blocks in each list.
struct Reach {
  bool send = false, receive = false;
  BlockNumbers blocks;
};

Reach reach_of(const CollectiveCall& call) {
  Reach reach;
  int inter = 0;
  int rank = 0;
  check_mpi(PMPI_Comm_test_inter(call.comm, &inter), {.call = "MPI_Comm_test_inter"});
  check_mpi(PMPI_Comm_rank(call.comm, &rank), {.call = "MPI_Comm_rank"});
  int size = 0;
  check_mpi(PMPI_Comm_size(call.comm, &size), {.call = "MPI_Comm_size"});
  if (inter == 0) {
    reach.blocks = block_numbers(call, rank, size);
    reach.send = send_matters(call, rank);
    reach.receive = receive_matters(call, rank);
    return reach;
  }
  // For an intercommunicator; reduce_scatter has one count for each rank of the local group.
  if (call.collective != Collective::reduce_scatter)
    check_mpi(PMPI_Comm_remote_size(call.comm, &size), {.call = "MPI_Comm_remote_size"});
  reach.blocks = {size, size};
  const bool at_root = call.root == MPI_ROOT;
  const bool elsewhere = call.root >= 0;
  const bool rooted = has_root(call.collective);
  const bool gathers = is_gather(call.collective);
  reach.send = !rooted || (gathers ? elsewhere : at_root);
  reach.receive = !rooted || (gathers ? at_root : elsewhere);
  if (call.collective == Collective::broadcast) reach.receive = at_root || elsewhere;
  return reach;
}

}  // namespace

KeptArguments::KeptArguments(CollectiveCall& call, bool datatypes) {
  if (!carries_data(call.collective)) return;
  const Reach reach = reach_of(call);
  const bool moved = !has_operator(call.collective);
  try {
    if (reach.send && moved) keep(call.send, reach.blocks.sent, datatypes, send_);
    if (reach.receive) keep(call.receive, reach.blocks.received, datatypes && moved, receive_);
  } catch (...) {
    free();
    throw;
  }
}

KeptArguments::~KeptArguments() { free(); }

void KeptArguments::free() {
  for (MPI_Datatype& datatype : made_) PMPI_Type_free(&datatype);
}

void KeptArguments::keep(CallSide& side, int blocks, bool datatypes, Lists& lists) {
  side.counts = side.counts.copied(blocks, lists.counts);
  side.displacements = side.displacements.copied(blocks, lists.displacements);
  if (side.datatypes == nullptr) {
    if (datatypes) side.datatype = kept(side.datatype);
    return;
  }
  lists.datatypes.assign(side.datatypes, side.datatypes + blocks);
  side.datatypes = lists.datatypes.data();
  // Where there is nothing to move there may be no datatype.
  for (int rank = 0; datatypes && rank < blocks; ++rank)
    lists.datatypes[rank] = side.counts[rank] == 0 ? MPI_BYTE : kept(lists.datatypes[rank]);
}

MPI_Datatype KeptArguments::kept(MPI_Datatype datatype) {
  if (datatype == MPI_DATATYPE_NULL || is_predefined(datatype)) return datatype;
  MPI_Datatype same = MPI_DATATYPE_NULL;  // like MPI_Type_dup, but without the attributes of the original
  if (ElementType(datatype, -1).is_plain()) {
    check_mpi(PMPI_Type_contiguous(1, datatype, &same), {.call = "MPI_Type_contiguous"});
  } else {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    check_mpi(PMPI_Type_get_extent(datatype, &lower, &extent), {.call = "MPI_Type_get_extent"});
    check_mpi(PMPI_Type_create_resized(datatype, lower, extent, &same), {.call = "MPI_Type_create_resized"});
  }
  made_.push_back(same);
  check_mpi(PMPI_Type_commit(&made_.back()), {.call = "MPI_Type_commit"});
  return made_.back();
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
