#include "platforms/cluster_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "platforms/network_sample.hpp"

namespace isthmus {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool has_brackets(std::string_view text) { return text.find_first_of("[]") != std::string_view::npos; }

/// Those of a `<cluster>`, if they might be sampled.
std::optional<NameRange> hosts_of(pugi::xml_node cluster) {
  const std::string_view topology = cluster.attribute("topology").value();
  const std::string prefix = cluster.attribute("prefix").value(), suffix = cluster.attribute("suffix").value();
  if (!topology.empty() && topology != "FLAT") return {};
  if (has_brackets(prefix) || has_brackets(suffix)) return {};
  if (prefix.empty() || is_digit(prefix.back()) || (!suffix.empty() && is_digit(suffix.front()))) return {};
  const auto numbers = parse_name_range(fmt::format("[{}]", cluster.attribute("radical").value()));
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

  /// Leaves out clusters whose hosts or links have the names of anything else: a prefix or the name of their link with
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
      cluster.element.attribute("radical") = fmt::format("{}-{}", first, first + sampled_hosts - 1).c_str();
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

}  // namespace isthmus
