#include "algorithms/bounds/best_bound.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::bounds {
namespace {

constexpr std::size_t max_edges = 20'000'000, many_edges = 40'000;  // visited in all flows together
constexpr std::size_t few_flows = 24;

}  // namespace

bool BestBound::is_tired() const { return edges_ > max_edges || (edges_ > many_edges && flows_ >= few_flows); }

void BestBound::offer(double seconds, BoundKind kind, double bytes) {
  if (seconds > best_.seconds && std::isfinite(seconds)) best_ = {.seconds = seconds, .kind = kind, .bytes = bytes};
}

void BestBound::offer_distance(double seconds, int from_host, int to_host) {
  if (seconds <= best_.seconds || !std::isfinite(seconds)) return;
  best_ = {.seconds = seconds, .kind = BoundKind::distance, .from_host = from_host, .to_host = to_host};
}

void BestBound::offer_cut(const LinkCut& cut, BoundKind kind, double bytes, int from_host, int to_host) {
  const double seconds = cut.seconds(bytes);
  if (seconds <= best_.seconds || !std::isfinite(seconds)) return;
  best_ = {seconds, kind, bytes, from_host, to_host, {}};
  best_.links = binding_links(cut);
}

void BestBound::consider(const LinkGraph::Hosts& sources, const LinkGraph::Hosts& targets, double bytes, int from_host,
                         int to_host) {
  if (bytes <= 0 || is_tired()) return;
  ++flows_;
  edges_ += demand_.graph().edges() + sources.size();
  if (from_host < 0) from_host = some_host(sources, to_host);
  if (to_host < 0) to_host = some_host(targets, from_host);
  offer_cut(demand_.graph().slowest_cut(sources, targets, bytes), BoundKind::cut, bytes, from_host, to_host);
}

void BestBound::consider_flow(const LinkGraph::Hosts& sources, const LinkGraph::Hosts& targets, double bytes,
                              int from_host, int to_host) {
  if (bytes <= 0 || is_tired()) return;
  const auto flow = demand_.graph().quickest_flow(sources, targets, bytes);
  if (!flow || !flow->is_whole) consider(sources, targets, bytes, from_host, to_host);
  const double seconds = flow ? flow->seconds * (1 - 1e-12) : 0;
  if (seconds <= best_.seconds) return;
  best_ = {seconds, BoundKind::cut, bytes, from_host, to_host, {}};
  best_.links = binding_links(flow->cut);
}

int BestBound::some_host(const LinkGraph::Hosts& hosts, int other) const {
  int some = -1;
  for (std::size_t number = 0; number < hosts.size(); ++number) {
    if (hosts[number] <= 0) continue;
    for (const int host : demand_.hosts_of_class(static_cast<int>(number))) {
      if (host != other) return host;
      some = host;
    }
  }
  return some;
}

// Of a class of which only some hosts count, the one that the bytes come from or go to, or any of them.
std::vector<BindingLink> BestBound::binding_links(const LinkCut& cut) const {
  std::vector<BindingLink> links;
  for (const LinkCut::Piece& piece : cut.pieces) {
    if (piece.latency_s >= best_.seconds) continue;
    BindingLink& binding = links.emplace_back();
    binding.bandwidth_Bps = piece.bandwidth_Bps;
    binding.latency_s = piece.latency_s;
    binding.bytes = piece.bandwidth_Bps * (best_.seconds - piece.latency_s);
    if (piece.link >= 0) {
      binding.links = {piece.link};
      continue;
    }
    const LinkGraph& graph = demand_.graph();
    const double of_one_Bps = (piece.up ? graph.up(piece.host_class) : graph.down(piece.host_class)).bandwidth_Bps;
    const auto hosts = static_cast<std::size_t>(std::llround(piece.bandwidth_Bps / of_one_Bps));
    const int end = piece.up ? best_.from_host : best_.to_host;
    const auto add = [&](int host) {
      const Host& of = demand_.network().hosts[host];
      const int link = slowest_of(demand_.network(), piece.up ? of.up : of.down);
      if (link >= 0 && binding.links.size() < hosts) binding.links.push_back(link);
    };
    const bool has_end = end >= 0 && graph.class_of(end) == piece.host_class;
    if (has_end) add(end);
    for (const int host : demand_.hosts_of_class(piece.host_class))
      if (!has_end || host != end) add(host);
  }
  return links;
}

}  // namespace isthmus::bounds
