#include "algorithms/network/conditions_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/json/strict_json.hpp"

namespace isthmus {
namespace {

/// A number from `least` to `greatest`; `otherwise` when the key is missing.
double number_or(const StrictObject& object, const char* key, double otherwise, double least, double greatest) {
  if (!object.has(key)) return otherwise;
  const nlohmann::json& value = object.at(key);
  if (!value.is_number() || !(value.get<double>() >= least && value.get<double>() <= greatest)) {
    object.fail(key, fmt::format("{} is no number from {:g} to {:g}", excerpt_of(value), least, greatest));
  }
  return value.get<double>();
}

constexpr double day_s = 86400;

double needed(const StrictObject& object, const char* key, double least, double greatest) {
  object.at(key);
  return number_or(object, key, 0, least, greatest);
}

template <typename Read>
void for_each(const nlohmann::json& object, const char* key, const StrictObject& whole, const Read& read) {
  if (!whole.has(key)) return;
  if (!object.at(key).is_array()) whole.fail(key, "is no list; a list of objects would be right");
  for (std::size_t i = 0; i < object.at(key).size(); ++i) read(object.at(key)[i], fmt::format("{}[{}]", key, i));
}

LinkCondition link_condition(const StrictObject& object) {
  LinkCondition condition;
  condition.links = object.text("link");
  Impairment& impairment = condition.impairment;
  impairment.loss = number_or(object, "loss", 0, 0, 1);
  impairment.jitter_s = number_or(object, "jitter_s", 0, 0, 10);
  impairment.reorder = number_or(object, "reorder", 0, 0, 1);
  impairment.duplicate = number_or(object, "duplicate", 0, 0, 1);
  impairment.queue_frames = object.integer_or("queue_frames", 0, 1, 1'000'000);
  return condition;
}

LinkChange link_change(const StrictObject& object) {
  LinkChange change;
  change.at_s = needed(object, "at_s", 0, day_s);
  change.links = object.text("link");
  change.rate = number_or(object, "rate", 1, 0, 1000);
  if (change.rate > 0 && change.rate < 1e-6) object.fail("rate", "too low; 0 cuts a link, 0.000001 is the least rate");
  if (object.has("latency_s")) change.latency_s = needed(object, "latency_s", 0, 60);
  return change;
}

AmbientTraffic ambient_traffic(const StrictObject& object) {
  AmbientTraffic traffic;
  traffic.from = object.text("from");
  traffic.to = object.text("to");
  if (traffic.from == traffic.to) object.fail("to", "is where the traffic comes from; another host would be right");
  const std::string kind = object.text_or("kind", "constant");
  if (kind == "on-off") {
    traffic.kind = AmbientTraffic::Kind::on_off;
  } else if (kind == "bursty") {
    traffic.kind = AmbientTraffic::Kind::bursty;
  } else if (kind != "constant") {
    object.fail("kind", fmt::format("`{}` is none of constant, on-off, bursty", kind));
  }
  traffic.rate_Bps = needed(object, "rate_Bps", 1, 1e10);
  if (traffic.kind != AmbientTraffic::Kind::constant) {
    traffic.on_s = needed(object, "on_s", 1e-6, day_s);
    traffic.off_s = needed(object, "off_s", 1e-6, day_s);
  }
  return traffic;
}

TcpSettings tcp_settings(const StrictObject& object) {
  TcpSettings tcp;
  tcp.congestion_control = object.text_or("congestion_control", "");
  if (tcp.congestion_control.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") != std::string::npos) {
    object.fail("congestion_control", "is no name of one; `cubic` or `reno`, for instance, would be right");
  }
  constexpr std::int64_t max_bytes = 1 << 30;
  tcp.initial_window_frames = static_cast<int>(object.integer_or("initial_window_frames", 0, 1, 100'000));
  tcp.send_buffer_bytes = object.integer_or("send_buffer_bytes", 0, 4096, max_bytes);
  tcp.receive_buffer_bytes = object.integer_or("receive_buffer_bytes", 0, 4096, max_bytes);
  return tcp;
}

}  // namespace

Conditions read_conditions(const std::string& file) {
  const nlohmann::json json = read_json(file, "a file of conditions is needed");
  const StrictObject whole(json, file, "", {"seed", "links", "changes", "traffic", "tcp"});
  Conditions conditions;
  conditions.seed = static_cast<std::uint64_t>(whole.integer_or("seed", 1, 0, 1LL << 53));
  for_each(json, "links", whole, [&](const nlohmann::json& entry, const std::string& at) {
    conditions.links.push_back(link_condition(
        StrictObject(entry, file, at, {"link", "loss", "jitter_s", "reorder", "duplicate", "queue_frames"})));
  });
  for_each(json, "changes", whole, [&](const nlohmann::json& entry, const std::string& at) {
    conditions.changes.push_back(link_change(StrictObject(entry, file, at, {"at_s", "link", "rate", "latency_s"})));
  });
  for_each(json, "traffic", whole, [&](const nlohmann::json& entry, const std::string& at) {
    conditions.traffic.push_back(
        ambient_traffic(StrictObject(entry, file, at, {"from", "to", "kind", "rate_Bps", "on_s", "off_s"})));
  });
  if (whole.has("tcp")) {
    conditions.tcp = tcp_settings(
        StrictObject(whole.at("tcp"), file, "tcp",
                     {"congestion_control", "initial_window_frames", "send_buffer_bytes", "receive_buffer_bytes"}));
  }
  std::stable_sort(conditions.changes.begin(), conditions.changes.end(),
                   [](const LinkChange& a, const LinkChange& b) { return a.at_s < b.at_s; });
  return conditions;
}

}  // namespace isthmus
