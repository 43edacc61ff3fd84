#include "validation/text/packing_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "algorithms/text/printable.hpp"
#include "validation/text/bound_text.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/units.hpp"
#include "validation/text/wrapped.hpp"

namespace isthmus {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t max_columns = 80;
constexpr std::size_t max_ways = 40, max_straight = 60, max_links = 20;
constexpr std::size_t indent = 9;           // of a way: `  62.5 %  `
constexpr double shown_inside_load = 0.5;   // of the busiest link: less busy links of hosts are left out
constexpr std::size_t max_characters = 44;  // of the name of a link

/// Each but the last with a comma behind it.
Lines listed(Lines words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) words[i] += ",";
  return words;
}

/// The shape of a tree, root at the left: arrows follow the data.
class TreeText {
 public:
  TreeText(const std::vector<int>& parents, const std::vector<int>& apart, const Lines& names, bool inwards,
           bool helped)
      : apart_(apart),
        names_(names),
        children_(parents.size()),
        height_(parents.size()),
        inwards_(inwards),
        helped_(helped) {
    for (int site = 0; site < static_cast<int>(parents.size()); ++site)
      if (parents[site] != site)
        children_[parents[site]].push_back(site);
      else
        root_ = site;
    if (root_ >= 0) find_heights(root_);
  }

  Lines lines() const { return root_ < 0 ? Lines{} : below(root_); }

 private:
  int find_heights(int site) {
    for (const int child : children_[site]) height_[site] = std::max(height_[site], 1 + find_heights(child));
    std::ranges::stable_sort(children_[site], {}, [&](int child) { return -height_[child]; });
    return height_[site];
  }

  Lines below(int site) const {
    const bool apart = std::ranges::binary_search(apart_, site);
    const std::string name = names_[site] + (helped_ && site == root_ ? "*" : apart ? "+" : "");
    const std::vector<int>& children = children_[site];
    if (children.empty()) return {name};
    const std::string margin(text_width(name) + 2, ' ');
    Lines lines;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const bool first = i == 0, last = i + 1 == children.size();
      const Lines inner = below(children[i]);
      for (std::size_t j = 0; j < inner.size(); ++j) {
        std::string start;
        if (j > 0)
          start = margin + (last ? " " : "│") + "  ";
        else if (first)
          start = name + (inwards_ ? " ←" : " ─") + (last ? "─" : "┬") + (inwards_ ? "─ " : "→ ");
        else
          start = margin + (last ? "└" : "├") + (inwards_ ? "─ " : "→ ");
        lines.push_back(start + inner[j]);
      }
    }
    return lines;
  }

  const std::vector<int>& apart_;
  const Lines& names_;
  std::vector<std::vector<int>> children_;
  std::vector<int> height_;
  bool inwards_, helped_;
  int root_ = -1;
};

Lines path_lines(const std::vector<int>& path, const Lines& names) {
  std::string line;
  for (const int site : path) line += (line.empty() ? "" : " → ") + names[site];
  return {line};
}

Lines way_lines(const MappedWay& of, WayKind kind, const Lines& names) {
  switch (kind) {
    case WayKind::paths:
      return path_lines(of.way.sites, names);
    case WayKind::trees_out:
    case WayKind::trees_in:
      return TreeText(of.way.sites, of.way.apart, names, kind == WayKind::trees_in, of.way.helped).lines();
    case WayKind::trees_both:
      break;
  }
  Lines lines = TreeText(of.way.sites, of.way.apart, names, true, of.way.helped).lines();
  const Lines back = TreeText(of.way.back, of.way.back_apart, names, false, of.way.helped).lines();
  lines.insert(lines.end(), back.begin(), back.end());
  return lines;
}

bool too_wide(const Lines& lines) {
  return std::ranges::any_of(lines, [](const std::string& line) { return indent + text_width(line) > max_columns; });
}

/// The names of the sites, or their numbers where the names are too long for a way.
Lines names_for_ways(const PackingMap& map) {
  Lines names, numbers;
  for (std::size_t i = 0; i < map.sites.size(); ++i) {
    names.push_back(printable(map.sites[i]));
    numbers.push_back(std::to_string(i));
  }
  const bool fits =
      std::ranges::none_of(map.ways, [&](const MappedWay& of) { return too_wide(way_lines(of, map.kind, names)); });
  return fits ? names : numbers;
}

std::string sites_text(const PackingMap& map) {
  Lines words;
  for (std::size_t i = 0; i < map.sites.size(); ++i) words.push_back(fmt::format("{} {}", i, printable(map.sites[i])));
  return wrapped("Sites: ", listed(words), max_columns);
}

