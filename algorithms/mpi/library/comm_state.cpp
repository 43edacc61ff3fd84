#include "algorithms/mpi/library/comm_state.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

#include "algorithms/mpi/library/default_floating_point.hpp"
#include "algorithms/mpi/library/request.hpp"
#include "algorithms/neighbourhood/counts.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr std::size_t max_ready = 64;
constexpr std::size_t max_known_pairs = 32;
constexpr std::size_t kept_staging_bytes = std::size_t{16} << 20;

// The program needs communicators, too.
#if defined(MPICH_VERSION)
constexpr int most_private_comms = 512;  // MPICH has 2048 communicators
#else
constexpr int most_private_comms = 4096;  // Open MPI has 65532 communicators
#endif
std::atomic<int>& private_comms() {
  static std::atomic<int> alive = 0;
  return alive;
}

// The errors of a communicator are returned while this lives.
class ErrorsReturned {
 public:
  explicit ErrorsReturned(MPI_Comm comm) : comm_(comm) {
    check_mpi(PMPI_Comm_get_errhandler(comm, &before_), {.call = "MPI_Comm_get_errhandler"});
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  }
  ~ErrorsReturned() {
    PMPI_Comm_set_errhandler(comm_, before_);
    PMPI_Errhandler_free(&before_);
  }
  ErrorsReturned(const ErrorsReturned&) = delete;
  ErrorsReturned& operator=(const ErrorsReturned&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

// A communicator over the same ranks, without the attributes of the original; MPI_COMM_NULL on all ranks where one of
// them can have no more.
MPI_Comm private_comm(MPI_Comm of) {
  const ErrorsReturned returned(of);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  check_mpi(PMPI_Comm_group(of, &group), {.call = "MPI_Comm_group"});
  const int code = PMPI_Comm_create(of, group, &comm);
  PMPI_Group_free(&group);
  const int here = code == MPI_SUCCESS && private_comms() < most_private_comms ? 1 : 0;
  int everywhere = 0;
  check_mpi(PMPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_MIN, of), {.call = "MPI_Allreduce"});
  if (everywhere == 0) {
    if (code == MPI_SUCCESS) PMPI_Comm_free(&comm);
    return MPI_COMM_NULL;
  }
  ++private_comms();
  check_mpi(PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), {.call = "MPI_Comm_set_errhandler"});
  return comm;
}

// The problem as far as this rank knows it: blocks that only other ranks know count as empty. The algorithms of these
// collectives use only a rank's own blocks.
Problem problem_of(const Signature& signature, int rank, int size) {
  Problem problem{.collective = signature.collective,
                  .count = signature.count,
                  .element_bytes = signature.element_bytes,
                  .root = signature.root,
                  .counts = signature.counts,
                  .commutative = signature.commutative};
  if (signature.all_counts) return problem;
  switch (signature.collective) {
    case Collective::gatherv:
    case Collective::scatterv:
      problem.counts_known = false;
      if (rank == signature.root) break;
      problem.counts.assign(size, 0);
      problem.counts[rank] = signature.counts.front();
      break;
    case Collective::alltoallv:
    case Collective::alltoallw:
      problem.counts_known = false;
      problem.counts.assign(static_cast<std::size_t>(size) * size, 0);
      for (int other = 0; other < size; ++other) {
        problem.counts[static_cast<std::size_t>(rank) * size + other] = signature.counts[other];
        problem.counts[static_cast<std::size_t>(other) * size + rank] = signature.counts[size + other];
      }
      break;
    default:
      break;
  }
  return problem;
}

}  // namespace

std::string plan_text(const PreparedCall& ready, bool blocks) {
  if (ready.learnt && !blocks) return std::string(name(NeighbourAlgorithm::direct));
  if (ready.neighbours) return std::string(name(*ready.neighbours));
  return to_string(ready.handed != nullptr && blocks ? ready.plan : with_tree_inside(ready.plan));
}

CommState::CommState(MPI_Comm comm, std::shared_ptr<InFlight> in_flight)
    : in_flight_(std::move(in_flight)), topology_(Topology::flat(1)) {
  Settings settings = settings_of_rank_0(comm);
  std::optional<PlacedNetwork> placed;
  if (!settings.network.empty()) placed = placed_on_network(settings.network, comm);
  topology_ = placed ? placed->topology() : topology_of_paths(paths_of_ranks(settings.site_pattern, comm));
  std::shared_ptr<const DecisionTable> table;
  if (!settings.table.empty()) table = table_of_rank_0(settings.table, topology_, comm);
  set_plans(comm, std::make_shared<Plans>(std::move(settings), topology_, std::move(placed), std::move(table)));
}

