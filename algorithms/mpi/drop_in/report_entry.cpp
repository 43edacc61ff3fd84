#include "algorithms/mpi/drop_in/report_entry.hpp"

#include <new>

#include "algorithms/mpi/drop_in/session.hpp"
#include "algorithms/mpi/drop_in/session_alone.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

Report* asked_report() {
  Session* const here = session();
  if (here == nullptr) return report_alone();
  return here->world->settings.report.empty() ? nullptr : &here->report;
}

ReportEntry::ReportEntry(Report* report, std::string_view what, MPI_Comm comm) : what_(what) {
  if (report == nullptr) return;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  if (rank != 0) return;
  report_ = report;
  begin_s_ = PMPI_Wtime();
}

void ReportEntry::set_bytes(std::int64_t bytes) {
  tally_.bytes = bytes;
  tally_.sized_calls = 1;
}

void ReportEntry::predict(double seconds) {
  if (seconds < 0) return;
  tally_.predicted_s = seconds;
  tally_.predicted_calls = 1;
}

void ReportEntry::enter(const std::string& how) const {
  Tally tally = tally_;
  tally.seconds = PMPI_Wtime() - begin_s_;
  report_->enter(what_, how, tally);
}

void ReportEntry::end(const std::string& how) const noexcept {
  try {
    enter(how);
  } catch (const std::bad_alloc&) {
    return;
  }
}

void ReportEntry::end_beneath(std::string_view why) const noexcept {
  try {
    enter("MPI: " + std::string(why));
  } catch (const std::bad_alloc&) {
    return;
  }
}

ForwardedCall::ForwardedCall(std::string_view what, MPI_Comm comm, std::string_view why) : why_(why) {
  if (comm != MPI_COMM_NULL) entry_.emplace(asked_report(), what, comm);
}

ForwardedCall::~ForwardedCall() {
  if (entry_ && entry_->counts()) entry_->end_beneath(why_);
}

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
