// A small platform and an experiment on it, for tests that need something to run.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "algorithms/network/network.hpp"
#include "algorithms/network/network_json.hpp"

namespace isthmus {

/// `clusters` stars of `size` hosts (20 us and 50 MB/s between two hosts of one), joined pairwise by 10 ms and 1 MB/s.
inline Network star_network(const std::string& name, int clusters, int size) {
  Network network;
  network.name = name;
  network.transport.header_bytes = 100;
  const auto add_link = [&](const std::string& of, double bandwidth_Bps, double latency_s) {
    network.links.push_back({of, bandwidth_Bps, latency_s, Sharing::shared});
    return static_cast<int>(network.links.size()) - 1;
  };
  for (int cluster = 0; cluster < clusters; ++cluster) {
    const std::string site = "c" + std::to_string(cluster);
    for (int i = 0; i < size; ++i) {
      Host host;
      host.name = site + "-" + std::to_string(i);
      host.speed_flops = 1e9;
      host.zones = {{"site", site}};
      host.endpoint = cluster;
      host.up = {add_link(host.name + "_UP", 50e6, 10e-6)};
      host.down = {add_link(host.name + "_DOWN", 50e6, 10e-6)};
      network.hosts.push_back(host);
    }
    network.trunks[{cluster, cluster}] = {};
  }
  for (int from = 0; from < clusters; ++from)
    for (int to = 0; to < clusters; ++to)
      if (from != to)
        network.trunks[{from, to}].links = {
            add_link("wan-" + std::to_string(from) + "-" + std::to_string(to), 1e6, 10e-3)};
  return network;
}

/// A temporary folder, deleted by the destructor.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "isthmus-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return file(name);
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace isthmus
