// Collectives that the drop-in always leaves to the MPI beneath, wrapped so that its report counts them: persistent and
// large-count collectives, as far as the MPI has them.
#include <mpi.h>

#include <optional>
#include <string_view>

#include "algorithms/mpi/drop_in/collectives.hpp"
#include "algorithms/mpi/drop_in/fortran.hpp"
#include "algorithms/mpi/drop_in/lost_peers.hpp"
#include "algorithms/mpi/drop_in/report.hpp"
#include "algorithms/mpi/drop_in/session.hpp"
#include "algorithms/mpi/library/coordinates.hpp"

using namespace isthmus;
using namespace drop_in::fortran;

namespace {
[[maybe_unused]] constexpr const char* persistent = "persistent, counted when made";
[[maybe_unused]] constexpr const char* large_counts = "large counts";

// Whether the MPI beneath would take other ranks for the neighbours.
bool unknown_beneath(std::string_view name, MPI_Comm comm) {
  return name.find("eighbor") != std::string_view::npos && permuted_grid(comm) != nullptr;
}

// Such a call: counted with the reason, and timed while this object exists. Its texts must outlive it.
class ForwardedCall {
 public:
  ForwardedCall(std::string_view what, MPI_Comm comm, std::string_view why) : why_(why) {
    if (comm != MPI_COMM_NULL) entry_.emplace(drop_in::asked_report(), what, comm);
  }
  ~ForwardedCall() {
    if (entry_ && entry_->counts()) entry_->end_beneath(why_);
  }
  ForwardedCall(const ForwardedCall&) = delete;
  ForwardedCall& operator=(const ForwardedCall&) = delete;

 private:
  std::optional<drop_in::ReportEntry> entry_;
  std::string_view why_;
};
}  // namespace

#define HAND_ON(prefix, name, why, parameters, arguments)           \
  extern "C" int P##prefix##name(PARAMETERS parameters);            \
  extern "C" int prefix##name(PARAMETERS parameters) {              \
    const drop_in::EndsWithLoss guard;                              \
    const ForwardedCall counted(#name, comm, why);                  \
    if (unknown_beneath(#name, comm)) return refuse_permuted(comm); \
    return P##prefix##name(PARAMETERS arguments);                   \
  }
#define WITH_REQUEST(list) (PARAMETERS list, MPI_Request * request)
#define AND_REQUEST(list) (PARAMETERS list, request)
#define MADE_WITH(list) (PARAMETERS list, MPI_Info info, MPI_Request * request)
#define AND_MADE(list) (PARAMETERS list, info, request)

#define COUNT int
#define PLACE int
#if defined(OPEN_MPI)
#define PERSISTENT(name, iname, call, parameters, arguments) \
  HAND_ON(MPIX_, name##_init, persistent, MADE_WITH(parameters), AND_MADE(arguments))
#elif MPI_VERSION >= 4
#define PERSISTENT(name, iname, call, parameters, arguments) \
  HAND_ON(MPI_, name##_init, persistent, MADE_WITH(parameters), AND_MADE(arguments))
#endif
#ifdef PERSISTENT
PERSISTENT(Barrier, barrier, barrier, (MPI_Comm comm), (comm))
COLLECTIVES_OF_A_GROUP(PERSISTENT)
COLLECTIVES_OF_NEIGHBOURS(PERSISTENT)
#endif

#if MPI_VERSION >= 4
#undef COUNT
#undef PLACE
#define COUNT MPI_Count
#define PLACE MPI_Aint
#define LARGE(name, iname, call, parameters, arguments)                                       \
  HAND_ON(MPI_, name##_c, large_counts, parameters, arguments)                                \
  HAND_ON(MPI_, I##iname##_c, large_counts, WITH_REQUEST(parameters), AND_REQUEST(arguments)) \
  HAND_ON(MPI_, name##_init_c, large_counts, MADE_WITH(parameters), AND_MADE(arguments))
COLLECTIVES_OF_A_GROUP(LARGE)
COLLECTIVES_OF_NEIGHBOURS(LARGE)
#endif

// Open MPI goes from Fortran's names straight to its profiling ones; MPICH comes by the names of C.
#ifdef OPEN_MPI
#define FORTRAN_HANDS_ON(prefix, name, why, parameters, ...) \
  extern "C" void prefix##name##_(PARAMETERS parameters) {   \
    const drop_in::EndsWithLoss guard;                       \
    const ForwardedCall counted(#name, comm_of(comm), why);  \
    if (unknown_beneath(#name, comm_of(comm))) {             \
      set(error, refuse_permuted(comm_of(comm)));            \
      return;                                                \
    }                                                        \
    Int code = MPI_SUCCESS;                                  \
    beneath("p" #prefix #name "_", __VA_ARGS__, &code);      \
    set(error, code);                                        \
  }                                                          \
  FORTRAN_NAMES(prefix##name)
#define TO_MAKE(name, parameters, ...)                                                                             \
  FORTRAN_HANDS_ON(mpix_, name##_init, persistent,                                                                 \
                   (PARAMETERS parameters, Int * comm, Int * info, Int * request, Int * error), __VA_ARGS__, comm, \
                   info, request)
// What stands before the communicator is handed on as it is.
#define FOUR (void* a, void* b, void* c, void* d)
#define FIVE (void* a, void* b, void* c, void* d, void* e)
#define SIX (void* a, void* b, void* c, void* d, void* e, void* f)
#define SEVEN (void* a, void* b, void* c, void* d, void* e, void* f, void* g)
#define EIGHT (void* a, void* b, void* c, void* d, void* e, void* f, void* g, void* h)

TO_MAKE(neighbor_allgather, SIX, a, b, c, d, e, f)
TO_MAKE(neighbor_allgatherv, SEVEN, a, b, c, d, e, f, g)
TO_MAKE(neighbor_alltoall, SIX, a, b, c, d, e, f)
TO_MAKE(neighbor_alltoallv, EIGHT, a, b, c, d, e, f, g, h)
TO_MAKE(neighbor_alltoallw, EIGHT, a, b, c, d, e, f, g, h)
FORTRAN_HANDS_ON(mpix_, barrier_init, persistent, (Int * comm, Int* info, Int* request, Int* error), comm, info,
                 request)
TO_MAKE(bcast, FOUR, a, b, c, d)
TO_MAKE(reduce, SIX, a, b, c, d, e, f)
TO_MAKE(allreduce, FIVE, a, b, c, d, e)
TO_MAKE(gather, SEVEN, a, b, c, d, e, f, g)
TO_MAKE(gatherv, EIGHT, a, b, c, d, e, f, g, h)
TO_MAKE(scatter, SEVEN, a, b, c, d, e, f, g)
TO_MAKE(scatterv, EIGHT, a, b, c, d, e, f, g, h)
TO_MAKE(allgather, SIX, a, b, c, d, e, f)
TO_MAKE(allgatherv, SEVEN, a, b, c, d, e, f, g)
TO_MAKE(alltoall, SIX, a, b, c, d, e, f)
TO_MAKE(alltoallv, EIGHT, a, b, c, d, e, f, g, h)
TO_MAKE(alltoallw, EIGHT, a, b, c, d, e, f, g, h)
TO_MAKE(reduce_scatter, FIVE, a, b, c, d, e)
TO_MAKE(reduce_scatter_block, FIVE, a, b, c, d, e)
TO_MAKE(scan, FIVE, a, b, c, d, e)
TO_MAKE(exscan, FIVE, a, b, c, d, e)
#endif
