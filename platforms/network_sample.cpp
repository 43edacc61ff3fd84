#include "platforms/network_sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_reader.hpp"
#include "algorithms/memory.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/network/network_runs.hpp"

namespace isthmus {
namespace {

/// Neighbouring links that belong to one host each, `length` of them. The link after them has number `end`.
struct Block {
  int end = 0, length = 0;
};

/// The own links of a host, which come directly after those of the host before in as many blocks.
std::optional<std::vector<Block>> blocks_of(const Network& network, int before, int host) {
  const auto links_of = [&](int number) {
    std::vector<int> links;
    const Host& of = network.hosts[number];
    for (const LinkList* list : {&of.up, &of.down, &of.loopback}) links.insert(links.end(), list->begin(), list->end());
    return links;
  };
  const std::vector<int> one = links_of(before), next = links_of(host);
  if (one.size() != next.size()) return {};
  std::vector<int> sorted(next);
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<Block> blocks;
  for (const int link : sorted) {
    if (blocks.empty() || blocks.back().end != link) blocks.push_back({link, 0});
    blocks.back() = {link + 1, blocks.back().length + 1};
  }
  const auto names = range_of_names(network.hosts[before].name, network.hosts[host].name);
  for (std::size_t i = 0; i < next.size(); ++i) {
    const auto block = std::ranges::find_if(blocks, [&](const Block& at) { return next[i] < at.end; });
    if (next[i] - one[i] != block->length) return {};
    const auto of_links = range_of_names(network.links[one[i]].name, network.links[next[i]].name);
    if (!names || !of_links || of_links->first != names->first ||
        !are_alike(network.links[one[i]], network.links[next[i]]))
      return {};
  }
  return blocks;
}

/// The hosts of one cluster that the sample does not have.
struct MissingHosts {
  int like = 0;  // the last host of the sample
  NameRange names;
  std::vector<Block> blocks;  // of its links

  std::int64_t hosts() const { return names.count(); }
};

std::optional<MissingHosts> missing_of(const Network& sample, int first_host, const NameRange& cluster) {
  const int last = first_host + sampled_hosts - 1;
  if (last >= static_cast<int>(sample.hosts.size())) return {};
  for (int host = first_host; host <= last; ++host)
    if (!cluster.is_name(sample.hosts[host].name, cluster.first + host - first_host)) return {};
  for (const int host : {last - 1, last})
    if (!are_alike(sample.hosts[host - 1], sample.hosts[host])) return {};
  const auto before = blocks_of(sample, last - 2, last - 1);
  auto blocks = blocks_of(sample, last - 1, last);
  if (!before || !blocks || before->size() != blocks->size()) return {};
  NameRange names = cluster;
  names.first += sampled_hosts;
  return MissingHosts{last, std::move(names), *std::move(blocks)};
}

/// Throws BadInput before memory is taken that is not there.
void require_room(const std::vector<MissingHosts>& missing) {
  constexpr double bytes_of_host = sizeof(Host) + 150, bytes_of_link = sizeof(Link) + 40;  // with what they point to
  std::int64_t hosts = 0, links = 0;
  for (const MissingHosts& of : missing) {
    hosts += of.hosts();
    for (const Block& block : of.blocks) links += of.hosts() * block.length;
  }
  if (std::max(hosts, links) > max_number_of_name)
    throw BadInput(fmt::format("{} hosts with {} links of their own; at most {} would be right", hosts, links,
                               max_number_of_name));
  require_memory(static_cast<double>(hosts) * bytes_of_host + static_cast<double>(links) * bytes_of_link,
                 fmt::format("a platform of {} hosts", hosts), "fewer would be right");
}

/// Adds hosts and their links, and numbers all links anew.
class Growing {
 public:
  Growing(Network sample, std::vector<MissingHosts> missing)
      : sample_(std::move(sample)), missing_(std::move(missing)) {}

