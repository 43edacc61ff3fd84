// Every collective on every kind of topology, against the MPI's own: blocking, several in progress, persistent.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/mpi/library/comm_state.hpp"
#include "algorithms/mpi/library/request.hpp"
#include "tests/mpi/cases.hpp"
#include "tests/mpi/deal.hpp"
#include "tests/support/groupings.hpp"
#include "tests/support/meshes.hpp"

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

using Bytes = std::vector<std::byte>;

// Fixed plans, nothing chosen by model: multilevel ones, else the first algorithm that serves.
Settings without_choice() {
  Settings settings;
  settings.effort_messages = 0;
  return settings;
}

std::shared_ptr<CommState> state_on(MPI_Comm comm, const Topology& topology,
                                    const Settings& settings = without_choice(),
                                    std::shared_ptr<InFlight> in_flight = std::make_shared<InFlight>()) {
  return std::make_shared<CommState>(comm, std::move(in_flight), settings, topology);
}

void compare(World& world, const Deal& deal, const Bytes& found, const std::string& where) {
  Bytes right = deal.buffer();
  world.expect_equal(call_mpi(deal.call(right)), MPI_SUCCESS, where + ": the MPI's own code of " + deal.name());
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(deal.defined());
  const auto at = std::mismatch(found.begin(), end, right.begin()).first - found.begin();
  world.expect(found.begin() + at == end, where + ": " + deal.name() + " differs at byte " + std::to_string(at));
}

CollectiveCall blocking_call(const Deal& deal, Bytes& found) {
  CollectiveCall call = deal.call(found);
  call.blocking = true;
  return call;
}

void blocking(World& world, CommState& state, const Deal& deal, const std::string& where) {
  Bytes found = deal.buffer();
  const CollectiveCall call = blocking_call(deal, found);
  const CallDecision decision = state.decide(call);
  world.expect_equal(decision.error, MPI_SUCCESS, where + ": error of " + deal.name());
  world.expect(!decision.pass_through_reason, where + ": " + deal.name() + " is not served");
  if (decision.error != MPI_SUCCESS || decision.pass_through_reason) return;
  state.run(call, decision);
  compare(world, deal, found, where);
}

MPI_CASE(EveryCollectiveGivesWhatTheMpiGives) {
  const TestComm comm(world.comm());
  const Kinds kinds;
  std::uint64_t seed = 0;
  for (const auto& [where, topology] : tests::groupings(world.size())) {
    const auto state = state_on(comm, topology);
    for (const Collective collective : collectives())
      for (const int most : {0, 1, 3, 40, 3000})
        blocking(world, *state, Deal(collective, kinds, ++seed, most, comm), where);
  }
}

MPI_CASE(PlansChosenByModelGiveWhatTheMpiGives) {
  const TestComm comm(world.comm());
  const Kinds kinds;
  std::uint64_t seed = 500;
  const auto state = state_on(comm, tests::groupings(world.size())[2].topology, Settings{});
  for (const Collective collective : collectives())
    for (const int most : {1, 300}) blocking(world, *state, Deal(collective, kinds, ++seed, most, comm), "chosen");
}

MPI_CASE(EveryAlgorithmGivesWhatTheMpiGives) {
  const TestComm comm(world.comm());
  const Kinds kinds;
  const auto groupings = tests::groupings(world.size());
  std::uint64_t seed = 1000;
  for (const Algorithm& algorithm : algorithms()) {
    Settings settings;
    settings.plans[static_cast<std::size_t>(algorithm.collective)] = Plan{&algorithm, {}};
    const auto& [where, topology] = groupings[seed % groupings.size()];
    const auto state = state_on(comm, topology, settings);
    for (const int most : {0, 2, 50, 2000}) {
      const Deal deal(algorithm.collective, kinds, ++seed, most, comm);
      Bytes found = deal.buffer();
      const CollectiveCall call = blocking_call(deal, found);
      const CallDecision decision = state->decide(call);
      if (decision.pass_through_reason) continue;  // a size or an operator that it refuses
      state->run(call, decision);
      compare(world, deal, found, where + ", " + std::string(algorithm.id));
    }
  }
}

