#include "algorithms/network/json/read_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_set>

#include "algorithms/memory.hpp"
#include "algorithms/network/link_range.hpp"
#include "algorithms/network/name_range.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

constexpr std::int64_t max_number = std::numeric_limits<int>::max();
constexpr std::int64_t max_endpoint = (1 << 24) - 1;  // the replay has a list of all up to the last one

void check_has_links(const JsonReader& list, std::size_t links) {
  if (links == 0 && !list.elements().empty()) list.at(0).fail("is a link number, and the network has no links");
}

std::vector<int> link_numbers(const JsonReader& list, std::size_t links) {
  check_has_links(list, links);
  return list.integers(0, static_cast<std::int64_t>(links) - 1);
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
  std::vector<ZoneStep> zones;
  for (const JsonReader& zone : value.at("zones").elements()) {
    zone.expect_keys({"level", "name"});
    zones.push_back({zone.at("level").text(), zone.at("name").text()});
  }
  host.zones = std::move(zones);
  host.endpoint = static_cast<int>(value.at("endpoint").integer(0, max_endpoint));
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
    one.expect_keys({"first", "step"});
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

/// `what` the elements are.
template <typename Element>
void check_names_of(const char* what, const JsonReader& entries, const std::vector<Element>& elements,
                    const std::vector<std::size_t>& first_of_entry) {
  std::unordered_set<std::string_view> names(2 * elements.size());
  for (std::size_t number = 0; number < elements.size(); ++number) {
    if (names.insert(elements[number].name).second) continue;
    const auto after = std::upper_bound(first_of_entry.begin(), first_of_entry.end(), number);
    const JsonReader entry = entries.at(static_cast<std::size_t>(after - first_of_entry.begin()) - 1);
    entry.at(entry.has("names") ? "names" : "name")
        .fail(fmt::format("{} {} is there twice; names must differ", what, excerpt(elements[number].name)));
  }
}

}  // namespace

void add_links(const JsonReader& entry, std::vector<Link>& links) {
  const auto names = entry.find("names");
  Link link = link_from(entry);
  if (!names) {
    link.name = entry.at("name").text();
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
  require_room(entry, links.size(), count, sizeof(Link) + longest, "links");
  for (std::int64_t number = ranges.front().first; number <= ranges.front().last; ++number) {
    for (const NameRange& range : ranges) {
      link.name = range.name(number);
      links.push_back(link);
    }
  }
}

void add_hosts(const JsonReader& entry, std::size_t links, std::vector<Host>& hosts) {
  Host host = host_from(entry);
  const auto names = entry.find("names");
  if (!names) {
    host.name = entry.at("name").text();
    host.up = link_numbers(entry.at("up"), links);
    host.down = link_numbers(entry.at("down"), links);
    host.loopback = link_numbers(entry.at("loopback"), links);
    hosts.push_back(std::move(host));
    return;
  }
  const NameRange range = name_range(*names);
  const SteppedLinks up = stepped_links(entry.at("up"), range.count(), links);
  const SteppedLinks down = stepped_links(entry.at("down"), range.count(), links);
  const SteppedLinks loopback = stepped_links(entry.at("loopback"), range.count(), links);
  std::size_t bytes =
      sizeof(Host) + range.text().size() + sizeof(int) * (up.first.size() + down.first.size() + loopback.first.size());
  for (const ZoneStep& zone : host.zones) bytes += sizeof(ZoneStep) + zone.level.size() + zone.name.size();
  require_room(entry, hosts.size(), range.count(), bytes, "hosts");
  for (std::int64_t number = 0; number < range.count(); ++number) {
    host.name = range.name(range.first + number);
    host.up = up.of(number);
    host.down = down.of(number);
    host.loopback = loopback.of(number);
    hosts.push_back(host);
  }
}

void add_trunks(const JsonReader& entry, std::size_t links, int last_endpoint,
                std::map<std::pair<int, int>, Trunk>& trunks) {
  entry.expect_keys({"from", "to", "links"});
  const auto from = static_cast<int>(entry.at("from").integer(0, last_endpoint));
  const auto add = [&](int to, std::vector<int> numbers) {
    const std::size_t before = trunks.size();
    trunks.emplace_hint(trunks.end(), std::pair(from, to), Trunk{std::move(numbers)});
    if (trunks.size() == before)
      entry.fail(fmt::format("the trunk from endpoint {} to {} is there twice; one would be right", from, to));
  };
  const JsonReader to = entry.at("to");
  if (!to.is_list()) {
    add(static_cast<int>(to.integer(0, last_endpoint)), link_numbers(entry.at("links"), links));
    return;
  }
  if (to.value().size() != 2) to.refuse("an endpoint, or the first and the last of many,");
  const std::int64_t first = to.at(0).integer(0, last_endpoint), last = to.at(1).integer(first, last_endpoint);
  const SteppedLinks numbers = stepped_links(entry.at("links"), last - first + 1, links);
  require_room(entry, trunks.size(), last - first + 1, sizeof(Trunk) + sizeof(int) * numbers.first.size(), "trunks");
  for (std::int64_t number = 0; number <= last - first; ++number)
    add(static_cast<int>(first + number), numbers.of(number));
}

void check_names(const JsonReader& entries, const std::vector<Link>& links,
                 const std::vector<std::size_t>& first_of_entry) {
  check_names_of("link", entries, links, first_of_entry);
}

void check_names(const JsonReader& entries, const std::vector<Host>& hosts,
                 const std::vector<std::size_t>& first_of_entry) {
  check_names_of("host", entries, hosts, first_of_entry);
}

}  // namespace isthmus
