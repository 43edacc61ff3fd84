#include "algorithms/synthesis/site_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

namespace isthmus {
namespace {

/// Sites hand larger pieces on along a chain of their ranks, smaller ones down a binary tree.
constexpr double kMaxTreePieceBytes = 16384;
/// What a processor has to do is left out where it could be busy for so little of the time at most.
constexpr double kIdleProcessor = 0.01;
/// Times the greatest rate between sites: no limit to speak of.
constexpr double kUnlimited = 1e3;

/// Of the shared links between two sites the least bandwidth; infinite without any.
double slowest_Bps(const SiteNetwork& network, int from, int to) {
  double least = unlimited_Bps;
  for (const int row : network.edge(from, to).shared)
    least = std::min(least, network.network().links[network.shared_links()[row]].bandwidth_Bps);
  return least;
}

/// What comes back for a byte that goes from one site to another.
void add_returned(const SiteNetwork& network, int from, int to, std::vector<RowLoad>& loads) {
  const Transport& transport = network.network().transport;
  const double slowest = slowest_Bps(network, from, to);
  if (!has_acknowledgements(transport) || !std::isfinite(slowest)) return;
  for (const int row : network.edge(to, from).shared) {
    const bool both_ways = std::ranges::find(network.edge(from, to).shared, row) != network.edge(from, to).shared.end();
    const double Bps = network.network().links[network.shared_links()[row]].bandwidth_Bps;
    if (!both_ways && acknowledgements_count(1 / Bps, 1 / slowest))
      loads.push_back({row, transport.acknowledgement_bytes / static_cast<double>(transport.frame_bytes)});
  }
}

/// By shared link: the edges that it is a part of.
class EdgesOfLinks {
 public:
  explicit EdgesOfLinks(const SiteNetwork& network) : first_(network.shared_links().size() + 1) {
    for_each(network, [&](int link, const SiteEdge&) { ++first_[link + 1]; });
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    edges_.resize(first_.back());
    std::vector<std::size_t> next = first_;
    for_each(network, [&](int link, const SiteEdge& edge) { edges_[next[link]++] = &edge; });
  }

  std::span<const SiteEdge* const> of(int link) const {
    return std::span(edges_).subspan(first_[link], first_[link + 1] - first_[link]);
  }

 private:
  template <typename Visit>
  static void for_each(const SiteNetwork& network, const Visit& visit) {
    for (int i = 0; i < network.size(); ++i)
      for (int j = 0; j < network.size(); ++j)
        for (const int link : network.edge(i, j).shared) visit(link, network.edge(i, j));
  }

  std::vector<std::size_t> first_;
  std::vector<const SiteEdge*> edges_;
};

}  // namespace

/// Collects loads by row.
class SiteRows::Adder {
 public:
  explicit Adder(std::size_t rows) : amount_(rows) {}

  void add(int row, double amount) {
    if (amount > 0) amount_[row] += amount;
  }
  std::vector<RowLoad> loads() const {
    std::vector<RowLoad> found;
    found.reserve(amount_.size());
    for (std::size_t row = 0; row < amount_.size(); ++row)
      if (amount_[row] > 0) found.push_back({static_cast<int>(row), amount_[row]});
    return found;
  }

