// Conditions as JSON: what goes to a simulation and to an emulation, and what stands in the settings of a record.
#pragma once

#include <nlohmann/json.hpp>

#include "algorithms/network/conditions.hpp"

namespace isthmus {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Impairment, loss, jitter_s, reorder, duplicate, queue_frames)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AmbientTraffic, from, to, kind, rate_Bps, on_s, off_s)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TcpSettings, congestion_control, initial_window_frames, send_buffer_bytes,
                                   receive_buffer_bytes)

/// The impairment stands beside the links, not below a key of its own.
inline void to_json(nlohmann::json& json, const LinkCondition& condition) {
  json = condition.impairment;
  json["links"] = condition.links;
}
inline void from_json(const nlohmann::json& json, LinkCondition& condition) {
  condition = {json.at("links"), json.get<Impairment>()};
}

/// A latency that stays the platform's is left out.
inline void to_json(nlohmann::json& json, const LinkChange& change) {
  json = {{"at_s", change.at_s}, {"links", change.links}, {"rate", change.rate}};
  if (change.latency_s) json["latency_s"] = *change.latency_s;
}
inline void from_json(const nlohmann::json& json, LinkChange& change) {
  change = {json.at("at_s"), json.at("links"), json.at("rate"), {}};
  if (json.contains("latency_s")) change.latency_s = json.at("latency_s").get<double>();
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Conditions, seed, links, changes, traffic, tcp)

}  // namespace isthmus
