#include "algorithms/mpi/job/discover_ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "algorithms/mpi/library/comm_topology.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr int trip_tag = 1, answer_tag = 2;

class RanksProber {
 public:
  RanksProber(const DiscoverySettings& settings, MPI_Comm comm, const RankEnvironment& environment)
      : comm_(comm), environment_(environment), buffer_(static_cast<std::size_t>(settings.long_bytes)) {
    check_mpi(MPI_Comm_rank(comm, &rank_), {.call = "MPI_Comm_rank"});
    const std::vector<std::string> names = host_names(comm);
    std::map<std::string, std::size_t> numbers;
    for (int rank = 0; rank < static_cast<int>(names.size()); ++rank) {
      const auto [at, is_new] = numbers.try_emplace(names[rank], hosts_.size());
      if (is_new) {
        hosts_.push_back({names[rank], 0});
        ranks_.emplace_back();
      }
      ++hosts_[at->second].ranks;
      ranks_[at->second].push_back(rank);
    }
  }

  const std::vector<DiscoveredHost>& hosts() const { return hosts_; }

  double round_trip_s(int from, int to, std::int64_t bytes, int repetitions) {
    const int sender = ranks_[from].front(), receiver = from == to ? ranks_[to][1] : ranks_[to].front();
    double quickest_s = 0;
    if (rank_ == sender) {
      for (int repetition = 0; repetition < repetitions; ++repetition) {
        const double start_s = environment_.now_s();
        send(receiver, bytes);
        receive(receiver, 0);
        const double took_s = environment_.now_s() - start_s;
        quickest_s = repetition == 0 ? took_s : std::min(quickest_s, took_s);
      }
    }
    if (rank_ == receiver) answer(sender, bytes, repetitions);
    return known_to_all(quickest_s);
  }

  double together_s(std::pair<int, int> one, std::pair<int, int> other, std::int64_t bytes, int repetitions) {
    std::vector<int> receivers, senders;  // of what this rank sends, of what it receives
    for (const auto& [from, to] : {one, other}) {
      if (rank_ == ranks_[from].front()) receivers.push_back(ranks_[to].front());
      if (rank_ == ranks_[to].front()) senders.push_back(ranks_[from].front());
    }
    double start_s = environment_.now_s();
    for (int repetition = 0; repetition <= repetitions; ++repetition) {
      if (repetition == 1) start_s = environment_.now_s();  // the first may collide with the end of earlier traffic
      exchange(receivers, senders, bytes);
    }
    const double mean_s = receivers.empty() ? 0 : (environment_.now_s() - start_s) / repetitions;
    return known_to_all(mean_s);
  }

 private:
  void send(int peer, std::int64_t bytes) {
    check_mpi(MPI_Send(buffer_.data(), static_cast<int>(bytes), MPI_BYTE, peer, trip_tag, comm_),
              {.call = "MPI_Send", .rank = rank_});
  }
  void receive(int peer, std::int64_t bytes) {
    check_mpi(MPI_Recv(buffer_.data(), static_cast<int>(bytes), MPI_BYTE, peer, trip_tag, comm_, MPI_STATUS_IGNORE),
              {.call = "MPI_Recv", .rank = rank_});
  }
  /// Sends to some ranks, answers others as their messages arrive, and waits for the answers: all at once, so that a
  /// rank may send and receive.
  void exchange(const std::vector<int>& receivers, const std::vector<int>& senders, std::int64_t bytes) {
    const auto count = static_cast<int>(bytes);
    std::vector<std::vector<std::byte>> coming(senders.size(), std::vector<std::byte>(static_cast<std::size_t>(bytes)));
    std::vector<MPI_Request> questions(senders.size()), answers(2 * receivers.size());
    for (std::size_t i = 0; i < senders.size(); ++i)
      check_mpi(MPI_Irecv(coming[i].data(), count, MPI_BYTE, senders[i], trip_tag, comm_, &questions[i]),
                {.call = "MPI_Irecv", .rank = rank_});
    for (std::size_t i = 0; i < receivers.size(); ++i) {
      check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, receivers[i], answer_tag, comm_, &answers[2 * i]),
                {.call = "MPI_Irecv", .rank = rank_});
      check_mpi(MPI_Isend(buffer_.data(), count, MPI_BYTE, receivers[i], trip_tag, comm_, &answers[2 * i + 1]),
                {.call = "MPI_Isend", .rank = rank_});
    }
    for (std::size_t i = 0; i < senders.size(); ++i) {
      int arrived = 0;
      check_mpi(MPI_Waitany(static_cast<int>(questions.size()), questions.data(), &arrived, MPI_STATUS_IGNORE),
                {.call = "MPI_Waitany", .rank = rank_});
      check_mpi(MPI_Send(nullptr, 0, MPI_BYTE, senders[arrived], answer_tag, comm_),
                {.call = "MPI_Send", .rank = rank_});
    }
    check_mpi(MPI_Waitall(static_cast<int>(answers.size()), answers.data(), MPI_STATUSES_IGNORE),
              {.call = "MPI_Waitall", .rank = rank_});
  }
  void answer(int peer, std::int64_t bytes, int repetitions) {
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      receive(peer, bytes);
      send(peer, 0);
    }
  }
  /// The maximum over all ranks; also a barrier.
  double known_to_all(double value) {
    double most = 0;
    check_mpi(MPI_Allreduce(&value, &most, 1, MPI_DOUBLE, MPI_MAX, comm_), {.call = "MPI_Allreduce", .rank = rank_});
    return most;
  }

  MPI_Comm comm_;
  const RankEnvironment& environment_;
  std::vector<std::byte> buffer_;
  int rank_ = 0;
  std::vector<DiscoveredHost> hosts_;
  std::vector<std::vector<int>> ranks_;  // by host
};

}  // namespace

Network discover_ranks(const DiscoverySettings& settings, MPI_Comm comm, const RankEnvironment& environment) {
  RanksProber ranks(settings, comm, environment);
  const PairProber prober{[&](int from, int to, std::int64_t bytes, int repetitions) {
                            return ranks.round_trip_s(from, to, bytes, repetitions);
                          },
                          [&](std::pair<int, int> one, std::pair<int, int> other, std::int64_t bytes, int repetitions) {
                            return ranks.together_s(one, other, bytes, repetitions);
                          }};
  return discover_network(ranks.hosts(), settings, prober);
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
