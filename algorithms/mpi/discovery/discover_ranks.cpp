#include "algorithms/mpi/discovery/discover_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/mpi/discovery/probe_orders.hpp"
#include "algorithms/mpi/library/comm_topology.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr double min_patience_s = 0.01;  // with a name that has come already
constexpr int max_pairs_without = 3;     // without datagrams, after which no others are tried
constexpr int few_trips = 3;             // more only where no two of them take as long as each other

/// Ranks that did not answer in time.
struct Silent {
  std::set<int> ranks;
};

/// Rank 0: gives the orders of a discovery, and takes part in it.
class Coordinator {
 public:
  Coordinator(ProbeParty& party, const DiscoverySettings& settings) : party_(party), settings_(settings) {
    names_.resize(party.size());
    names_[0] = own_host_name();
    Silent silent;
    for (int rank = 1; rank < party.size(); ++rank) {
      const double left_s = start_s_ + settings.answer_s - party.now_s();
      const double patience_s = settings.answer_s == 0 ? 0 : std::max(left_s, min_patience_s);
      if (!party.receive_text(rank, names_[rank], patience_s)) silent.ranks.insert(rank);
    }
    if (!silent.ranks.empty()) leave_out(silent);
  }

  Discovered run() {
    for (;;) {
      find_hosts();
      const PairProber prober{
          [this](const std::vector<std::pair<int, int>>& pairs, std::int64_t bytes, int repetitions) {
            return round_trips(pairs, bytes, repetitions);
          },
          [this](const std::vector<std::pair<int, int>>& pairs, std::int64_t max_bytes, int repetitions) {
            return rates_Bps(pairs, max_bytes, repetitions);
          },
          [this](const std::vector<ProbeStream>& streams, double window_s) { return streams_Bps(streams, window_s); },
          [this](const std::vector<ProbeLine>& lines) { return line_rates(lines); }};
      try {
        Discovered found = discover_network(hosts_, settings_, prober);
        found.seconds = party_.now_s() - start_s_;
        for (const int rank : silent_) found.silent.push_back(named(rank));
        found.notes.insert(found.notes.begin(), notes_.begin(), notes_.end());
        return found;
      } catch (const Silent& silent) {
        leave_out(silent);
      }
    }
  }

 private:
  std::string named(int rank) const {
    return names_[rank].empty() ? fmt::format("rank {}", rank) : fmt::format("rank {} ({})", rank, names_[rank]);
  }

  void leave_out(const Silent& silent) {
    std::string who;
    for (const int rank : silent.ranks) who += (who.empty() ? "" : ", ") + named(rank);
    silent_.insert(silent.ranks.begin(), silent.ranks.end());
    const std::string what = fmt::format("discovery: no answer from {} within {} s", who, settings_.answer_s);
    if (!settings_.without_silent)
      throw Refused(what + "; ranks that answer, more time, or leaving them out would be right");
    notes_.push_back({Note::Kind::no_answer, what + "; the rest was measured without", "", 1});
  }

  void find_hosts() {
    hosts_.clear();
    ranks_.clear();
    with_datagrams_.clear();
    std::map<std::string, std::size_t> numbers;
    for (int rank = 0; rank < party_.size(); ++rank) {
      if (silent_.contains(rank)) continue;
      const auto [at, is_new] = numbers.try_emplace(names_[rank], hosts_.size());
      if (is_new) {
        hosts_.push_back({names_[rank], 0});
        ranks_.emplace_back();
      }
      ++hosts_[at->second].ranks;
      ranks_[at->second].push_back(rank);
    }
  }

  /// Gives each rank its order, takes part, and collects the results. Throws Silent.
  std::map<int, std::vector<double>> results_of(const std::map<int, ProbeOrder>& orders) {
    if (settings_.budget_s > 0 && party_.now_s() - start_s_ > settings_.budget_s) throw BudgetSpent();
    const double ordered_s = party_.now_s();
    std::set<int> others;
    for (const auto& [rank, order] : orders) {
      if (rank == 0) continue;
      party_.send_order(order, rank);
      others.insert(rank);
    }
    std::vector<double> own;
    if (const auto order = orders.find(0); order != orders.end()) own = party_.execute(order->second);
    auto results = party_.receive_results(others, ordered_s);
    Silent silent;
    for (const int rank : others)
      if (!results.contains(rank)) silent.ranks.insert(rank);
    if (!silent.ranks.empty()) throw silent;
    results[0] = std::move(own);
    for (const auto& [rank, values] : results) {
      for (const double value : values) {
        if (!std::isnan(value)) continue;
        const ProbeOrder& order = orders.at(rank);
        const auto peer = static_cast<int>(order.arrive.empty() ? order.peer : order.arrive.front().peer);
        throw Refused(
            fmt::format("discovery: no message from {} to {} within {} s; a network that joins them, or more "
                        "time, would be right",
                        named(rank), named(peer), settings_.answer_s));
      }
    }
    return results;
  }

