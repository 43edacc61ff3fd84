#include "platforms/cluster_samples.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "algorithms/network/network_runs.hpp"

namespace isthmus {
namespace {

// The reader numbers the links of the first three hosts in an order of its own. The three after them have to be alike.
constexpr int sampled_hosts = 6;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Those of a `<cluster>`, if they might be sampled.
std::optional<NameRange> hosts_of(pugi::xml_node cluster) {
  const std::string_view topology = cluster.attribute("topology").value();
  const std::string prefix = cluster.attribute("prefix").value(), suffix = cluster.attribute("suffix").value();
  if (!topology.empty() && topology != "FLAT") return {};
  if (prefix.empty() || is_digit(prefix.back()) || (!suffix.empty() && is_digit(suffix.front()))) return {};
  const auto numbers = parse_name_range("[" + std::string(cluster.attribute("radical").value()) + "]");
  if (!numbers || !numbers->before.empty() || !numbers->after.empty() || numbers->count() < min_sampled_cluster)
    return {};
  return NameRange{prefix, suffix, numbers->first, numbers->last};
}

/// Finds the clusters that can be sampled, and makes the sample.
class Sampling : public pugi::xml_tree_walker {
 public:
  bool for_each(pugi::xml_node& element) override {
    if (std::string_view(element.name()) == "cluster") add(element);
    return true;
  }

  bool any() const {
    return std::ranges::any_of(clusters_, [](const Cluster& one) { return one.sampled; });
  }

  /// Leaves out clusters whose hosts or links have the names of anything else: a prefix or a link's name of theirs with
  /// a number after it.
  void leave_out_named(pugi::xml_node platform) {
    std::vector<pugi::xml_node> next{platform};
    while (!next.empty()) {
      const pugi::xml_node element = next.back();
      next.pop_back();
      for (const pugi::xml_attribute attribute : element.attributes()) leave_out(attribute.value());
      for (const pugi::xml_node child : element.children()) next.push_back(child);
    }
  }

  std::vector<NameRange> apply() {
    std::vector<NameRange> sampled;
    for (Cluster& cluster : clusters_) {
      if (!cluster.sampled) continue;
      const std::int64_t first = cluster.hosts.first;
      cluster.element.attribute("radical") =
          (std::to_string(first) + "-" + std::to_string(first + sampled_hosts - 1)).c_str();
      sampled.push_back(std::move(cluster.hosts));
    }
    return sampled;
  }

 private:
  struct Cluster {
    pugi::xml_node element;
    NameRange hosts;
    bool sampled = true;
  };

  void add(pugi::xml_node element) {
    auto hosts = hosts_of(element);
    if (!hosts) return;
    clusters_.push_back({element, *std::move(hosts)});
    const std::string id = element.attribute("id").value();
    for (const std::string& beginning : {clusters_.back().hosts.before, id + "_link_"}) {
      const auto [other, is_new] = cluster_of_.try_emplace(beginning, clusters_.size() - 1);
      if (!is_new) clusters_.back().sampled = clusters_[other->second].sampled = false;
    }
  }

  void leave_out(std::string_view text) {
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (!is_digit(text[at]) || is_digit(text[at - 1])) continue;
      const auto named = cluster_of_.find(std::string(text.substr(0, at)));
      if (named != cluster_of_.end()) clusters_[named->second].sampled = false;
    }
  }

  std::vector<Cluster> clusters_;
  std::unordered_map<std::string, std::size_t> cluster_of_;  // by the beginning of names
};

/// Neighbouring links that belong to one host each, `length` of them. The link after them has number `end`.
struct Block {
  int end = 0, length = 0;
};

/// The own links of a host, which come directly after those of the host before in as many blocks.
std::optional<std::vector<Block>> blocks_of(const Network& network, int before, int host) {
  const auto links_of = [&](int number) {
    std::vector<int> links;
    const Host& of = network.hosts[number];
    for (const std::vector<int>* list : {&of.up, &of.down, &of.loopback})
      links.insert(links.end(), list->begin(), list->end());
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

/// Adds hosts and their links, and numbers all links anew.
class Growing {
 public:
  Growing(Network sample, std::vector<MissingHosts> missing) : sample_(std::move(sample)), missing_(std::move(missing)) {}

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
    for (std::vector<int>* list : {&host.up, &host.down, &host.loopback})
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

std::optional<PlatformSample> sample_clusters(const SourceFile& source) {
  pugi::xml_document document;
  const std::string& text = source.text();
  constexpr unsigned declarations = pugi::parse_declaration | pugi::parse_doctype;
  if (!source.is_parsed() || text.find("<cluster") == std::string::npos ||
      !document.load_buffer(text.data(), text.size(), pugi::parse_default | declarations, pugi::encoding_utf8))
    return {};
  Sampling sampling;
  document.traverse(sampling);
  if (!sampling.any()) return {};
  sampling.leave_out_named(document.child("platform"));
  PlatformSample sample{{}, sampling.apply()};
  if (sample.clusters.empty()) return {};
  std::ostringstream out;
  document.save(out, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  sample.text = out.str();
  return sample;
}

std::optional<Network> with_all_hosts(Network sample, const std::vector<NameRange>& clusters) {
  std::unordered_map<std::string_view, int> host_named;
  for (std::size_t host = 0; host < sample.hosts.size(); ++host)
    host_named[sample.hosts[host].name] = static_cast<int>(host);
  std::vector<MissingHosts> missing;
  for (const NameRange& cluster : clusters) {
    const auto first = host_named.find(cluster.name(cluster.first));
    auto of = first == host_named.end() ? std::nullopt : missing_of(sample, first->second, cluster);
    if (!of) return {};
    missing.push_back(*std::move(of));
  }
  std::ranges::sort(missing, {}, &MissingHosts::like);
  return Growing(std::move(sample), std::move(missing)).grow();
}

}  // namespace isthmus
