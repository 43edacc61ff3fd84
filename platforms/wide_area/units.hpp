// Units of latency, bandwidth and price in options and in the headers of tables.
#pragma once

#include <optional>
#include <string_view>

namespace isthmus {

enum class Quantity { latency, bandwidth, price };

/// A finite number; nothing else in the text but blanks around it.
std::optional<double> number_in(std::string_view text);

/// The scale of a unit: exact where `value * times` is.
struct UnitScale {
  double times = 1, per = 1;
  double operator()(double value) const { return value * times / per; }
};

/// From the numbers in a column of this name to seconds, bytes per second or price per 1e9 bytes: `latency_ms`,
/// `rtt_ms` (there and back: half of it), `throughput_gbps`, `bandwidth_MBps`, `price_per_GB`. In rates b is bits and B
/// bytes. None: no such name.
std::optional<UnitScale> column_scale(Quantity quantity, std::string_view name);

/// Whether a platform can have it: a latency or bandwidth as in link_range.hpp, a price from 0 to 1e30.
bool in_range(Quantity quantity, double value);

/// The names of columns that would be right, for messages.
std::string_view column_names(Quantity quantity);

/// `25us`, `0.5ms`; `10Gbps`, `1.25GBps`. Throws BadInput that begins with the name of the option.
double parse_quantity(std::string_view option, Quantity quantity, std::string_view text);

}  // namespace isthmus