  int rank_of(int host) const { return ranks_[host].front(); }
  /// The rank that answers: the next one when a host measures with itself.
  int answering_rank(std::pair<int, int> pair) const {
    return pair.first == pair.second ? ranks_[pair.second][1] : rank_of(pair.second);
  }

  /// A few trips; the rest where these differ.
  std::vector<RoundTrip> round_trips(const std::vector<std::pair<int, int>>& pairs, std::int64_t bytes,
                                     int repetitions) {
    const int few = std::min(few_trips, repetitions);
    std::vector<Trips> first, more;
    for (const auto& pair : pairs) first.push_back({pair, few});
    measure(first, bytes);
    for (const Trips& trips : first)
      if (!trips.are_alike && few < repetitions) more.push_back({trips.pair, repetitions - few});
    if (!more.empty()) measure(more, bytes);
    std::vector<RoundTrip> result;
    auto next = more.begin();
    for (const Trips& trips : first) {
      RoundTrip& best = result.emplace_back(trips.quickest);
      if (next == more.end() || next->pair != trips.pair) continue;
      const double send_s = std::min(best.send_s, next->quickest.send_s);
      if (next->quickest.seconds < best.seconds) best = next->quickest;
      best.send_s = send_s;
      ++next;
    }
    return result;
  }

  struct Trips {
    std::pair<int, int> pair;
    int count = 0;
    RoundTrip quickest = {};
    bool are_alike = false;
  };

  /// All of them at once.
  void measure(std::vector<Trips>& all, std::int64_t bytes) {
    std::map<int, ProbeOrder> orders;
    for (const Trips& trips : all)
      add_orders(orders, trips.pair, ProbeOrder::Kind::trip, ProbeOrder::Kind::answer, bytes, trips.count);
    const auto results = results_of(orders);
    for (Trips& trips : all) {
      const std::vector<double>& trip = results.at(rank_of(trips.pair.first));
      const double arrived_s = results.at(answering_rank(trips.pair)).at(static_cast<std::size_t>(trip.at(3)));
      trips.quickest = {trip.at(0), trip.at(1), trip.at(0) / 2 - (arrived_s - trip.at(2))};
      trips.are_alike = trip.at(4) != 0;
    }
  }

  std::vector<double> rates_Bps(const std::vector<std::pair<int, int>>& pairs, std::int64_t max_bytes,
                                int repetitions) {
    std::map<int, ProbeOrder> orders;
    for (const auto& pair : pairs)
      add_orders(orders, pair, ProbeOrder::Kind::growth, ProbeOrder::Kind::growth_answer, max_bytes, repetitions);
    const auto results = results_of(orders);
    std::vector<double> rates;
    for (const auto& pair : pairs) rates.push_back(results.at(rank_of(pair.first)).at(0));
    return rates;
  }

  void add_orders(std::map<int, ProbeOrder>& orders, std::pair<int, int> pair, ProbeOrder::Kind sends,
                  ProbeOrder::Kind answers, std::int64_t bytes, int repetitions) const {
    const int sender = rank_of(pair.first), receiver = answering_rank(pair);
    for (const auto& [rank, kind, peer] :
         {std::tuple(sender, sends, receiver), std::tuple(receiver, answers, sender)}) {
      orders[rank].kind = kind;
      orders[rank].peer = peer;
      orders[rank].bytes = bytes;
      orders[rank].repetitions = repetitions;
    }
  }

