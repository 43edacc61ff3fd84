#include "algorithms/mpi/drop_in/report_entry.hpp"

#include <new>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

ReportEntry::ReportEntry(Session& session, std::string_view what, MPI_Comm comm) : session_(session), what_(what) {
  if (session.world->settings.report.empty()) return;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  counts_ = rank == 0;
  if (counts_) begin_s_ = PMPI_Wtime();
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
  session_.report.enter(what_, how, tally);
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
  if (Session* const here = session(); here != nullptr && comm != MPI_COMM_NULL) entry_.emplace(*here, what, comm);
}

ForwardedCall::~ForwardedCall() {
  if (entry_ && entry_->counts()) entry_->end_beneath(why_);
}

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
