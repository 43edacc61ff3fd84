// What an emulation reports beside the results of its work.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/text/note.hpp"

namespace isthmus {

/// What the probe measured on one class of routes, next to what the network asks for. Rates are payload.
struct Achieved {
  std::string from, to;  ///< the hosts between which it was measured
  double asked_latency_s = 0, latency_s = 0;
  double asked_bandwidth_Bps = 0, bandwidth_Bps = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Achieved, from, to, asked_latency_s, latency_s, asked_bandwidth_Bps, bandwidth_Bps)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Note, kind, text, remedy, count)

struct AgentReport {
  std::vector<Achieved> achieved = {};
  std::vector<Achieved> drift = {};  ///< the same, measured after the work
  /// While the ranks ran: the time in which processes of the emulation waited for a processor and none was idle, as a
  /// part of the time in which they wanted one. In real time, a run with a high value measured the processors and not
  /// the network. Negative: not known, or virtual time.
  double processor_waited = -1;
  std::vector<Note> notes = {};
  std::vector<std::pair<std::string, std::string>> provenance = {};  ///< substrate, kernel, MPI, TCP and queue settings

  /// Adds a later report.
  void add(const AgentReport& more);
};

/// The same form in records and in messages of the agent, which reports piece by piece: lists, and the provenance as an
/// object of texts. `processor_waited` is left out when not known, `notes` when empty.
void to_json(nlohmann::json& json, const AgentReport& report);
void from_json(const nlohmann::json& json, AgentReport& report);

/// The events that carry pieces of a report.
nlohmann::json report_event(const AgentReport& piece);
nlohmann::json provenance_event(const std::string& name, const std::string& value);

}  // namespace isthmus
