#include "validation/studies/bound.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "algorithms/text/printable.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

constexpr std::size_t max_reliefs = 4;  // in a table

std::vector<std::string> names_of(const Network& network, const std::vector<int>& links) {
  std::vector<std::string> names;
  names.reserve(links.size());
  for (const int link : links) names.push_back(network.links[link].name);
  return names;
}

/// `wan0-1`, `wan0-1, wan2-1`, `wan0-1, wan2-1 and 14 more`.
std::string in_words(const Network& network, const std::vector<int>& links) {
  constexpr std::size_t max_names = 3;
  std::string text;
  for (std::size_t i = 0; i < links.size() && i < max_names; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", printable(network.links[links[i]].name));
  if (links.size() > max_names) text += fmt::format(" and {} more", links.size() - max_names);
  return text;
}

std::string amount(double bytes) {
  return bytes < 9e15 ? format_bytes(std::llround(bytes)) : fmt::format("{:.3g} B", bytes);
}

std::string host_name(const Network& network, int host) {
  return host < 0 ? std::string() : printable(network.hosts[host].name);
}

/// What makes the bound, as the end of a sentence.
std::string reason(const LowerBound& bound, const Network& network) {
  const std::string from = host_name(network, bound.from_host), to = host_name(network, bound.to_host);
  switch (bound.kind) {
    case BoundKind::nothing:
      return "nothing is to be done";
    case BoundKind::loopback:
      return fmt::format("all ranks are on {}", from);
    case BoundKind::distance:
      return fmt::format("the latency from {} to {}", from, to);
    case BoundKind::cut:
      return fmt::format("{} have to cross these links, for instance from {} to {}", amount(bound.bytes), from, to);
    case BoundKind::partition:
      return fmt::format("{} have to cross these links, counted once a crossing", amount(bound.bytes));
    case BoundKind::spreading:
      return "so many hosts cannot have been reached earlier, each by a message from one that had been";
    case BoundKind::detours:
      return "blocks have to share these links, whichever ways they take";
  }
  return {};
}

std::string heading(const ExplainedBound& explained, const PlacedNetwork& placed) {
  const Problem& problem = explained.problem;
  std::string text(name(problem.collective));
  if (problem.collective != Collective::barrier) text += fmt::format(" of {}", format_bytes(problem.bytes()));
  text +=
      fmt::format(" on {}, {} rank{}", printable(placed.network().name), placed.size(), placed.size() == 1 ? "" : "s");
  if (problem.root != 0) text += fmt::format(", root {}", problem.root);
  return text + ":\n";
}

double saved(const ExplainedBound& explained, const Relief& relief) {
  return 1 - relief.seconds / explained.bound.seconds;
}

std::string bound_table(const ExplainedBound& explained, const PlacedNetwork& placed, bool colour) {
  const Network& network = placed.network();
  const LowerBound& bound = explained.bound;
  std::string text = heading(explained, placed);
  text += fmt::format("No schedule takes less than {}: {}.\n", format_seconds(bound.seconds), reason(bound, network));
  if (!bound.links.empty()) {
    TextTable table({{"link", "", Align::left}, {"rate", ""}, {"latency", "ms"}, {"carries", ""}});
    for (const BindingLink& link : bound.links)
      table.add({in_words(network, link.links), format_rate(link.bandwidth_Bps), format_milliseconds(link.latency_s),
                 link.bytes > 0 ? amount(link.bytes) : std::string()});
    text += table.text(colour);
  }
  for (std::size_t i = 0; i < explained.reliefs.size() && i < max_reliefs; ++i) {
    const Relief& relief = explained.reliefs[i];
    text +=
        fmt::format("{} more on {} saves {:.3g} %: {}.\n", format_rate(relief.more_Bps),
                    in_words(network, relief.links), 100 * saved(explained, relief), format_seconds(relief.seconds));
  }
  if (explained.reliefs.empty() && bound.seconds > 0) text += "More bandwidth would not lower it.\n";
  return text;
}

nlohmann::ordered_json bound_json(const ExplainedBound& explained, const PlacedNetwork& placed) {
  const Network& network = placed.network();
  const LowerBound& bound = explained.bound;
  nlohmann::ordered_json record = {{"platform", network.name},
                                   {"collective", name(explained.problem.collective)},
                                   {"bytes", explained.problem.bytes()},
                                   {"ranks", placed.size()},
                                   {"root", explained.problem.root},
                                   {"bound_seconds", bound.seconds},
                                   {"kind", name(bound.kind)},
                                   {"crossing_bytes", bound.bytes},
                                   {"from_host", nullptr},
                                   {"to_host", nullptr},
                                   {"links", nlohmann::ordered_json::array()},
                                   {"reliefs", nlohmann::ordered_json::array()}};
  if (bound.from_host >= 0) record["from_host"] = network.hosts[bound.from_host].name;
  if (bound.to_host >= 0) record["to_host"] = network.hosts[bound.to_host].name;
  for (const BindingLink& link : bound.links)
    record["links"].push_back({{"names", names_of(network, link.links)},
                               {"bandwidth_Bps", link.bandwidth_Bps},
                               {"latency_s", link.latency_s},
                               {"bytes", link.bytes}});
  for (const Relief& relief : explained.reliefs)
    record["reliefs"].push_back({{"names", names_of(network, relief.links)},
                                 {"more_Bps", relief.more_Bps},
                                 {"bound_seconds", relief.seconds},
                                 {"saved", saved(explained, relief)}});
  return record;
}

constexpr const char* csv_heads =
    "platform,collective,bytes,ranks,root,bound_seconds,kind,links,relief,relief_seconds\n";

std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, " ")); }

std::string bound_csv(const ExplainedBound& explained, const PlacedNetwork& placed) {
  const Network& network = placed.network();
  const LowerBound& bound = explained.bound;
  std::vector<int> links;
  for (const BindingLink& link : bound.links) links.insert(links.end(), link.links.begin(), link.links.end());
  std::string relief = ",";
  if (!explained.reliefs.empty()) {
    const Relief& best = explained.reliefs.front();
    relief = fmt::format("{},{}", csv_field(joined(names_of(network, best.links))), best.seconds);
  }
  return fmt::format("{},{},{},{},{},{},{},{},{}\n", csv_field(network.name), name(explained.problem.collective),
                     explained.problem.bytes(), placed.size(), explained.problem.root, bound.seconds, name(bound.kind),
                     csv_field(joined(names_of(network, links))), relief);
}

}  // namespace

ExplainedBound explain_bound(const PlacedNetwork& placed, const Problem& problem) {
  ExplainedBound explained{problem, find_lower_bound(placed, problem), {}};
  explained.reliefs = find_reliefs(placed, problem, explained.bound);
  return explained;
}

std::string format_bound(const ExplainedBound& explained, const PlacedNetwork& placed, Format format, bool colour,
                         bool is_first) {
  if (format == Format::table) return fmt::format("{}{}", is_first ? "" : "\n", bound_table(explained, placed, colour));
  if (format == Format::csv) return fmt::format("{}{}", is_first ? csv_heads : "", bound_csv(explained, placed));
  return bound_json(explained, placed).dump() + "\n";
}

}  // namespace isthmus
