#include "platforms/wide_area/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "algorithms/errors.hpp"
#include "algorithms/network/link_range.hpp"
#include "algorithms/text/parse_number.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

struct Unit {
  std::string_view name;
  UnitScale scale;
};

constexpr Unit times[] = {{"s", {1, 1}}, {"ms", {1, 1e3}}, {"us", {1, 1e6}}, {"ns", {1, 1e9}}};
constexpr Unit rates[] = {{"bps", {1, 8}},    {"kbps", {1e3, 8}}, {"mbps", {1e6, 8}},  {"Mbps", {1e6, 8}},
                          {"gbps", {1e9, 8}}, {"Gbps", {1e9, 8}}, {"Tbps", {1e12, 8}}, {"Bps", {1, 1}},
                          {"kBps", {1e3, 1}}, {"MBps", {1e6, 1}}, {"GBps", {1e9, 1}}};
constexpr Unit prices[] = {{"GB", {1, 1}}, {"GiB", {1e9, 1 << 30}}, {"TB", {1, 1e3}}};

/// A table's names for a quantity, with its units behind them.
struct Prefix {
  Quantity quantity;
  std::string_view name;
  double per;
};

constexpr Prefix prefixes[] = {{Quantity::latency, "latency_", 1},
                               {Quantity::latency, "rtt_", 2},
                               {Quantity::bandwidth, "throughput_", 1},
                               {Quantity::bandwidth, "bandwidth_", 1},
                               {Quantity::price, "price_per_", 1}};

std::span<const Unit> units_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::latency:
      return times;
    case Quantity::bandwidth:
      return rates;
    case Quantity::price:
      break;
  }
  return prices;
}

std::optional<UnitScale> unit_scale(Quantity quantity, std::string_view name) {
  for (const Unit& unit : units_of(quantity))
    if (unit.name == name) return unit.scale;
  return {};
}

}  // namespace

std::optional<double> number_in(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  while (!text.empty() && blanks.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  const std::optional<double> value = parse_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<UnitScale> column_scale(Quantity quantity, std::string_view name) {
  for (const Prefix& prefix : prefixes) {
    if (prefix.quantity != quantity || !name.starts_with(prefix.name)) continue;
    if (const auto scale = unit_scale(quantity, name.substr(prefix.name.size())))
      return UnitScale{scale->times, scale->per * prefix.per};
  }
  return {};
}

bool in_range(Quantity quantity, double value) {
  constexpr double max_price = 1e30;
  switch (quantity) {
    case Quantity::latency:
      return is_latency(value);
    case Quantity::bandwidth:
      return is_bandwidth(value);
    case Quantity::price:
      break;
  }
  return value >= 0 && value <= max_price;
}

std::string_view column_names(Quantity quantity) {
  switch (quantity) {
    case Quantity::latency:
      return "latency_ms, rtt_ms (also _s, _us, _ns)";
    case Quantity::bandwidth:
      return "throughput_Gbps, bandwidth_MBps (b: bits, B: bytes; also _Mbps, _GBps, _bps, _Bps)";
    case Quantity::price:
      break;
  }
  return "price_per_GB (also _GiB, _TB)";
}

double parse_quantity(std::string_view option, Quantity quantity, std::string_view text) {
  const bool is_time = quantity == Quantity::latency;
  const std::size_t unit_at = std::min(text.find_first_not_of("0123456789.+-eE"), text.size());
  const auto value = number_in(text.substr(0, unit_at));
  const auto scale = unit_scale(quantity, text.substr(unit_at));
  if (!value || !scale || !in_range(quantity, (*scale)(*value))) {
    throw BadInput(fmt::format("{}: `{}`; {} would be right", option, excerpt(text),
                               is_time ? "a time like 25us or 0.5ms" : "a rate above 0 like 10Gbps or 1.25GBps"));
  }
  return (*scale)(*value);
}

}  // namespace isthmus
