#include "algorithms/tuning/link_load.hpp"

#include <map>
#include <utility>
#include <vector>

namespace isthmus {
namespace {

struct Sum {
  double bytes = 0, messages = 0;

  void operator+=(const Sum& other) {
    bytes += other.bytes;
    messages += other.messages;
  }
};

/// Sums by host and by pair of endpoints first: there are many messages and few of these.
class Loads {
 public:
  explicit Loads(const PlacedNetwork& placed)
      : placed_(placed),
        network_(placed.network()),
        out_(network_.hosts.size()),
        in_(network_.hosts.size()),
        inside_(network_.hosts.size()) {}

  void add(int from_rank, int to_rank, const Sum& message) {
    const int from = placed_.host_of(from_rank), to = placed_.host_of(to_rank);
    if (from == to) {
      inside_[from] += message;
      return;
    }
    out_[from] += message;
    in_[to] += message;
    const std::pair ends{network_.hosts[from].endpoint, network_.hosts[to].endpoint};
    if (last_ == nullptr || ends != last_ends_) {
      if (!between_.contains(ends)) network_.route(from, to);  // throws for a missing route
      last_ = &between_[ends];
      last_ends_ = ends;
    }
    *last_ += message;
  }

  LinkLoad busiest() const {
    std::vector<Sum> loads(network_.links.size());
    const auto charge = [&](const std::vector<int>& links, const Sum& sum) {
      for (const int link : links) loads[link] += sum;
    };
    for (std::size_t host = 0; host < network_.hosts.size(); ++host) {
      charge(network_.hosts[host].up, out_[host]);
      charge(network_.hosts[host].down, in_[host]);
      charge(network_.hosts[host].loopback, inside_[host]);
    }
    for (const auto& [ends, sum] : between_) charge(network_.trunks.at(ends).links, sum);
    LinkLoad busiest;
    for (std::size_t number = 0; number < loads.size(); ++number) {
      const Link& link = network_.links[number];
      if (link.sharing != Sharing::shared || link.link_class >= 0 || loads[number].messages == 0) continue;
      const double header_s = loads[number].messages * network_.transport.header_bytes / link.bandwidth_Bps;
      const double seconds = loads[number].bytes / link.bandwidth_Bps + header_s;
      if (seconds > busiest.seconds) busiest = {seconds, header_s};
    }
    return busiest;
  }

 private:
  const PlacedNetwork& placed_;
  const Network& network_;
  std::vector<Sum> out_, in_, inside_;  // by host
  std::map<std::pair<int, int>, Sum> between_;
  std::pair<int, int> last_ends_;
  Sum* last_ = nullptr;
};

}  // namespace

LinkLoad busiest_link(const PlacedNetwork& placed, const ProgramSource& programs, std::int64_t element_bytes) {
  Loads loads(placed);
  Program program;
  for (int rank = 0; rank < placed.size(); ++rank) {
    program.clear();
    programs(rank, program);
    for (const Op& op : program.ops())
      if (op.kind == OpKind::send) loads.add(rank, op.peer, {static_cast<double>(op.from.count * element_bytes), 1});
  }
  return loads.busiest();
}

}  // namespace isthmus
