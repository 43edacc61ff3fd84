// The report of the drop-in, by collective: printed at the end of a job if ISTHMUS_REPORT is set.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "algorithms/mpi/library/collective_call.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

/// The seconds of a call, measured on its rank 0.
struct Tally {
  std::int64_t calls = 0;
  std::int64_t bytes = 0;
  std::int64_t sized_calls = 0;  ///< those whose bytes are known
  double seconds = 0;
  double predicted_s = 0;
  std::int64_t predicted_calls = 0;  ///< those for which there is a prediction

  void add(const Tally& other);
};

/// A call is entered only by rank 0 of its communicator (of both groups, on an intercommunicator), so that sums over
/// all processes count it once.
class Report {
 public:
  /// `what`: a collective, or another MPI call; `how`: its plan, or why it was left to the MPI.
  void enter(std::string_view what, const std::string& how, const Tally& tally);

  /// The sums over all ranks: a table on rank 0, nothing elsewhere. Collective.
  std::string table(MPI_Comm comm) const;
  /// Of what this process has entered.
  std::string own_table() const;
  bool is_empty() const;
  void clear();

 private:
  using Key = std::pair<std::string, std::string>;

  mutable std::mutex mutex_;
  std::map<Key, Tally> tallies_;
};

/// A call that is to be reported: constructed when it is made, entered when it has ended. Active if a report was asked
/// for and this rank counts the call; else it does nothing.
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

/// The bytes of one buffer or block of the MPI call, as this rank gives it (v and w forms: all that the call sends, or
/// receives if it sends nothing).
std::int64_t bytes_of_call(const CollectiveCall& call, int rank, int size);

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
