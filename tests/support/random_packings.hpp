// Random packings, whatever they may be worth: every one of them has to be right.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/collective/packing.hpp"
#include "algorithms/collective/problem.hpp"
#include "algorithms/packed/packed.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// 1 to 6 sites of 1 to 5 ranks, whose ranks lie in any order; some with groups inside, some ranks in no site.
inline Topology random_sites(std::mt19937& random) {
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  std::vector<std::vector<std::string>> paths;
  const int sites = 1 + below(6);
  for (int site = 0; site < sites; ++site) {
    const std::string name = "s" + std::to_string(site);
    const int machines = below(3);
    for (int member = below(5); member >= 0; --member) {
      paths.push_back({name});
      if (machines > 0) paths.back().push_back("m" + std::to_string(below(machines)));
    }
  }
  if (below(4) == 0) paths.emplace_back();
  if (below(2) == 0) std::shuffle(paths.begin(), paths.end(), random);
  return Topology::from_paths(paths);
}

inline std::vector<int> random_tree(int sites, int root, std::mt19937& random) {
  std::vector<int> order(sites), parents(sites);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::swap(*std::find(order.begin(), order.end(), root), order.front());
  parents[root] = root;
  for (int i = 1; i < sites; ++i) parents[order[i]] = order[random() % static_cast<unsigned>(i)];
  return parents;
}

inline std::vector<int> random_path(int sites, int from, int to, std::mt19937& random) {
  std::vector<int> between;
  for (int site = 0; site < sites; ++site)
    if (site != from && site != to) between.push_back(site);
  std::shuffle(between.begin(), between.end(), random);
  between.resize(random() % (between.size() + 1));
  between.insert(between.begin(), from);
  between.push_back(to);
  return between;
}

/// One to three ways for whatever needs one. `root_site` is the site of the problem's root.
/// Some of the lines between sites, and what some sites can send and take in.
inline std::vector<WayLine> random_lines(int sites, std::mt19937& random) {
  std::vector<WayLine> lines;
  for (int from = -1; from < sites; ++from)
    for (int to = -1; to < sites; ++to)
      if (from != to && random() % 3 > 0)
        lines.push_back(
            {from, to, static_cast<std::int64_t>(random() % 1000), 1 + static_cast<std::int64_t>(random() % 1000)});
  return lines;
}

inline Packing random_packing(const Problem& problem, int sites, int root_site, std::mt19937& random) {
  Packing packing;
  const auto add = [&](std::vector<int> way, bool may_be_helped, std::vector<int> back = {}, bool is_path = false) {
    Way& added = packing.ways.emplace_back();
    added.sites = std::move(way);
    added.back = std::move(back);
    added.helped = may_be_helped && random() % 4 == 0;
    added.share = static_cast<std::int64_t>(1 + random() % 100);
    if (is_path) return;
    for (const auto& [tree, apart] : {std::pair(&added.sites, &added.apart), std::pair(&added.back, &added.back_apart)})
      for (int site = 0; site < static_cast<int>(tree->size()); ++site)
        if ((*tree)[site] != site && random() % 4 == 0) apart->push_back(site);
  };
  const auto some = [&] { return 1 + static_cast<int>(random() % 3); };
  /// A tree out of each site, in any order.
  const auto exchange = [&] {
    for (int root = 0; root < sites; ++root)
      for (int i = some(); i > 0; --i) {
        Way& way = packing.ways.emplace_back();
        way.sites = random_tree(sites, root, random);
        way.share = static_cast<std::int64_t>(1 + random() % 100);
      }
    std::shuffle(packing.ways.begin(), packing.ways.end(), random);
  };
  switch (problem.collective) {
    case Collective::broadcast:
    case Collective::reduce:
      for (int i = some(); i > 0; --i) add(random_tree(sites, root_site, random), true);
      break;
    case Collective::barrier:
      exchange();
      break;
    case Collective::allreduce:
      if (random() % 3 == 0) {
        exchange();
        break;
      }
      for (int i = some(); i > 0; --i) {
        const int root = static_cast<int>(random() % static_cast<unsigned>(sites));
        add(random_tree(sites, root, random), false, random_tree(sites, root, random));
      }
      break;
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      for (int root = 0; root < sites; ++root)
        for (int i = some(); i > 0; --i) add(random_tree(sites, root, random), true);
      break;
    default: {
      const bool bundled = problem.collective == Collective::alltoall && random() % 2 == 0;
      for (int from = 0; from < sites; ++from)
        for (int to = 0; to < sites; ++to) {
          const bool scatters = is_scatter(problem.collective);
          if (from == to || (has_root(problem.collective) && (scatters ? from : to) != root_site)) continue;
          if (is_scan(problem.collective) && to != from + 1) continue;
          for (int i = bundled ? 1 : some(); i > 0; --i) {
            add(random_path(sites, from, to, random), false, {}, true);
            packing.ways.back().bundled = bundled;
          }
        }
    }
  }
  if (random() % 2 == 0)
    for (int site = 0; site < sites; ++site) packing.drivers.push_back(static_cast<int>(random() % 4));
  if (random() % 3 == 0)
    for (Way& way : packing.ways) {
      way.last_due = 1 + static_cast<int>(random() % 1000);
      way.first_due = static_cast<int>(random() % static_cast<unsigned>(way.last_due));
    }
  packing.lag = static_cast<int>(random() % 300);
  packing.slack = random() % 3 == 0 ? 0 : static_cast<int>(random() % 200);
  if (takes_lines(problem.collective, packing) && random() % 2 == 0) packing.lines = random_lines(sites, random);
  const bool has_paths =
      is_scatter(problem.collective) || is_gather(problem.collective) || is_alltoall(problem.collective);
  if (has_paths && !packing.lines.empty())
    for (Way& way : packing.ways) way.helped = random() % 2 == 0;
  if (problem.collective == Collective::reduce)
    packing.credit = random() % 2 == 0 ? 0 : 1 + static_cast<int>(random() % 200);
  return packing;
}

}  // namespace isthmus