 private:
  std::vector<double> amount_;
};

/// Messages over the links of a site's hosts for each piece that passes down a tree.
struct SiteRows::Counts {
  int sends = 0, receipts = 0, by_helpers = 0;  // by_helpers: sends
};

bool SiteRows::acknowledgements_matter(const SiteNetwork& network) {
  constexpr double much = 0.05;
  for (int i = 0; i < network.size(); ++i)
    for (int j = 0; j < network.size(); ++j) {
      if (!network.edge(i, j).exists) continue;
      std::vector<RowLoad> loads;
      add_returned(network, i, j, loads);
      const double Bps = slowest_Bps(network, i, j);
      for (const RowLoad& load : loads)
        if (Bps * load.amount > much * network.network().links[network.shared_links()[load.row]].bandwidth_Bps)
          return true;
    }
  return false;
}

SiteRows::SiteRows(const SiteNetwork& network, int root, bool reduces, double piece_bytes, bool acknowledged)
    : network_(&network), piece_bytes_(piece_bytes), root_site_(root < 0 ? -1 : network.site_of(root)) {
  const double greatest_Bps = measure_edges(reduces);
  std::vector<double> shared_Bps;
  shared_Bps.reserve(network.shared_links().size());
  capacity_.reserve(network.shared_links().size() + 3 * static_cast<std::size_t>(sites()) + 1);
  for (const int link : network.shared_links())
    shared_Bps.push_back(piece_bytes / occupation_s(network.network(), {&link, 1}, piece_bytes));
  load_edges(rows_that_bind(shared_Bps, acknowledged), acknowledged);
  const std::vector<double> crossing_Bps = rates_across(shared_Bps, greatest_Bps);
  add_host_rows(root, crossing_Bps, greatest_Bps);
  leave_out_idle_processors(crossing_Bps);
  if (has_processors())
    for (int s = 0; s < sites(); ++s)
      capacity_.push_back(s == root_site_ ? 1.0 : static_cast<double>(network.site(s).ranks.size()));
  measure_sites();
}

double SiteRows::measure_edges(bool reduces) {
  const Network& net = network_->network();
  const int k = sites();
  hop_ = EdgeTable(k);
  double greatest_Bps = 0;
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < k; ++j) {
      const SiteEdge& edge = network_->edge(i, j);
      if (!edge.exists) continue;
      const MessageCost cost = message_cost(net, edge.links, piece_bytes_);
      hop_.at(i, j) = cost.whole_s();
      if (cost.occupied_s > 0) greatest_Bps = std::max(greatest_Bps, piece_bytes_ / cost.occupied_s);
      send_s_ = std::max(send_s_, cost.send_s / piece_bytes_);
      receive_s_ = std::max(receive_s_, cost.receive_s / piece_bytes_);
    }
  }
  hop_turned_ = hop_.transposed();
  if (reduces) receive_s_ += net.transport.reduction_s_per_byte;
  return greatest_Bps == 0 ? 1e9 : greatest_Bps;
}

void SiteRows::load_edges(const std::vector<int>& row_of_shared, bool acknowledged) {
  const std::size_t edges = static_cast<std::size_t>(sites()) * sites();
  first_load_.reserve(edges + 1);
  edge_loads_.reserve(2 * edges);
  std::vector<RowLoad> loads;
  for (int i = 0; i < sites(); ++i)
    for (int j = 0; j < sites(); ++j) {
      loads.clear();
      for (const int link : network_->edge(i, j).shared) loads.push_back({link, 1});
      if (acknowledged && network_->edge(i, j).exists) add_returned(*network_, i, j, loads);
      first_load_.push_back(edge_loads_.size());
      for (const RowLoad& load : loads)
        if (row_of_shared[load.row] >= 0) edge_loads_.push_back({row_of_shared[load.row], load.amount});
    }
  first_load_.push_back(edge_loads_.size());
}

void SiteRows::add_host_rows(int root, const std::vector<double>& crossing_Bps, double greatest_Bps) {
  const Network& net = network_->network();
  first_site_row_ = static_cast<int>(capacity_.size());
  fills_.reserve(2 * static_cast<std::size_t>(sites()));
  // Of a host's own links: the share of the bandwidth that is left for data. Without links there is no limit to speak
  // of.
  const auto data_Bps = [&](double Bps, const std::vector<int>& links) {
    if (Bps == unlimited_Bps) return kUnlimited * greatest_Bps;
    double least = unlimited_Bps;
    for (const int link : links) least = std::min(least, net.links[link].bandwidth_Bps);
    const double occupied_s = occupation_s(net, links, piece_bytes_);
    return occupied_s > 0 ? Bps * piece_bytes_ / occupied_s / least : Bps;
  };
  for (int s = 0; s < sites(); ++s) {
    const Site& site = network_->site(s);
    const Host& host = net.hosts[network_->placed().host_of(site.ranks.front())];
    const bool rooted = s == root_site_;
    // A piece crosses hosts' links once for each edge between sites, and once for each host.
    const double max_Bps = crossing_Bps[s] * (site.hosts + 1);
    for (const double own_Bps : {data_Bps(rooted ? network_->out_Bps(root) : site.out_Bps, host.up),
                                 data_Bps(rooted ? network_->in_Bps(root) : site.in_Bps, host.down)}) {
      fills_.push_back(own_Bps < max_Bps ? 1 : 0);
      capacity_.push_back(own_Bps >= max_Bps ? std::max(own_Bps, kUnlimited * greatest_Bps) : own_Bps);
    }
  }
  if (root_site_ >= 0 && network_->site(root_site_).hosts > 1) {
    const Site& site = network_->site(root_site_);
    const Host& host = net.hosts[network_->placed().host_of(site.ranks.front())];
    const double rest = std::max(std::min(site.out_Bps - network_->out_Bps(root), site.in_Bps - network_->in_Bps(root)),
                                 1e-3 * std::min(site.out_Bps, site.in_Bps));
    capacity_.push_back(data_Bps(std::isfinite(rest) ? rest : unlimited_Bps, host.up));
  } else {
    capacity_.push_back(greatest_Bps);  // of no neighbours; nothing is charged to it
  }
}

