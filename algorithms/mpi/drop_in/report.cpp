#include "algorithms/mpi/drop_in/report.hpp"

#include <fmt/format.h>

#include <new>
#include <nlohmann/json.hpp>
#include <vector>

#include "algorithms/mpi/executor/mpi_error.hpp"
#include "algorithms/mpi/library/call_buffers.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {
namespace {

std::string table_of(const std::map<std::pair<std::string, std::string>, Tally>& tallies) {
  std::string table = fmt::format("isthmus: {:<21} {:>9} {:>14} {:>12} {:>12}  {}\n", "collective", "calls", "bytes",
                                  "seconds", "predicted", "plan, or why it was left to the MPI beneath");
  for (const auto& [key, tally] : tallies) {
    const std::string predicted =
        tally.predicted_calls == tally.calls ? fmt::format("{:.6f}", tally.predicted_s) : std::string("-");
    const std::string bytes = tally.sized_calls == tally.calls ? std::to_string(tally.bytes) : std::string("-");
    table += fmt::format("isthmus: {:<21} {:>9} {:>14} {:>12.6f} {:>12}  {}\n", key.first, tally.calls, bytes,
                         tally.seconds, predicted, key.second);
  }
  return table;
}

// The texts of all ranks, on rank 0.
std::vector<std::string> gathered(const std::string& text, MPI_Comm comm) {
  int rank = 0;
  int size = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  int length = static_cast<int>(text.size());
  std::vector<int> lengths(size);
  check_mpi(PMPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm), {.call = "MPI_Gather"});
  std::vector<int> offsets(size + 1);
  for (int each = 0; each < size; ++each) offsets[each + 1] = offsets[each] + lengths[each];
  std::string all(rank == 0 ? offsets.back() : 0, '\0');
  check_mpi(PMPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(), MPI_CHAR, 0, comm),
            {.call = "MPI_Gatherv"});
  std::vector<std::string> texts;
  for (int each = 0; rank == 0 && each < size; ++each) texts.push_back(all.substr(offsets[each], lengths[each]));
  return texts;
}

std::int64_t bytes_of_side(const CallSide& side, int size) {
  if (!side.counts.given()) return bytes_of(side.count, side.datatype);
  std::int64_t bytes = 0;
  for (int rank = 0; rank < size; ++rank)
    bytes += bytes_of(side.counts[rank], side.datatypes != nullptr ? side.datatypes[rank] : side.datatype);
  return bytes;
}

}  // namespace

std::int64_t bytes_of_call(const CollectiveCall& call, int rank, int size) {
  if (!carries_data(call.collective)) return 0;
  const BlockNumbers blocks = block_numbers(call, rank, size);
  if (send_matters(call, rank)) return bytes_of_side(call.send, blocks.sent);
  return receive_matters(call, rank) ? bytes_of_side(call.receive, blocks.received) : 0;
}

void Tally::add(const Tally& other) {
  calls += other.calls;
  bytes += other.bytes;
  sized_calls += other.sized_calls;
  seconds += other.seconds;
  predicted_s += other.predicted_s;
  predicted_calls += other.predicted_calls;
}

void Report::enter(std::string_view what, const std::string& how, const Tally& tally) {
  const std::lock_guard lock(mutex_);
  tallies_[{std::string(what), how}].add(tally);
}

std::string Report::table(MPI_Comm comm) const {
  auto own = nlohmann::json::array();
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, tally] : tallies_)
      own.push_back({key.first, key.second, tally.calls, tally.bytes, tally.sized_calls, tally.seconds,
                     tally.predicted_s, tally.predicted_calls});
  }
  std::map<Key, Tally> sums;
  for (const std::string& text : gathered(own.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), comm))
    for (const auto& row : nlohmann::json::parse(text))
      sums[{row[0], row[1]}].add({.calls = row[2],
                                  .bytes = row[3],
                                  .sized_calls = row[4],
                                  .seconds = row[5],
                                  .predicted_s = row[6],
                                  .predicted_calls = row[7]});
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank == 0 ? table_of(sums) : std::string();
}

std::string Report::own_table() const {
  const std::lock_guard lock(mutex_);
  return table_of(tallies_);
}

bool Report::is_empty() const {
  const std::lock_guard lock(mutex_);
  return tallies_.empty();
}

void Report::clear() {
  const std::lock_guard lock(mutex_);
  tallies_.clear();
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

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
