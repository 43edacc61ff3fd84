#include "algorithms/collective/packing.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/text/parse_number.hpp"
#include "algorithms/text/parts.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

constexpr std::size_t max_sites = 4096;
constexpr std::int64_t max_share = 1'000'000, max_due = 1000;
constexpr std::int64_t max_latency_us = 1'000'000'000, max_kBps = 1'000'000'000'000;
constexpr std::size_t max_lines = 10'000;
constexpr std::size_t max_ways = 2000;  // so that all shares together stay below 2^31

/// A whole number from `least` to `most`, or -1.
std::int64_t whole_number(std::string_view text, std::int64_t least, std::int64_t most) {
  const std::optional<std::int64_t> number = parse_number<std::int64_t>(text);
  return number && *number >= least && *number <= most ? *number : -1;
}

std::vector<int> parse_sites(std::string_view text, std::string_view way, std::vector<int>& apart) {
  std::vector<int> sites;
  for (std::string_view part : parts_of(text, '.')) {
    if (part.ends_with('!')) {
      apart.push_back(static_cast<int>(sites.size()));
      part.remove_suffix(1);
    }
    const std::int64_t site = whole_number(part, 0, max_sites - 1);
    if (site < 0 || sites.size() == max_sites)
      throw BadInput("packing: `" + excerpt(part) + "` in the way `" + excerpt(way) +
                     "` is no number of a site; sites such as 0.0.1 would be right");
    sites.push_back(static_cast<int>(site));
  }
  return sites;
}

void parse_due(std::string_view text, std::string_view way, Way& parsed) {
  const std::size_t dash = text.find('-');
  const std::int64_t last = dash == std::string_view::npos ? -1 : whole_number(text.substr(dash + 1), 1, max_due);
  const std::int64_t first = last < 0 ? -1 : whole_number(text.substr(0, dash), 0, last);
  if (first < 0)
    throw BadInput("packing: the way `" + excerpt(way) + "`: `" + excerpt(text) +
                   "` is no time; two whole numbers up to 1000, such as 0-400, would be right");
  parsed.first_due = static_cast<int>(first);
  parsed.last_due = static_cast<int>(last);
}

Way parse_way(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    throw BadInput("packing: the way `" + excerpt(text) + "` has no share; SITES:SHARE would be right");
  Way way;
  std::string_view share = text.substr(colon + 1);
  if (const std::size_t at = share.find('@'); at != std::string_view::npos) {
    parse_due(share.substr(at + 1), text, way);
    share = share.substr(0, at);
  }
  way.share = whole_number(share, 1, max_share);
  if (way.share < 0)
    throw BadInput("packing: the share of the way `" + excerpt(text) + "`: a whole number from 1 to " +
                   std::to_string(max_share) + " would be right");
  std::string_view sites = text.substr(0, colon);
  for (const auto& [mark, flag] : {std::pair('*', &way.bundled), std::pair('+', &way.helped)}) {
    if (sites.empty() || sites.back() != mark) continue;
    *flag = true;
    sites.remove_suffix(1);
  }
  const std::size_t turn = sites.find('^');
  way.sites = parse_sites(sites.substr(0, turn), text, way.apart);
  if (turn != std::string_view::npos) way.back = parse_sites(sites.substr(turn + 1), text, way.back_apart);
  return way;
}

std::string numbers_text(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text.append(text.empty() ? "" : ".").append(std::to_string(number));
  return text;
}

std::string sites_text(const std::vector<int>& sites, const std::vector<int>& apart) {
  std::string text;
  for (int i = 0; i < static_cast<int>(sites.size()); ++i) {
    text.append(text.empty() ? "" : ".").append(std::to_string(sites[i]));
    if (std::binary_search(apart.begin(), apart.end(), i)) text += '!';
  }
  return text;
}

}  // namespace

bool goes_straight(const Packing& packing) {
  std::set<std::vector<int>> seen;
  return std::ranges::all_of(packing.ways, [&](const Way& way) {
    const bool is_star = std::ranges::all_of(way.sites, [&](int site) { return site == way.sites.front(); });
    const bool is_edge = way.sites.size() == 2 && way.sites.front() != way.sites.back();
    return way.back.empty() && (is_star || is_edge) && seen.insert(way.sites).second;
  });
}

std::vector<Way> parse_ways(std::string_view text) {
  std::vector<Way> ways;
  for (const std::string_view part : parts_of(text, '/')) {
    if (ways.size() == max_ways)
      throw BadInput("packing: more than " + std::to_string(max_ways) + " ways; fewer would be right");
    ways.push_back(parse_way(part));
  }
  return ways;
}

std::string to_string(const std::vector<Way>& ways) {
  std::string text;
  for (const Way& way : ways) {
    if (!text.empty()) text += '/';
    text += sites_text(way.sites, way.apart);
    if (!way.back.empty()) text += '^' + sites_text(way.back, way.back_apart);
    if (way.helped) text += '+';
    if (way.bundled) text += '*';
    text += ':' + std::to_string(way.share);
    if (way.last_due > 0) text += '@' + std::to_string(way.first_due) + '-' + std::to_string(way.last_due);
  }
  return text;
}

std::vector<int> parse_drivers(std::string_view text) {
  std::vector<int> drivers;
  for (const std::string_view part : parts_of(text, '.')) {
    const std::int64_t number = whole_number(part, 0, std::numeric_limits<int>::max());
    if (number < 0 || drivers.size() == max_sites)
      throw BadInput("drivers=" + excerpt(text) +
                     ": for each site a whole number from 0, such as 2.1.1, would be right");
    drivers.push_back(static_cast<int>(number));
  }
  return drivers;
}

std::vector<WayLine> parse_lines(std::string_view text) {
  std::vector<WayLine> lines;
  for (const std::string_view part : parts_of(text, '/')) {
    const std::size_t arrow = std::min(part.find('>'), part.size()), colon = std::min(part.find(':'), part.size()),
                      at = std::min(part.find('@'), part.size());
    const bool has_form = arrow < colon && colon < at && at < part.size();
    const auto site = [&](std::string_view name) {
      return name == "*" ? -1 : static_cast<int>(whole_number(name, 0, max_sites - 1));
    };
    WayLine line;
    if (has_form) {
      const std::string_view from = part.substr(0, arrow), to = part.substr(arrow + 1, colon - arrow - 1);
      line = {site(from), site(to), whole_number(part.substr(colon + 1, at - colon - 1), 0, max_latency_us),
              whole_number(part.substr(at + 1), 1, max_kBps)};
      const bool has_sites = (from == "*" || line.from >= 0) && (to == "*" || line.to >= 0);
      if (!has_sites || line.from == line.to) line.kBps = -1;
    }
    if (!has_form || line.latency_us < 0 || line.kBps < 0 || lines.size() == max_lines)
      throw BadInput("lines: `" + excerpt(part) +
                     "` is no line; FROM>TO:MICROSECONDS@KB_PER_SECOND, such as 0>1:10000@2500, would be right");
    lines.push_back(line);
  }
  return lines;
}

std::string lines_text(const std::vector<WayLine>& lines) {
  std::string text;
  const auto site = [](int number) { return number < 0 ? std::string("*") : std::to_string(number); };
  for (const WayLine& line : lines)
    text.append(text.empty() ? "" : "/")
        .append(site(line.from) + '>' + site(line.to) + ':' + std::to_string(line.latency_us) + '@' +
                std::to_string(line.kBps));
  return text;
}

std::string drivers_text(const std::vector<int>& drivers) { return numbers_text(drivers); }

}  // namespace isthmus