/// Three sites, or as many as there are ranks. The lines between the first two carry a hundredth of the others' rate.
PlacedNetwork with_a_slow_line(int ranks) {
  const int sites = std::min(ranks, 3);
  std::vector<int> hosts(sites);
  for (int rank = 0; rank < ranks; ++rank) ++hosts[rank % sites];
  tests::Mesh mesh(hosts);
  for (int from = 0; from < sites; ++from)
    for (int to = 0; to < sites; ++to)
      if (from != to) mesh.join(from, to, from + to == 1 ? 2e5 : 2e7, 5e-3);
  return {mesh.network, place_ranks(mesh.network, PlacementRule::block, 1)};
}

MPI_CASE(BlocksOfAnySizesArePassedOnWhereThatIsQuicker) {
  const TestComm comm(world.comm());
  const Kinds kinds;
  std::uint64_t seed = 700;
  const PlacedNetwork placed = with_a_slow_line(world.size());
  const auto state =
      std::make_shared<CommState>(comm, std::make_shared<InFlight>(), Settings{}, placed.topology(), placed);
  for (const Collective collective :
       {Collective::gatherv, Collective::scatterv, Collective::alltoallv, Collective::alltoallw}) {
    int passed_on = 0;
    for (int number = 1; number <= 12; ++number) {
      const Deal deal(collective, kinds, ++seed, number == 8 ? 0 : 9000, comm);
      Bytes found = deal.buffer();
      const CollectiveCall call = blocking_call(deal, found);
      const CallDecision decision = state->decide(call);
      state->run(call, decision);
      compare(world, deal, found, "call " + std::to_string(number));
      if (number == 1) world.expect(!decision.ready->signature.all_counts, "sizes are told before the first call");
      if (decision.ready->plan.algorithm->id == "packed") ++passed_on;
    }
    // A root at the third site has quick lines to all.
    if (world.size() > 2) world.expect(passed_on > 0, std::string(name(collective)) + ": no plans for the rates");
  }
}

// The others only send, so that they do not notice that the call is wrong at the root.
MPI_CASE(ACallThatIsWrongOnOneRankCountsOnAll) {
  const TestComm comm(world.comm());
  const PlacedNetwork placed = with_a_slow_line(world.size());
  const auto state =
      std::make_shared<CommState>(comm, std::make_shared<InFlight>(), Settings{}, placed.topology(), placed);
  std::vector<int> counts(world.size(), 1), places(world.size()), data(world.size());
  if (world.rank() == 0) counts[0] = -1;
  CollectiveCall wrong =
      calls::gatherv(&data[0], 1, MPI_INT, data.data(), counts.data(), places.data(), MPI_INT, 0, comm);
  wrong.blocking = true;
  const CallDecision decision = state->decide(wrong);
  world.expect_equal(decision.error, world.rank() == 0 ? MPI_ERR_COUNT : MPI_SUCCESS, "error");
  if (decision.error == MPI_SUCCESS) state->run(wrong, decision);
  counts[0] = 1;
  for (int number = 2; number <= 5; ++number) {
    std::vector<int> all(world.size());
    std::iota(places.begin(), places.end(), 0);
    const int own = 10 * number + world.rank();
    CollectiveCall call = calls::gatherv(&own, 1, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT, 0, comm);
    call.blocking = true;
    state->run(call, state->decide(call));
    for (int rank = 0; rank < world.size() && world.rank() == 0; ++rank)
      world.expect_equal(all[rank], 10 * number + rank, "gathered");
  }
}

MPI_CASE(BlocksToWhichTwoRanksGiveTwoSizesAreToldBeforeDataMove) {
  if (world.size() < 2) return;
  const TestComm comm(world.comm());
  Settings settings = without_choice();
  for (const Collective collective : {Collective::gatherv, Collective::scatterv, Collective::alltoallv})
    settings.plans[static_cast<std::size_t>(collective)] = parse_plan(collective, "multilevel");
  const auto state = state_on(comm, tests::groupings(world.size())[1].topology, settings);
  // Rank 0 and rank 1 do not agree on the size of the block of rank 1 at rank 0.
  std::vector<int> at_root(world.size(), 4), places(world.size());
  if (world.rank() == 0) at_root[1] = 3;
  std::vector<int> data(4 * world.size()), others(4 * world.size());
  const int* const counts = at_root.data();
  const auto error = [&](CollectiveCall call) {
    call.blocking = true;
    return state->decide(call).error;
  };
  const int expected = world.rank() == 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
  world.expect_equal(
      error(calls::gatherv(data.data(), 4, MPI_INT, others.data(), counts, places.data(), MPI_INT, 0, comm)), expected,
      "gatherv");
  world.expect_equal(
      error(calls::scatterv(others.data(), counts, places.data(), MPI_INT, data.data(), 4, MPI_INT, 0, comm)), expected,
      "scatterv");
  const std::vector<int> sent(world.size(), 4);
  world.expect_equal(error(calls::alltoallv(data.data(), sent.data(), places.data(), MPI_INT, others.data(), counts,
                                            places.data(), MPI_INT, comm)),
                     expected, "alltoallv");
}

