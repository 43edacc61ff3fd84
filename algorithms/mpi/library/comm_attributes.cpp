#include "algorithms/mpi/library/comm_attributes.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/mpi/library/coordinates.hpp"
#include "algorithms/mpi/library/default_floating_point.hpp"
#include "algorithms/mpi/library/request.hpp"
#include "algorithms/mpi/library/topologies.hpp"
#include "algorithms/tuning/select.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

int delete_attributes(MPI_Comm comm, int, void* attributes, void*) {
  pass_through.remove(comm);
  delete static_cast<CommAttributes*>(attributes);
  return MPI_SUCCESS;
}

int free_keyval(MPI_Comm, int, void* keyval, void*) {
  const std::unique_ptr<int> freed(static_cast<int*>(keyval));
  return PMPI_Comm_free_keyval(freed.get());
}

int create_keyval(MPI_Comm_delete_attr_function* on_delete) {
  int keyval = MPI_KEYVAL_INVALID;
  check_mpi(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyval, nullptr),
            {.call = "MPI_Comm_create_keyval"});
  return keyval;
}

// Freed when MPI_Finalize deletes the attributes of MPI_COMM_SELF, which it does first.
int new_keyval(MPI_Comm_delete_attr_function* on_delete) {
  const int keyval = create_keyval(on_delete);
  int at_end = create_keyval(free_keyval);
  auto freed_then = std::make_unique<int>(keyval);
  check_mpi(PMPI_Comm_set_attr(MPI_COMM_SELF, at_end, freed_then.get()), {.call = "MPI_Comm_set_attr"});
  static_cast<void>(freed_then.release());
  PMPI_Comm_free_keyval(&at_end);  // freed when the attribute is deleted
  return keyval;
}

int attributes_keyval() {
  static const int keyval = new_keyval(delete_attributes);
  return keyval;
}

int left_keyval() {
  static const int keyval = new_keyval(MPI_COMM_NULL_DELETE_FN);
  return keyval;
}

// This and what follows are never destroyed: exit handlers and destructors of the program's globals may call MPI.
std::shared_ptr<const WorldSetup>& known_world() {
  static auto* const world = new std::shared_ptr<const WorldSetup>;
  return *world;
}

// The plans of the latest communicators, by their ranks in MPI_COMM_WORLD: a program that duplicates a communicator
// again and again would otherwise wait for the same choices each time.
class KnownPlans {
 public:
  std::shared_ptr<Plans> of(const WorldSetup& world, const std::vector<int>& ranks, const Topology& topology,
                            std::optional<PlacedNetwork> placed) {
    const std::lock_guard lock(mutex_);
    auto found = std::find_if(latest_.begin(), latest_.end(), [&](const auto& known) { return known.first == ranks; });
    if (found == latest_.end()) {
      constexpr std::size_t kept = 16;
      if (latest_.size() == kept) latest_.erase(latest_.begin());
      latest_.emplace_back(ranks, std::make_shared<Plans>(world.settings, topology, std::move(placed), world.table));
      found = latest_.end() - 1;
    }
    std::rotate(found, found + 1, latest_.end());
    return latest_.back().second;
  }

