#include "emulator/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

/// Links that always follow each other are one hop: their latencies add, the slowest gives the rate.
struct Segment {
  std::vector<int> links;
  Queue queue;
  int from = 0, to = 0;  ///< junctions
};

void check_host_name(const std::string& name) {
  const bool characters = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 128 && (std::isalnum(c) != 0 || c == '-' || c == '.');
  });
  const bool letter = std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
  const bool ends = !name.empty() && std::isalnum(static_cast<unsigned char>(name.front())) != 0 &&
                    std::isalnum(static_cast<unsigned char>(name.back())) != 0;
  if (characters && letter && ends && name.size() <= 63 && name != "localhost") return;
  std::string printable;
  for (const unsigned char c : name) printable += c < 32 || c > 126 ? '?' : static_cast<char>(c);
  throw BadInput(
      fmt::format("host `{}`: cannot be emulated under this name; letters, digits, `-` and `.`, at most 63, with a "
                  "letter, would do",
                  printable));
}

/// Disjoint sets: the ends of segments that meet in one place.
class Meeting {
 public:
  int add() {
    parent_.push_back(static_cast<int>(parent_.size()));
    return parent_.back();
  }
  int find(int end) const {
    while (parent_[end] != end) end = parent_[end];
    return end;
  }
  void unite(int a, int b) { parent_[std::max(find(a), find(b))] = std::min(find(a), find(b)); }

 private:
  std::vector<int> parent_;
};

class Planner {
 public:
  Planner(const Network& network, const Placement& placement, const PlanOptions& options)
      : network_(network), options_(options) {
    std::map<int, int> ranks_on;
    for (const int host : placement.host_of_rank) ++ranks_on[host];
    for (const AmbientTraffic& traffic : options.conditions.traffic) {
      for (const std::string& name : {traffic.from, traffic.to}) ranks_on[host_named(name)] += 0;
    }
    for (const auto& [host, ranks] : ranks_on) {
      hosts_.push_back(host);
      hosts_at_[network.hosts[host].endpoint].push_back(host);
      check_loopback(host, ranks);
    }
    check_hosts();
    find_segments();
    join_segments();
    find_cut_through();
    lay_out(placement);
  }

  EmulationPlan take() { return std::move(plan_); }

 private:
  int host_named(const std::string& name) const {
    for (std::size_t i = 0; i < network_.hosts.size(); ++i) {
      if (network_.hosts[i].name == name && !network_.hosts[i].gateway) return static_cast<int>(i);
    }
    throw BadInput(fmt::format("host `{}`: none of this name in {}", name, network_.name));
  }

  void check_hosts() const {
    std::set<std::string> names;
    for (const int host : hosts_) {
      const Host& h = network_.hosts[host];
      check_host_name(h.name);
      std::string lower = h.name;
      for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      if (!names.insert(lower).second) {
        throw BadInput(fmt::format("host `{}`: two hosts of this name; host names must differ", h.name));
      }
      for (const int link : h.up) {
        check_link(link);
        if (std::find(h.down.begin(), h.down.end(), link) != h.down.end()) refuse_one_capacity(link);
      }
      for (const int link : h.down) check_link(link);
    }
  }

  void check_link(int number) const {
    const Link& link = network_.links[number];
    if (link.sharing == Sharing::fatpipe) {
      throw BadInput(fmt::format(
          "link `{}`: FATPIPE cannot be emulated, messages in a queue slow each other; SHARED or SPLITDUPLEX would do",
          link.name));
    }
  }

  [[noreturn]] void refuse_one_capacity(int link) const {
    throw BadInput(fmt::format(
        "link `{}`: one capacity for both directions cannot be emulated; SPLITDUPLEX, or a link a direction, would do",
        network_.links[link].name));
  }

  void check_loopback(int host, int ranks) const {
    const auto trunk = network_.trunks.find({network_.hosts[host].endpoint, network_.hosts[host].endpoint});
    const Host& h = network_.hosts[host];
    const bool alone = h.up.empty() && h.down.empty();
    if (ranks > 1 && alone && trunk != network_.trunks.end() && !trunk->second.links.empty()) {
      throw BadInput(fmt::format("host `{}`: its loopback link cannot be emulated; one rank a host would do", h.name));
    }
  }

  const std::vector<int>& trunk(int from, int to) const {
    const auto found = network_.trunks.find({from, to});
    if (found == network_.trunks.end()) {
      throw BadInput(fmt::format("no route from host `{}` to host `{}`; all hosts that carry ranks need one",
                                 network_.hosts[hosts_at_.at(from).front()].name,
                                 network_.hosts[hosts_at_.at(to).back()].name));
    }
    return found->second.links;
  }

