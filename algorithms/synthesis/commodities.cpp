#include "algorithms/synthesis/commodities.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

/// What an empty commodity counts as: a share of the largest one, and so much at least that the time for it does not
/// vanish beside latencies.
constexpr double kEmptyShare = 1e-6, kEmptyBytes = 1;

class Writer {
 public:
  Writer(const SiteNetwork& network, const Problem& problem) : network_(network), problem_(problem) {}

  double vector_bytes() const { return static_cast<double>(problem_.bytes()); }

  /// Of the block of a rank.
  double block_bytes(int rank) const { return in_bytes(known() ? block_count(problem_, rank) : problem_.count); }
  /// Of the block that one rank has for another.
  double block_bytes(int from, int to) const {
    return in_bytes(known() ? block_count(problem_, network_.placed().size(), from, to) : problem_.count);
  }
  double site_bytes(int site) const {
    double sum = 0;
    for (const int rank : network_.site(site).ranks) sum += block_bytes(rank);
    return sum;
  }
  double pair_bytes(int from, int to) const {
    if (problem_.counts.empty() || !known()) {
      const double ranks = static_cast<double>(network_.site(from).ranks.size());
      const double others = from == to ? ranks - 1 : static_cast<double>(network_.site(to).ranks.size());
      return ranks * others * vector_bytes();
    }
    double sum = 0;
    for (const int source : network_.site(from).ranks)
      for (const int target : network_.site(to).ranks)
        if (source != target) sum += block_bytes(source, target);
    return sum;
  }
  double largest_block_bytes() const {
    if (problem_.counts.empty() || !known()) return vector_bytes();
    return in_bytes(*std::max_element(problem_.counts.begin(), problem_.counts.end()));
  }

 private:
  bool known() const { return problem_.counts_known; }
  double in_bytes(std::int64_t count) const {
    return static_cast<double>(count) * static_cast<double>(problem_.element_bytes);
  }

  const SiteNetwork& network_;
  const Problem& problem_;
};

/// Every site sends its own to all, or takes in its own from all.
void add_each_site(const SiteNetwork& network, const Writer& writer, WayKind kind, Commodities& all) {
  all.kind = kind;
  all.paced = true;
  for (int s = 0; s < network.size(); ++s) all.list.push_back({s, -1, writer.site_bytes(s)});
}

/// The root sends each site its own, or takes it in.
void add_with_root(const SiteNetwork& network, const Writer& writer, int root, bool from_root, Commodities& all) {
  all.kind = WayKind::paths;
  all.root = root;
  all.to_root = !from_root;
  const int root_site = network.site_of(root);
  for (int s = 0; s < network.size(); ++s) {
    double bytes = writer.site_bytes(s);
    if (s == root_site) bytes -= writer.block_bytes(root);
    if (s == root_site && network.site(s).hosts == 1) continue;
    all.list.push_back({from_root ? root_site : s, from_root ? s : root_site, bytes});
  }
}

/// Commodities without bytes get a few, so that they have ways too.
void raise_empty(Commodities& all) {
  double least = kEmptyBytes;
  for (const Commodity& commodity : all.list) least = std::max(least, kEmptyShare * commodity.bytes);
  for (Commodity& commodity : all.list) commodity.bytes = std::max(commodity.bytes, least);
}

}  // namespace

Commodities commodities_of(const SiteNetwork& network, const Problem& problem) {
  if (has_operator(problem.collective) && !is_scan(problem.collective) && !problem.commutative) {
    throw BadInput(fmt::format("{} by a packing combines in any order; an operator that commutes would be right",
                               name(problem.collective)));
  }
  const Writer writer(network, problem);
  Commodities all;
  const int k = network.size();
  switch (problem.collective) {
    case Collective::broadcast:
    case Collective::reduce:
      all.kind = problem.collective == Collective::broadcast ? WayKind::trees_out : WayKind::trees_in;
      all.root = problem.root;
      all.reduces = all.paced = problem.collective == Collective::reduce;
      all.list.push_back({network.site_of(problem.root), -1, writer.vector_bytes()});
      break;
    case Collective::allreduce:
      all.kind = WayKind::trees_both;
      all.reduces = all.paced = true;
      all.list.push_back({-1, -1, writer.vector_bytes()});
      break;
    case Collective::allgather:
    case Collective::allgatherv:
      add_each_site(network, writer, WayKind::trees_out, all);
      break;
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      add_each_site(network, writer, WayKind::trees_in, all);
      all.reduces = true;
      break;
    case Collective::scatter:
    case Collective::scatterv:
      add_with_root(network, writer, problem.root, true, all);
      break;
    case Collective::gather:
    case Collective::gatherv:
      add_with_root(network, writer, problem.root, false, all);
      break;
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      all.kind = WayKind::paths;
      for (int a = 0; a < k; ++a)
        for (int b = 0; b < k; ++b)
          if (a != b || network.site(a).hosts > 1) all.list.push_back({a, b, writer.pair_bytes(a, b)});
      break;
    case Collective::scan:
    case Collective::exscan:
      all.kind = WayKind::paths;
      all.chained = true;
      for (int s = 0; s + 1 < k; ++s) all.list.push_back({s, s + 1, writer.vector_bytes()});
      break;
    case Collective::barrier:
      throw BadInput(fmt::format("no packing serves {}", name(problem.collective)));
  }
  all.block_bytes = std::max(1.0, writer.largest_block_bytes());
  raise_empty(all);
  return all;
}

Commodities sums_of_sites(const SiteNetwork& network, const Problem& problem) {
  Commodities all;
  all.kind = WayKind::trees_out;
  all.reduces = true;
  all.block_bytes = std::max(1.0, static_cast<double>(problem.bytes()));
  for (int site = 0; site < network.size(); ++site) all.list.push_back({site, -1, all.block_bytes});
  return all;
}

Commodities bundles_of_sites(const SiteNetwork& network, const Problem& problem) {
  Commodities all = commodities_of(network, problem);
  for (const Commodity& commodity : all.list) all.block_bytes = std::max(all.block_bytes, commodity.bytes);
  return all;
}

}  // namespace isthmus