  Network grow() {
    for (const MissingHosts& of : missing_)
      for (const Block& block : of.blocks) blocks_.push_back({block, &of});
    std::ranges::sort(blocks_, {}, [](const MissingBlock& one) { return one.block.end; });
    add_links();
    std::vector<Host> hosts = std::move(sample_.hosts);
    sample_.hosts.clear();
    std::size_t next = 0;
    for (std::size_t host = 0; host < hosts.size(); ++host) {
      const bool grows = next < missing_.size() && missing_[next].like == static_cast<int>(host);
      if (grows)
        add_hosts(hosts[host], missing_[next++]);
      else
        sample_.hosts.push_back(with_links(hosts[host], 0));
    }
    for (auto& [ends, trunk] : sample_.trunks)
      for (int& link : trunk.links) link = number_of_[link];
    std::map<int, std::vector<LinkStep>> profiles;
    for (auto& [link, profile] : sample_.profiles) profiles[number_of_[link]] = std::move(profile);
    sample_.profiles = std::move(profiles);
    return std::move(sample_);
  }

 private:
  struct MissingBlock {
    Block block;
    const MissingHosts* of;
  };

  void add_links() {
    std::vector<Link> links = std::move(sample_.links);
    sample_.links.clear();
    auto next = blocks_.begin();
    for (int number = 0; number < static_cast<int>(links.size()); ++number) {
      number_of_.push_back(static_cast<int>(sample_.links.size()));
      length_of_block_.push_back(0);
      sample_.links.push_back(links[number]);
      if (next == blocks_.end() || next->block.end != number + 1) continue;
      const auto [block, of] = *next++;
      std::vector<NameRange> names;
      for (int link = block.end - block.length; link < block.end; ++link) {
        length_of_block_[link] = block.length;
        names.push_back(*range_of_names(links[link - block.length].name, links[link].name));
      }
      for (std::int64_t host = of->names.first; host <= of->names.last; ++host)
        for (int i = 0; i < block.length; ++i) {
          Link& link = sample_.links.emplace_back(links[block.end - block.length + i]);
          link.name = names[i].name(host);
        }
    }
  }

  /// The host whose links are so many hosts further on.
  Host with_links(Host host, std::int64_t further) const {
    for (LinkList* list : {&host.up, &host.down, &host.loopback})
      for (int& link : *list) link = number_of_[link] + static_cast<int>(further) * length_of_block_[link];
    return host;
  }

  void add_hosts(const Host& like, const MissingHosts& missing) {
    sample_.hosts.push_back(with_links(like, 0));
    for (std::int64_t further = 1; further <= missing.hosts(); ++further) {
      Host& host = sample_.hosts.emplace_back(with_links(like, further));
      host.name = missing.names.name(missing.names.first + further - 1);
    }
  }

  Network sample_;
  std::vector<MissingHosts> missing_;  // in the order of their hosts
  std::vector<MissingBlock> blocks_;
  std::vector<int> number_of_;        // by the sample's number of a link
  std::vector<int> length_of_block_;  // the same; 0: of no block
};

}  // namespace

std::string to_text(const NetworkSample& sample) {
  nlohmann::json value = {{"network", to_json(sample.network)}, {"clusters", nlohmann::json::array()}};
  for (const NameRange& cluster : sample.clusters) value["clusters"].push_back(cluster.text());
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

NetworkSample network_sample_from(const std::string& text) {
  const nlohmann::json value = nlohmann::json::parse(text);
  const JsonReader sample(value, "platform");
  NetworkSample result{network_from_json(sample.at("network").value()), {}};
  for (const JsonReader& one : sample.at("clusters").elements()) {
    const auto names = parse_name_range(one.text());
    if (!names) one.refuse("a range of names");
    result.clusters.push_back(*names);
  }
  return result;
}

std::optional<Network> with_all_hosts(NetworkSample sample) {
  if (sample.clusters.empty()) return std::move(sample.network);
  const std::vector<Host>& hosts = sample.network.hosts;
  std::unordered_map<std::string_view, int> host_named;
  for (std::size_t host = 0; host < hosts.size(); ++host) host_named[hosts[host].name] = static_cast<int>(host);
  std::vector<MissingHosts> missing;
  for (const NameRange& cluster : sample.clusters) {
    const auto first = host_named.find(cluster.name(cluster.first));
    auto of = first == host_named.end() ? std::nullopt : missing_of(sample.network, first->second, cluster);
    if (!of) return {};
    missing.push_back(*std::move(of));
  }
  std::ranges::sort(missing, {}, &MissingHosts::like);
  require_room(missing);
  return Growing(std::move(sample.network), std::move(missing)).grow();
}

}  // namespace isthmus