  /// Calls `visit(from, to, links)` for every pair of different endpoints in use.
  template <typename Visit>
  void for_each_trunk(const Visit& visit) const {
    for (const auto& [from, ignored] : hosts_at_) {
      for (const auto& [to, also_ignored] : hosts_at_) {
        if (from != to) visit(from, to, trunk(from, to));
      }
    }
  }

  Queue queue_of(const std::vector<int>& links) const {
    Queue queue;
    for (const int number : links) {
      const Link& link = network_.links[number];
      queue.delay_s += link.latency_s;
      queue.payload_Bps = queue.payload_Bps == 0 ? link.bandwidth_Bps : std::min(queue.payload_Bps, link.bandwidth_Bps);
    }
    return queue;
  }

  Queue host_queue(const std::vector<int>& links) const {
    return options_.shape_host_links ? queue_of(links) : Queue{};
  }

  void find_segments() {
    constexpr int unknown = -2;
    constexpr int none = -1;
    std::map<int, int> next;
    std::map<int, int> previous;
    const auto note = [](std::map<int, int>& neighbours, int link, int neighbour) {
      const auto [at, fresh] = neighbours.emplace(link, neighbour);
      if (!fresh && at->second != neighbour) at->second = unknown;
    };
    for_each_trunk([&](int from, int to, const std::vector<int>& links) {
      const std::vector<int>& back = trunk(to, from);
      for (std::size_t i = 0; i < links.size(); ++i) {
        check_link(links[i]);
        if (std::find(back.begin(), back.end(), links[i]) != back.end()) refuse_one_capacity(links[i]);
        note(next, links[i], i + 1 < links.size() ? links[i + 1] : none);
        note(previous, links[i], i > 0 ? links[i - 1] : none);
      }
    });
    for (const auto& [endpoint, hosts] : hosts_at_) {
      if (hosts.size() > 1 && !trunk(endpoint, endpoint).empty()) {
        throw BadInput(fmt::format(
            "link `{}`: a backbone inside a cluster cannot be emulated; a cluster of private links would do",
            network_.links[trunk(endpoint, endpoint).front()].name));
      }
    }
    std::map<int, int> segment_of;
    const auto continues = [&](int link, int after) { return next.at(link) == after && previous.at(after) == link; };
    for_each_trunk([&](int from, int to, const std::vector<int>& links) {
      std::vector<int>& path = paths_[{from, to}];
      for (std::size_t i = 0; i < links.size(); ++i) {
        if (i > 0 && continues(links[i - 1], links[i])) continue;
        if (!segment_of.contains(links[i])) {
          Segment segment{.links = {links[i]}, .queue = {}};
          for (std::size_t j = i + 1; j < links.size() && continues(links[j - 1], links[j]); ++j) {
            segment.links.push_back(links[j]);
          }
          segment.queue = queue_of(segment.links);
          segment_of[links[i]] = static_cast<int>(segments_.size());
          segments_.push_back(std::move(segment));
        }
        path.push_back(segment_of[links[i]]);
      }
    });
  }

