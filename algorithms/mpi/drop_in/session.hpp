// The state of the drop-in from MPI_Init to MPI_Finalize.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>

#include "algorithms/mpi/drop_in/generalized_requests.hpp"
#include "algorithms/mpi/drop_in/report.hpp"
#include "algorithms/mpi/library/comm_attributes.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

struct Session {
  std::shared_ptr<const WorldSetup> world;
  GeneralizedRequests generalized_requests;
  Report report;
};

/// Null before MPI_Init and after MPI_Finalize: then calls go straight to the MPI beneath.
Session* session();

/// The report of the session, or of a program with sessions of MPI alone; null where none was asked for.
Report* asked_report();

/// Called before the program initialises MPI. Ends the process with one line and exit status 2 where its MPI is not the
/// one that this library was built for: nothing of it could be called.
void refuse_other_mpi();

/// Called when the program has initialised MPI. If a setting is wrong rank 0 prints one line, and the job ends with
/// exit status 2.
void begin_session();
/// Called before MPI is finalised: prints the report, if it was asked for. Returns an MPI code, which has been passed
/// to the error handler of MPI_COMM_WORLD.
int end_session();

/// As far as the launcher says it, for where MPI cannot be asked.
bool may_be_rank_0();

/// Throws BadInput where the target of a report cannot be written. `variable` asks for it.
void check_can_be_written(const std::string& variable, const std::string& to);

/// Writes a text to the standard error where `to` is `1`, else at the end of a file.
void tell(const std::string& text, const std::string& to);

/// Called when the program has made a communicator: prepares its state while all its ranks are in the call, so that a
/// later non-blocking call need not wait for other ranks. Returns an MPI code, which has been passed to the
/// communicator's error handler.
int made(MPI_Comm comm);
/// The same for MPI_Comm_create_group, whose communicators may be left to the MPI: leave_to_mpi().
int made_of_group(MPI_Comm comm);

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
