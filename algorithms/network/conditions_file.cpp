#include "algorithms/network/conditions_file.hpp"

#include <algorithm>

#include "algorithms/json/json_reader.hpp"

namespace isthmus {
namespace {

constexpr double day_s = 86400;

LinkCondition link_condition(const JsonReader& object) {
  object.expect_keys({"link", "loss", "jitter_s", "reorder", "duplicate", "queue_frames"});
  LinkCondition condition;
  condition.links = object.at("link").name();
  Impairment& impairment = condition.impairment;
  impairment.loss = object.number_or("loss", 0, 0, 1);
  impairment.jitter_s = object.number_or("jitter_s", 0, 0, 10);
  impairment.reorder = object.number_or("reorder", 0, 0, 1);
  impairment.duplicate = object.number_or("duplicate", 0, 0, 1);
  impairment.queue_frames = object.integer_or("queue_frames", 0, 1, 1'000'000);
  return condition;
}

LinkChange link_change(const JsonReader& object) {
  object.expect_keys({"at_s", "link", "rate", "latency_s"});
  LinkChange change;
  change.at_s = object.at("at_s").number_from(0, day_s);
  change.links = object.at("link").name();
  change.rate = object.number_or("rate", 1, 0, 1000);
  if (change.rate > 0 && change.rate < 1e-6) object.at("rate").refuse("0, which cuts the link, or 0.000001 or more");
  if (object.has("latency_s")) change.latency_s = object.at("latency_s").number_from(0, 60);
  return change;
}

AmbientTraffic ambient_traffic(const JsonReader& object) {
  object.expect_keys({"from", "to", "kind", "rate_Bps", "on_s", "off_s"});
  AmbientTraffic traffic;
  traffic.from = object.at("from").name();
  traffic.to = object.at("to").name();
  if (traffic.from == traffic.to) object.at("to").fail("is where the traffic comes from; another host would be right");
  const auto kind_of = object.find("kind");
  const std::string kind = kind_of ? kind_of->name() : "constant";
  if (kind == "on-off") {
    traffic.kind = AmbientTraffic::Kind::on_off;
  } else if (kind == "bursty") {
    traffic.kind = AmbientTraffic::Kind::bursty;
  } else if (kind != "constant") {
    kind_of->refuse("\"constant\", \"on-off\" or \"bursty\"");
  }
  traffic.rate_Bps = object.at("rate_Bps").number_from(1, 1e10);
  if (traffic.kind != AmbientTraffic::Kind::constant) {
    traffic.on_s = object.at("on_s").number_from(1e-6, day_s);
    traffic.off_s = object.at("off_s").number_from(1e-6, day_s);
  }
  return traffic;
}

TcpSettings tcp_settings(const JsonReader& object) {
  object.expect_keys(
      {"congestion_control", "initial_window_frames", "send_buffer_bytes", "receive_buffer_bytes", "streams"});
  TcpSettings tcp;
  if (const auto name = object.find("congestion_control")) {
    tcp.congestion_control = name->name();
    if (tcp.congestion_control.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") != std::string::npos)
      name->refuse("the name of one, as \"cubic\" or \"reno\",");
  }
  constexpr std::int64_t max_bytes = 1 << 30;
  tcp.initial_window_frames = static_cast<int>(object.integer_or("initial_window_frames", 0, 1, 100'000));
  tcp.send_buffer_bytes = object.integer_or("send_buffer_bytes", 0, 4096, max_bytes);
  tcp.receive_buffer_bytes = object.integer_or("receive_buffer_bytes", 0, 4096, max_bytes);
  if (const auto streams = object.find("streams")) {
    const bool automatic = streams->value() == "auto";
    if (!automatic && !streams->value().is_number()) streams->refuse("auto, or a number of connections,");
    tcp.streams = automatic ? automatic_streams : static_cast<int>(streams->integer(1, max_streams));
  }
  return tcp;
}

}  // namespace

Conditions read_conditions(const std::string& file) {
  const JsonDocument document = JsonDocument::of_file(file, "a file of conditions would be right");
  const JsonReader whole = document.whole();
  whole.expect_keys({"seed", "links", "changes", "traffic", "tcp"});
  Conditions conditions;
  conditions.seed = static_cast<std::uint64_t>(whole.integer_or("seed", 1, 0, 1LL << 53));
  for (const JsonReader& entry : whole.elements_or_none("links")) conditions.links.push_back(link_condition(entry));
  for (const JsonReader& entry : whole.elements_or_none("changes")) conditions.changes.push_back(link_change(entry));
  for (const JsonReader& entry : whole.elements_or_none("traffic"))
    conditions.traffic.push_back(ambient_traffic(entry));
  if (const auto tcp = whole.find("tcp")) conditions.tcp = tcp_settings(*tcp);
  std::stable_sort(conditions.changes.begin(), conditions.changes.end(),
                   [](const LinkChange& a, const LinkChange& b) { return a.at_s < b.at_s; });
  return conditions;
}

}  // namespace isthmus
