#include "algorithms/synthesis/single_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/synthesis/commodities.hpp"
#include "algorithms/ways/arborescence.hpp"

namespace isthmus {
namespace {

struct Tree {
  Parents parent;
  std::vector<char> apart;  // by site: its members have edges of their own to the site above
};

class SingleTree {
 public:
  SingleTree(const SiteNetwork& network, const Commodities& commodities)
      : size_(network.size()),
        root_(network.site_of(commodities.root)),
        hop_s_(size_),
        gap_s_(size_, 0),
        again_s_(size_, 0),
        members_(size_),
        own_s_(size_, 0) {
    const double bytes = commodities.block_bytes, whole_bytes = bytes + network.network().transport.header_bytes;
    for (int site = 0; site < size_; ++site) {
      members_[site] = static_cast<int>(network.site(site).ranks.size());
      // Members pass the message on along a binary tree, two messages each.
      const double levels = std::ceil(std::log2(members_[site]));
      own_s_[site] = levels * message_s(network.network(), network.local_route(site), bytes);
    }
    std::vector<int> edges_of_link(network.shared_links().size());
    for (int above = 0; above < size_; ++above) {
      const int rank = network.site(above).ranks.front();
      const double host_s = whole_bytes / (commodities.reduces ? network.in_Bps(rank) : network.out_Bps(rank));
      const auto edge_below = [&](int below) -> const SiteEdge& {
        return commodities.reduces ? network.edge(below, above) : network.edge(above, below);
      };
      std::ranges::fill(edges_of_link, 0);
      for (int below = 0; below < size_; ++below)
        if (below != above)
          for (const int link : edge_below(below).shared) ++edges_of_link[link];
      for (int below = 0; below < size_; ++below) {
        const SiteEdge& edge = edge_below(below);
        if (below == above || !edge.exists) continue;
        hop_s_.at(above, below) = message_s(network.network(), edge.links, bytes);
        double gap_s = commodities.reduces ? receive_overhead_s(network.network(), edge.links, bytes)
                                           : send_overhead_s(network.network(), edge.links, bytes);
        gap_s = std::max(gap_s, host_s);
        // A link that leads to several sites is used by one message after the other.
        for (const int link : edge.shared)
          if (edges_of_link[link] > 1)
            gap_s = std::max(gap_s, occupation_s(network.network(), {&network.shared_links()[link], 1}, bytes));
        gap_s_.at(above, below) = gap_s;
        again_s_.at(above, below) = std::max(gap_s, occupation_s(network.network(), edge.links, bytes));
      }
    }
  }

  /// Empty parents if some site cannot be reached.
  Tree quickest() {
    Tree tree = earliest_first();
    if (tree.parent.empty()) return tree;
    double best_s = seconds(tree);
    for (bool better = true; better;) {
      better = false;
      for (int site = 0; site < size_; ++site) {
        if (site == root_) continue;
        for (int above = 0; above < size_; ++above) better |= moves(tree, site, above, false, best_s);
        if (members_[site] > 1) better |= moves(tree, site, tree.parent[site], tree.apart[site] == 0, best_s);
      }
    }
    return tree;
  }

  /// When the last rank has the message.
  double seconds(const Tree& tree) const {
    // Children in the order of packed/site_tree.hpp: those with the deepest subtrees first, then by number.
    std::vector<int> height(size_, 0), depth(size_, 0), order(size_);
    for (int site = 0; site < size_; ++site)
      for (int at = site; at != root_; at = tree.parent[at]) {
        ++depth[site];
        height[tree.parent[at]] = std::max(height[tree.parent[at]], depth[site]);
      }
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(
        order, [&](int a, int b) { return depth[a] != depth[b] ? depth[a] < depth[b] : height[a] > height[b]; });
    std::vector<double> begins_s(size_, 0), has_s(size_, 0);  // of the next message; the arrival of the own one
    double last_s = 0;
    for (const int site : order) {
      if (site == root_) continue;
      const int above = tree.parent[site];
      const int messages = tree.apart[site] != 0 ? members_[site] : 1;
      const double leaves_s = begins_s[above];
      begins_s[above] += messages * gap_s_.at(above, site);
      has_s[site] = begins_s[site] = leaves_s + hop_s_.at(above, site);
      last_s = std::max(last_s, has_s[site] + (messages - 1) * again_s_.at(above, site));
    }
    for (int site = 0; site < size_; ++site)
      if (tree.apart[site] == 0) last_s = std::max(last_s, begins_s[site] + own_s_[site]);
    return last_s;
  }

 private:
  Tree earliest_first() const {
    Tree tree{Parents(size_, root_), std::vector<char>(size_, 0)};
    std::vector<double> begins_s(size_, EdgeTable::kNoEdge);
    begins_s[root_] = 0;
    for (int told = 1; told < size_; ++told) {
      int from = -1, to = -1;
      double earliest_s = EdgeTable::kNoEdge;
      for (int above = 0; above < size_; ++above)
        for (int below = 0; below < size_; ++below) {
          if (begins_s[above] == EdgeTable::kNoEdge || begins_s[below] != EdgeTable::kNoEdge) continue;
          const double arrives_s = begins_s[above] + hop_s_.at(above, below);
          if (arrives_s >= earliest_s) continue;
          earliest_s = arrives_s;
          from = above;
          to = below;
        }
      if (to < 0) return {};
      tree.parent[to] = from;
      begins_s[to] = earliest_s;
      begins_s[from] += gap_s_.at(from, to);
    }
    return tree;
  }

  bool is_below(const Tree& tree, int site, int ancestor) const {
    for (int at = site; at != root_; at = tree.parent[at])
      if (at == ancestor) return true;
    return ancestor == root_;
  }

  /// Whether the tree is quicker with the site below another; it is changed then.
  bool moves(Tree& tree, int site, int above, bool apart, double& best_s) const {
    if (above == site || hop_s_.at(above, site) == EdgeTable::kNoEdge || is_below(tree, above, site)) return false;
    Tree other = tree;
    other.parent[site] = above;
    other.apart[site] = apart ? 1 : 0;
    const double other_s = seconds(other);
    if (other_s >= best_s * (1 - 1e-9)) return false;
    tree = std::move(other);
    best_s = other_s;
    return true;
  }

  int size_, root_;
  EdgeTable hop_s_, gap_s_, again_s_;  // from the site above to that below; of a further message of the same edge
  std::vector<int> members_;
  std::vector<double> own_s_;
};

}  // namespace

Synthesis synthesise_single_tree(const SiteNetwork& network, const Problem& problem) {
  const Commodities commodities = commodities_of(network, problem);
  if (commodities.root < 0) throw BadInput("one tree serves broadcast and reduce");
  SingleTree search(network, commodities);
  const Tree tree = search.quickest();
  if (tree.parent.empty()) return synthesise(network, problem, 1);  // throws, with the names of the sites
  Synthesis result;
  Way& way = result.packing.ways.emplace_back();
  way.sites = tree.parent;
  for (int site = 0; site < network.size(); ++site)
    if (tree.apart[site] != 0) way.apart.push_back(site);
  result.piece_bytes = static_cast<std::int64_t>(std::ceil(commodities.block_bytes));
  result.seconds = search.seconds(tree);
  return result;
}

}  // namespace isthmus