std::string ways_head(const PackingMap& map) {
  switch (map.kind) {
    case WayKind::trees_out:
      return "Trees of the packing, each with its share of the data of its root's site:";
    case WayKind::trees_in:
      return "Trees of the packing, each with its share of the results for its root's site:";
    case WayKind::trees_both:
      return "Trees of the packing, in to a root and out, each with its share of the data:";
    case WayKind::paths:
      return "Paths of the packing, each with its share of the blocks from first to last site:";
  }
  return {};
}

bool is_straight(const PackingMap& map, const MappedWay& of) {
  return map.kind == WayKind::paths && of.share == 1 && of.way.sites.size() == 2;
}

std::string ways_text(const PackingMap& map) {
  const Lines names = names_for_ways(map);
  std::string text = ways_head(map) + "\n";
  Lines straight;
  std::size_t drawn = 0, omitted = 0;
  bool any_helped = false, any_apart = false;
  for (const MappedWay& of : map.ways) {
    if (is_straight(map, of)) {
      straight.push_back(fmt::format("{} → {}", names[of.from], names[of.to]));
      continue;
    }
    if (drawn == max_ways) {
      ++omitted;
      continue;
    }
    ++drawn;
    any_helped = any_helped || of.way.helped;
    any_apart = any_apart || !of.way.apart.empty() || !of.way.back_apart.empty();
    const Lines lines = way_lines(of, map.kind, names);
    for (std::size_t i = 0; i < lines.size(); ++i)
      text += (i == 0 ? fmt::format("{:5.1f} %  ", 100 * of.share) : std::string(indent, ' ')) + lines[i] + "\n";
  }
  if (omitted > 0) text += fmt::format("{}{} more\n", std::string(indent, ' '), omitted);
  if (straight.size() > max_straight) {
    const std::size_t rest = straight.size() - max_straight;
    straight.resize(max_straight);
    straight.push_back(fmt::format("and {} more", rest));
  }
  if (!straight.empty()) text += wrapped("  100 %  ", listed(straight), max_columns);
  if (any_helped) text += "* Another rank of this site drives the edges at the root.\n";
  if (any_apart) text += "+ Each rank of this site has an edge of its own.\n";
  return text;
}

std::string links_text(const PackingMap& map, const LowerBound& bound, const Network& network, double seconds,
                       bool colour) {
  std::set<int> binding;
  for (const BindingLink& of : bound.links) binding.insert(of.links.begin(), of.links.end());
  TextTable table({{"link", "", Align::left},
                   {"rate", ""},
                   {"carries", ""},
                   {"busy", "ms"},
                   {"busy", "% of time"},
                   {"load", "% of max"},
                   {"", "", Align::left}});
  const double busiest_s = map.busiest_s();
  std::size_t shown = 0, omitted = 0;
  for (const MappedLink& load : map.links) {
    const double part = busiest_s > 0 ? load.seconds / busiest_s : 0;
    if (load.inside && part < shown_inside_load) continue;
    if (shown == max_links) {
      ++omitted;
      continue;
    }
    ++shown;
    const Link& link = network.links[load.link];
    table.add({excerpt(link.name, max_characters), format_rate(link.bandwidth_Bps), format_amount(load.bytes),
               format_milliseconds(load.seconds), fmt::format("{:.0f}", seconds > 0 ? 100 * load.seconds / seconds : 0),
               fmt::format("{:.0f}", 100 * part), std::string(binding.contains(load.link) ? "sets the bound" : " ")});
  }
  if (shown == 0) return {};
  std::string text = table.text(colour, max_columns);
  if (omitted > 0) text += fmt::format("{} more links are less busy.\n", omitted);
  return text;
}

std::string bound_text(const LowerBound& bound, const Network& network) {
  const std::string sentence = bound_sentence(bound, network) + (bound.links.empty() ? "." : ":");
  const std::string text = wrapped("", sentence, max_columns);
  if (bound.links.empty()) return text;
  Lines names;
  for (const BindingLink& of : bound.links) names.push_back(links_in_words(network, of.links));
  if (names.size() > max_links) {
    const std::size_t rest = names.size() - max_links;
    names.resize(max_links);
    names.push_back(fmt::format("and {} more", rest));
  }
  return text + wrapped("  ", listed(names), max_columns);
}

}  // namespace

std::string packing_text(const PackingMap& map, const LowerBound& bound, const Network& network, double seconds,
                         bool colour) {
  return sites_text(map) + ways_text(map) + links_text(map, bound, network, seconds, colour) +
         bound_text(bound, network);
}

}  // namespace isthmus