CommState::CommState(MPI_Comm comm, std::shared_ptr<InFlight> in_flight, Settings settings, Topology topology,
                     std::optional<PlacedNetwork> placed, std::shared_ptr<const DecisionTable> table)
    : in_flight_(std::move(in_flight)), topology_(std::move(topology)) {
  set_plans(comm, std::make_shared<Plans>(std::move(settings), topology_, std::move(placed), std::move(table)));
}

CommState::CommState(MPI_Comm comm, std::shared_ptr<InFlight> in_flight, Topology topology,
                     std::shared_ptr<Plans> plans)
    : in_flight_(std::move(in_flight)), topology_(std::move(topology)) {
  set_plans(comm, std::move(plans));
}

CommState::~CommState() {
  // The attributes of predefined communicators are deleted when MPI calls are not allowed any more.
  int finalized = 0;
  if (PMPI_Finalized(&finalized) != MPI_SUCCESS || finalized != 0) return;
  if (!comms_.empty()) --private_comms();
  for (MPI_Comm& comm : comms_) PMPI_Comm_free(&comm);
}

void CommState::set_plans(MPI_Comm comm, std::shared_ptr<Plans> plans) {
  check_mpi(PMPI_Comm_rank(comm, &rank_), {.call = "MPI_Comm_rank"});
  plans_ = std::move(plans);
  tags_.emplace(std::min(highest_tag(), plans_->settings().tag_limit));
  find_what_is_left_to_mpi();
  if (leaves_all_to_mpi() || make_comm(comm)) return;
  left_to_mpi_.fill(PassThroughReason::no_comm);
  has_no_comm_ = true;
}

bool CommState::make_comm(MPI_Comm of) {
  if (!comms_.empty()) return true;
  const MPI_Comm made = private_comm(of);
  if (made != MPI_COMM_NULL) comms_.push_back(made);
  return made != MPI_COMM_NULL;
}

void CommState::find_what_is_left_to_mpi() {
  const bool one_site = is_one_site(topology_);
  if (lacks_relays()) {
    left_to_mpi_.fill(PassThroughReason::no_relays);
    return;
  }
  for (std::size_t i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    if (plans_->mpi_asked_for(collective))
      left_to_mpi_[i] = PassThroughReason::asked_for;
    else if (one_site && !plans_->asked_for(collective))
      left_to_mpi_[i] = PassThroughReason::one_site;
  }
}

bool CommState::lacks_relays() const {
  if (plans_->lacks_forwarders()) return true;
  return !topology_.connectivity().complete() && topology_.connectivity().unreachable().first >= 0;
}

// Ranks without a route are not relayed here. With must_serve_neighbours_ the setting decides between the algorithms
// alone.
std::optional<PassThroughReason> CommState::neighbours_left_to_mpi(Collective collective) const {
  if (!topology_.connectivity().complete() || lacks_relays()) return PassThroughReason::no_relays;
  if (has_no_comm_) return PassThroughReason::no_comm;
  const NeighbourService asked = plans_->neighbour_service();
  if (must_serve_neighbours_ || asked == NeighbourService::direct || asked == NeighbourService::aggregated)
    return std::nullopt;
  if (asked == NeighbourService::mpi) return PassThroughReason::asked_for;
  if (is_one_site(topology_)) return PassThroughReason::one_site;
  if (has_counts(collective)) return PassThroughReason::sizes_unknown;
  return std::nullopt;
}

bool CommState::leaves_all_to_mpi() const {
  if (!neighbours_left_to_mpi(Collective::allgather)) return false;
  return std::all_of(left_to_mpi_.begin(), left_to_mpi_.end(), [](const auto& why) { return why.has_value(); });
}

void CommState::set_neighbours(MPI_Comm comm, std::shared_ptr<const Neighbourhood> neighbours, bool must_serve) {
  neighbours_ = std::move(neighbours);
  must_serve_neighbours_ = must_serve;
  has_no_comm_ = has_no_comm_ || (!leaves_all_to_mpi() && !make_comm(comm));
}

