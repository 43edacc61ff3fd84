#include "algorithms/mpi/library/comm_topology.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <utility>
#include <vector>

#include "algorithms/network/network_json.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  check_mpi(PMPI_Comm_rank(comm, &rank), {.call = "MPI_Comm_rank"});
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  check_mpi(PMPI_Comm_size(comm, &size), {.call = "MPI_Comm_size"});
  return size;
}

// Rank 0 reads the file; its errors are thrown on all ranks.
template <typename Read>
nlohmann::json read_on_rank_0(MPI_Comm comm, Read read) {
  std::string problem;
  std::string text;
  if (rank_in(comm) == 0) {
    try {
      text = to_json(read()).dump();
    } catch (const Error& error) {
      problem = error.what();
    }
  }
  problem = share_text(problem, comm);
  if (!problem.empty()) throw BadInput(problem);
  return nlohmann::json::parse(share_text(text, comm));
}

// By rank: the lowest rank that shares memory with it.
std::vector<int> lowest_ranks_of_nodes(MPI_Comm comm) {
  const int rank = rank_in(comm);
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node),
            {.call = "MPI_Comm_split_type", .rank = rank});
  int first = rank;
  const int code = PMPI_Bcast(&first, 1, MPI_INT, 0, node);
  PMPI_Comm_free(&node);
  check_mpi(code, {.call = "MPI_Bcast", .rank = rank});
  std::vector<int> firsts(size_of(comm));
  check_mpi(PMPI_Allgather(&first, 1, MPI_INT, firsts.data(), 1, MPI_INT, comm),
            {.call = "MPI_Allgather", .rank = rank});
  return firsts;
}

std::string site_of(const std::string& host, const std::string& pattern) {
  std::smatch found;
  if (!pattern.empty()) {
    if (!std::regex_search(host, found, std::regex(pattern)) || !found[1].matched)
      throw BadInput("ISTHMUS_SITE_PATTERN: " + pattern + " finds no site in the host name " + host +
                     "; its first group should match the site in every name");
    return found[1];
  }
  if (const std::size_t dot = host.find('.'); dot != std::string::npos) return host.substr(dot + 1);
  static const auto* const numbered = new std::regex("(.+)-[0-9]+");  // never destroyed: exit handlers may call MPI
  return std::regex_match(host, found, *numbered) ? found[1].str() : std::string();
}

}  // namespace

std::string share_text(const std::string& text, MPI_Comm comm) {
  int size = static_cast<int>(text.size());
  check_mpi(PMPI_Bcast(&size, 1, MPI_INT, 0, comm), {.call = "MPI_Bcast"});
  std::string shared = text;
  shared.resize(size);
  check_mpi(PMPI_Bcast(shared.data(), size, MPI_CHAR, 0, comm), {.call = "MPI_Bcast"});
  return shared;
}

std::string own_host_name() {
  std::vector<char> own(MPI_MAX_PROCESSOR_NAME, '\0');
  int length = 0;
  check_mpi(PMPI_Get_processor_name(own.data(), &length), {.call = "MPI_Get_processor_name"});
  const char* name = std::getenv("ISTHMUS_HOST");
  if (name == nullptr || *name == '\0') return own.data();
  return std::string(name).substr(0, own.size() - 1);
}

std::vector<std::string> host_names(MPI_Comm comm) {
  std::vector<char> own(MPI_MAX_PROCESSOR_NAME, '\0');
  own_host_name().copy(own.data(), own.size() - 1);
  const int size = size_of(comm);
  std::vector<char> all(static_cast<std::size_t>(size) * own.size());
  const int each = static_cast<int>(own.size());
  check_mpi(PMPI_Allgather(own.data(), each, MPI_CHAR, all.data(), each, MPI_CHAR, comm), {.call = "MPI_Allgather"});
  std::vector<std::string> names(size);
  for (int rank = 0; rank < size; ++rank) names[rank] = all.data() + static_cast<std::size_t>(rank) * own.size();
  return names;
}

std::vector<std::vector<std::string>> paths_of_ranks(const std::string& site_pattern, MPI_Comm comm) {
  const std::vector<std::string> names = host_names(comm);
  const std::vector<int> nodes = lowest_ranks_of_nodes(comm);
  std::vector<std::vector<std::string>> paths;
  for (std::size_t rank = 0; rank < names.size(); ++rank)
    paths.push_back({site_of(names[rank], site_pattern), "node-of-rank-" + std::to_string(nodes[rank])});
  return paths;
}

Topology topology_of_paths(const std::vector<std::vector<std::string>>& paths) {
  const bool alike = std::all_of(paths.begin(), paths.end(), [&](const auto& path) { return path == paths.front(); });
  return alike ? Topology::flat(static_cast<int>(paths.size())) : Topology::from_paths(paths);
}

bool is_one_site(const Topology& topology) {
  const Group& everybody = topology.group(0);
  return topology.connectivity().complete() && (everybody.children.empty() || everybody.members.size() == 1);
}

PlacedNetwork placed_on_network(const std::string& file, MPI_Comm comm) {
  return placed_on_network(network_from_json(read_on_rank_0(comm, [&] { return read_network(file); })), file, comm);
}

PlacedNetwork placed_on_network(Network network, const std::string& source, MPI_Comm comm) {
  std::map<std::string, int> numbers;
  for (std::size_t host = 0; host < network.hosts.size(); ++host)
    numbers[network.hosts[host].name] = static_cast<int>(host);
  Placement placement;
  for (const std::string& name : host_names(comm)) {
    auto found = numbers.find(name);
    if (found == numbers.end()) found = numbers.find(name.substr(0, name.find('.')));
    if (found == numbers.end())
      throw BadInput(source + ": no host is called " + name + ", where rank " + std::to_string(placement.size()) +
                     " runs; host names of the network and of the machines should be the same");
    placement.host_of_rank.push_back(found->second);
  }
  return {std::move(network), std::move(placement)};
}

std::shared_ptr<const DecisionTable> table_of_rank_0(const std::string& file, const Topology& topology, MPI_Comm comm) {
  const nlohmann::json json = read_on_rank_0(comm, [&] { return read_decision_table(file, topology); });
  return std::make_shared<DecisionTable>(decision_table_from_json(json, topology));
}

bool is_for(const std::shared_ptr<const DecisionTable>& table, const Topology& topology) {
  return table != nullptr && table->ranks == topology.size() && table->topology == digest_of(topology);
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
