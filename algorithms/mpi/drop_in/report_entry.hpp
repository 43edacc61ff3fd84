// A call that is to be reported: constructed when it is made, entered when it has ended.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>

#include "algorithms/mpi/drop_in/report.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

/// Null where none was asked for.
Report* asked_report();

/// Active if a report was asked for and this rank counts the call; else it does nothing.
class ReportEntry {
 public:
  /// `report`: null where none was asked for. It and `what` must outlive the entry.
  ReportEntry(Report* report, std::string_view what, MPI_Comm comm);

  bool counts() const { return report_ != nullptr; }
  void set_bytes(std::int64_t bytes);
  /// Negative: nothing was predicted.
  void predict(double seconds);
  /// Without memory the call is not counted.
  void end(const std::string& how) const noexcept;
  /// Of a call that was left to the MPI.
  void end_beneath(std::string_view why) const noexcept;

 private:
  void enter(const std::string& how) const;

  Report* report_ = nullptr;
  std::string_view what_;
  Tally tally_ = {.calls = 1};
  double begin_s_ = 0;
};

/// A call of a kind that is always left to the MPI: counted with the reason, and timed while this object exists.
class ForwardedCall {
 public:
  /// `what` is its name in MPI without the prefix; both texts must outlive it.
  ForwardedCall(std::string_view what, MPI_Comm comm, std::string_view why);
  ~ForwardedCall();
  ForwardedCall(const ForwardedCall&) = delete;
  ForwardedCall& operator=(const ForwardedCall&) = delete;

 private:
  std::optional<ReportEntry> entry_;
  std::string_view why_;
};

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