CallDecision CommState::decide(const CollectiveCall& call) {
  CallDecision decision;
  decision.number = tags_->next();  // wrong calls count as well: the call may be right on other ranks
  if (!make_comm(call.comm)) throw MpiError(MPI_ERR_OTHER, "the MPI has no communicator left");
  const bool tells = tells_counts(call);  // which counts calls, wrong ones too
  decision.error = check_arguments(call, rank_, size());
  if (decision.error != MPI_SUCCESS) return decision;
  // Calls that have no communicator would raise an error on MPI_COMM_WORLD's handler, so that it must be found before.
  decision.error = check_datatypes(call, rank_, size(), comms_.front());
  if (decision.error != MPI_SUCCESS) return decision;
  decision.error = check_operands(call, rank_, size());
  if (decision.error != MPI_SUCCESS) return decision;
  if (has_operator(call.collective) && !takes(call.op, call.receive.datatype)) decision.error = MPI_ERR_OP;
  if (decision.error != MPI_SUCCESS) return decision;
  decision.error = set_signature(call, rank_, size(), asked_);
  if (decision.error != MPI_SUCCESS) return decision;
  if (tells && call.started) {
    decision.exchange = std::make_shared<CountExchange>(exchange_of(asked_));
    return decision;
  }
  if (tells) decision.error = tell_counts(call, asked_);
  if (decision.error != MPI_SUCCESS) return decision;
  decision.ready = &ready_for(asked_);
  if (!decision.ready->refusal.empty()) decision.pass_through_reason = PassThroughReason::plan;
  if (decision.ready->left) decision.pass_through_reason = decision.ready->left;
  return decision;
}

CommState::CallsOfAnySizes& CommState::calls_like(const CollectiveCall& call) {
  const int root = has_root(call.collective) ? call.root : 0;
  return of_any_sizes_[{call.collective, topology_.group_at(root, 1)}];
}

bool CommState::tells_counts(const CollectiveCall& call) {
  if (call.among_neighbours || !has_own_counts_alone(call.collective)) return false;
  if (has_root(call.collective) && (call.root < 0 || call.root >= size())) return false;  // a wrong call
  if (!topology_.connectivity().complete()) return !lacks_relays();
  if (!call.blocking) return false;
  if (plans_->needs_counts(topology_, call.collective)) return true;
  if (!plans_->may_gain_by_counts(topology_, call.collective)) return false;
  CallsOfAnySizes& calls = calls_like(call);
  ++calls.number;
  return calls.gain || (calls.number > 1 && std::has_single_bit(calls.number));
}

CountExchange CommState::exchange_of(const Signature& signature) {
  CountExchange exchange{.own = signature.counts, .by_rank = {}, .signature = signature};
  if (is_alltoall(signature.collective)) {
    exchange.by_rank.assign(exchange.own.begin() + size(), exchange.own.end());
    exchange.own.resize(size());  // of the blocks sent
  } else if (rank_ == signature.root) {
    exchange.by_rank = std::exchange(exchange.own, {signature.counts[rank_]});
  }
  exchange.signature.counts.assign(exchange.own.size() * size(), 0);
  exchange.signature.all_counts = true;
  exchange.call_number = tags_->next();
  return exchange;
}

Executor& CommState::executor_of(const CountExchange& exchange) {
  const auto count = static_cast<std::int64_t>(exchange.own.size());
  std::unique_ptr<Executor>& executor = count_exchanges_[count];
  if (!executor) {
    const Problem problem{Collective::allgather, count, sizeof(std::int64_t), 0};
    const DefaultFloatingPoint of_isthmus;
    const std::lock_guard lock(preparing_);
    Program program;
    source(plans_->plan_that_serves(topology_, problem), topology_, problem)(rank_, program);
    executor = std::make_unique<Executor>(std::move(program), comms_.front());
  }
  return *executor;
}

bool CommState::agree(const CountExchange& exchange) const {
  const bool between_all = is_alltoall(exchange.signature.collective);
  for (std::size_t other = 0; other < exchange.by_rank.size(); ++other)
    if (exchange.by_rank[other] != exchange.signature.counts[between_all ? other * size() + rank_ : other])
      return false;
  return true;
}

int CommState::tell_counts(const CollectiveCall& call, Signature& signature) {
  CountExchange exchange = exchange_of(signature);
  while (!tags_->may_begin(exchange.call_number)) in_flight_->progress();
  run_with_others(executor_of(exchange), exchange.arguments(tags_->first_tag(exchange.call_number)));
  if (!agree(exchange)) return MPI_ERR_TRUNCATE;
  signature = std::move(exchange.signature);
  const DefaultFloatingPoint of_isthmus;
  const std::lock_guard lock(preparing_);
  if (plans_->may_gain_by_counts(topology_, call.collective))
    calls_like(call).gain = plans_->gains_by_counts(topology_, problem_of(signature, rank_, size()));
  return MPI_SUCCESS;
}

