#include "algorithms/mpi/library/call_order_check.hpp"

#include <map>

#include "algorithms/mpi/executor/number_words.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr int call_tag = 0, verdict_tag = 1;

}  // namespace

CallOrderCheck::CallOrderCheck(MPI_Comm comm, double limit_s) : limit_s_(limit_s) {
  MPI_Group group = MPI_GROUP_NULL;
  check_mpi(PMPI_Comm_group(comm, &group), {.call = "MPI_Comm_group"});
  const int code = PMPI_Comm_create(comm, group, &comm_);
  PMPI_Group_free(&group);
  check_mpi(code, {.call = "MPI_Comm_create"});
  PMPI_Comm_rank(comm_, &rank_);
  PMPI_Comm_size(comm_, &size_);
  received_calls_.resize(rank_ == 0 ? size_ : 0);
}

CallOrderCheck::~CallOrderCheck() {
  int finalized = 0;
  if (PMPI_Finalized(&finalized) != MPI_SUCCESS || finalized != 0) return;
  if (rank_ == 0) receive_calls(calls_);
  for (Announcement& each : announcements_) PMPI_Wait(&each.request, MPI_STATUS_IGNORE);
  PMPI_Comm_free(&comm_);
}

void CallOrderCheck::join(const std::string& call, bool blocks) {
  ++calls_;
  if (rank_ == 0) {
    received_calls_[0].push_back(call);
    if (!blocks) return;
    receive_calls(calls_);
    const int agreed = 1;
    for (int rank = 1; rank < size_; ++rank) PMPI_Send(&agreed, 1, MPI_INT, rank, verdict_tag, comm_);
    return;
  }
  while (!announcements_.empty()) {
    int done = 0;
    PMPI_Test(&announcements_.front().request, &done, MPI_STATUS_IGNORE);
    if (done == 0) break;
    announcements_.pop_front();
  }
  Announcement& announcement = announcements_.emplace_back();
  announcement.words = {};
  call.copy(announcement.words.data(), announcement.words.size() - 1);
  PMPI_Isend(announcement.words.data(), static_cast<int>(announcement.words.size()), MPI_CHAR, 0, call_tag, comm_,
             &announcement.request);
  if (blocks) wait_for_verdict(call);
}

// Rank 0 receives from all ranks as many calls as it has made itself, and compares them.
void CallOrderCheck::receive_calls(std::size_t calls) {
  const double begin_s = PMPI_Wtime();
  for (int rank = 1; rank < size_; ++rank)
    while (compared_ + received_calls_[rank].size() < calls) {
      int there = 0;
      MPI_Status status;
      PMPI_Iprobe(rank, call_tag, comm_, &there, &status);
      if (there != 0) {
        Words words;
        PMPI_Recv(words.data(), static_cast<int>(words.size()), MPI_CHAR, rank, call_tag, comm_, MPI_STATUS_IGNORE);
        received_calls_[rank].emplace_back(words.data());
      } else if (PMPI_Wtime() - begin_s > limit_s_) {
        end_job(situation(compared_ + received_calls_[rank].size()));
      }
    }
  for (; compared_ < calls; ++compared_) {
    compare(compared_);
    for (auto& each : received_calls_) each.pop_front();
  }
}

void CallOrderCheck::compare(std::size_t number) const {
  for (const auto& each : received_calls_)
    if (each.front() != received_calls_[0].front()) end_job(situation(number));
}

// Describes which ranks call what, and which do not call. `number` is not below compared_.
std::string CallOrderCheck::situation(std::size_t number) const {
  std::map<std::string, std::vector<int>> callers;
  std::vector<int> silent;
  for (int rank = 0; rank < size_; ++rank) {
    // A call may have arrived that has not been received yet.
    int there = 0;
    MPI_Status status;
    std::string call;
    if (number - compared_ < received_calls_[rank].size()) {
      call = received_calls_[rank][number - compared_];
    } else if (rank > 0 && number - compared_ == received_calls_[rank].size()) {
      PMPI_Iprobe(rank, call_tag, comm_, &there, &status);
      if (there != 0) {
        Words words;
        PMPI_Recv(words.data(), static_cast<int>(words.size()), MPI_CHAR, rank, call_tag, comm_, MPI_STATUS_IGNORE);
        call = words.data();
      }
    }
    if (call.empty())
      silent.push_back(rank);
    else
      callers[call].push_back(rank);
  }
  std::string text;
  for (const auto& [call, ranks] : callers) text += (text.empty() ? "" : "; ") + call + " by " + ranks_text(ranks);
  if (!silent.empty()) text += "; nothing by " + ranks_text(silent) + " in " + seconds_text(limit_s_);
  return "collective " + std::to_string(number + 1) + " on a communicator of " + std::to_string(size_) +
         " ranks: " + text + "; all ranks should call the same";
}

void CallOrderCheck::wait_for_verdict(const std::string& call) {
  const double begin_s = PMPI_Wtime();
  // Rank 0 has more information, so that it is given time to report first.
  const double limit_s = 2 * limit_s_ + 1;
  for (int there = 0; there == 0;) {
    PMPI_Iprobe(0, verdict_tag, comm_, &there, MPI_STATUS_IGNORE);
    if (there == 0 && PMPI_Wtime() - begin_s > limit_s)
      end_job("collective " + std::to_string(calls_) + " on a communicator of " + std::to_string(size_) +
              " ranks: " + call + " by rank " + std::to_string(rank_) + "; no such call by rank 0 in " +
              seconds_text(limit_s) + "; all ranks should call the same");
  }
  int agreed = 0;
  PMPI_Recv(&agreed, 1, MPI_INT, 0, verdict_tag, comm_, MPI_STATUS_IGNORE);
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