  /// Where one segment of a path ends the next one starts; such ends are one junction, with a router each. A frame's
  /// way must then follow from where it is and where it goes.
  void join_segments() {
    Meeting meeting;
    std::map<int, int> router;
    for (const auto& [endpoint, ignored] : hosts_at_) router[endpoint] = meeting.add();
    std::vector<std::pair<int, int>> ends;
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      const int from = meeting.add();
      ends.emplace_back(from, meeting.add());
    }
    for (const auto& [pair, path] : paths_) {
      int at = router[pair.first];
      for (const int segment : path) {
        meeting.unite(at, ends[segment].first);
        at = ends[segment].second;
      }
      meeting.unite(at, router[pair.second]);
    }
    std::map<int, int> number;
    const auto junction = [&](int end) {
      return number.emplace(meeting.find(end), static_cast<int>(number.size())).first->second;
    };
    for (const auto& [endpoint, end] : router) {
      junction_of_[endpoint] = junction(end);
      onward_[{junction_of_[endpoint], endpoint}] = -1;
    }
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      segments_[i].from = junction(ends[i].first);
      segments_[i].to = junction(ends[i].second);
    }
    junctions_ = static_cast<int>(number.size());
    for (const auto& [pair, path] : paths_) {
      for (const int segment : path) {
        const auto [at, fresh] = onward_.emplace(std::pair{segments_[segment].from, pair.second}, segment);
        if (!fresh && at->second != segment) {
          throw BadInput(fmt::format(
              "link `{}`: its routes cannot be emulated, they depend on more than where they lead; one way from each "
              "place to each destination would do",
              network_.links[segments_[segment].links.front()].name));
        }
      }
    }
  }

  double fastest_up(int endpoint) const {
    double fastest = 0;
    for (const int host : hosts_at_.at(endpoint)) {
      const double rate = host_queue(network_.hosts[host].up).payload_Bps;
      fastest = std::max(fastest, rate == 0 ? unlimited : rate);
    }
    return fastest;
  }

  /// A queue need not serialise anew what every way to it has already serialised at no higher rate.
  void find_cut_through() {
    std::vector<double> before(segments_.size(), 0);
    for (const auto& [from, ignored] : hosts_at_) arriving_[from] = fastest_up(from);
    for (const auto& [pair, path] : paths_) {
      double rate = fastest_up(pair.first);
      for (const int segment : path) {
        before[segment] = std::max(before[segment], rate);
        if (segments_[segment].queue.payload_Bps > 0) rate = std::min(rate, segments_[segment].queue.payload_Bps);
      }
      arriving_[pair.second] = std::max(arriving_[pair.second], rate);
    }
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      segments_[i].queue.cut_through = before[i] <= segments_[i].queue.payload_Bps;
    }
  }

  Queue down_queue(int host) const {
    Queue queue = host_queue(network_.hosts[host].down);
    queue.cut_through = queue.payload_Bps > 0 && arriving_.at(network_.hosts[host].endpoint) <= queue.payload_Bps;
    return queue;
  }

  static std::string hardware_address(std::size_t number) {
    return fmt::format("02:00:{:02x}:{:02x}:{:02x}:{:02x}", number >> 24 & 255, number >> 16 & 255, number >> 8 & 255,
                       number & 255);
  }

  /// A cable, with what happens to the frames that leave at either end.
  void connect(Device a, Device b) {
    const std::size_t number = 2 * plan_.cables.size();
    a.address = hardware_address(number + 1);
    b.address = hardware_address(number + 2);
    plan_.cables.push_back({std::move(a), std::move(b)});
  }

  /// Puts the delay line into every shaped cable. To either end it has the other's hardware address.
  void lead_through_delay_line() {
    plan_.delay_line = static_cast<int>(plan_.containers.size());
    plan_.containers.push_back({.name = "delay-line"});
    std::vector<Cable> cables;
    for (Cable& cable : plan_.cables) {
      if (!cable.a.queue.shapes() && !cable.b.queue.shapes()) {
        cables.push_back(std::move(cable));
        continue;
      }
      const std::size_t number = plan_.delayed.size();
      const Device near{plan_.delay_line, fmt::format("d{}", number), cable.b.address, {}, {}};
      const Device far{plan_.delay_line, fmt::format("d{}", number + 1), cable.a.address, {}, {}};
      plan_.delayed.push_back({near.name, far.name, std::exchange(cable.a.queue, {}), cable.a.links});
      plan_.delayed.push_back({far.name, near.name, std::exchange(cable.b.queue, {}), cable.b.links});
      cables.push_back({std::move(cable.a), near});
      cables.push_back({far, std::move(cable.b)});
    }
    plan_.cables = std::move(cables);
  }

  void lay_out(const Placement& placement) {
    plan_.lossless = !options_.conditions.any();
    plan_.single_frames = options_.shape_host_links || options_.delay_line;
    for (const int host : hosts_) {
      container_of_[host] = static_cast<int>(plan_.containers.size());
      plan_.containers.push_back({.name = network_.hosts[host].name, .host = host});
    }
    for (const int host : placement.host_of_rank) plan_.container_of_rank.push_back(container_of_[host]);
    const int routers = static_cast<int>(plan_.containers.size());
    for (int i = 0; i < junctions_; ++i) plan_.containers.push_back({.name = fmt::format("router-{}", i)});
    lay_trunks(routers);
    lay_hosts(routers);
    choose_probes();
    if (options_.delay_line) lead_through_delay_line();
  }

  /// Opposite segments between two junctions share a cable; every other segment has one of its own.
  void lay_trunks(int routers) {
    std::vector<bool> done(segments_.size(), false);
    device_of_.resize(segments_.size());
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      if (done[i]) continue;
      const Segment& forth = segments_[i];
      device_of_[i] = fmt::format("w{}", i);
      Device back{routers + forth.to, fmt::format("v{}", i), {}, {}, {}};
      for (std::size_t j = i + 1; j < segments_.size(); ++j) {
        if (done[j] || segments_[j].from != forth.to || segments_[j].to != forth.from) continue;
        done[j] = true;
        device_of_[j] = back.name = fmt::format("w{}", j);
        back.queue = segments_[j].queue;
        back.links = segments_[j].links;
        break;
      }
      connect({routers + forth.from, device_of_[i], {}, forth.queue, forth.links}, std::move(back));
    }
  }

  /// Addresses 10.x.x.x: a block of equal size for each endpoint, the hosts of an endpoint one after the other.
  void lay_hosts(int routers) {
    std::size_t most = 1;
    for (const auto& [endpoint, hosts] : hosts_at_) most = std::max(most, hosts.size());
    int bits = 1;
    while ((std::size_t{1} << bits) < most + 2) ++bits;
    if (hosts_at_.size() >= std::size_t{1} << (24 - bits)) {
      throw BadInput(fmt::format("platform `{}`: {} clusters of up to {} hosts are more than can be emulated",
                                 network_.name, hosts_at_.size(), most));
    }
    std::uint32_t block = 10U << 24;
    for (const auto& [endpoint, hosts] : hosts_at_) {
      block += 1U << bits;
      const auto text = [](std::uint32_t a) {
        return fmt::format("{}.{}.{}.{}", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255);
      };
      const int own_router = junction_of_[endpoint];
      for (std::size_t i = 0; i < hosts.size(); ++i) {
        const int number = container_of_[hosts[i]];
        Container& container = plan_.containers[number];
        container.address = text(block + static_cast<std::uint32_t>(i) + 1);
        container.routes.push_back({"10.0.0.0/8", "eth0"});
        const std::string port = fmt::format("p{}", number);
        plan_.containers[routers + own_router].routes.push_back({container.address + "/32", port});
        const Host& host = network_.hosts[hosts[i]];
        connect({number, "eth0", {}, host_queue(host.up), host.up},
                {routers + own_router, port, {}, down_queue(hosts[i]), host.down});
      }
      for (int junction = 0; junction < junctions_; ++junction) {
        const auto onward = onward_.find({junction, endpoint});
        if (onward == onward_.end() || onward->second < 0) continue;
        plan_.containers[routers + junction].routes.push_back(
            {fmt::format("{}/{}", text(block), 32 - bits), device_of_[onward->second]});
      }
    }
  }

  std::vector<Queue> queues_between(int from, int to) const {
    std::vector<Queue> queues{host_queue(network_.hosts[from].up)};
    const auto path = paths_.find({network_.hosts[from].endpoint, network_.hosts[to].endpoint});
    if (path != paths_.end()) {
      for (const int segment : path->second) queues.push_back(segments_[segment].queue);
    }
    queues.push_back(down_queue(to));
    std::erase_if(queues, [](const Queue& queue) { return !queue.shapes(); });
    return queues;
  }

  void choose_probes() {
    std::set<std::string> classes;
    for (const int from : hosts_) {
      for (const int to : hosts_) {
        if (from == to) continue;
        const Route route = network_.route(from, to);
        if (!classes.insert(fmt::format("{:.6g} {:.6g}", route.latency_s, route.bandwidth_Bps)).second) continue;
        ProbePair probe{container_of_[from], container_of_[to],        route.latency_s,
                        route.bandwidth_Bps, queues_between(from, to), queues_between(to, from)};
        probe.shaped = options_.shape_host_links || !probe.forth.empty();
        plan_.probes.push_back(std::move(probe));
      }
    }
  }

  static constexpr double unlimited = std::numeric_limits<double>::infinity();

  const Network& network_;
  PlanOptions options_;
  std::vector<int> hosts_;                    // that carry ranks
  std::map<int, std::vector<int>> hosts_at_;  // by endpoint
  std::vector<Segment> segments_;
  std::map<std::pair<int, int>, std::vector<int>> paths_;  // segments between two endpoints
  std::map<int, int> junction_of_;                         // of an endpoint
  int junctions_ = 0;
  std::map<std::pair<int, int>, int> onward_;  // (junction, endpoint to reach) -> segment; -1: arrived
  std::map<int, double> arriving_;             // the highest rate at which frames for an endpoint's hosts come in
  std::map<int, int> container_of_;            // of a host
  std::vector<std::string> device_of_;         // of a segment, where it starts
  EmulationPlan plan_;
};

}  // namespace

PlanOptions plan_options_of(const std::string& substrate) {
  // In real time their timers, or the waking of a process, take longer than a frame on a host's own link.
  const bool exact = substrate == "native" || substrate == "virtual";
  return {.shape_host_links = exact, .delay_line = substrate == "delay-line"};
}

EmulationPlan plan_emulation(const Network& network, const Placement& placement, const PlanOptions& options) {
  return Planner(network, placement, options).take();
}

void check_plan(const Network& network, const Placement& placement, const Conditions& conditions) {
  queue_changes(plan_emulation(network, placement, {.conditions = conditions}), network, conditions);
}

}  // namespace isthmus
