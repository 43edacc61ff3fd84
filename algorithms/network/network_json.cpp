#include "algorithms/network/network_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>

#include "algorithms/json/json_reader.hpp"
#include "algorithms/memory.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/network/link_range.hpp"
#include "algorithms/network/network_runs.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/counted.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {

using nlohmann::json;

namespace {

constexpr std::int64_t max_bytes = std::int64_t{1} << 62;
constexpr std::int64_t max_number = 2147483647;

void check_has_links(const JsonReader& list, std::size_t links) {
  if (links == 0 && !list.elements().empty()) list.at(0).fail("is a link number, and the network has no links");
}

std::vector<int> link_numbers(const JsonReader& list, std::size_t links) {
  check_has_links(list, links);
  return list.integers(0, static_cast<std::int64_t>(links) - 1);
}

/// The numbers of a short list, as in [bytes, seconds]; all 0 or more.
template <std::size_t size>
std::array<double, size> numbers(const JsonReader& list, const char* expected) {
  const auto is_right = [](const json& n) { return n.is_number() && n.get<double>() >= 0 && n.get<double>() < 1e300; };
  const json& value = list.value();
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
    if (least > max_number)
      pair.fail(fmt::format("comes after {}, the largest number; destinations must ascend", max_number));
    factors.emplace_back(pair.at(0).integer(least, max_number), pair.at(1).number_above_0());
  }
  return factors;
}

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

/// No message may take less than a link's bandwidth lets it: bounds rely on that, and it is what units mixed up look
/// like.
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

/// All of a link but its name.
Link link_from(const JsonReader& value) {
  value.expect_keys({"name", "names", "bandwidth_Bps", "latency_s", "sharing", "price_per_GB", "class", "profile"});
  Link link;
  link.bandwidth_Bps = value.at("bandwidth_Bps").number_from(min_bandwidth_Bps, max_bandwidth_Bps);
  link.latency_s = value.at("latency_s").number_from(0, max_latency_s);
  const std::string sharing = value.at("sharing").text();
  if (sharing != "shared" && sharing != "fatpipe") value.at("sharing").refuse("\"shared\" or \"fatpipe\"");
  link.sharing = sharing == "shared" ? Sharing::shared : Sharing::fatpipe;
  if (const auto price = value.find("price_per_GB")) link.price_per_GB = price->number_from(0);
  return link;
}

/// All of a host but its name and own links.
Host host_from(const JsonReader& value) {
  value.expect_keys(
      {"name", "names", "speed_flops", "cores", "gateway", "zones", "endpoint", "up", "down", "loopback"});
  Host host;
  host.speed_flops = value.at("speed_flops").number_from(0);
  host.cores = static_cast<int>(value.at("cores").integer(1, max_number));
  host.gateway = value.at("gateway").boolean();
  for (const JsonReader& zone : value.at("zones").elements())
    host.zones.push_back({zone.at("level").text(), zone.at("name").text()});
  host.endpoint = static_cast<int>(value.at("endpoint").integer(0, max_number));
  return host;
}

NameRange name_range(const JsonReader& value) {
  const auto range = parse_name_range(value.text());
  if (!range) value.refuse("a name with a range of numbers, such as \"c0-[0-65535]\",");
  return *range;
}

/// Link numbers of the first of many, and how much higher each next one's are.
struct SteppedLinks {
  std::vector<int> first, step;

  std::vector<int> of(std::int64_t number) const {
    std::vector<int> links(first);
    for (std::size_t i = 0; i < links.size(); ++i) links[i] += static_cast<int>(number * step[i]);
    return links;
  }
};

SteppedLinks stepped_links(const JsonReader& list, std::int64_t count, std::size_t links) {
  check_has_links(list, links);
  const std::int64_t last = static_cast<std::int64_t>(links) - 1;
  SteppedLinks stepped;
  for (const JsonReader& one : list.elements()) {
    stepped.first.push_back(static_cast<int>(one.at("first").integer(0, last)));
    const std::int64_t most = (last - stepped.first.back()) / std::max<std::int64_t>(1, count - 1);
    stepped.step.push_back(static_cast<int>(one.at("step").integer(0, most)));
  }
  return stepped;
}

/// Throws BadInput where so many more cannot be, before any memory is taken for them.
void require_room(const JsonReader& value, std::size_t so_far, std::int64_t more, std::size_t bytes_each,
                  const char* what) {
  constexpr std::size_t heap_bytes = 96;  // of small blocks, measured
  const std::int64_t all = static_cast<std::int64_t>(so_far) + more;
  if (all > max_number) value.fail(fmt::format("makes {} {}; at most {} would be right", all, what, max_number));
  value.reading([&] {
    require_memory(static_cast<double>(all) * static_cast<double>(bytes_each + heap_bytes),
                   fmt::format("{} {}", all, what), "fewer would be right");
  });
}

