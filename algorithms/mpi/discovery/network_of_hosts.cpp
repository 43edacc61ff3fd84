#include "algorithms/mpi/discovery/network_of_hosts.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/mpi/discovery/discover_ranks.hpp"
#include "algorithms/mpi/library/comm_topology.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/digest.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

void say(const std::string& text) { std::fputs(("isthmus: " + text + "\n").c_str(), stderr); }

std::string file_of(const std::set<std::string>& hosts, const std::string& cache) {
  Digest digest;
  for (const std::string& host : hosts) digest.add(host + "\n");
  return (std::filesystem::path(cache) / ("hosts-" + digest.text() + ".json")).string();
}

/// The text of the network in a file; empty when there is none, or it is not of these hosts.
std::string cached(const std::string& file, const std::set<std::string>& hosts) {
  if (!std::filesystem::exists(file)) return {};
  try {
    const Network network = read_network(file);
    std::set<std::string> known;
    for (const Host& host : network.hosts) known.insert(host.name);
    if (known == hosts) return to_json(network).dump(-1, ' ', true);
    for (const std::string& host : hosts) {
      if (known.contains(host)) continue;
      say(fmt::format("{}: is of other hosts, without {}; the network is discovered anew", file, host));
      return {};
    }
    say(fmt::format("{}: is of more hosts than these {}; the network is discovered anew", file, hosts.size()));
  } catch (const Error& error) {
    say(fmt::format("{}; the network is discovered anew", error.what()));
  }
  return {};
}

void keep(const Discovered& found, const std::string& file) {
  try {
    write_whole_file(file, to_json(found).dump(1) + "\n");
  } catch (const Error& error) {
    say(fmt::format("{}; the network that was discovered is not kept", error.what()));
  }
}

/// A duplicate, so that no message of a discovery meets those of the program.
class ProbeComm {
 public:
  explicit ProbeComm(MPI_Comm of) {
    check_mpi(PMPI_Comm_dup(of, &comm_), {.call = "MPI_Comm_dup"});
    check_mpi(PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), {.call = "MPI_Comm_set_errhandler"});
  }
  ~ProbeComm() { PMPI_Comm_free(&comm_); }
  ProbeComm(const ProbeComm&) = delete;
  ProbeComm& operator=(const ProbeComm&) = delete;
  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace

std::optional<Network> network_of_hosts(const DiscoverySettings& settings, const std::string& cache, MPI_Comm comm) {
  const std::vector<std::string> names = host_names(comm);
  const std::set<std::string> hosts(names.begin(), names.end());
  if (hosts.size() < 2) return std::nullopt;
  int rank = 0;
  check_mpi(PMPI_Comm_rank(comm, &rank), {.call = "MPI_Comm_rank"});
  const std::string file = cache.empty() ? std::string() : file_of(hosts, cache);
  const std::string known = share_text(rank == 0 && !file.empty() ? cached(file, hosts) : std::string(), comm);
  if (!known.empty())
    return network_from_json(parse_json(known, "the network of rank 0", "a network JSON would be right"));
  try {
    const ProbeComm probe(comm);
    Discovered found = discover_ranks(settings, probe.get(), kernel_clock());
    if (rank == 0) {
      for (const Note& note : found.notes) say(note.text);
      if (!file.empty()) keep(found, file);
    }
    return std::move(found.network);
  } catch (const Error& error) {
    if (rank == 0) say(fmt::format("{}; sites are those of the hosts' names", error.what()));
    return std::nullopt;
  }
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