// A program that branches on a sum, as solvers do, needs the same sum on all ranks and in every run.
MPI_CASE(SumsOfDoublesAreTheSameToTheLastBit) {
  const TestComm comm(world.comm());
  constexpr int count = 37;
  std::mt19937_64 random(static_cast<std::uint64_t>(world.rank()));
  std::uniform_real_distribution<double> values(-1, 1);
  std::vector<double> own(count);
  for (double& value : own) value = std::exp(10 * values(random));
  for (const Algorithm* algorithm : algorithms_of(Collective::allreduce))
    for (const auto& [where, topology] : tests::groupings(world.size())) {
      Settings settings;
      settings.plans[static_cast<std::size_t>(Collective::allreduce)] = Plan{algorithm, {}};
      const auto state = state_on(comm, topology, settings);
      std::vector<double> first(count), again(count);
      const CollectiveCall call = calls::allreduce(own.data(), first.data(), count, MPI_DOUBLE, MPI_SUM, comm);
      state->run(call, state->decide(call));
      const CollectiveCall same = calls::allreduce(own.data(), again.data(), count, MPI_DOUBLE, MPI_SUM, comm);
      Request request(state, same, state->decide(same), Request::Kind::once);
      request.wait();
      const std::string what = std::string(algorithm->id) + ", " + where;
      world.expect(first == again, what + ": another sum the second time");
      MPI_Bcast(again.data(), count, MPI_DOUBLE, 0, comm);
      world.expect(first == again, what + ": another sum than on rank 0");
    }
}

// Each rank ends them in an order of its own, with blocking calls among them.
MPI_CASE(SeveralCallsMayBeUnderWay) {
  const TestComm comm(world.comm());
  const Kinds kinds;
  std::uint64_t seed = 2000;
  for (const auto& [where, topology] : tests::groupings(world.size())) {
    const auto in_flight = std::make_shared<InFlight>();
    const auto state = state_on(comm, topology, without_choice(), in_flight);
    const auto other = state_on(MPI_COMM_SELF, Topology::flat(1), without_choice(), in_flight);
    std::vector<std::unique_ptr<Deal>> deals;
    std::vector<Bytes> found;
    std::vector<std::unique_ptr<Request>> requests;
    found.reserve(2 * collective_count);
    for (const Collective collective : collectives())
      for (const int most : {5, 500}) {
        deals.push_back(std::make_unique<Deal>(collective, kinds, ++seed, most, comm));
        found.push_back(deals.back()->buffer());
        const CollectiveCall call = deals.back()->call(found.back());
        requests.push_back(std::make_unique<Request>(state, call, state->decide(call), Request::Kind::once));
        if (seed % 10 == 0) blocking(world, *state, Deal(collective, kinds, seed, 20, comm), where + " meanwhile");
      }
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(world.rank()));
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      if (i % 2 == 0)
        requests[i]->wait();
      else
        while (!requests[i]->test()) {
        }
      world.expect(!requests[i]->active(), "a request that has ended is active");
    }
    world.expect(in_flight->empty(), "something is under way at the end");
    for (std::size_t i = 0; i < deals.size(); ++i) compare(world, *deals[i], found[i], where + ", non-blocking");
  }
}

