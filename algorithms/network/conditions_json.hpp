// Conditions as JSON: what goes to a simulation and to an emulation, and what stands in the settings of a record.
#pragma once

#include <nlohmann/json.hpp>

#include "algorithms/network/conditions.hpp"

namespace isthmus {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Impairment, loss, jitter_s, reorder, duplicate, queue_frames)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AmbientTraffic, from, to, kind, rate_Bps, on_s, off_s)

/// A single stream is left out.
inline void to_json(nlohmann::json& value, const TcpSettings& tcp) {
  value = {{"congestion_control", tcp.congestion_control},
           {"initial_window_frames", tcp.initial_window_frames},
           {"send_buffer_bytes", tcp.send_buffer_bytes},
           {"receive_buffer_bytes", tcp.receive_buffer_bytes}};
  if (tcp.streams != 1) value["streams"] = tcp.streams;
}
inline void from_json(const nlohmann::json& value, TcpSettings& tcp) {
  tcp = {value.at("congestion_control"), value.at("initial_window_frames"), value.at("send_buffer_bytes"),
         value.at("receive_buffer_bytes"), value.value("streams", 1)};
}

/// The impairment stands beside the links, not below a key of its own.
inline void to_json(nlohmann::json& value, const LinkCondition& condition) {
  value = condition.impairment;
  value["links"] = condition.links;
}
inline void from_json(const nlohmann::json& value, LinkCondition& condition) {
  condition = {value.at("links"), value.get<Impairment>()};
}

/// A latency that stays the platform's is left out.
inline void to_json(nlohmann::json& value, const LinkChange& change) {
  value = {{"at_s", change.at_s}, {"links", change.links}, {"rate", change.rate}};
  if (change.latency_s) value["latency_s"] = *change.latency_s;
}
inline void from_json(const nlohmann::json& value, LinkChange& change) {
  change = {value.at("at_s"), value.at("links"), value.at("rate"), {}};
  if (value.contains("latency_s")) change.latency_s = value.at("latency_s").get<double>();
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Conditions, seed, links, changes, traffic, tcp)

}  // namespace isthmus
