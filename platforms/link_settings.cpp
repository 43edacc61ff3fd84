#include "platforms/link_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "algorithms/errors.hpp"
#include "algorithms/network/link_names.hpp"
#include "algorithms/network/link_range.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"
#include "platforms/wide_area/units.hpp"

namespace isthmus {
namespace {

constexpr std::array<std::string_view, 2> figures = {"bandwidth", "latency"};

LinkSetting::Figure figure_named(std::string_view name) {
  const auto found = std::ranges::find(figures, name);
  if (found == figures.end())
    throw BadInput(fmt::format("no figure `{}` of a link{}", excerpt(name), near_matches(name, figures)));
  return found == figures.begin() ? LinkSetting::Figure::bandwidth : LinkSetting::Figure::latency;
}

double factor_in(std::string_view setting, std::string_view number) {
  const std::optional<double> factor = number_in(number);
  if (!factor || !std::isfinite(*factor) || *factor <= 0)
    throw BadInput(
        fmt::format("setting `{}`: no factor above 0; x2, x0.5, +10% or -10% would be right", excerpt(setting)));
  return *factor;
}

/// The factor of `x2`, `+10%`, `-10%`; none for a figure of its own.
std::optional<double> parse_factor(std::string_view setting, std::string_view value) {
  if (value.starts_with('x')) return factor_in(setting, value.substr(1));
  if (!value.ends_with('%')) return std::nullopt;
  const bool less = value.starts_with('-');
  if (!less && !value.starts_with('+')) return factor_in(setting, value.substr(0, value.size() - 1)) / 100;
  const double part = factor_in(setting, value.substr(1, value.size() - 2)) / 100;
  if (less && part >= 1) factor_in(setting, "0");
  return less ? 1 - part : 1 + part;
}

void set_profile(Network& network, int link, LinkSetting::Figure figure, double before, double after) {
  const auto profile = network.profiles.find(link);
  if (profile == network.profiles.end()) return;
  for (LinkStep& step : profile->second) {
    double& value = figure == LinkSetting::Figure::bandwidth ? step.bandwidth_Bps : step.latency_s;
    value = before > 0 ? value * (after / before) : value + after;
  }
}

void set_link(Network& network, int number, const LinkSetting& setting) {
  Link& link = network.links[number];
  const bool is_bandwidth = setting.figure == LinkSetting::Figure::bandwidth;
  double& figure = is_bandwidth ? link.bandwidth_Bps : link.latency_s;
  const double before = figure;
  const double after = setting.is_factor ? before * setting.value : setting.value;
  figure = after;
  if (const std::string fault = fault_of(link); !fault.empty())
    throw BadInput(fmt::format("setting `{}`: {}", excerpt(setting.text), fault));
  if (is_bandwidth && after != before) link.link_class = -1;
  set_profile(network, number, setting.figure, before, after);
}

}  // namespace

LinkSetting parse_link_setting(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  const std::size_t dot = text.substr(0, std::min(equals, text.size())).rfind('.');
  if (equals == std::string_view::npos || dot == std::string_view::npos || dot == 0)
    throw BadInput(
        fmt::format("setting `{}`: LINK.bandwidth=VALUE or LINK.latency=VALUE, as in w12.bandwidth=x2 or "
                    "'wan-*.latency=50ms', would be right",
                    excerpt(text)));
  LinkSetting setting;
  setting.text = text;
  setting.links = text.substr(0, dot);
  setting.figure = figure_named(text.substr(dot + 1, equals - dot - 1));
  const std::string_view value = text.substr(equals + 1);
  if (const std::optional<double> factor = parse_factor(text, value)) {
    setting.is_factor = true;
    setting.value = *factor;
    return setting;
  }
  const bool is_bandwidth = setting.figure == LinkSetting::Figure::bandwidth;
  setting.value = parse_quantity(fmt::format("setting `{}`", excerpt(text)),
                                 is_bandwidth ? Quantity::bandwidth : Quantity::latency, value);
  return setting;
}

void set_links(Network& network, std::span<const LinkSetting> settings) {
  for (const LinkSetting& setting : settings)
    for (const int link : links_named(network, setting.links)) set_link(network, link, setting);
}

}  // namespace isthmus