MPI_CASE(PersistentCallsCanBeStartedAgain) {
  const TestComm comm(world.comm());
  const Kinds kinds;
  std::uint64_t seed = 3000;
  const auto groupings = tests::groupings(world.size());
  const auto& [where, topology] = groupings[3];
  const auto state = state_on(comm, topology);
  for (const Collective collective : collectives()) {
    const Deal first(collective, kinds, ++seed, 60, comm);
    const Deal second(collective, kinds, ++seed, 900, comm);
    Bytes first_found = first.buffer();
    Bytes second_found = second.buffer();
    const CollectiveCall first_call = first.call(first_found);
    const CollectiveCall second_call = second.call(second_found);
    Request one(state, first_call, state->decide(first_call), Request::Kind::persistent);
    Request two(state, second_call, state->decide(second_call), Request::Kind::persistent);
    for (int round = 0; round < 3; ++round) {
      std::copy_n(first.buffer().begin(), first_found.size(), first_found.begin());
      std::copy_n(second.buffer().begin(), second_found.size(), second_found.begin());
      // In any order.
      Request& earlier = world.rank() % 2 == 0 ? one : two;
      Request& later = world.rank() % 2 == 0 ? two : one;
      earlier.start();
      later.start();
      one.wait();
      two.wait();
      compare(world, first, first_found, where + ", persistent");
      compare(world, second, second_found, where + ", persistent");
    }
  }
}

// Rank 0 is in a blocking call and must do its part of an earlier one: the other ranks wait for that one first.
MPI_CASE(BlockingCallsLetOthersMakeProgress) {
  const TestComm comm(world.comm());
  const auto in_flight = std::make_shared<InFlight>();
  const Topology topology = tests::groupings(world.size())[1].topology;
  const auto state = state_on(comm, topology, without_choice(), in_flight);
  const auto other = state_on(comm, topology, without_choice(), in_flight);
  const int own = world.rank() + 1;
  int sum = 0;
  const CollectiveCall call = calls::allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm);
  Request request(state, call, state->decide(call), Request::Kind::once);
  if (world.rank() != 0) request.wait();
  const CollectiveCall barrier = calls::barrier(comm);
  other->run(barrier, other->decide(barrier));
  request.wait();
  world.expect_equal(sum, world.size() * (world.size() + 1) / 2, "sum");
}

// Rank 0 waits for the MPI's own call, the others for the call that was started before.
MPI_CASE(WaitingForTheMpiLetsOthersMakeProgress) {
  const TestComm comm(world.comm());
  const auto in_flight = std::make_shared<InFlight>();
  const auto state = state_on(comm, tests::groupings(world.size())[1].topology, without_choice(), in_flight);
  const int own = world.rank() + 1;
  int sum = 0;
  const CollectiveCall call = calls::allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm);
  Request request(state, call, state->decide(call), Request::Kind::once);
  if (world.rank() != 0) request.wait();
  int most = 0;
  Request beneath(in_flight, calls::allreduce(&own, &most, 1, MPI_INT, MPI_MAX, comm), Request::Kind::once);
  beneath.wait();
  request.wait();
  world.expect_equal(sum, world.size() * (world.size() + 1) / 2, "sum");
  world.expect_equal(most, world.size(), "the MPI's own");
}

