#include "validation/studies/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "algorithms/errors.hpp"
#include "algorithms/models/parameters.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/process/child.hpp"
#include "algorithms/text/parts.hpp"
#include "sim/measure.hpp"
#include "validation/harness/sources.hpp"
#include "validation/studies/ranks_output.hpp"

namespace isthmus {
namespace {

using nlohmann::json;

std::vector<MeasuredPair> measure_emulated(const CalibrationRequest& request, const CalibrationSetup& setup) {
  const auto [output, errors, exit_status] =
      output_of_ranks(request.network, setup.placement, "isthmus-measure", to_json(setup.task).dump(),
                      request.emulation, request.progress);
  if (exit_status != 0) {
    const std::size_t at = errors.find("isthmus-measure: ");
    const std::string words = at == std::string::npos ? errors : errors.substr(at + 17);
    throw Refused(fmt::format("{}: {}", request.network.name, words.substr(0, words.find('\n'))));
  }
  std::vector<MeasuredPair> pairs;
  for (const std::string_view text : parts_of(output, '\n')) {
    const json line = json::parse(text, nullptr, false);
    if (line.is_object()) pairs.push_back(measured_pair_from_json(line));
  }
  return pairs;
}

/// The seconds of a plan over the first ranks of the innermost class's largest group.
std::map<std::int64_t, double> run_plan(const CalibrationRequest& request, const std::vector<int>& hosts,
                                        const std::string& plan, const std::vector<std::int64_t>& sizes) {
  RunRequest run_request{.platform_file = request.platform_file, .placed = {request.network, {hosts}}};
  run_request.emulation = request.emulation;
  run_request.progress = request.progress;
  const PlanRequest what = parse_plan_request(plan);
  for (const std::int64_t bytes : sizes) add_point(run_request, what, {what.plan.algorithm->collective, bytes});
  std::map<std::int64_t, double> seconds;
  for (const Record& record : run(request.world, run_request)) seconds[record.bytes] = record.seconds;
  return seconds;
}

FittedClass fit(const CalibrationRequest& request, const CalibrationSetup& setup) {
  // Hosts that are all in the group of the class's first pair.
  const auto [first, second] = setup.classes.front().host_pairs.front();
  const Zones& zones = request.network.hosts[first].zones;
  std::vector<int> hosts;
  for (int host = 0; host < static_cast<int>(request.network.hosts.size()); ++host) {
    const Host& other = request.network.hosts[host];
    const bool is_member = std::equal(zones.begin(), zones.end(), other.zones.begin(), other.zones.end(),
                                      [](const ZoneStep& a, const ZoneStep& b) { return a.name == b.name; });
    if (is_member && !other.gateway) hosts.push_back(host);
  }
  constexpr std::size_t max_ranks = 16;
  if (hosts.size() > max_ranks) hosts.resize(max_ranks);
  if (hosts.size() < 3) {
    throw BadInput(fmt::format("{}: the fit needs three hosts in a cluster; {} has {}", request.network.name,
                               request.network.hosts[first].name, hosts.size()));
  }
  const auto ranks = static_cast<double>(hosts.size());
  const double barrier_s = run_plan(request, hosts, "barrier/flat", {0}).at(0);
  const double smallest_s = run_plan(request, {hosts[0], hosts[1]}, "barrier/flat", {0}).at(0);
  const double empty_gap_s = std::max(0.0, (barrier_s - smallest_s) / (ranks - 2));

  std::vector<std::int64_t> sizes;
  for (std::int64_t bytes = 1; bytes <= request.settings.max_bytes; bytes *= 4) sizes.push_back(bytes);
  const std::map<std::int64_t, double> chain_s = run_plan(request, hosts, "broadcast/chain:segment=none", sizes);
  FittedClass fitted{static_cast<int>(hosts.size()), 0, {}};
  fitted.latency_s = std::max(0.0, chain_s.begin()->second / (ranks - 1) - empty_gap_s);
  for (const auto& [bytes, seconds] : chain_s) {
    fitted.gap_s.emplace_back(bytes, std::max(0.0, seconds / (ranks - 1) - fitted.latency_s));
  }
  return fitted;
}

PLogP layer_of(const Calibration& calibration, std::size_t number) {
  const LinkClass& one = calibration.network.classes[number];
  return {calibration.classes[number].measured.latency.seconds, one.send_overhead, one.receive_overhead, one.gap};
}

}  // namespace

CalibrationSetup calibration_setup(const CalibrationRequest& request) {
  CalibrationSetup setup{request.settings, {}, route_classes_of(request.network, request.members)};
  setup.task.pairs.clear();
  std::map<int, int> rank_on;
  const auto rank_of = [&](int host) {
    const auto [at, is_new] = rank_on.try_emplace(host, setup.placement.size());
    if (is_new) setup.placement.host_of_rank.push_back(host);
    return at->second;
  };
  for (const RouteClass& one : setup.classes) {
    for (const auto& [from, to] : one.host_pairs) {
      const int from_rank = rank_of(from);
      setup.task.pairs.push_back({from_rank, rank_of(to), from == one.host_pairs.front().first});
    }
  }
  return setup;
}

Calibration calibration_from(const CalibrationRequest& request, const CalibrationSetup& setup,
                             const std::vector<MeasuredPair>& pairs) {
  if (pairs.size() != setup.task.pairs.size()) {
    throw Refused(fmt::format("{}: {} pairs of ranks were measured instead of {}", request.network.name, pairs.size(),
                              setup.task.pairs.size()));
  }
  Calibration calibration;
  calibration.world = request.world;
  std::vector<MeasuredPair> in_full;
  std::size_t next = 0;
  for (const RouteClass& one : setup.classes) {
    CalibratedClass& of_class = calibration.classes.emplace_back(CalibratedClass{one, pairs[next], {}});
    in_full.push_back(pairs[next]);
    for (std::size_t member = 1; member < one.host_pairs.size(); ++member) {
      of_class.disagreement.push_back(disagreement(pairs[next], pairs[next + member]));
      if (of_class.disagreement.back() <= request.member_tolerance) continue;
      const auto name = [&](int host) { return request.network.hosts[host].name; };
      const auto [from, to] = one.host_pairs.front();
      const auto [other_from, other_to] = one.host_pairs[member];
      throw Refused(
          fmt::format("{}: {} to {} differs from {} to {} by {:.1f} %, and both are of class {}; at most {:.1f} "
                      "% is right, or links in the platform that differ",
                      request.network.name, name(other_from), name(other_to), name(from), name(to),
                      100 * of_class.disagreement.back(), one.name, 100 * request.member_tolerance));
    }
    next += one.host_pairs.size();
  }
  calibration.network = calibrated(request.network, setup.classes, in_full);
  return calibration;
}

Calibration calibrate(const CalibrationRequest& request) {
  const CalibrationSetup setup = calibration_setup(request);
  // Simulated ranks tell each other what to measure over the routes; emulated ones have a network for that.
  if (request.world == Source::smpi)
    require_routes(request.network, setup.placement.host_of_rank,
                   "hosts that all have routes to each other, or emulated ones,");
  const std::vector<MeasuredPair> pairs =
      request.world == Source::smpi ? measure_simulated(request.platform_file, request.network, setup.placement,
                                                        setup.task, request.emulation.timeout_s)
                                    : measure_emulated(request, setup);
  Calibration calibration = calibration_from(request, setup, pairs);
  if (request.fit) calibration.fit = fit(request, setup);
  return calibration;
}

json to_json(const Calibration& calibration) {
  json classes = json::array();
  for (std::size_t i = 0; i < calibration.classes.size(); ++i) {
    const auto& [routes, measured, apart] = calibration.classes[i];
    const auto name = [&](int host) { return calibration.network.hosts[host].name; };
    const ModelParameters parameters = parameters_of(layer_of(calibration, i));
    json beta = json::array();
    for (const auto& [bytes, seconds] : parameters.hockney.transfer_s.points()) {
      if (bytes > 0) beta.push_back({bytes, seconds / bytes});
    }
    classes.push_back({{"name", routes.name},
                       {"from", name(routes.host_pairs.front().first)},
                       {"to", name(routes.host_pairs.front().second)},
                       {"measured", to_json(measured)},
                       {"disagreement", apart},
                       {"hockney", {{"alpha_s", parameters.hockney.latency_s}, {"beta_s_per_byte", std::move(beta)}}},
                       {"loggp",
                        {{"latency_s", parameters.loggp.latency_s},
                         {"overhead_s", parameters.loggp.overhead_s},
                         {"gap_s", parameters.loggp.gap_s},
                         {"gap_s_per_byte", parameters.loggp.gap_s_per_byte}}}});
  }
  json value = to_json(calibration.network);
  value["calibration"] = {{"world", name(calibration.world)}, {"classes", std::move(classes)}};
  if (calibration.fit) {
    value["calibration"]["fit"] = {{"class", calibration.classes.front().routes.name},
                                   {"ranks", calibration.fit->ranks},
                                   {"latency_s", calibration.fit->latency_s},
                                   {"gap", calibration.fit->gap_s}};
  }
  return value;
}

namespace {

/// The texts of SMPI's factors: pieces, each with the size from which it applies.
struct SmpiFactors {
  std::string bandwidth, latency, send, receive;
};

void add_piece(std::string& text, double bytes, const std::string& value) {
  text += fmt::format("{}{}:{}", text.empty() ? "" : ";", bytes, value);
}

/// A straight line from a size to the next: its value at 0, and its slope.
std::string line_of(const SizeFunction& cost, double bytes, double next) {
  const double slope = (cost(next) - cost(bytes)) / (next - bytes);
  return fmt::format("{:.12g}:{:.12g}", cost(bytes) - slope * bytes, slope);
}

/// SMPI adds an envelope to each message, takes os before sending and or after receiving. The measured L + g(m)
/// includes all of these.
SmpiFactors smpi_factors(const PLogP& layer, const Route& route) {
  constexpr double envelope_bytes = 16;
  const double empty_overheads_s = layer.send_overhead(0) + layer.receive_overhead(0);
  const double latency_s = std::max(0.0, layer.latency_s - empty_overheads_s);
  const auto transfer_s = [&](double bytes) {
    const double overheads_s = layer.send_overhead(bytes) + layer.receive_overhead(bytes) - empty_overheads_s;
    return std::max(1e-15, layer.gap(bytes) - overheads_s);
  };
  SmpiFactors factors;
  // Within a piece SMPI's time is proportional to bytes plus envelope; a gap with a constant part is not. So pieces are
  // cut until the two agree at the ends of each. A piece applies to sizes above its first number.
  const auto cut = [&](const auto& self, double least, double most) -> void {
    constexpr double accuracy = 0.001;
    const double middle = std::floor((least + most) / 2);
    const double s_per_byte = transfer_s(middle) / (middle + envelope_bytes);
    const auto fits = [&](double bytes) {
      const double right_s = transfer_s(bytes);
      return std::abs((bytes + envelope_bytes) * s_per_byte - right_s) <= accuracy * (layer.latency_s + right_s);
    };
    if (least + 1 < most && !(fits(least) && fits(most))) {
      self(self, least, middle);
      return self(self, middle, most);
    }
    add_piece(factors.bandwidth, std::max(0.0, least + envelope_bytes - 1),
              fmt::format("{:.12g}", 1 / (s_per_byte * route.bandwidth_Bps)));
  };
  const std::vector<SizeFunction::Point>& points = layer.gap.points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double bytes = points[i].bytes, next = i + 1 < points.size() ? points[i + 1].bytes : 2 * bytes + 1;
    cut(cut, bytes, next);
    add_piece(factors.send, bytes, line_of(layer.send_overhead, bytes, next));
    add_piece(factors.receive, bytes, line_of(layer.receive_overhead, bytes, next));
  }
  add_piece(factors.latency, 0, fmt::format("{:.12g}", route.latency_s > 0 ? latency_s / route.latency_s : 1));
  return factors;
}

}  // namespace