PreparedCall& CommState::ready_for(const Signature& signature) {
  ++calls_;
  const std::uint64_t hash = hash_of(signature);
  const auto is_it = [&](std::size_t i) { return ready_[i]->hash == hash && ready_[i]->signature == signature; };
  if (latest_ >= ready_.size() || !is_it(latest_)) {
    std::size_t oldest = 0;
    latest_ = 0;
    for (; latest_ < ready_.size() && !is_it(latest_); ++latest_)
      if (ready_[latest_]->used < ready_[oldest]->used) oldest = latest_;
    if (latest_ == ready_.size()) {
      auto made = std::make_unique<PreparedCall>(PreparedCall{.signature = signature, .hash = hash});
      const DefaultFloatingPoint of_isthmus;
      make_ready(*made);
      if (ready_.size() < max_ready) {
        ready_.push_back(std::move(made));
      } else {
        latest_ = oldest;
        ready_[oldest] = std::move(made);
      }
    }
  }
  ready_[latest_]->used = calls_;
  return *ready_[latest_];
}

// As far as this rank knows it.
NeighbourProblem CommState::neighbour_problem(const Signature& signature) const {
  NeighbourProblem problem{
      .collective = signature.collective, .neighbourhood = neighbours_, .count = signature.count, .counts = {}};
  if (!has_counts(signature.collective)) return problem;
  problem.counts.resize(size());
  const auto received = signature.counts.end() - neighbours_->in_degree(rank_);
  problem.counts[rank_] = {{signature.counts.begin(), received}, {received, signature.counts.end()}};
  return problem;
}

void CommState::make_ready_among_neighbours(PreparedCall& ready) {
  const NeighbourProblem problem = neighbour_problem(ready.signature);
  const bool counts_known = problem.counts.empty();
  const NeighbourService asked = plans_->neighbour_service();
  ready.neighbours = NeighbourAlgorithm::direct;
  if (asked == NeighbourService::aggregated) {
    ready.neighbours = NeighbourAlgorithm::aggregated;
  } else if (counts_known && asked != NeighbourService::direct) {
    const std::lock_guard lock(preparing_);
    const NeighbourChoice choice = plans_->neighbour_choice(topology_, problem);
    ready.neighbours = choice.algorithm;
    ready.predicted_s = choice.seconds;
    if (choice.algorithm == NeighbourAlgorithm::direct && !must_serve_neighbours_) {
      ready.left = PassThroughReason::no_gain;
      return;
    }
  }
  Program program;
  if (!counts_known && ready.neighbours == NeighbourAlgorithm::aggregated) {
    Program exchange;
    exchange_counts(exchange, rank_, problem, topology_);
    ready.learnt.emplace().exchange = executor_of(ready, std::move(exchange));
    neighbours_direct(program, rank_, problem);
  } else {
    isthmus::source(*ready.neighbours, problem, topology_)(rank_, program);
  }
  ready.executor = executor_of(ready, std::move(program));
}

Executor& CommState::learn_sizes(PreparedCall& ready, int first_tag) {
  PreparedCall::LearntSizes& learnt = *ready.learnt;
  NeighbourProblem problem = neighbour_problem(ready.signature);
  std::vector<std::int64_t> sizes(relayed_counts(rank_, problem, topology_));
  const Arguments arguments{
      .input = ready.signature.counts.data(), .output = sizes.data(), .datatype = MPI_INT64_T, .first_tag = first_tag};
  run_with_others(*learnt.exchange, arguments);
  if (learnt.executor == nullptr || sizes != learnt.sizes) {
    set_relayed_counts(problem, rank_, sizes, topology_);
    Program program;
    neighbours_aggregated(program, rank_, problem, topology_);
    learnt.executor = executor_of(ready, std::move(program));
    learnt.sizes = std::move(sizes);
  }
  return *learnt.executor;
}

