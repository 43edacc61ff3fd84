#include "algorithms/network/json/read_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "algorithms/network/link_range.hpp"
#include "algorithms/text/counted.hpp"
#include "algorithms/text/sizes.hpp"

namespace isthmus {
namespace {

constexpr std::int64_t max_destinations = std::numeric_limits<int>::max();

/// The numbers of a short list, as in [bytes, seconds]; all 0 or more.
template <std::size_t size>
std::array<double, size> numbers(const JsonReader& list, const char* expected) {
  const auto is_right = [](const nlohmann::json& n) {
    return n.is_number() && n.get<double>() >= 0 && n.get<double>() < 1e300;
  };
  const nlohmann::json& value = list.value();
  if (!value.is_array() || value.size() != size || !std::all_of(value.begin(), value.end(), is_right))
    list.refuse(fmt::format("{}, all 0 or more,", expected));
  return value.get<std::array<double, size>>();
}

SizeFunction size_function(const JsonReader& list) {
  const std::vector<JsonReader> values = list.elements();
  if (values.size() < 2) {
    list.fail(fmt::format("has {}; at least 2 would be right, each [bytes, seconds], to tell how the cost grows",
                          counted(values.size(), "point")));
  }
  std::vector<SizeFunction::Point> points;
  for (const JsonReader& point : values) {
    const auto [bytes, seconds] = numbers<2>(point, "[bytes, seconds]");
    if (!points.empty() && bytes <= points.back().bytes)
      point.fail(fmt::format("{} B comes after {} B; sizes must ascend", bytes, points.back().bytes));
    if (!points.empty() && seconds < points.back().seconds) {
      point.fail(fmt::format("{} s for {} B is less than {} s for {} B; a longer message costs as much or more",
                             seconds, bytes, points.back().seconds, points.back().bytes));
    }
    points.push_back({bytes, seconds});
  }
  return SizeFunction(std::move(points));
}

std::vector<std::pair<int, double>> gap_factors_from(const JsonReader& list) {
  std::vector<std::pair<int, double>> factors;
  for (const JsonReader& pair : list.elements()) {
    if (!pair.value().is_array() || pair.value().size() != 2) pair.refuse("[destinations, factor]");
    const std::int64_t least = factors.empty() ? 1 : std::int64_t{factors.back().first} + 1;
    if (least > max_destinations)
      pair.fail(fmt::format("comes after {}, the largest number; destinations must ascend", max_destinations));
    factors.emplace_back(pair.at(0).integer(least, max_destinations), pair.at(1).number_above_0());
  }
  return factors;
}

}  // namespace

std::vector<LinkStep> profile_from(const JsonReader& list) {
  std::vector<LinkStep> profile;
  for (const JsonReader& step : list.elements()) {
    const auto [at_s, bandwidth_Bps, latency_s] = numbers<3>(step, "[at_s, bandwidth_Bps, latency_s]");
    if (!profile.empty() && at_s <= profile.back().at_s)
      step.fail(fmt::format("{} s comes after {} s; instants must ascend", at_s, profile.back().at_s));
    for (const std::string& fault :
         {bandwidth_Bps > 0 ? fault_of_bandwidth(bandwidth_Bps) : std::string(), fault_of_latency(latency_s)})
      if (!fault.empty()) step.fail(fault);
    profile.push_back({at_s, bandwidth_Bps, latency_s});
  }
  return profile;
}

LinkClass class_from(const JsonReader& value) {
  value.expect_keys({"name", "gap", "send_overhead", "receive_overhead", "gap_factors"});
  LinkClass one{value.at("name").text(),
                size_function(value.at("gap")),
                size_function(value.at("send_overhead")),
                size_function(value.at("receive_overhead")),
                {}};
  if (const auto factors = value.find("gap_factors")) one.gap_factors = gap_factors_from(*factors);
  return one;
}

void check_against_bandwidth(const LinkClass& one, const Link& link, const JsonReader& at) {
  double min_factor = 1;
  for (const auto& [destinations, factor] : one.gap_factors) min_factor = std::min(min_factor, factor);
  const double far_bytes = 2 * one.gap.points().back().bytes + 1;
  std::vector<double> sizes{far_bytes};
  for (const auto& [bytes, seconds] : one.gap.points()) sizes.push_back(bytes);
  for (const double bytes : sizes) {
    const double min_s = bytes / link.bandwidth_Bps;
    if (one.gap(bytes) * min_factor < min_s * (1 - 1e-6)) {
      at.fail(
          fmt::format("{} B cross a link of class {} in {} s, and its {} B/s allow no less than {} s; are the units "
                      "bytes and seconds?",
                      bytes, one.name, one.gap(bytes) * min_factor, link.bandwidth_Bps, min_s));
    }
  }
}

Transport transport_from(const JsonReader& value) {
  value.expect_keys({"header_bytes", "eager_bytes", "buffered_bytes", "send_overhead_s", "send_overhead_s_per_byte",
                     "receive_overhead_s", "receive_overhead_s_per_byte", "frame_bytes", "acknowledgement_bytes",
                     "reduction_s_per_byte"});
  Transport transport;
  transport.header_bytes = value.at("header_bytes").number_from(0);
  transport.eager_bytes = value.at("eager_bytes").integer(0, max_countable_bytes);
  transport.buffered_bytes = value.at("buffered_bytes").integer(0, max_countable_bytes);
  transport.send_overhead_s = value.at("send_overhead_s").number_from(0);
  transport.send_overhead_s_per_byte = value.at("send_overhead_s_per_byte").number_from(0);
  transport.receive_overhead_s = value.at("receive_overhead_s").number_from(0);
  transport.receive_overhead_s_per_byte = value.at("receive_overhead_s_per_byte").number_from(0);
  if (const auto frame = value.find("frame_bytes")) transport.frame_bytes = frame->number_from(0);
  if (const auto returned = value.find("acknowledgement_bytes"))
    transport.acknowledgement_bytes = returned->number_from(0);
  if (const auto reduction = value.find("reduction_s_per_byte"))
    transport.reduction_s_per_byte = reduction->number_from(0);
  return transport;
}

}  // namespace isthmus