void SiteRows::measure_sites() {
  local_hop_s_.reserve(sites());
  local_s_.reserve(sites());
  for (int s = 0; s < sites(); ++s) {
    const int hosts = network_->site(s).hosts;
    const double hop_s = hosts > 1 ? message_s(network_->network(), network_->local_route(s), piece_bytes_) : 0;
    const int hops = piece_bytes_ > kMaxTreePieceBytes ? hosts - 1 : std::bit_width(static_cast<unsigned>(hosts)) - 1;
    local_hop_s_.push_back(hop_s);
    local_s_.push_back(hops * hop_s);
  }
}

/// Rows that others keep from filling would only make the programme larger. They also differ where two networks are the
/// same to a packing: a network that was discovered lacks links that no test can fill. The widest are looked at first.
/// Where what is sent back counts too, all are kept. Gives the row of each shared link, or -1.
std::vector<int> SiteRows::rows_that_bind(const std::vector<double>& shared_Bps, bool acknowledged) {
  const auto links = static_cast<int>(shared_Bps.size());
  std::vector<int> widest_first(links);
  std::iota(widest_first.begin(), widest_first.end(), 0);
  std::ranges::stable_sort(widest_first, std::greater<>(), [&](int link) { return shared_Bps[link]; });
  const EdgesOfLinks edges(*network_);
  std::vector<char> binds(links, 1);
  for (const int link : widest_first) {
    double most_Bps = 0;
    for (const SiteEdge* edge : edges.of(link)) {
      double least_Bps = unlimited_Bps;
      for (const int other : edge->shared)
        if (other != link && binds[other] != 0) least_Bps = std::min(least_Bps, shared_Bps[other]);
      most_Bps += least_Bps;
    }
    if (!acknowledged && most_Bps <= shared_Bps[link]) binds[link] = 0;
  }
  std::vector<int> rows(links, -1);
  for (int link = 0; link < links; ++link) {
    if (binds[link] == 0) continue;
    rows[link] = static_cast<int>(capacity_.size());
    capacity_.push_back(shared_Bps[link]);
  }
  return rows;
}

/// What can leave each site and enter it over its edges, together.
std::vector<double> SiteRows::rates_across(const std::vector<double>& shared_Bps, double greatest_Bps) const {
  std::vector<double> crossing_Bps(sites());
  for (int i = 0; i < sites(); ++i) {
    for (int j = 0; j < sites(); ++j) {
      const SiteEdge& edge = network_->edge(i, j);
      if (!edge.exists) continue;
      double least_Bps = kUnlimited * greatest_Bps;
      for (const int link : edge.shared) least_Bps = std::min(least_Bps, shared_Bps[link]);
      crossing_Bps[i] += least_Bps;
      crossing_Bps[j] += least_Bps;
    }
  }
  return crossing_Bps;
}

void SiteRows::leave_out_idle_processors(const std::vector<double>& crossing_Bps) {
  for (int s = 0; s < sites(); ++s) {
    const double times = static_cast<double>(network_->site(s).ranks.size()) + 1;
    if (times * crossing_Bps[s] * (send_s_ + receive_s_) > kIdleProcessor) return;
  }
  send_s_ = receive_s_ = 0;
}

SiteRows::Counts SiteRows::counts_at(int site, int children, bool is_origin, bool helped) const {
  const int hosts = network_->site(site).hosts;
  if (site != root_site_) return {children + hosts - 1, is_origin ? hosts - 1 : hosts, 0};
  if (helped) return {1, 0, children + hosts - 2};
  return {children + (hosts > 1 ? 1 : 0), 0, std::max(0, hosts - 2)};
}

template <typename Add>
void SiteRows::for_each_load(int site, int children, bool is_origin, bool helped, TreeUse use, const Add& add) const {
  const bool turned = use == TreeUse::in;
  const Counts counts = counts_at(site, children, is_origin, helped);
  if (const int row = turned ? in(site) : out(site); is_charged(row)) add(row, counts.sends);
  if (const int row = turned ? out(site) : in(site); is_charged(row)) add(row, counts.receipts);
  if (site == root_site_) add(helpers(), counts.by_helpers);
  if (!has_processors()) return;
  // All ranks of a site, also those that share a host, get the piece from one another; the root's own processor does
  // what its host does.
  const int more =
      site == root_site_ ? 0 : static_cast<int>(network_->site(site).ranks.size()) - network_->site(site).hosts;
  add(processors(site), (counts.sends + more) * (turned ? receive_s_ : send_s_) +
                            (counts.receipts + more) * (turned ? send_s_ : receive_s_));
}

