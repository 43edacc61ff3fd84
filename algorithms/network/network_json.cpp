#include "algorithms/network/network_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "algorithms/json/json_reader.hpp"
#include "algorithms/network/json/read_costs.hpp"
#include "algorithms/network/json/read_elements.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {

using nlohmann::json;

namespace {

using ClassNumbers = std::map<std::string, int>;  // by name

ClassNumbers read_classes(const JsonReader& list, Network& network) {
  ClassNumbers numbers;
  for (const JsonReader& one : list.elements()) {
    network.classes.push_back(class_from(one));
    const std::string& name = network.classes.back().name;
    if (!numbers.try_emplace(name, static_cast<int>(numbers.size())).second)
      one.at("name").fail(fmt::format("class {} is there twice; names must differ", excerpt(name)));
  }
  return numbers;
}

void read_links(const JsonReader& entries, const ClassNumbers& class_numbers, Network& network) {
  std::vector<std::size_t> first_of_entry;
  for (const JsonReader& one : entries.elements()) {
    const std::size_t first = network.links.size();
    first_of_entry.push_back(first);
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
  check_names(entries, network.links, first_of_entry);
}

void read_hosts(const JsonReader& entries, Network& network) {
  std::vector<std::size_t> first_of_entry;
  for (const JsonReader& one : entries.elements(1, "a list with at least one host")) {
    first_of_entry.push_back(network.hosts.size());
    add_hosts(one, network.links.size(), network.hosts);
  }
  check_names(entries, network.hosts, first_of_entry);
}

void read_trunks(const JsonReader& entries, Network& network) {
  const int last_endpoint = std::ranges::max(network.hosts, {}, &Host::endpoint).endpoint;
  for (const JsonReader& one : entries.elements()) add_trunks(one, network.links.size(), last_endpoint, network.trunks);
}

Network network_from(const JsonReader& value) {
  value.expect_keys(
      {"name", "links", "hosts", "trunks", "transport", "classes", "calibration", "discovery", "settings"});
  Network network;
  network.name = value.at("name").text();
  const auto classes = value.find("classes");
  const ClassNumbers class_numbers = classes ? read_classes(*classes, network) : ClassNumbers();
  read_links(value.at("links"), class_numbers, network);
  read_hosts(value.at("hosts"), network);
  read_trunks(value.at("trunks"), network);
  network.transport = transport_from(value.at("transport"));
  return network;
}

}  // namespace

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