std::string smpi_config(const CalibrationRequest& request, const Calibration& calibration,
                        const std::string& of_class) {
  std::size_t number = 0;
  std::string names;
  for (; number < calibration.classes.size() && calibration.classes[number].routes.name != of_class; ++number) {
    names += (names.empty() ? "" : ", ") + calibration.classes[number].routes.name;
  }
  if (number == calibration.classes.size()) {
    throw BadInput(fmt::format("--smpi-class: there is no class `{}`; one of {} would be right", of_class, names));
  }
  const auto [from, to] = calibration.classes[number].routes.host_pairs.front();
  const Route route = request.network.route(from, to);
  const SmpiFactors factors = smpi_factors(layer_of(calibration, number), route);
  std::string text = fmt::format("<!-- {}: class {}, measured ({}) -->\n<config>\n", request.network.name, of_class,
                                 name(calibration.world));
  const std::pair<const char*, std::string> settings[] = {{"network/model", "SMPI"},
                                                          {"network/TCP-gamma", "1e18"},
                                                          {"network/crosstraffic", "0"},
                                                          {"network/weight-S", "0"},
                                                          {"smpi/lat-factor", factors.latency},
                                                          {"smpi/bw-factor", factors.bandwidth},
                                                          {"smpi/os", factors.send},
                                                          {"smpi/ois", factors.send},
                                                          {"smpi/or", factors.receive},
                                                          {"smpi/async-small-thresh", "2000000000"},
                                                          {"smpi/send-is-detached-thresh", "2000000000"}};
  for (const auto& [key, value] : settings) text += fmt::format("  <prop id=\"{}\" value=\"{}\"/>\n", key, value);
  return text + "</config>\n";
}

}  // namespace isthmus
