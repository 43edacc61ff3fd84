#include "platforms/wide_area/cluster_mesh.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/memory.hpp"
#include "algorithms/network/link_range.hpp"

namespace isthmus {
namespace {

void require_room(const ClusterMesh& mesh) {
  constexpr double bytes_of_host = 600, bytes_of_line = 250;  // with what they point to
  const auto hosts = std::accumulate(mesh.hosts.begin(), mesh.hosts.end(), std::int64_t{0});
  const double lines = static_cast<double>(mesh.hosts.size()) * static_cast<double>(mesh.hosts.size());
  if (2 * static_cast<double>(hosts) + lines > std::numeric_limits<int>::max())
    throw BadInput(
        fmt::format("a platform of {} hosts in {} clusters; fewer would be right", hosts, mesh.hosts.size()));
  require_memory(static_cast<double>(hosts) * bytes_of_host + lines * bytes_of_line,
                 fmt::format("a platform of {} hosts in {} clusters", hosts, mesh.hosts.size()),
                 "fewer would be right");
}

class Building {
 public:
  explicit Building(const ClusterMesh& mesh) : mesh_(mesh), clusters_(static_cast<int>(mesh.hosts.size())) {
    network_.name = mesh.name;
    network_.transport = tcp_over_ethernet();
    network_.transport.header_bytes = mesh.header_bytes;
  }

  Network build() {
    for (int cluster = 0; cluster < clusters_; ++cluster) add_hosts(cluster);
    const std::size_t lines = static_cast<std::size_t>(clusters_) * clusters_ - clusters_;
    network_.links.reserve(network_.links.size() + lines);
    for (int from = 0; from < clusters_; ++from)
      for (int to = 0; to < clusters_; ++to) {
        std::vector<int> links;
        if (from != to)
          links.push_back(
              add(line_name(from, to), mesh_.bandwidth_Bps[pair(from, to)], mesh_.latency_s[pair(from, to)]));
        network_.trunks.emplace_hint(network_.trunks.end(), std::pair(from, to), Trunk{std::move(links)});
      }
    return std::move(network_);
  }

 private:
  std::size_t pair(int from, int to) const { return static_cast<std::size_t>(from) * clusters_ + to; }

  int add(std::string name, double bandwidth_Bps, double latency_s) {
    network_.links.push_back({std::move(name), bandwidth_Bps, latency_s, Sharing::shared});
    if (const std::string fault = fault_of(network_.links.back()); !fault.empty()) throw BadInput(fault);
    return static_cast<int>(network_.links.size()) - 1;
  }

  /// The reader meets the links of the first three hosts in this order; then each further host's, the way in first.
  void add_hosts(int cluster) {
    const int count = mesh_.hosts[cluster];
    const auto first = static_cast<int>(network_.hosts.size());
    Host like;
    like.speed_flops = 1e9;
    like.zones = {{"site", fmt::format("c{}", cluster)}};
    like.endpoint = cluster;
    for (int number = 0; number < count; ++number) {
      like.name = fmt::format("c{}-{}", cluster, number);
      network_.hosts.push_back(like);
    }
    const auto up = [&](int number) { network_.hosts[first + number].up = {add_own(cluster, number, "UP")}; };
    const auto down = [&](int number) { network_.hosts[first + number].down = {add_own(cluster, number, "DOWN")}; };
    up(0), down(2), down(1), up(2), down(0), up(1);
    for (int number = 3; number < count; ++number) down(number), up(number);
  }

  int add_own(int cluster, int number, const char* direction) {
    return add(fmt::format("c{}_link_{}_{}", cluster, number, direction), mesh_.host_bandwidth_Bps,
               mesh_.host_latency_s);
  }

  std::string line_name(int from, int to) const {
    const std::size_t there = pair(from, to), back = pair(to, from);
    if (mesh_.latency_s[there] != mesh_.latency_s[back] || mesh_.bandwidth_Bps[there] != mesh_.bandwidth_Bps[back])
      return fmt::format("wan-{}-{}", from, to);
    return from < to ? fmt::format("wan-{}-{}_UP", from, to) : fmt::format("wan-{}-{}_DOWN", to, from);
  }

  const ClusterMesh& mesh_;
  const int clusters_;
  Network network_;
};

}  // namespace

Network mesh_of_clusters(const ClusterMesh& mesh) {
  require_room(mesh);
  return Building(mesh).build();
}

}  // namespace isthmus
