// The choice for few bytes against every tree over the ranks, in every order of sending: the optimum of the postal
// model and of its generalisations to several levels (Karp et al. 1993, Bruck et al. 1992), found by trying all.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/contract.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/schedule/verify.hpp"
#include "algorithms/tuning/select.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

/// Messages of a broadcast in the order in which they begin: each leaves a rank that has the data for one that has not.
using Sends = std::vector<std::pair<int, int>>;

constexpr Slice input_of(std::int64_t count) { return {Buffer::input, 0, count}; }
constexpr Slice output_of(std::int64_t count) { return {Buffer::output, 0, count}; }

Schedule broadcast_of(const Sends& sends, int size, const Problem& problem) {
  Schedule schedule(size);
  const Slice output = output_of(problem.count);
  for (const auto& [from, to] : sends) {
    schedule[from].send(output, to);
    schedule[to].receive(output, from);
  }
  return schedule;
}

/// The same tree backwards.
Schedule reduction_of(const Sends& sends, int size, const Problem& problem) {
  Schedule schedule(size);
  std::vector<Slice> sum(size, input_of(problem.count));
  for (std::size_t i = sends.size(); i-- > 0;) {
    const auto [to, from] = sends[i];
    schedule[from].send(sum[from], to);
    const Slice operand = schedule[to].reserve(problem.count);
    const Slice into = to == problem.root ? output_of(problem.count) : schedule[to].reserve(problem.count);
    schedule[to].receive(operand, from);
    schedule[to].reduce(into, sum[to], operand);
    sum[to] = into;
  }
  return schedule;
}

class Exhaustive {
 public:
  Exhaustive(const PlacedNetwork& placed, const Problem& problem)
      : placed_(placed), problem_(problem), has_data_(placed.size(), false) {}

  double seconds() {
    has_data_[problem_.root] = true;
    extend();
    return best_s_;
  }

 private:
  void extend() {
    const int size = placed_.size();
    if (static_cast<int>(sends_.size()) == size - 1) {
      try_sends();
      return;
    }
    for (int from = 0; from < size; ++from)
      for (int to = 0; to < size; ++to) {
        if (!has_data_[from] || has_data_[to]) continue;
        // Messages of two ranks that follow each other can change places: one of both orders is enough.
        if (!sends_.empty() && from < sends_.back().first && from != sends_.back().second) continue;
        sends_.emplace_back(from, to);
        has_data_[to] = true;
        extend();
        has_data_[to] = false;
        sends_.pop_back();
      }
  }

  void try_sends() {
    const Schedule schedule = problem_.collective == Collective::reduce
                                  ? reduction_of(sends_, placed_.size(), problem_)
                                  : broadcast_of(sends_, placed_.size(), problem_);
    const ProgramSource programs = [&](int rank, Program& program) { program = schedule[rank]; };
    const ReplayOptions options{.limit_s = best_s_};
    const double seconds = replay(placed_, problem_.element_bytes, programs, options).seconds;
    if (seconds >= best_s_) return;
    best_s_ = seconds;
    const Verdict verdict = verify(schedule, contract_of(problem_, placed_.size()));
    ASSERT_TRUE(verdict.ok()) << verdict.message();
  }

  const PlacedNetwork& placed_;
  const Problem& problem_;
  std::vector<bool> has_data_;
  Sends sends_;
  double best_s_ = std::numeric_limits<double>::infinity();
};

void expect_near_the_optimum(const Network& network, const std::string& what) {
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  for (const auto& [collective, root] :
       {std::pair(Collective::broadcast, 0), std::pair(Collective::reduce, 0), std::pair(Collective::broadcast, 3)}) {
    const Problem problem{.collective = collective, .count = 8, .root = root};
    const Candidate choice = choose(placed, problem);
    const double best_s = Exhaustive(placed, problem).seconds();
    EXPECT_LE(choice.seconds, 1.01 * best_s) << what << ", root " << root << ": " << to_string(choice.plan);
  }
}

TEST(FewBytes, OnOneClusterTakeTheOptimumOfThePostalModel) {
  for (const double latency_s : {1e-7, 1e-6, 3e-6, 1e-5, 1e-4}) {
    Network network = tests::star(6, latency_s, 125e6);
    expect_near_the_optimum(network, fmt::format("latency {} s", latency_s));
    network.transport = tcp_over_ethernet();
    expect_near_the_optimum(network, fmt::format("TCP, latency {} s", latency_s));
  }
}

