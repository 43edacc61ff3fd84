#include "algorithms/packed/packed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/packed/along_paths.hpp"
#include "algorithms/packed/along_trees.hpp"
#include "algorithms/packed/bundles.hpp"
#include "algorithms/packed/exchanged_sums.hpp"
#include "algorithms/packed/scan_along_paths.hpp"
#include "algorithms/packed/site_tree.hpp"
#include "algorithms/packed/sites.hpp"

namespace isthmus {
namespace {

bool takes_paths(Collective collective) {
  if (is_scan(collective)) return true;
  return has_blocks(collective) && collective != Collective::allgather && collective != Collective::allgatherv &&
         !has_operator(collective);
}

void check_path(const std::vector<int>& path, int sites) {
  std::vector<bool> seen(sites, false);
  for (const int site : path) {
    if (site >= sites)
      throw BadInput(fmt::format("packing: a path names site {}; 0 to {} would be right", site, sites - 1));
    if (seen[site]) throw BadInput(fmt::format("packing: a path visits site {} twice", site));
    seen[site] = true;
  }
  if (path.size() < 2) throw BadInput("packing: a path needs two sites at least");
}

/// Calls visit(from, to) for the sites between which a collective needs paths.
template <typename Visit>
void for_each_pair(const Problem& problem, const SiteNumbers& sites, Visit visit) {
  const bool has_one_root = has_root(problem.collective);
  const int root = has_one_root ? sites.of(problem.root) : 0;
  for (int from = 0; from < sites.count(); ++from)
    for (int to = 0; to < sites.count(); ++to) {
      if (from == to || (has_one_root && (is_scatter(problem.collective) ? from : to) != root)) continue;
      if (!is_scan(problem.collective) || to == from + 1) visit(from, to);
    }
}

void check_paths(const Problem& problem, const Packing& packing, const SiteNumbers& sites) {
  check_bundles(problem.collective, packing);
  std::set<std::pair<int, int>> there;
  for (const Way& way : packing.ways) {
    if (!way.back.empty()) throw BadInput("packing: a path has no tree out (^)");
    if (way.helped && packing.lines.empty()) throw BadInput("packing: a path has a helper (+) only if there are lines");
    if (!way.apart.empty()) throw BadInput("packing: a path has no sites apart (!)");
    check_path(way.sites, sites.count());
    there.emplace(way.sites.front(), way.sites.back());
  }
  std::size_t used = 0;
  for_each_pair(problem, sites, [&](int from, int to) {
    if (!there.contains({from, to})) throw BadInput(fmt::format("packing: no path from site {} to site {}", from, to));
    ++used;
  });
  if (used == there.size()) return;
  if (is_scan(problem.collective)) throw BadInput("packing: a path of a scan does not end at the site after its first");
  throw BadInput(fmt::format("packing: a path does not {} site {}, where the root is",
                             is_scatter(problem.collective) ? "start at" : "end at", sites.of(problem.root)));
}

void check_tree_out(const Way& way, int root, int sites) {
  check_tree(way.back, sites);
  if (SiteTree(way.back).root() != root)
    throw BadInput("packing: the tree in and the tree out of a way have different roots");
  if (way.helped) throw BadInput("packing: a helper (+) is for ways with an origin; an allreduce has none");
}

/// For an allreduce ways of a tree in and a tree out, or the trees along which sites exchange their sums.
void check_trees(const Problem& problem, const Packing& packing, const SiteNumbers& sites) {
  const bool exchanges = exchanges_sums(problem.collective, packing);
  const bool two_trees = problem.collective == Collective::allreduce && !exchanges;
  std::vector<bool> has_tree(sites.count(), false);
  for (const Way& way : packing.ways) {
    if (way.bundled) throw BadInput("packing: bundles (*) are for paths alone");
    check_tree(way.sites, sites.count());
    const int root = SiteTree(way.sites).root();
    has_tree[root] = true;
    for (const std::vector<int>* apart : {&way.apart, &way.back_apart})
      if (std::ranges::find(*apart, root) != apart->end())
        throw BadInput(fmt::format("packing: the root, site {}, has no site above it to have edges to (!)", root));
    if (way.back.empty() == two_trees)
      throw BadInput(two_trees ? "packing: some ways of the allreduce have a tree out (^) and some have none"
                               : "packing: a tree out (^) is for an allreduce alone");
    if (two_trees) check_tree_out(way, root, sites.count());
    if (exchanges && (way.helped || !way.apart.empty()))
      throw BadInput("packing: where sites exchange sums a tree has neither a helper (+) nor sites apart (!)");
    if (has_root(problem.collective) && root != sites.of(problem.root))
      throw BadInput(fmt::format("packing: the root of a tree is site {}; site {}, where the root is, would be right",
                                 root, sites.of(problem.root)));
  }
  if (!has_blocks(problem.collective) && !exchanges) return;
  if (const auto without = std::ranges::find(has_tree, false); without != has_tree.end())
    throw BadInput(fmt::format("packing: no tree for site {}{}", without - has_tree.begin(),
                               problem.collective == Collective::allreduce
                                   ? "; one for each site, or trees in and out, IN^OUT, would be right"
                                   : ""));
}

}  // namespace

bool takes_lines(Collective collective, const Packing& packing) {
  return !is_scan(collective) && !exchanges_sums(collective, packing) && !has_bundles(packing);
}

void serves_packed(const Topology& topology, const Problem& problem, const Parameters& parameters) {
  const Packing& packing = parameters.packing;
  if (has_operator(problem.collective) && !is_scan(problem.collective) && !problem.commutative)
    throw BadInput("ways combine in any order; an operator that commutes would be right");
  if (has_counts(problem.collective)) check_counts_known(problem);
  const SiteNumbers sites(topology);
  if (is_scan(problem.collective)) check_sites_in_order(Sites(topology));
  if (!packing.drivers.empty() && static_cast<int>(packing.drivers.size()) != sites.count())
    throw BadInput(
        fmt::format("drivers: {} numbers; {}, one a site, would be right", packing.drivers.size(), sites.count()));
  if (!packing.lines.empty() && !takes_lines(problem.collective, packing))
    throw BadInput(
        "lines: they order the pieces of trees and paths; scans, sums that sites exchange and bundles have no such "
        "pieces");
  constexpr int max_sites_with_lines = 512;  // a line for each two of them
  if (!packing.lines.empty() && sites.count() > max_sites_with_lines)
    throw BadInput(fmt::format("lines: {} sites; at most {} would be right", sites.count(), max_sites_with_lines));
  for (const WayLine& line : packing.lines)
    if (const int site = std::max(line.from, line.to); site >= sites.count())
      throw BadInput(fmt::format("lines: a line of site {}; 0 to {} would be right", site, sites.count() - 1));
  if (packing.empty()) return;
  if (takes_paths(problem.collective))
    check_paths(problem, packing, sites);
  else
    check_trees(problem, packing, sites);
}

std::vector<Way> direct_ways(const Topology& topology, const Problem& problem) {
  const SiteNumbers sites(topology);
  std::vector<Way> ways;
  const auto star = [&](int root) { return std::vector<int>(sites.count(), root); };
  if (takes_paths(problem.collective)) {
    for_each_pair(problem, sites, [&](int from, int to) { ways.push_back({.sites = {from, to}, .back = {}}); });
  } else if (problem.collective == Collective::allreduce) {
    for (int site = 0; site < sites.count(); ++site) ways.push_back({.sites = star(site), .back = star(site)});
  } else {
    for (int site = 0; site < sites.count(); ++site)
      if (!has_root(problem.collective) || site == sites.of(problem.root))
        ways.push_back({.sites = star(site), .back = {}});
  }
  return ways;
}

void write_packed(Program& program, const Call& call) {
  Packing direct;
  if (call.parameters.packing.empty()) {
    direct = call.parameters.packing;
    direct.ways = direct_ways(call.topology, call.problem);
  }
  const Packing& packing = direct.empty() ? call.parameters.packing : direct;
  if (is_scan(call.problem.collective))
    write_scan_along_paths(program, call, packing);
  else if (takes_paths(call.problem.collective))
    write_along_paths(program, call, packing);
  else if (exchanges_sums(call.problem.collective, packing))
    write_exchanged_sums(program, call, packing);
  else
    write_along_trees(program, call, packing);
}

}  // namespace isthmus
