// The rows of capacity of a packing, and what a hop takes, for pieces of one size.
//
// A row is a shared link between sites; what the hosts of a site send or take in together over links of their own; and,
// where messages take processor time, the processors of a site's ranks. The site of a root has rows for the root's host
// alone and for its neighbours.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/synthesis/site_network.hpp"
#include "algorithms/ways/arborescence.hpp"
#include "algorithms/ways/packing_programme.hpp"
#include "algorithms/ways/turns.hpp"

namespace isthmus {

/// How a tree is used: `out` of its root (broadcast, allgather) or `in` to it (reduce, reduce_scatter).
enum class TreeUse : std::uint8_t { out, in };

class SiteRows {
 public:
  /// `root`: a rank, or -1. `reduces`: receivers combine. `piece_bytes` is at least 1. `acknowledged`: what receivers
  /// send back (Transport) takes from the links of the way back too.
  SiteRows(const SiteNetwork& network, int root, bool reduces, double piece_bytes, bool acknowledged = false);

  /// Whether what is sent back takes more than a twentieth of some link between sites if the other direction is full.
  static bool acknowledgements_matter(const SiteNetwork& network);

  double piece_bytes() const { return piece_bytes_; }
  int sites() const { return network_->size(); }
  /// Bytes a second of data, headers taken off; of processors seconds a second.
  const std::vector<double>& capacity() const { return capacity_; }
  /// The seconds of a piece from a host of one site to one of another in an idle network; infinite without a route.
  const EdgeTable& hop(TreeUse use) const { return use == TreeUse::out ? hop_ : hop_turned_; }
  /// The seconds from one rank of a site to all others.
  const std::vector<double>& local_s() const { return local_s_; }
  double local_hop_s(int site) const { return local_hop_s_[site]; }
  /// What the hosts of a site, or the root alone, can send and take in: the lesser of the two.
  double site_Bps(int site) const { return std::min(capacity_[out(site)], capacity_[in(site)]); }
  /// Whether neighbours of the root may drive the edges of a tree at this site.
  bool can_help(int site) const { return site == root_site_ && network_->site(site).hosts > 1; }

  /// What a byte a second takes from the rows: along a tree, along a path, from host to host inside a site.
  /// `apart`: sites whose members have edges of their own.
  std::vector<RowLoad> tree_loads(const Parents& tree, const std::vector<int>& apart, bool helped, TreeUse use) const;
  std::vector<RowLoad> path_loads(std::span<const int> path) const;
  /// The same along a tree with the times of the loads, for which a row may come several times.
  std::vector<TimedLoad> timed_tree_loads(const Parents& tree, const std::vector<int>& apart, bool helped,
                                          TreeUse use) const;
  std::vector<RowLoad> local_loads(int site, bool to_root) const;
  static std::vector<RowLoad> sum(const std::vector<RowLoad>& a, const std::vector<RowLoad>& b);

  /// The cost of each edge of a tree (from parent to child), and what any tree out of `origin` costs beside its edges.
  struct TreeCosts {
    EdgeTable edges;
    double fixed = 0;
    std::vector<char> apart;  ///< by edge, as in the table: whether it costs less if the child's members stand apart

    bool is_apart(int parent, int child) const {
      return !apart.empty() && apart[static_cast<std::size_t>(parent) * edges.nodes + child] != 0;
    }
  };
  struct Prices {
    std::vector<double> row;
    EdgeTable edge;  ///< of the shared links of each edge together
  };
  Prices priced(std::vector<double> row_prices) const;
  /// `may_be_apart`: whether members of sites may have edges of their own.
  TreeCosts tree_costs(const Prices& prices, int origin, bool helped, TreeUse use, bool may_be_apart) const;
  EdgeTable path_costs(const Prices& prices) const;
  /// 1 for the narrowest row of each edge that leaves a site, or enters it: of all sites where these carry least.
  std::vector<double> least_cut_prices() const;

 private:
  struct Counts;
  class Adder;
  /// Hops, and the processor time of a byte. Returns the rate of the widest edge.
  double measure_edges(bool reduces);
  void load_edges(const std::vector<int>& row_of_shared, bool acknowledged);
  void add_host_rows(int root, const std::vector<double>& crossing_Bps, double greatest_Bps);
  /// What a piece takes inside each site.
  void measure_sites();
  std::vector<int> rows_that_bind(const std::vector<double>& shared_Bps, bool acknowledged);
  std::vector<double> rates_across(const std::vector<double>& shared_Bps, double greatest_Bps) const;
  void leave_out_idle_processors(const std::vector<double>& crossing_Bps);
  Counts counts_at(int site, int children, bool is_origin, bool helped) const;
  template <typename Add>
  void for_each_load(int site, int children, bool is_origin, bool helped, TreeUse use, const Add& add) const;
  /// Calls add(site, whether the load is that of its edge to its parent or its own, load).
  template <typename Add>
  void for_each_tree_load(const Parents& tree, const std::vector<int>& apart, bool helped, TreeUse use,
                          const Add& add) const;
  /// Whether every rank of a site has a host of its own, and there are several.
  bool has_single_ranks(int site) const;
  std::span<const RowLoad> edge_loads(int from, int to) const {
    const std::size_t edge = static_cast<std::size_t>(from) * sites() + to;
    return std::span(edge_loads_).subspan(first_load_[edge], first_load_[edge + 1] - first_load_[edge]);
  }
  int out(int site) const { return first_site_row_ + 2 * site; }
  int in(int site) const { return first_site_row_ + 2 * site + 1; }
  int helpers() const { return first_site_row_ + 2 * sites(); }
  int processors(int site) const { return helpers() + 1 + site; }
  /// Whether ways are charged to a row of a site: not between many sites if what crosses the links cannot fill it.
  /// Between few such rows take no time, and thrift with them decides between ways that are about as good.
  bool is_charged(int site_row) const {
    constexpr int kFewSites = 8;
    return sites() <= kFewSites || fills_[site_row - first_site_row_] != 0;
  }
  bool has_processors() const { return send_s_ > 0 || receive_s_ > 0; }

  const SiteNetwork* network_;
  double piece_bytes_;
  int root_site_ = -1;
  int first_site_row_ = 0;
  double send_s_ = 0, receive_s_ = 0;  // processor time for a byte of a piece
  std::vector<double> capacity_;
  std::vector<char> fills_;              // of the sites' out() and in(): whether they may fill
  std::vector<RowLoad> edge_loads_;      // of shared links, by (from, to)
  std::vector<std::size_t> first_load_;  // in these, by the same; and the end
  EdgeTable hop_, hop_turned_;
  std::vector<double> local_s_, local_hop_s_;
};

}  // namespace isthmus
