// The quickest flow between two sets of hosts, and the windows of time of links that prove it (link_graph.hpp).
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "algorithms/network/link_graph.hpp"

namespace isthmus {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

constexpr double rounding_s = 1e-13;  // latencies that differ by less are the same

struct Arc {
  int from, to;
  double bandwidth_Bps, latency_s;
  int back;  // the arc that takes flow off this one
};

/// Flow along ways of least latency (Ford and Fulkerson 1958), until another way would come too late for the bytes.
class FlowOverTime {
 public:
  explicit FlowOverTime(int nodes) : nodes_(nodes) {}

  void add(int from, int to, double bandwidth_Bps, double latency_s) {
    const auto number = static_cast<int>(arcs_.size());
    arcs_.push_back({from, to, bandwidth_Bps, latency_s, number + 1});
    arcs_.push_back({to, from, 0, -latency_s, number});
  }

  /// The time in which the bytes get from source to target; infinity if nothing limits a way, or after too many.
  double seconds(int source, int target, double bytes) {
    constexpr int max_ways = 200;
    double all_Bps = 0, on_the_way = 0, end_s = unbounded;
    for (int way = 0; way < max_ways; ++way) {
      search(source);
      if (!(reached_s_[target] < end_s)) return end_s;
      double rate_Bps = unbounded;
      int hops = 0;
      for (int node = target; node != source; node = arcs_[last_[node]].from) {
        if (++hops > nodes_) return unbounded;  // a circle, by rounding
        rate_Bps = std::min(rate_Bps, arcs_[last_[node]].bandwidth_Bps);
      }
      if (!std::isfinite(rate_Bps)) return unbounded;
      for (int node = target; node != source; node = arcs_[last_[node]].from) {
        Arc& arc = arcs_[last_[node]];
        arc.bandwidth_Bps -= rate_Bps;
        if (arc.bandwidth_Bps < 1e-9 * rate_Bps) arc.bandwidth_Bps = 0;
        arcs_[arc.back].bandwidth_Bps += rate_Bps;
      }
      all_Bps += rate_Bps;
      on_the_way += rate_Bps * reached_s_[target];
      end_s = (bytes + on_the_way) / all_Bps;
    }
    return unbounded;
  }

  /// By node: the least latency from the source where the flow leaves room.
  const std::vector<double>& reached_s() const { return reached_s_; }

 private:
  // Bellman and Ford's algorithm, since arcs back have negative latencies.
  void search(int source) {
    reached_s_.assign(nodes_, unbounded);
    last_.assign(nodes_, -1);
    reached_s_[source] = 0;
    bool has_changed = true;
    for (int pass = 0; has_changed && pass < nodes_; ++pass) {
      has_changed = false;
      for (std::size_t number = 0; number < arcs_.size(); ++number) {
        const Arc& arc = arcs_[number];
        const double after_s = reached_s_[arc.from] + arc.latency_s;
        if (arc.bandwidth_Bps <= 0 || !(after_s < reached_s_[arc.to] - rounding_s)) continue;
        reached_s_[arc.to] = after_s;
        last_[arc.to] = static_cast<int>(number);
        has_changed = true;
      }
    }
  }

  int nodes_;
  std::vector<Arc> arcs_;
  std::vector<double> reached_s_;
  std::vector<int> last_;
};

/// From when to when a link counts.
struct Window {
  double from_s = unbounded, to_s = -unbounded;
  LinkCut::Piece piece;
};

/// Hosts of a class as a node of the flow: with their links out, as sources or relays; or in, as targets or relays.
struct Place {
  int node, host_class, hosts, endpoint;
  int way;        // the node of the endpoint, beyond the hosts' links
  RouteCost own;  // of the links of each host
};

/// The windows of an end, and the bytes that they let through.
struct Through {
  LinkGraph::TimedCut cut;
  double bytes = 0;
};

// Hosts are nodes: the source, the target, and for each class the others, which relay. Let each have a time, 0 the
// source, the end T the target. A byte is at the source from 0 on and at the target by T, so that one of the messages
// that bring it there leaves a host no earlier than its time and has arrived at another by the time of that. Such a
// message crosses each link of its route in a window of time that the two times leave. If each route with such a window
// has a link that counts for a window which contains this one, the bytes are at most the sum of bandwidth * window over
// these links. The best times are the latencies at which the quickest flow reaches hosts: the sum is then just the
// bytes where each route has one narrow link. Where it is more, an earlier end is proved, at which it is not.
class FlowWindows {
 public:
  /// Of a flow whose time has been found. All must outlive this object.
  FlowWindows(const Network& network, const std::map<int, int>& entry_of_link, const FlowOverTime& flow,
              const std::vector<Place>& from, const std::vector<Place>& to)
      : network_(network), entry_of_link_(entry_of_link), flow_(flow), from_(from), to_(to) {}