bool SiteRows::has_single_ranks(int site) const {
  const Site& of = network_->site(site);
  return of.hosts > 1 && static_cast<int>(of.ranks.size()) == of.hosts;
}

template <typename Add>
void SiteRows::for_each_tree_load(const Parents& tree, const std::vector<int>& apart, bool helped, TreeUse use,
                                  const Add& add) const {
  std::vector<int> children(sites());
  for (int v = 0; v < sites(); ++v) {
    if (tree[v] == v) continue;
    const int edges = std::binary_search(apart.begin(), apart.end(), v) ? network_->site(v).hosts : 1;
    children[tree[v]] += edges;
    children[v] -= edges - 1;  // what its members do not hand on to each other
    const std::span<const RowLoad> edge = use == TreeUse::out ? edge_loads(tree[v], v) : edge_loads(v, tree[v]);
    for (const RowLoad& load : edge) add(v, true, RowLoad{load.row, edges * load.amount});
  }
  for (int s = 0; s < sites(); ++s)
    for_each_load(s, children[s], tree[s] == s, helped && tree[s] == s, use, [&](int row, double amount) {
      add(s, false, RowLoad{row, amount});
    });
}

std::vector<RowLoad> SiteRows::tree_loads(const Parents& tree, const std::vector<int>& apart, bool helped,
                                          TreeUse use) const {
  Adder adder(capacity_.size());
  for_each_tree_load(tree, apart, helped, use, [&](int, bool, RowLoad load) { adder.add(load.row, load.amount); });
  return adder.loads();
}

std::vector<TimedLoad> SiteRows::timed_tree_loads(const Parents& tree, const std::vector<int>& apart, bool helped,
                                                  TreeUse use) const {
  const std::vector<double> from_root_s = arrival_times(tree, hop(use));
  std::vector<int> deepest_first(sites());
  std::iota(deepest_first.begin(), deepest_first.end(), 0);
  std::ranges::stable_sort(deepest_first, std::greater<>(), [&](int site) { return from_root_s[site]; });
  std::vector<double> below_s = local_s_;
  for (const int site : apart) below_s[site] = 0;
  for (const int site : deepest_first)
    below_s[tree[site]] = std::max(below_s[tree[site]], from_root_s[site] - from_root_s[tree[site]] + below_s[site]);
  std::vector<TimedLoad> loads;
  for_each_tree_load(tree, apart, helped, use, [&](int site, bool is_edge, RowLoad load) {
    if (load.amount <= 0) return;
    const int near_root = is_edge ? tree[site] : site;
    const double upper_s = from_root_s[near_root], lower_s = from_root_s[site] - upper_s + below_s[site];
    if (use == TreeUse::out)
      loads.push_back({load.row, load.amount, upper_s, lower_s});
    else
      loads.push_back({load.row, load.amount, below_s[site], from_root_s[site]});
  });
  return loads;
}

std::vector<RowLoad> SiteRows::path_loads(std::span<const int> path) const {
  constexpr std::size_t of_a_hop = 5;  // mostly
  std::vector<RowLoad> loads;
  loads.reserve(of_a_hop * path.size());
  // Only the links of several routes and the processors of sites that pass on come twice.
  const auto add = [&](int row, double amount) {
    for (RowLoad& load : loads)
      if (load.row == row) {
        load.amount += amount;
        return;
      }
    if (amount > 0) loads.push_back({row, amount});
  };
  for (std::size_t i = 1; i < path.size(); ++i) {
    for (const RowLoad& load : edge_loads(path[i - 1], path[i])) add(load.row, load.amount);
    for (const int row : {out(path[i - 1]), in(path[i])})
      if (is_charged(row)) loads.push_back({row, 1});
    if (has_processors()) {
      add(processors(path[i - 1]), send_s_);
      add(processors(path[i]), receive_s_);
    }
  }
  return loads;
}

std::vector<RowLoad> SiteRows::local_loads(int site, bool to_root) const {
  // Where there is a root, its host alone sends or takes in all that stays in its site.
  if (site == root_site_) return {{to_root ? in(site) : out(site), 1}};
  return {{out(site), 1}, {in(site), 1}};
}