/// The links of an entry: one, or those that its `names` stand for.
void add_links(const JsonReader& value, std::vector<Link>& links) {
  const auto names = value.find("names");
  Link link = link_from(value);
  if (!names) {
    link.name = value.at("name").text();
    links.push_back(std::move(link));
    return;
  }
  std::vector<NameRange> ranges;
  for (const JsonReader& one : names->elements(1, "a list with at least one name in it")) {
    ranges.push_back(name_range(one));
    if (ranges.back().first != ranges.front().first || ranges.back().last != ranges.front().last)
      one.fail(
          fmt::format("has another range of numbers than {}; the same would be right", excerpt(ranges.front().text())));
  }
  std::size_t longest = 0;
  for (const NameRange& range : ranges) longest = std::max(longest, range.text().size());
  const std::int64_t count = ranges.front().count() * static_cast<std::int64_t>(ranges.size());
  require_room(value, links.size(), count, sizeof(Link) + longest, "links");
  for (std::int64_t number = ranges.front().first; number <= ranges.front().last; ++number) {
    for (const NameRange& range : ranges) {
      link.name = range.name(number);
      links.push_back(link);
    }
  }
}

/// The hosts of an entry: one, or those that its `names` stand for.
void add_hosts(const JsonReader& value, std::size_t links, std::vector<Host>& hosts) {
  Host host = host_from(value);
  const auto names = value.find("names");
  if (!names) {
    host.name = value.at("name").text();
    host.up = link_numbers(value.at("up"), links);
    host.down = link_numbers(value.at("down"), links);
    host.loopback = link_numbers(value.at("loopback"), links);
    hosts.push_back(std::move(host));
    return;
  }
  const NameRange range = name_range(*names);
  const SteppedLinks up = stepped_links(value.at("up"), range.count(), links);
  const SteppedLinks down = stepped_links(value.at("down"), range.count(), links);
  const SteppedLinks loopback = stepped_links(value.at("loopback"), range.count(), links);
  std::size_t bytes =
      sizeof(Host) + range.text().size() + sizeof(int) * (up.first.size() + down.first.size() + loopback.first.size());
  for (const ZoneStep& zone : host.zones) bytes += sizeof(ZoneStep) + zone.level.size() + zone.name.size();
  require_room(value, hosts.size(), range.count(), bytes, "hosts");
  for (std::int64_t number = 0; number < range.count(); ++number) {
    host.name = range.name(range.first + number);
    host.up = up.of(number);
    host.down = down.of(number);
    host.loopback = loopback.of(number);
    hosts.push_back(host);
  }
}

/// Throws BadInput when two hosts have one name. `first_host` is the number of the first host of each entry.
void check_names(const JsonReader& entries, const std::vector<Host>& hosts,
                 const std::vector<std::size_t>& first_host) {
  std::unordered_set<std::string_view> names(2 * hosts.size());
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    if (names.insert(hosts[host].name).second) continue;
    const auto after = std::upper_bound(first_host.begin(), first_host.end(), host);
    const JsonReader entry = entries.at(static_cast<std::size_t>(after - first_host.begin()) - 1);
    entry.at(entry.has("names") ? "names" : "name")
        .fail(fmt::format("host {} is there twice; names must differ", excerpt(hosts[host].name)));
  }
}

/// The trunks of an entry: one, or one to each of the endpoints from the first to the last of `to`.
void add_trunks(const JsonReader& value, std::size_t links, std::map<std::pair<int, int>, Trunk>& trunks) {
  const auto from = static_cast<int>(value.at("from").integer(0, max_number));
  const auto add = [&](int to, std::vector<int> numbers) {
    const std::size_t before = trunks.size();
    trunks.emplace_hint(trunks.end(), std::pair(from, to), Trunk{std::move(numbers)});
    if (trunks.size() == before)
      value.fail(fmt::format("the trunk from endpoint {} to {} is there twice; one would be right", from, to));
  };
  const JsonReader to = value.at("to");
  if (!to.value().is_array()) {
    add(static_cast<int>(to.integer(0, max_number)), link_numbers(value.at("links"), links));
    return;
  }
  if (to.value().size() != 2) to.refuse("an endpoint, or the first and the last of many,");
  const std::int64_t first = to.at(0).integer(0, max_number), last = to.at(1).integer(first, max_number);
  const SteppedLinks numbers = stepped_links(value.at("links"), last - first + 1, links);
  require_room(value, trunks.size(), last - first + 1, sizeof(Trunk) + sizeof(int) * numbers.first.size(), "trunks");
  for (std::int64_t number = 0; number <= last - first; ++number)
    add(static_cast<int>(first + number), numbers.of(number));
}