  /// Trains between these pairs; with 0 repetitions only whether datagrams arrive.
  std::vector<LineRate> line_rates(const std::vector<ProbeLine>& lines, int repetitions = 1) {
    std::vector<LineRate> rates(lines.size());
    std::map<int, ProbeOrder> orders;
    for (const ProbeLine& line : lines) {
      if (no_datagrams_ == max_pairs_without && with_datagrams_.empty()) return rates;
      const int receiver = rank_of(line.to);
      add_orders(orders, {line.from, line.to}, ProbeOrder::Kind::train_answer, ProbeOrder::Kind::trains, 0,
                 repetitions);
      orders[receiver].patience_s = patience_s(line.way_s);
      orders[receiver].message_Bps = line.message_Bps;
    }
    const auto results = results_of(orders);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::vector<double>& values = results.at(rank_of(lines[i].to));
      if (values.empty()) {
        ++no_datagrams_;
        continue;
      }
      with_datagrams_.insert({lines[i].from, lines[i].to});
      rates[i] = {values.at(0), results.at(rank_of(lines[i].from)).at(0), static_cast<int>(values.at(1)),
                  static_cast<int>(values.at(2))};
    }
    return rates;
  }

  /// Three round trips, and what a busy machine takes.
  static double patience_s(double way_s) { return 0.2 + 6 * way_s; }

  /// Whether datagrams arrive between all these hosts, as far as need be by trying it.
  bool have_datagrams(const std::vector<ProbeStream>& streams) {
    for (const ProbeStream& stream : streams) {
      const std::pair pair{stream.from, stream.to};
      if (!with_datagrams_.contains(pair)) line_rates({{stream.from, stream.to, stream.arrival_s}}, 0);
      if (!with_datagrams_.contains(pair)) return false;
    }
    return true;
  }

  std::vector<double> streams_Bps(const std::vector<ProbeStream>& streams, double window_s) {
    const bool by_datagrams = !streams.empty() && streams.front().rate_Bps > 0 && have_datagrams(streams);
    if (by_datagrams) ++tests_;
    std::map<int, ProbeOrder> orders;
    std::vector<std::pair<int, std::size_t>> places;  // the rank that measures, and which of its values it is
    std::int64_t number = 0;
    for (const ProbeStream& stream : streams) {
      const int sender = ranks_[stream.from].front(), receiver = ranks_[stream.to].front();
      for (const int rank : {sender, receiver}) {
        ProbeOrder& order = orders[rank];
        order.kind = by_datagrams ? ProbeOrder::Kind::datagram_streams : ProbeOrder::Kind::streams;
        order.window_s = window_s;
        order.patience_s = std::max(order.patience_s, patience_s(stream.arrival_s));
        if (by_datagrams) order.repetitions = tests_;
      }
      orders[sender].leave.push_back(
          {receiver, stream.bytes, stream.messages, number, stream.delay_s, stream.rate_Bps});
      places.emplace_back(receiver, orders[receiver].arrive.size());
      orders[receiver].arrive.push_back(
          {sender, stream.bytes, stream.messages, number, stream.arrival_s, stream.rate_Bps});
      ++number;
    }
    auto results = results_of(orders);
    std::vector<double> rates;
    for (const auto& [rank, value] : places) rates.push_back(results.at(rank).at(value));
    return rates;
  }

  ProbeParty& party_;
  const DiscoverySettings& settings_;
  std::vector<std::string> names_;  // by rank
  double start_s_ = party_.now_s();
  std::set<int> silent_;
  std::vector<Note> notes_;
  std::vector<DiscoveredHost> hosts_;
  std::vector<std::vector<int>> ranks_;           // by host
  std::set<std::pair<int, int>> with_datagrams_;  // pairs of hosts
  int no_datagrams_ = 0;                          // number of pairs
  int tests_ = 0;                                 // by datagrams
};

/// What rank 0 found, or why it found nothing, as the text that all ranks get.
std::string outcome_on_rank_0(ProbeParty& party, const DiscoverySettings& settings) {
  nlohmann::json outcome;
  std::vector<int> others;
  for (int rank = 1; rank < party.size(); ++rank) others.push_back(rank);
  try {
    Coordinator coordinator(party, settings);
    outcome["found"] = to_json(coordinator.run());
  } catch (const Error& error) {
    outcome["error"] = error.what();
    outcome["status"] = error.exit_status();
  }
  const std::string text = outcome.dump(-1, ' ', true);
  for (const int rank : others) party.send_order({}, rank);
  for (const int rank : others) party.send_text(text, rank);
  return text;
}

std::string outcome_elsewhere(ProbeParty& party) {
  party.send_text(own_host_name(), 0);
  for (;;) {
    const ProbeOrder order = party.receive_order();
    if (order.kind == ProbeOrder::Kind::end) break;
    party.send_result(party.execute(order));
  }
  std::string text;
  party.receive_text(0, text, 0);
  return text;
}

}  // namespace

Discovered discover_ranks(const DiscoverySettings& settings, MPI_Comm comm, const Clock& clock) {
  ProbeParty party(comm, clock, settings.answer_s);
  const std::string text = party.rank() == 0 ? outcome_on_rank_0(party, settings) : outcome_elsewhere(party);
  const auto outcome = nlohmann::json::parse(text);
  if (outcome.contains("error")) {
    const auto why = outcome.at("error").get<std::string>();
    if (outcome.at("status") == 2) throw BadInput(why);
    throw Refused(why);
  }
  return discovered_from_json(outcome.at("found"));
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