TEST(FewBytes, OnSitesTakeTheOptimumOfAllTrees) {
  std::mt19937 random(1);
  const auto one_of = [&](const std::vector<double>& values) { return values[random() % values.size()]; };
  for (int number = 0; number < 40; ++number) {
    const std::vector<std::vector<int>> hosts{{2, 2, 2}, {3, 2, 1}, {1, 1, 1, 1, 1}, {3, 3}, {2, 1, 2, 1}};
    const std::vector<int>& sizes = hosts[random() % hosts.size()];
    tests::Mesh mesh(sizes);
    for (int a = 0; a < static_cast<int>(sizes.size()); ++a)
      for (int b = 0; b < static_cast<int>(sizes.size()); ++b)
        if (a != b) mesh.join(a, b, one_of({1e5, 1e6, 1e7}), one_of({1e-4, 1e-3, 3e-3, 1e-2, 4e-2}));
    if (number % 2 == 1) mesh.network.transport = tcp_over_ethernet();
    expect_near_the_optimum(mesh.network, fmt::format("network {}", number));
  }
}

// Trees by level take the latency of a site twice more.
TEST(FewBytes, TakeTheStarOfAllRanksWhereSitesAreAsNearAsHosts) {
  for (const int hosts : {2, 3, 4}) {
    const int size = 2 * hosts;
    const PlacedNetwork placed(
        tests::grid(
            {.clusters = 2, .hosts = hosts, .wan_latency_s = 1e-6, .wan_bandwidth_Bps = 125e6, .lan_latency_s = 1e-4}),
        one_rank_a_host(size));
    const Problem problem{.collective = Collective::allreduce, .count = 1};
    const Plan star = parse_plan(problem.collective, fmt::format("k-ary:degree={}", size - 1));
    EXPECT_LE(choose(placed, problem).seconds,
              1.01 * replay(placed, 1, source(star, placed.topology(), problem)).seconds)
        << size << " ranks";
  }
}

TEST(FewBytes, OnThreeLevelsTakeTheOptimumOfAllTrees) {
  for (const double between_sites_s : {3e-4, 1e-3, 5e-3}) {
    tests::Mesh mesh({2, 1, 2, 1});  // two regions of two sites
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        if (a != b) mesh.join(a, b, 1e7, a / 2 == b / 2 ? between_sites_s : 1e-2);
    for (Host& host : mesh.network.hosts)
      host.zones = {{"region", fmt::format("r{}", host.endpoint / 2)}, host.zones.front()};
    expect_near_the_optimum(mesh.network, fmt::format("sites of a region {} s apart", between_sites_s));
    mesh.network.transport = tcp_over_ethernet();
    expect_near_the_optimum(mesh.network, fmt::format("TCP, sites of a region {} s apart", between_sites_s));
  }
}

TEST(FewBytes, OfAnAllreduceHaveAChoiceWhereOnlyPackingsForLinesExchangeSumsOverOtherSites) {
  // Sydney, Singapore, Ireland and Oregon: from the first to the third a relay takes hardly longer.
  tests::Mesh mesh({1, 1, 1, 1}, 1250e6);
  const auto join = [&](int one, int other, double bandwidth_Bps, double latency_s) {
    mesh.join(one, other, bandwidth_Bps, latency_s);
    mesh.join(other, one, bandwidth_Bps, latency_s);
  };
  join(0, 1, 102e6, 0.046);
  join(0, 2, 43e6, 0.127);
  join(0, 3, 45e6, 0.0695);
  join(1, 2, 61.5e6, 0.0895);
  join(1, 3, 42.625e6, 0.0815);
  join(2, 3, 60.25e6, 0.062);
  const PlacedNetwork placed(mesh.network, place_ranks(mesh.network, PlacementRule::block, 1));
  for (const std::int64_t count : {1, 2, 3}) {
    const Problem problem{.collective = Collective::allreduce, .count = count, .element_bytes = 8};
    EXPECT_NEAR(choose(placed, problem).seconds, 0.127, 0.002);
  }
}

}  // namespace
}  // namespace isthmus