Transport transport_from(const JsonReader& value) {
  value.expect_keys({"header_bytes", "eager_bytes", "buffered_bytes", "send_overhead_s", "send_overhead_s_per_byte",
                     "receive_overhead_s", "receive_overhead_s_per_byte", "frame_bytes", "acknowledgement_bytes",
                     "reduction_s_per_byte"});
  Transport transport;
  transport.header_bytes = value.at("header_bytes").number_from(0);
  transport.eager_bytes = value.at("eager_bytes").integer(0, max_bytes);
  transport.buffered_bytes = value.at("buffered_bytes").integer(0, max_bytes);
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

Network network_from(const JsonReader& value) {
  Network network;
  network.name = value.at("name").text();
  std::map<std::string, int> class_numbers;
  if (const auto classes = value.find("classes")) {
    for (const JsonReader& one : classes->elements()) {
      network.classes.push_back(class_from(one));
      const std::string& name = network.classes.back().name;
      if (!class_numbers.try_emplace(name, static_cast<int>(class_numbers.size())).second)
        one.at("name").fail(fmt::format("class {} is there twice; names must differ", excerpt(name)));
    }
  }
  for (const JsonReader& one : value.at("links").elements()) {
    const std::size_t first = network.links.size();
    add_links(one, network.links);
    if (const auto list = one.find("profile")) {
      if (one.has("names")) list->fail("is of one link; an entry with a \"name\" would be right");
      std::vector<LinkStep> profile = profile_from(*list);
      if (!profile.empty()) network.profiles[static_cast<int>(first)] = std::move(profile);
    }
    const auto of_link = one.find("class");
    if (!of_link) continue;
    const auto found = class_numbers.find(of_link->text());
    if (found == class_numbers.end()) of_link->refuse("the name of one of \"classes\"");
    for (std::size_t number = first; number < network.links.size(); ++number)
      network.links[number].link_class = found->second;
    check_against_bandwidth(network.classes[found->second], network.links[first], *of_link);
  }
  const JsonReader hosts = value.at("hosts");
  std::vector<std::size_t> first_host;  // of each entry
  for (const JsonReader& one : hosts.elements(1, "a list with at least one host")) {
    first_host.push_back(network.hosts.size());
    add_hosts(one, network.links.size(), network.hosts);
  }
  check_names(hosts, network.hosts, first_host);
  for (const JsonReader& one : value.at("trunks").elements()) add_trunks(one, network.links.size(), network.trunks);
  network.transport = transport_from(value.at("transport"));
  return network;
}

json points_of(const SizeFunction& function) {
  json points = json::array();
  for (const auto& [bytes, seconds] : function.points()) points.push_back({bytes, seconds});
  return points;
}

json to_json(const LinkClass& one) {
  json value = {{"name", one.name},
                {"gap", points_of(one.gap)},
                {"send_overhead", points_of(one.send_overhead)},
                {"receive_overhead", points_of(one.receive_overhead)}};
  for (const auto& [destinations, factor] : one.gap_factors) value["gap_factors"].push_back({destinations, factor});
  return value;
}

json figures_of(const Network& network, const Link& link) {
  json value = {{"bandwidth_Bps", link.bandwidth_Bps},
                {"latency_s", link.latency_s},
                {"sharing", link.sharing == Sharing::shared ? "shared" : "fatpipe"}};
  if (link.price_per_GB > 0) value["price_per_GB"] = link.price_per_GB;
  if (link.link_class >= 0) value["class"] = network.classes[link.link_class].name;
  return value;
}

json links_of(const Network& network) {
  json links = json::array();
  for (std::size_t i = 0; i < network.links.size();) {
    json& value = links.emplace_back(figures_of(network, network.links[i]));
    if (const auto run = link_run(network, i)) {
      for (const NameRange& names : run->names) value["names"].push_back(names.text());
      i += static_cast<std::size_t>(run->count());
      continue;
    }
    value["name"] = network.links[i].name;
    for (const LinkStep& step : network.profile_of(static_cast<int>(i)))
      value["profile"].push_back({step.at_s, step.bandwidth_Bps, step.latency_s});
    ++i;
  }
  return links;
}

json stepped(const std::vector<int>& links, const std::vector<int>& steps) {
  json list = json::array();
  for (std::size_t i = 0; i < links.size(); ++i) list.push_back({{"first", links[i]}, {"step", steps[i]}});
  return list;
}

json hosts_of(const Network& network) {
  json hosts = json::array();
  for (std::size_t i = 0; i < network.hosts.size();) {
    const Host& host = network.hosts[i];
    json zones = json::array();
    for (const ZoneStep& zone : host.zones) zones.push_back({{"level", zone.level}, {"name", zone.name}});
    json& value = hosts.emplace_back(json{{"speed_flops", host.speed_flops},
                                          {"cores", host.cores},
                                          {"gateway", host.gateway},
                                          {"zones", std::move(zones)},
                                          {"endpoint", host.endpoint}});
    if (const auto run = host_run(network, i)) {
      value["names"] = run->names.text();
      value["up"] = stepped(host.up, run->up_steps);
      value["down"] = stepped(host.down, run->down_steps);
      value["loopback"] = stepped(host.loopback, run->loopback_steps);
      i += static_cast<std::size_t>(run->names.count());
      continue;
    }
    value["name"] = host.name;
    value["up"] = host.up;
    value["down"] = host.down;
    value["loopback"] = host.loopback;
    ++i;
  }
  return hosts;
}

json trunks_of(const Network& network) {
  json trunks = json::array();
  for (auto at = network.trunks.begin(); at != network.trunks.end();) {
    const auto& [ends, trunk] = *at;
    if (const auto run = trunk_run(network, at)) {
      const std::int64_t last = run->to + run->count - 1;
      trunks.push_back({{"from", run->from}, {"to", {run->to, last}}, {"links", stepped(trunk.links, run->steps)}});
      std::advance(at, run->count);
      continue;
    }
    trunks.push_back({{"from", ends.first}, {"to", ends.second}, {"links", trunk.links}});
    ++at;
  }
  return trunks;
}

}  // namespace

