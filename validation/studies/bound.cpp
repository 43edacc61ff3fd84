#include "validation/studies/bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "algorithms/text/counted.hpp"
#include "algorithms/text/printable.hpp"
#include "validation/text/bound_text.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/units.hpp"
#include "validation/text/wrapped.hpp"

namespace isthmus {
namespace {

constexpr std::size_t max_reliefs = 4;  // in a table

std::vector<std::string> names_of(const Network& network, const std::vector<int>& links) {
  std::vector<std::string> names;
  names.reserve(links.size());
  for (const int link : links) names.push_back(network.links[link].name);
  return names;
}

std::string heading(const ExplainedBound& explained, const PlacedNetwork& placed,
                    std::span<const std::string> set_links) {
  const Problem& problem = explained.problem;
  std::string text(name(problem.collective));
  if (carries_data(problem.collective)) text += fmt::format(" of {}", format_bytes(problem.bytes()));
  text += fmt::format(" on {}, {}", printable(platform_text(placed.network().name, set_links)),
                      counted(placed.size(), "rank"));
  if (problem.root != 0) text += fmt::format(", root {}", problem.root);
  return text + ":\n";
}

/// Links that carry a smaller share of what the busiest carries in the time of the bound are left out of the table.
constexpr double least_share = 0.001;

double saved(const ExplainedBound& explained, const Relief& relief) {
  return 1 - relief.seconds / explained.bound.seconds;
}

std::string bound_table(const ExplainedBound& explained, const PlacedNetwork& placed, Look look,
                        std::span<const std::string> set_links) {
  const Network& network = placed.network();
  const LowerBound& bound = explained.bound;
  std::string text = heading(explained, placed, set_links);
  text += wrapped("", bound_sentence(bound, network) + ".", look.width);
  if (!bound.links.empty()) {
    TextTable table({{"link", "", Align::left}, {"rate", ""}, {"idle", "ms"}, {"carries", ""}});
    const double most = std::ranges::max_element(bound.links, {}, &BindingLink::bytes)->bytes;
    std::size_t left_out = 0;
    for (const BindingLink& link : bound.links) {
      if (link.bytes > 0 && link.bytes < least_share * most && ++left_out > 0) continue;
      table.add({links_in_words(network, link.links), format_rate(link.bandwidth_Bps),
                 format_milliseconds(link.latency_s), link.bytes > 0 ? rounded_bytes(link.bytes) : std::string()});
    }
    text += table.text(look.colour, look.width);
    if (left_out > 0)
      text += wrapped(
          "",
          fmt::format("Left out: {} that would carry less than {:g} % of what the busiest carries in this time.",
                      counted(left_out, "link"), 100 * least_share),
          look.width);
  }
  for (std::size_t i = 0; i < explained.reliefs.size() && i < max_reliefs; ++i) {
    const Relief& relief = explained.reliefs[i];
    text += wrapped("",
                    fmt::format("{} more on {} lowers it by {:.3g} %, to {}.", format_rate(relief.more_Bps),
                                links_in_words(network, relief.links), 100 * saved(explained, relief),
                                format_seconds(relief.seconds)),
                    look.width);
  }
  if (explained.reliefs.empty() && bound.seconds > 0) {
    const bool others_bind = std::ranges::any_of(bound.links, [](const BindingLink& link) { return link.bytes > 0; });
    text += fmt::format("More bandwidth {}would not lower it.\n", others_bind ? "on these links alone " : "");
  }
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

std::string format_bound(const ExplainedBound& explained, const PlacedNetwork& placed, Format format, Look look,
                         bool is_first, std::span<const std::string> set_links) {
  if (format == Format::table)
    return fmt::format("{}{}", is_first ? "" : "\n", bound_table(explained, placed, look, set_links));
  if (format == Format::csv) return fmt::format("{}{}", is_first ? csv_heads : "", bound_csv(explained, placed));
  nlohmann::ordered_json record = bound_json(explained, placed);
  if (!set_links.empty()) record["set"] = std::vector<std::string>(set_links.begin(), set_links.end());
  return record.dump() + "\n";
}

}  // namespace isthmus
