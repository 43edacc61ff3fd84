#include "sim/message_times.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>
#include <unordered_map>
#include <unordered_set>

#include "sim/link_queue.hpp"

namespace isthmus {
namespace {

namespace s4u = simgrid::s4u;
using Links = std::vector<s4u::Link*>;
using Zones = std::unordered_set<s4u::NetZone*>;

// SMPI adds an envelope of its own to every message.
constexpr double kEnvelope_bytes = 16;
// Makes the bytes of a message cost nothing in SimGrid's reckoning.
constexpr double kNoCost = 1e12;

class MessageTimes {
 public:
  MessageTimes(const s4u::Engine& engine, const Network& network, Queueing queueing)
      : header_bytes_(network.transport.header_bytes), queueing_(queueing) {
    for (const Host& host : network.hosts) {
      const s4u::Host* found = engine.host_by_name_or_null(host.name);
      if (found != nullptr && !host.loopback.empty()) loops_back_.insert(found);
    }
    if (queueing_ != Queueing::fifo) return;
    // The queues below settle who waits for whom; SimGrid's own sharing must not slow anybody again.
    for (s4u::Link* link : engine.get_all_links()) {
      if (link->get_sharing_policy() == s4u::Link::SharingPolicy::SHARED) queues_.try_emplace(link);
      link->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE);
    }
  }

  // SimGrid asks for the factor of the bandwidth as a message leaves, and right afterwards for that of the latency.
  double bandwidth_factor(double size, const s4u::Host* from, const s4u::Host* to, const Links& links) {
    latency_factor_ = 1;
    const double bytes = std::max(0.0, size - kEnvelope_bytes) + header_bytes_;
    if (links.empty()) return 1;
    if (from == to && !loops_back_.contains(from)) {
      latency_factor_ = 0;
      return kNoCost;
    }
    if (queueing_ == Queueing::fluid) return bytes > 0 ? size / bytes : kNoCost;
    double latency_s = 0;
    double least_Bps = std::numeric_limits<double>::infinity();
    for (const s4u::Link* link : links) {
      latency_s += link->get_latency();
      least_Bps = std::min(least_Bps, link->get_bandwidth());
    }
    const double seconds = way_s(bytes, links);
    if (latency_s > 0) {
      // All of the way passes as latency, during which SimGrid has no flows to share links among.
      latency_factor_ = seconds / latency_s;
      return kNoCost;
    }
    return seconds > 0 ? size / (least_Bps * seconds) : kNoCost;
  }

  double latency_factor() const { return latency_factor_; }

 private:
  // Cut-through: the head moves on after a link's latency; the tail leaves a link when all bytes have crossed it, and
  // not before it has come. Uncontended, this is the sum of the latencies + bytes / the least bandwidth.
  double way_s(double bytes, const Links& links) {
    const double now_s = s4u::Engine::get_clock();
    double head_s = now_s, tail_s = now_s;
    for (const s4u::Link* link : links) {
      const double crossing_s = bytes / link->get_bandwidth();
      const auto queue = queues_.find(link);
      if (queue != queues_.end()) head_s = queue->second.cross(head_s, crossing_s, now_s);
      tail_s = std::max(head_s + crossing_s, tail_s) + link->get_latency();
      head_s += link->get_latency();
    }
    return tail_s - now_s;
  }

  double header_bytes_;
  Queueing queueing_;
  std::unordered_set<const s4u::Host*> loops_back_;
  std::unordered_map<const s4u::Link*, LinkQueue> queues_;
  double latency_factor_ = 1;
};

}  // namespace

void set_message_times(const s4u::Engine& engine, const Network& network, Queueing queueing) {
  const auto times = std::make_shared<MessageTimes>(engine, network, queueing);
  auto* model = engine.get_netzone_root()->get_network_model();
  model->set_bw_factor_cb([times](double size, const s4u::Host* from, const s4u::Host* to, const Links& links,
                                  const Zones&) { return times->bandwidth_factor(size, from, to, links); });
  model->set_lat_factor_cb([times](double, const s4u::Host*, const s4u::Host*, const Links&, const Zones&) {
    return times->latency_factor();
  });
}

}  // namespace isthmus
