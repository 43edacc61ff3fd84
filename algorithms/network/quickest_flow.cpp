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

}  // namespace

// Hosts are nodes: the source, the target, and for each class the others, which relay. Let each have a time, 0 the
// source, the end T the target. A byte is at the source from 0 on and at the target by T, so that one of the messages
// that bring it there leaves a host no earlier than its time and has arrived at another by the time of that. Such a
// message crosses each link of its route in a window of time that the two times leave. If each route with such a window
// has a link that counts for a window which contains this one, the bytes are at most the sum of bandwidth * window over
// these links. The best times are the latencies at which the quickest flow reaches hosts: the sum is then just the
// bytes where each route has one narrow link. Where it is more, an earlier end is proved, at which it is not.
std::optional<LinkGraph::TimedCut> LinkGraph::quickest_flow(const Hosts& sources, const Hosts& targets,
                                                            double bytes) const {
  constexpr std::size_t max_edges = 2000;
  if (edges_.size() > max_edges || bytes <= 0) return std::nullopt;
  const auto classes = static_cast<int>(classes_.size());
  const int source = nodes_, target = nodes_ + 1, relays = nodes_ + 2;
  FlowOverTime flow(relays + classes);
  for (const Edge& edge : edges_) flow.add(edge.from, edge.to, edge.bandwidth_Bps, edge.latency_s);
  struct Place {
    int node, host_class, hosts;
  };
  std::vector<Place> from_places, to_places;
  for (int number = 0; number < classes; ++number) {
    const HostClass& kind = classes_[number];
    const int out = way_out_.at(kind.endpoint), in = way_in_.at(kind.endpoint);
    const int others = kind.hosts - sources[number] - targets[number];
    const auto add = [&](std::vector<Place>& places, int node, int hosts, bool up) {
      if (hosts <= 0) return;
      places.push_back({node, number, hosts});
      const RouteCost& own = up ? kind.up : kind.down;
      flow.add(up ? node : in, up ? out : node, own.bandwidth_Bps * hosts, own.latency_s);
    };
    add(from_places, source, sources[number], true);
    add(from_places, relays + number, others, true);
    add(to_places, target, targets[number], false);
    add(to_places, relays + number, others, false);
  }
  const double flow_s = flow.seconds(source, target, bytes);
  if (!std::isfinite(flow_s)) return std::nullopt;

  // The windows of an end, and the bytes that they let through; none if some route has no limit.
  struct Through {
    TimedCut cut;
    double bytes = 0;
  };
  const auto through_until = [&](double end_s) -> std::optional<Through> {
    const auto time_s = [&](int node) { return std::min(flow.reached_s()[node], end_s); };
    std::map<std::tuple<int, int, bool>, Window> windows;  // by link; or by node and class, out or in
    for (const Place& from : from_places)
      for (const Place& to : to_places) {
        const HostClass &sender = classes_[from.host_class], &receiver = classes_[to.host_class];
        const auto trunk = network_.trunks.find({sender.endpoint, receiver.endpoint});
        if (trunk == network_.trunks.end()) continue;
        if (!trunk->second.other_ways.empty()) return std::nullopt;
        const double latency_s =
            sender.up.latency_s + route_cost(network_, trunk->second.links).latency_s + receiver.down.latency_s;
        const double window_s = time_s(to.node) - time_s(from.node) - latency_s;
        if (window_s <= 0) continue;
        // The link of the route with the largest window of the flow.
        LinkCut::Piece widest;
        std::tuple<int, int, bool> key;
        double largest_s = 0, before_s = 0, before_widest_s = 0;
        const auto look = [&](double from_s, double to_s, double own_s, const LinkCut::Piece& piece,
                              std::tuple<int, int, bool> of) {
          if (to_s - from_s - own_s > largest_s && std::isfinite(piece.bandwidth_Bps)) {
            largest_s = to_s - from_s - own_s;
            widest = piece;
            key = of;
            before_widest_s = before_s;
          }
          before_s += own_s;
        };
        const int out = way_out_.at(sender.endpoint), in = way_in_.at(receiver.endpoint);
        look(time_s(from.node), time_s(out), sender.up.latency_s,
             {-1, from.host_class, true, sender.up.bandwidth_Bps * from.hosts, 0}, {from.node, from.host_class, true});
        for (const int link : trunk->second.links) {
          const int entry = entry_of_link_.at(link);
          const RouteCost cost = route_cost(network_, {link});
          look(time_s(entry), time_s(entry + 1), cost.latency_s, {.link = link, .bandwidth_Bps = cost.bandwidth_Bps},
               {-1, link, true});
        }
        look(time_s(in), time_s(to.node), receiver.down.latency_s,
             {-1, to.host_class, false, receiver.down.bandwidth_Bps * to.hosts, 0}, {to.node, to.host_class, false});
        if (largest_s <= 0) return std::nullopt;
        Window& window = windows[key];
        window.piece = widest;
        window.from_s = std::min(window.from_s, time_s(from.node) + before_widest_s);
        window.to_s = std::max(window.to_s, time_s(from.node) + before_widest_s + window_s);
      }
    Through through{{end_s, {}}, 0};
    for (auto& [key, window] : windows) {
      const double window_s = window.to_s - window.from_s;
      through.bytes += window.piece.bandwidth_Bps * window_s;
      window.piece.latency_s = end_s - window_s;
      through.cut.cut.pieces.push_back(window.piece);
    }
    return through;
  };

  std::optional<Through> best = through_until(flow_s);
  if (best && best->bytes <= bytes * (1 + 1e-9)) return best->cut;
  // An earlier end, at which the windows do not let the bytes through.
  constexpr int steps = 20;
  double proved_s = 0, open_s = flow_s;
  best.reset();
  for (int step = 0; step < steps; ++step) {
    const double middle_s = (proved_s + open_s) / 2;
    std::optional<Through> through = through_until(middle_s);
    if (through && through->bytes <= bytes) {
      through->cut.is_whole = false;
      proved_s = middle_s;
      best = std::move(through);
    } else {
      open_s = middle_s;
    }
  }
  if (!best) return std::nullopt;
  return best->cut;
}

}  // namespace isthmus