MPI_CASE(RequestsOutliveDatatypes) {
  const TestComm comm(world.comm());
  const auto state = state_on(comm, tests::groupings(world.size())[1].topology);
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Type_vector(100, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  std::vector<int> values(200, world.rank() == 0 ? 7 : 0);
  const CollectiveCall call = calls::broadcast(values.data(), 1, every_other, 0, comm);
  Request request(state, call, state->decide(call), Request::Kind::once);
  MPI_Type_free(&every_other);
  request.wait();
  for (int i = 0; i < 200; i += 2) world.expect_equal(values[i], 7, "value");
  if (world.rank() != 0) world.expect_equal(values[1], 0, "value between");
}

MPI_CASE(WrongArgumentsAreNamed) {
  const TestComm comm(world.comm());
  const auto state = state_on(comm, Topology::flat(world.size()));
  std::vector<int> a(4 * world.size()), b(4 * world.size()), counts(world.size(), 1), places(world.size());
  std::vector<int> negative(world.size(), -1);
  std::vector<MPI_Datatype> types(world.size(), MPI_INT), no_types(world.size(), MPI_DATATYPE_NULL);
  int* const none = nullptr;
  const bool root = world.rank() == 0;
  const struct {
    const char* what;
    CollectiveCall call;
    int error;
  } wrong[] = {
      {"broadcast root", calls::broadcast(a.data(), 1, MPI_INT, world.size(), comm), MPI_ERR_ROOT},
      {"reduce root", calls::reduce(a.data(), b.data(), 1, MPI_INT, MPI_SUM, -1, comm), MPI_ERR_ROOT},
      {"broadcast count", calls::broadcast(a.data(), -1, MPI_INT, 0, comm), MPI_ERR_COUNT},
      {"alltoall count", calls::alltoall(a.data(), -1, MPI_INT, b.data(), 1, MPI_INT, comm), MPI_ERR_COUNT},
      {"allgatherv counts",
       calls::allgatherv(a.data(), 1, MPI_INT, b.data(), negative.data(), places.data(), MPI_INT, comm), MPI_ERR_COUNT},
      {"allgatherv no counts", calls::allgatherv(a.data(), 1, MPI_INT, b.data(), none, places.data(), MPI_INT, comm),
       MPI_ERR_COUNT},
      {"allgatherv no places", calls::allgatherv(a.data(), 1, MPI_INT, b.data(), counts.data(), none, MPI_INT, comm),
       MPI_ERR_ARG},
      {"scan type", calls::scan(a.data(), b.data(), 1, MPI_DATATYPE_NULL, MPI_SUM, comm), MPI_ERR_TYPE},
      {"alltoallw types",
       calls::alltoallw(a.data(), counts.data(), places.data(), types.data(), b.data(), counts.data(), places.data(),
                        no_types.data(), comm),
       MPI_ERR_TYPE},
      {"allreduce op", calls::allreduce(a.data(), b.data(), 1, MPI_INT, MPI_OP_NULL, comm), MPI_ERR_OP},
      {"allreduce of floats by bits", calls::allreduce(a.data(), b.data(), 1, MPI_FLOAT, MPI_BXOR, comm), MPI_ERR_OP},
      {"broadcast in place", calls::broadcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm), MPI_ERR_ARG},
      {"allreduce into place", calls::allreduce(a.data(), MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_ARG},
      {"reduce in place away from the root",
       calls::reduce(root ? a.data() : MPI_IN_PLACE, root ? MPI_IN_PLACE : b.data(), 1, MPI_INT, MPI_SUM, 0, comm),
       MPI_ERR_ARG},
      {"allgather of different sizes", calls::allgather(a.data(), 3, MPI_INT, b.data(), 2, MPI_INT, comm),
       MPI_ERR_TRUNCATE},
  };
  for (const auto& each : wrong) world.expect_equal(state->decide(each.call).error, each.error, each.what);
}

// Too much is sent: the receivers get an error, and the next call works.
MPI_CASE(TruncationIsToldAndDoesNoMoreHarm) {
  if (world.size() < 2) return;
  const TestComm comm(world.comm());
  const auto state = state_on(comm, tests::groupings(world.size())[1].topology);
  for (int round = 0; round < 3; ++round) {
    std::vector<int> values(1000, world.rank() == 0 ? 5 : 0);
    const CollectiveCall call = calls::broadcast(values.data(), world.rank() == 0 ? 1000 : 10, MPI_INT, 0, comm);
    int code = MPI_SUCCESS;
    try {
      state->run(call, state->decide(call));
    } catch (const MpiError& error) {
      MPI_Error_class(error.code(), &code);
    }
    // Only the root's children in its tree are sent more than they take.
    int told = code == MPI_ERR_TRUNCATE ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &told, 1, MPI_INT, MPI_MAX, comm);
    world.expect_equal(told, 1, "somebody is told");
    world.expect(std::all_of(values.begin() + (world.rank() == 0 ? 1000 : 10), values.end(),
                             [](int value) { return value == 0; }),
                 "written beyond the buffer");
    const Kinds kinds;
    blocking(world, *state, Deal(Collective::allgather, kinds, 77, 20, comm), "after a truncation");
  }
}

MPI_CASE(APlanThatCannotServeSaysSo) {
  const TestComm comm(world.comm());
  const Kinds kinds;
  Settings settings;
  settings.plans[static_cast<std::size_t>(Collective::allreduce)] = parse_plan(Collective::allreduce, "ring");
  const auto state = state_on(comm, Topology::flat(world.size()), settings);
  std::vector<Matrix> a(3), b(3);
  const Operation& matrices = kinds.operations.front();
  const CollectiveCall call = calls::allreduce(a.data(), b.data(), 3, matrices.type, matrices.op, comm);
  const CallDecision decision = state->decide(call);
  world.expect(decision.pass_through_reason == PassThroughReason::plan, "pass_through_reason");
  world.expect(decision.ready != nullptr && decision.ready->refusal.find("commute") != std::string::npos, "reason");
}

}  // namespace

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
