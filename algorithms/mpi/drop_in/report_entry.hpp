// A call on its way into the report: begun when it is made, entered when it has ended.
#pragma once

#include <mpi.h>

#include <string>
#include <string_view>

#include "algorithms/mpi/drop_in/report.hpp"
#include "algorithms/mpi/drop_in/session.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

/// Where a report was asked for and this rank is to count the call; else it does nothing.
class Entry {
 public:
  /// `what` must outlive it.
  Entry(Session& session, std::string_view what, MPI_Comm comm);

  bool counts() const { return counts_; }
  void set_bytes(std::int64_t bytes);
  /// Negative: nothing was predicted.
  void predict(double seconds);
  void end(const std::string& how) const;

 private:
  Session& session_;
  std::string_view what_;
  bool counts_ = false;
  Tally tally_ = {.calls = 1};
  double begin_s_ = 0;
};

/// A call of a kind that is the MPI's alone: counted with the reason while this exists.
class HandedOn {
 public:
  /// `what` is its name in MPI without the prefix; both texts must outlive it.
  HandedOn(std::string_view what, MPI_Comm comm, std::string_view why);
  ~HandedOn();
  HandedOn(const HandedOn&) = delete;
  HandedOn& operator=(const HandedOn&) = delete;

 private:
  std::optional<Entry> entry_;
  std::string_view why_;
};

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