std::vector<RowLoad> SiteRows::sum(const std::vector<RowLoad>& a, const std::vector<RowLoad>& b) {
  std::vector<RowLoad> both;
  both.reserve(a.size() + b.size());
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].row < b[j].row)) {
      both.push_back(a[i++]);
    } else if (i == a.size() || b[j].row < a[i].row) {
      both.push_back(b[j++]);
    } else {
      both.push_back({a[i].row, a[i].amount + b[j].amount});
      ++i;
      ++j;
    }
  }
  return both;
}

SiteRows::Prices SiteRows::priced(std::vector<double> row_prices) const {
  Prices prices{std::move(row_prices), EdgeTable(sites())};
  for (int i = 0; i < sites(); ++i) {
    for (int j = 0; j < sites(); ++j) {
      if (!network_->edge(i, j).exists) continue;
      double& sum = prices.edge.at(i, j);
      sum = 0;
      for (const RowLoad& load : edge_loads(i, j)) sum += prices.row[load.row] * load.amount;
    }
  }
  return prices;
}

SiteRows::TreeCosts SiteRows::tree_costs(const Prices& prices, int origin, bool helped, TreeUse use,
                                         bool may_be_apart) const {
  const int k = sites();
  TreeCosts costs{EdgeTable(k), 0, {}};
  if (may_be_apart) costs.apart.assign(static_cast<std::size_t>(k) * k, 0);
  std::vector<double> child_price(k);
  for (int s = 0; s < k; ++s) {
    const auto priced = [&](int children) {
      double sum = 0;
      for_each_load(s, children, s == origin, helped && s == origin, use,
                    [&](int row, double amount) { sum += prices.row[row] * amount; });
      return sum;
    };
    const double without = priced(0);
    costs.fixed += without;
    child_price[s] = priced(1) - without;
  }
  for (int u = 0; u < k; ++u) {
    for (int v = 0; v < k; ++v) {
      const double of_edge = use == TreeUse::in ? prices.edge.at(v, u) : prices.edge.at(u, v);
      if (of_edge == EdgeTable::kNoEdge) continue;
      const double whole = of_edge + std::max(0.0, child_price[u]);
      costs.edges.at(u, v) = whole;
      if (!may_be_apart || !has_single_ranks(v)) continue;
      const int hosts = network_->site(v).hosts;
      const double in_parts = hosts * whole - (hosts - 1) * std::max(0.0, child_price[v]);
      if (in_parts >= whole) continue;
      costs.edges.at(u, v) = std::max(0.0, in_parts);
      costs.apart[static_cast<std::size_t>(u) * k + v] = 1;
    }
  }
  return costs;
}

std::vector<double> SiteRows::least_cut_prices() const {
  std::vector<double> least;
  double least_Bps = unlimited_Bps;
  const auto narrower = [&](const RowLoad& a, const RowLoad& b) { return capacity_[a.row] < capacity_[b.row]; };
  // `crossings`: edges over the cut that a tree in and a tree out have together.
  const auto look_at = [&](int crossings, const auto& is_cut) {
    std::vector<double> prices(capacity_.size());
    double cut_Bps = 0;
    for (int u = 0; u < sites(); ++u)
      for (int v = 0; v < sites(); ++v) {
        if (!is_cut(u, v) || edge_loads(u, v).empty()) continue;
        const int row = std::ranges::min_element(edge_loads(u, v), narrower)->row;
        if (prices[row] == 0) cut_Bps += capacity_[row];
        prices[row] = 1;
      }
    if (cut_Bps >= crossings * least_Bps) return;
    least_Bps = cut_Bps / crossings;
    least = std::move(prices);
  };
  for (int s = 0; s < sites(); ++s) {
    look_at(1, [&](int from, int) { return from == s; });
    look_at(1, [&](int, int to) { return to == s; });
  }
  look_at(2 * (sites() - 1), [](int, int) { return true; });
  return least;
}

EdgeTable SiteRows::path_costs(const Prices& prices) const {
  EdgeTable costs = prices.edge;
  const std::vector<double>& price = prices.row;
  for (int i = 0; i < sites(); ++i) {
    for (int j = 0; j < sites(); ++j) {
      for (const int row : {out(i), in(j)})
        if (is_charged(row)) costs.at(i, j) += price[row];
      if (has_processors()) costs.at(i, j) += price[processors(i)] * send_s_ + price[processors(j)] * receive_s_;
    }
  }
  return costs;
}

}  // namespace isthmus