void CommState::make_ready(PreparedCall& ready) {
  if (ready.signature.among_neighbours) {
    make_ready_among_neighbours(ready);
    return;
  }
  const Problem problem = problem_of(ready.signature, rank_, size());
  const std::lock_guard lock(preparing_);
  try {
    Choice choice = plans_->plan_for(topology_, problem);
    ready.plan = std::move(choice.plan);
    ready.predicted_s = choice.seconds;
  } catch (const BadInput& error) {
    ready.refusal = error.what();
    ready.refusal_code = code_with_text("isthmus: " + ready.refusal);
    return;
  }
  Program program;
  source(ready.plan, topology_, problem)(rank_, program);
  ready.executor = executor_of(ready, std::move(program));
  if (std::optional<HandedOver> over = hand_over(ready.plan, topology_, problem, rank_))
    ready.handed = std::make_unique<HandedCall>(std::move(*over), ready.plan, problem.count, comms_.front());
}

std::unique_ptr<Executor> CommState::executor_of(const PreparedCall& ready, Program program) const {
  if (program.lanes().size() > tags_of_a_call)
    throw std::length_error(plan_text(ready, true) + ": a program of " + std::to_string(program.lanes().size()) +
                            " lanes; " + std::to_string(tags_of_a_call) + " have tags");
  return std::make_unique<Executor>(std::move(program), comms_.front());
}

bool CommState::takes(MPI_Op op, MPI_Datatype datatype) {
  const std::pair<MPI_Op, MPI_Datatype> pair(op, datatype);
  // Cached results stay valid when handles are reused: predefined handles are never reused, and user-defined operators
  // take every datatype.
  if (std::find(known_pairs_.begin(), known_pairs_.end(), pair) != known_pairs_.end()) return true;
  if (!in_flight_->takes(op, datatype)) return false;
  if (known_pairs_.size() == max_known_pairs) known_pairs_.clear();
  known_pairs_.push_back(pair);
  return true;
}

void CommState::run_with_others(Executor& executor, const Arguments& arguments) {
  if (in_flight_->empty()) {
    executor.run(arguments);
    return;
  }
  executor.start(arguments);
  while (!executor.progress()) in_flight_->progress();
}

void CommState::run(const CollectiveCall& call, const CallDecision& decision) {
  CallBuffers buffers(call, rank_, size(), staging_);
  buffers.bring();
  const Arguments arguments = buffers.arguments(tags_->first_tag(decision.number));
  while (!tags_->may_begin(decision.number)) in_flight_->progress();
  PreparedCall& ready = *decision.ready;
  if (ready.handed != nullptr)
    ready.handed->run(arguments, group_comms_,
                      [this](Executor& between, const Arguments& among) { run_with_others(between, among); });
  else
    run_with_others(ready.learnt ? learn_sizes(ready, arguments.first_tag) : *ready.executor, arguments);
  buffers.deliver();
  staging_.input.release_above(kept_staging_bytes);
  staging_.output.release_above(kept_staging_bytes);
}

CommState::OwnExecutor CommState::new_executor(const CallDecision& decision) {
  const Executor& like = decision.exchange ? executor_of(*decision.exchange) : *decision.ready->executor;
  return {std::make_unique<Executor>(like.program(), comms_.front()), tags_->first_tag(decision.number)};
}

CommState::OwnExecutor CommState::new_executor_with_counts(CountExchange& exchange) {
  if (!agree(exchange)) throw MpiError(MPI_ERR_TRUNCATE, "two ranks give a block two sizes");
  auto ready = std::make_unique<PreparedCall>(PreparedCall{.signature = exchange.signature});
  make_ready(*ready);
  if (!ready->refusal.empty()) throw MpiError(ready->refusal_code, ready->refusal);
  exchange.ready = std::move(ready);
  return {std::move(exchange.ready->executor), tags_->first_tag(exchange.call_number)};
}

// All ranks make persistent calls in the same order, so that a communicator's tags run out at the same call on all
// ranks.
CommState::OwnExecutor CommState::new_persistent_executor(const CallDecision& decision) {
  const std::int64_t of_a_comm = tags_->persistent_calls();
  const auto comm = static_cast<std::size_t>(persistent_calls_ / of_a_comm);
  if (comm == comms_.size()) {
    MPI_Comm more = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(PMPI_Comm_idup(comms_.front(), &more, &request), {.call = "MPI_Comm_idup"});
    check_mpi(in_flight_->wait(request), {.call = "MPI_Comm_idup"});
    const std::lock_guard lock(preparing_);
    comms_.push_back(more);
  }
  return {std::make_unique<Executor>(decision.ready->executor->program(), comms_[comm]),
          tags_->first_tag_of_persistent(persistent_calls_++ % of_a_comm)};
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