json to_json(const Network& network) {
  // Forwarded routes follow from the placement.
  if (has_forwarded_routes(network)) return to_json(without_forwarded_routes(network));
  const Transport& transport = network.transport;
  json value = {{"name", network.name},
                {"links", links_of(network)},
                {"hosts", hosts_of(network)},
                {"trunks", trunks_of(network)},
                {"transport",
                 {{"header_bytes", transport.header_bytes},
                  {"eager_bytes", transport.eager_bytes},
                  {"buffered_bytes", transport.buffered_bytes},
                  {"send_overhead_s", transport.send_overhead_s},
                  {"send_overhead_s_per_byte", transport.send_overhead_s_per_byte},
                  {"receive_overhead_s", transport.receive_overhead_s},
                  {"receive_overhead_s_per_byte", transport.receive_overhead_s_per_byte}}}};
  if (transport.frame_bytes > 0) value["transport"]["frame_bytes"] = transport.frame_bytes;
  if (transport.acknowledgement_bytes > 0)
    value["transport"]["acknowledgement_bytes"] = transport.acknowledgement_bytes;
  if (transport.reduction_s_per_byte > 0) value["transport"]["reduction_s_per_byte"] = transport.reduction_s_per_byte;
  for (const LinkClass& one : network.classes) value["classes"].push_back(to_json(one));
  return value;
}

Network network_from_json(const json& value) { return network_from(JsonReader(value, "network")); }

std::vector<Note> warnings_about(const Network& network) {
  constexpr double long_s = 1, slow_Bps = 1000;
  std::vector<Note> late, slow, costly;
  const auto add = [&](std::vector<Note>& notes, const std::string& doubt, const char* meant) {
    add_note(notes, {Note::Kind::doubtful_network, fmt::format("{}: {}", network.name, doubt),
                     fmt::format("are {} meant?", meant)});
  };
  for (const Link& link : network.links) {
    if (link.latency_s >= long_s)
      add(late, fmt::format("link {} has a latency of {} s", link.name, link.latency_s), "milliseconds");
    if (link.bandwidth_Bps < slow_Bps)
      add(slow, fmt::format("link {} has a bandwidth of {} B/s", link.name, link.bandwidth_Bps), "megabytes");
  }
  for (const LinkClass& one : network.classes) {
    for (const SizeFunction* cost : {&one.gap, &one.send_overhead, &one.receive_overhead}) {
      if (cost->points().front().bytes > 1 || (*cost)(1) < long_s) continue;
      add(costly, fmt::format("class {} takes {} s for a byte", one.name, (*cost)(1)), "milliseconds or microseconds");
      break;
    }
  }
  for (const std::vector<Note>* others : {&slow, &costly}) late.insert(late.end(), others->begin(), others->end());
  return late;
}

void write_network(const Network& network, const std::string& file) {
  write_whole_file(file, to_json(network).dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

Network read_network(const std::string& file) {
  return network_from(JsonDocument::of_file(file, "a network JSON would be right").whole());
}

}  // namespace isthmus
