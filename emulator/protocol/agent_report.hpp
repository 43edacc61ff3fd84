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
  /// Of the time in which the processes of the emulation wanted a processor while the ranks ran, the part in which they
  /// waited for one while none was idle. In real time, a run with much of it measured the processors and not the
  /// network. Negative: not known, or virtual time.
  double processor_waited = -1;
  std::vector<Note> notes = {};
  std::vector<std::pair<std::string, std::string>> provenance = {};  ///< substrate, kernel, MPI, TCP and queue settings

  /// Adds a report of what came after it.
  void add(const AgentReport& more);
};

/// One form, on the way from the agent, which reports piece by piece, and in records: lists, and the provenance as an
/// object of texts. `processor_waited` is left out where it is not known,
/// `notes` where there are none.
void to_json(nlohmann::json& json, const AgentReport& report);
void from_json(const nlohmann::json& json, AgentReport& report);

/// The events that carry pieces of it.
nlohmann::json report_event(const AgentReport& piece);
nlohmann::json provenance_event(const std::string& name, const std::string& value);

}  // namespace isthmus
