// What a packing has to know of a placed network: sites, the routes between them, and the links that these share.
//
// A site is an outermost group of the topology, or a rank in none; with a flat topology each rank is one. Sites are
// numbered by their lowest rank. A route between two sites is that between the hosts of their lowest ranks. Those of
// its shared links that every host of the two sites uses limit the sites together; the rest belongs to the hosts. The
// wire of a site's only host, on which what it sends waits for what it receives, limits the site too.
// Messages on a fatpipe link do not slow each other: it limits each message, and no sum.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "algorithms/network/placed_network.hpp"

namespace isthmus {

/// The rate of what nothing limits.
inline constexpr double unlimited_Bps = std::numeric_limits<double>::infinity();

struct Site {
  std::string name;        ///< of the group, or `rank 5`
  std::vector<int> ranks;  ///< ascending
  int hosts = 0;           ///< that run them
  /// What its hosts can send and take in together over links of their own; infinite without any, or if the lines of a
  /// site of one host cannot fill them.
  double out_Bps = 0, in_Bps = 0;
};

/// The route between two sites.
struct SiteEdge {
  bool exists = false;      ///< there is a route, and no link of it has a bandwidth of 0
  std::vector<int> links;   ///< all links of the route, in order
  std::vector<int> shared;  ///< indices into SiteNetwork::shared_links()
};

class SiteNetwork {
 public:
  /// Throws BadInput if there is one site only.
  explicit SiteNetwork(const PlacedNetwork& placed);

  const PlacedNetwork& placed() const { return placed_; }
  const Network& network() const { return placed_.network(); }
  int size() const { return static_cast<int>(sites_.size()); }
  const Site& site(int number) const { return sites_[number]; }
  int site_of(int rank) const { return site_of_rank_[rank]; }
  const SiteEdge& edge(int from, int to) const { return edges_[static_cast<std::size_t>(from) * sites_.size() + to]; }
  /// The links of the network that limit routes between sites together.
  const std::vector<int>& shared_links() const { return shared_links_; }

  /// What the host of a rank can send or take in over links of its own; infinite without any.
  double out_Bps(int rank) const { return host_out_Bps_[rank]; }
  double in_Bps(int rank) const { return host_in_Bps_[rank]; }
  /// The route between two hosts of a site; empty if it has one host.
  const std::vector<int>& local_route(int site) const { return local_routes_[site]; }

  /// Only the edges whose entry, [from * size() + to], is not 0.
  SiteNetwork with_edges(const std::vector<char>& kept) const;
  /// The same network, in which site order[i] is number i.
  SiteNetwork renumbered(const std::vector<int>& order) const;

 private:
  void find_sites();
  void find_edges();
  void find_rates();
  /// Of a site of one host: a link wider than all lines to other sites together, which a discovered network lacks.
  void forget_links_that_nothing_fills(int number);
  /// The numbers of shared links follow the edges; links of none go.
  void number_shared_links();
  int first_host(int site) const { return placed_.host_of(sites_[site].ranks.front()); }
  const Trunk* trunk(int from_endpoint, int to_endpoint) const;
  std::vector<int> own_links(int site, int endpoint, bool out) const;
  /// Whether a link limits what the only host of a site sends and receives together.
  bool is_wire_of(int site, const Host& host, int link) const;

  PlacedNetwork placed_;
  std::vector<Site> sites_;
  std::vector<int> site_of_rank_;
  std::vector<std::vector<int>> endpoints_;  // of each site, that of its lowest rank first
  std::vector<SiteEdge> edges_;
  std::vector<int> shared_links_;
  std::vector<double> host_out_Bps_, host_in_Bps_;  // by rank
  std::vector<std::vector<int>> local_routes_;
};

/// How long a message of so many bytes occupies the slowest of these links, in seconds; 0 without links.
double occupation_s(const Network& network, std::span<const int> links, double bytes);
/// How long it takes over them in an idle network, with what processors add at both ends.
double message_s(const Network& network, std::span<const int> links, double bytes);
/// The processor time of a send and of a receive over these links.
double send_overhead_s(const Network& network, std::span<const int> links, double bytes);
double receive_overhead_s(const Network& network, std::span<const int> links, double bytes);

/// All of these at once.
struct MessageCost {
  double latency_s = 0, occupied_s = 0, send_s = 0, receive_s = 0;

  /// The tail comes no earlier than a latency after the sender's processor is done, and is received from its head on.
  double whole_s() const { return latency_s + std::max({occupied_s, send_s, receive_s}); }
};
MessageCost message_cost(const Network& network, std::span<const int> links, double bytes);

}  // namespace isthmus