  void forget() {
    const std::lock_guard lock(mutex_);
    latest_.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::vector<int>, std::shared_ptr<Plans>>> latest_;
};

KnownPlans& known_plans() {
  static auto* const plans = new KnownPlans;
  return *plans;
}

// Hosts without ranks may forward, but there must be a way.
void refuse_unreached(const PlacedNetwork& placed) {
  const Connectivity& of_ranks = placed.topology().connectivity();
  if (of_ranks.complete() || of_ranks.unreachable().first < 0) return;
  const Network& network = placed.network();
  Placement with_all_hosts = placed.placement();
  for (int host = 0; host < static_cast<int>(network.hosts.size()); ++host) with_all_hosts.host_of_rank.push_back(host);
  const Connectivity connectivity = connectivity_of(network, with_all_hosts);
  for (int rank = 1; rank < placed.size(); ++rank) {
    try {
      connectivity.classes_between(0, rank);
      connectivity.classes_between(rank, 0);
    } catch (const BadInput&) {
      throw BadInput(network.name + ": host " + network.hosts[placed.host_of(rank)].name + ", of rank " +
                     std::to_string(rank) + ", cannot be reached from host " + network.hosts[placed.host_of(0)].name +
                     ", not even through others; a route would be right");
    }
  }
}

// The ranks in MPI_COMM_WORLD of an intracommunicator's ranks; empty if not all are in it.
std::vector<int> world_ranks(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  check_mpi(PMPI_Comm_group(comm, &group), {.call = "MPI_Comm_group"});
  check_mpi(PMPI_Comm_group(MPI_COMM_WORLD, &world), {.call = "MPI_Comm_group"});
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> own(size);
  std::iota(own.begin(), own.end(), 0);
  std::vector<int> ranks(size);
  const int code = PMPI_Group_translate_ranks(group, size, own.data(), world, ranks.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  check_mpi(code, {.call = "MPI_Group_translate_ranks"});
  if (std::find(ranks.begin(), ranks.end(), MPI_UNDEFINED) != ranks.end()) ranks.clear();
  return ranks;
}

std::optional<PlacedNetwork> placed_in(const WorldSetup& world, const std::vector<int>& ranks) {
  if (!world.placed) return std::nullopt;
  return world.placed->with_ranks(ranks);
}

Topology topology_in(const WorldSetup& world, const std::optional<PlacedNetwork>& placed,
                     const std::vector<int>& ranks) {
  if (placed) return placed->topology();
  std::vector<std::vector<std::string>> paths;
  for (const int rank : ranks) paths.push_back(world.paths[rank]);
  return topology_of_paths(paths);
}

PlacedNetwork with_default_costs(const Topology& topology) {
  const PlacedNetwork placed(default_network(topology), one_rank_a_host(topology.size()));
  std::vector<int> all(topology.size());
  std::iota(all.begin(), all.end(), 0);
  return placed.with_ranks(all, topology);
}

bool is_inter(MPI_Comm comm) {
  int inter = 0;
  check_mpi(PMPI_Comm_test_inter(comm, &inter), {.call = "MPI_Comm_test_inter"});
  return inter != 0;
}

std::unique_ptr<CommAttributes> make_attributes(MPI_Comm comm) {
  const DefaultFloatingPoint of_isthmus;
  auto attributes = std::make_unique<CommAttributes>();
  if (is_inter(comm)) return attributes;
  try {
    const std::shared_ptr<const WorldSetup> world = known_world();
    const std::vector<int> ranks = world != nullptr ? world_ranks(comm) : std::vector<int>{};
    if (ranks.empty()) {
      attributes->state = std::make_shared<CommState>(comm, calls_in_flight());
      return attributes;
    }
    std::optional<PlacedNetwork> placed = placed_in(*world, ranks);
    Topology topology = topology_in(*world, placed, ranks);
    const std::shared_ptr<Plans> plans = known_plans().of(*world, ranks, topology, std::move(placed));
    attributes->state = std::make_shared<CommState>(comm, calls_in_flight(), std::move(topology), plans);
    if (world->settings.check_s > 0)
      attributes->call_order_check = std::make_unique<CallOrderCheck>(comm, world->settings.check_s);
  } catch (...) {
    attributes->failure = code_of_current_exception();
  }
  return attributes;
}

}  // namespace

const std::shared_ptr<InFlight>& calls_in_flight() {
  static const auto* const in_flight = new std::shared_ptr<InFlight>(std::make_shared<InFlight>());
  return *in_flight;
}

std::shared_ptr<const WorldSetup> world_of(MPI_Comm comm, const FindNetwork& discover) {
  const DefaultFloatingPoint of_isthmus;
  auto world = std::make_shared<WorldSetup>();
  world->settings = settings_of_rank_0(comm);
  if (!world->settings.network.empty()) {
    world->placed = placed_on_network(world->settings.network, comm);
  } else if (world->settings.discover != DiscoverForm::none) {
    if (std::optional<Network> network = discover(world->settings, comm))
      world->placed = placed_on_network(std::move(*network), "the network that was discovered", comm);
  }
  if (!world->placed) world->paths = paths_of_ranks(world->settings.site_pattern, comm);
  if (world->placed) refuse_unreached(*world->placed);
  if (!world->settings.table.empty()) {
    int size = 0;
    check_mpi(PMPI_Comm_size(comm, &size), {.call = "MPI_Comm_size"});
    std::vector<int> all(size);
    std::iota(all.begin(), all.end(), 0);
    world->table = table_of_rank_0(world->settings.table, topology_in(*world, world->placed, all), comm);
  }
  int level = MPI_THREAD_SINGLE;
  int highest = level;
  check_mpi(PMPI_Query_thread(&level), {.call = "MPI_Query_thread"});
  check_mpi(PMPI_Allreduce(&level, &highest, 1, MPI_INT, MPI_MAX, comm), {.call = "MPI_Allreduce"});
  world->many_threads = highest == MPI_THREAD_MULTIPLE;
  return world;
}

void set_world(std::shared_ptr<const WorldSetup> world) {
  known_plans().forget();
  known_world() = std::move(world);
}

bool may_be_served(MPI_Comm comm) {
  const DefaultFloatingPoint of_isthmus;
  const std::shared_ptr<const WorldSetup> world = known_world();
  if (world == nullptr || is_inter(comm)) return false;
  const std::vector<int> ranks = world_ranks(comm);
  if (ranks.empty()) return false;
  const auto& plans = world->settings.plans;
  const Topology topology = topology_in(*world, placed_in(*world, ranks), ranks);
  const NeighbourService neighbours = world->settings.neighbours;
  return neighbours == NeighbourService::direct || neighbours == NeighbourService::aggregated ||
         std::any_of(plans.begin(), plans.end(), [](const auto& plan) { return plan.has_value(); }) ||
         is_for(world->table, topology) || !is_one_site(topology);
}

bool has_other_ranks(MPI_Comm comm) { return known_world() != nullptr && !is_inter(comm) && world_ranks(comm).empty(); }

std::optional<CommGroups> groups_of(MPI_Comm comm) {
  const DefaultFloatingPoint of_isthmus;
  if (is_inter(comm)) return std::nullopt;
  if (const std::shared_ptr<const WorldSetup> world = known_world(); world != nullptr) {
    const std::vector<int> ranks = world_ranks(comm);
    if (ranks.empty()) return std::nullopt;
    std::optional<PlacedNetwork> placed = placed_in(*world, ranks);
    if (!placed) placed = with_default_costs(topology_in(*world, placed, ranks));
    return CommGroups{std::move(*placed), world->settings.reorder, world->settings.effort_messages};
  }
  const CommAttributes& attributes = attributes_of(comm);
  if (attributes.state == nullptr) return std::nullopt;
  return CommGroups{with_default_costs(attributes.state->topology())};
}

void leave_to_mpi(MPI_Comm comm) {
  check_mpi(PMPI_Comm_set_attr(comm, left_keyval(), nullptr), {.call = "MPI_Comm_set_attr"});
}

bool is_left_to_mpi(MPI_Comm comm) {
  void* found = nullptr;
  int flag = 0;
  check_mpi(PMPI_Comm_get_attr(comm, left_keyval(), &found, &flag), {.call = "MPI_Comm_get_attr"});
  return flag != 0;
}

CommAttributes* attributes_before(MPI_Comm comm) {
  void* found = nullptr;
  int flag = 0;
  check_mpi(PMPI_Comm_get_attr(comm, attributes_keyval(), &found, &flag), {.call = "MPI_Comm_get_attr"});
  return flag != 0 ? static_cast<CommAttributes*>(found) : nullptr;
}

void attach_topology(MPI_Comm comm, const Settings& settings, Topology topology) {
  if (attributes_before(comm) != nullptr) return;
  auto attributes = std::make_unique<CommAttributes>();
  attributes->state = std::make_shared<CommState>(comm, calls_in_flight(), settings, std::move(topology));
  check_mpi(PMPI_Comm_set_attr(comm, attributes_keyval(), attributes.get()), {.call = "MPI_Comm_set_attr"});
  static_cast<void>(attributes.release());
}

CommAttributes& attributes_with_neighbours(MPI_Comm comm) {
  CommAttributes& attributes = attributes_of(comm);
  if (attributes.neighbours_sought || attributes.state == nullptr) return attributes;
  attributes.neighbours_sought = true;
  const bool permuted = permuted_grid(comm) != nullptr;
  const CollectiveCall any{.collective = Collective::allgather, .among_neighbours = true};
  if (permuted || !attributes.state->left_to_mpi(any))
    attributes.state->set_neighbours(comm, neighbourhood_of(comm), permuted);
  return attributes;
}

CommAttributes& attributes_of(MPI_Comm comm) {
  if (CommAttributes* const before = attributes_before(comm); before != nullptr) return *before;
  auto attributes = make_attributes(comm);
  check_mpi(PMPI_Comm_set_attr(comm, attributes_keyval(), attributes.get()), {.call = "MPI_Comm_set_attr"});
  return *attributes.release();
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