  /// None if some route has no limit.
  std::optional<Through> until(double end_s) const {
    std::map<Key, Window> windows;
    for (const Place& from : from_)
      for (const Place& to : to_) {
        const auto trunk = network_.trunks.find({from.endpoint, to.endpoint});
        if (trunk == network_.trunks.end()) continue;
        if (!trunk->second.other_ways.empty()) return std::nullopt;
        const std::vector<int>& links = trunk->second.links;
        const double latency_s = from.own.latency_s + route_cost(network_, links).latency_s + to.own.latency_s;
        const double window_s = time_s(to.node, end_s) - time_s(from.node, end_s) - latency_s;
        if (window_s <= 0) continue;
        const Widest widest = widest_of(from, links, to, end_s);
        if (widest.window_s <= 0) return std::nullopt;
        Window& window = windows[widest.key];
        window.piece = widest.piece;
        window.from_s = std::min(window.from_s, time_s(from.node, end_s) + widest.before_s);
        window.to_s = std::max(window.to_s, time_s(from.node, end_s) + widest.before_s + window_s);
      }
    Through through{{end_s, {}}, 0};
    for (auto& [key, window] : windows) {
      const double window_s = window.to_s - window.from_s;
      through.bytes += window.piece.bandwidth_Bps * window_s;
      window.piece.latency_s = end_s - window_s;
      through.cut.cut.pieces.push_back(window.piece);
    }
    return through;
  }

 private:
  using Key = std::tuple<int, int, bool>;  // by link; or by node and class, out or in
  struct Widest {
    Key key;
    LinkCut::Piece piece;
    double window_s = 0, before_s = 0;  // before_s: the latency of the links before it
  };

  double time_s(int node, double end_s) const { return std::min(flow_.reached_s()[node], end_s); }

  /// The link of a route with the largest window of the flow.
  Widest widest_of(const Place& from, const std::vector<int>& links, const Place& to, double end_s) const {
    Widest widest;
    double before_s = 0;
    const auto look = [&](int from_node, int to_node, double own_s, const LinkCut::Piece& piece, const Key& key) {
      const double window_s = time_s(to_node, end_s) - time_s(from_node, end_s) - own_s;
      if (window_s > widest.window_s && std::isfinite(piece.bandwidth_Bps)) widest = {key, piece, window_s, before_s};
      before_s += own_s;
    };
    look(from.node, from.way, from.own.latency_s, {-1, from.host_class, true, from.own.bandwidth_Bps * from.hosts, 0},
         {from.node, from.host_class, true});
    for (const int link : links) {
      const int entry = entry_of_link_.at(link);
      const RouteCost cost = route_cost(network_, {link});
      look(entry, entry + 1, cost.latency_s, {.link = link, .bandwidth_Bps = cost.bandwidth_Bps}, {-1, link, true});
    }
    look(to.way, to.node, to.own.latency_s, {-1, to.host_class, false, to.own.bandwidth_Bps * to.hosts, 0},
         {to.node, to.host_class, false});
    return widest;
  }

  const Network& network_;
  const std::map<int, int>& entry_of_link_;
  const FlowOverTime& flow_;
  const std::vector<Place>& from_;
  const std::vector<Place>& to_;
};

/// The latest end found at which the windows do not let the bytes through, before one at which they do.
std::optional<LinkGraph::TimedCut> earlier_end(const FlowWindows& windows, double open_s, double bytes) {
  constexpr int steps = 20;
  double proved_s = 0;
  std::optional<LinkGraph::TimedCut> best;
  for (int step = 0; step < steps; ++step) {
    const double middle_s = (proved_s + open_s) / 2;
    std::optional<Through> through = windows.until(middle_s);
    if (through && through->bytes <= bytes) {
      through->cut.is_whole = false;
      proved_s = middle_s;
      best = std::move(through->cut);
    } else {
      open_s = middle_s;
    }
  }
  return best;
}

}  // namespace

std::optional<LinkGraph::TimedCut> LinkGraph::quickest_flow(const Hosts& sources, const Hosts& targets,
                                                            double bytes) const {
  constexpr std::size_t max_edges = 2000;
  if (edges_.size() > max_edges || bytes <= 0) return std::nullopt;
  const auto classes = static_cast<int>(classes_.size());
  const int source = nodes_, target = nodes_ + 1, relays = nodes_ + 2;
  FlowOverTime flow(relays + classes);
  for (const Edge& edge : edges_) flow.add(edge.from, edge.to, edge.bandwidth_Bps, edge.latency_s);
  std::vector<Place> from_places, to_places;
  for (int number = 0; number < classes; ++number) {
    const HostClass& kind = classes_[number];
    const int out = way_out_.at(kind.endpoint), in = way_in_.at(kind.endpoint);
    const int others = kind.hosts - sources[number] - targets[number];
    const auto add = [&](std::vector<Place>& places, int node, int hosts, bool up) {
      if (hosts <= 0) return;
      const RouteCost& own = up ? kind.up : kind.down;
      places.push_back({node, number, hosts, kind.endpoint, up ? out : in, own});
      flow.add(up ? node : in, up ? out : node, own.bandwidth_Bps * hosts, own.latency_s);
    };
    add(from_places, source, sources[number], true);
    add(from_places, relays + number, others, true);
    add(to_places, target, targets[number], false);
    add(to_places, relays + number, others, false);
  }
  const double flow_s = flow.seconds(source, target, bytes);
  if (!std::isfinite(flow_s)) return std::nullopt;
  const FlowWindows windows(network_, entry_of_link_, flow, from_places, to_places);
  if (const std::optional<Through> whole = windows.until(flow_s); whole && whole->bytes <= bytes * (1 + 1e-9))
    return whole->cut;
  return earlier_end(windows, flow_s, bytes);
}

}  // namespace isthmus
