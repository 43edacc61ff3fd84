#include "emulator/protocol/agent_report.hpp"

namespace isthmus {

void AgentReport::add(const AgentReport& more) {
  achieved.insert(achieved.end(), more.achieved.begin(), more.achieved.end());
  drift.insert(drift.end(), more.drift.begin(), more.drift.end());
  if (more.processor_waited >= 0) processor_waited = more.processor_waited;
  notes.insert(notes.end(), more.notes.begin(), more.notes.end());
  provenance.insert(provenance.end(), more.provenance.begin(), more.provenance.end());
}

void to_json(nlohmann::json& json, const AgentReport& report) {
  json = {{"achieved", report.achieved}, {"drift", report.drift}, {"provenance", nlohmann::json::object()}};
  for (const auto& [name, value] : report.provenance) json["provenance"][name] = value;
  if (!report.notes.empty()) json["notes"] = report.notes;
  if (report.processor_waited >= 0) json["processor_waited"] = report.processor_waited;
}

void from_json(const nlohmann::json& json, AgentReport& report) {
  report.achieved = json.at("achieved").get<std::vector<Achieved>>();
  report.drift = json.at("drift").get<std::vector<Achieved>>();
  report.processor_waited = json.value("processor_waited", -1.0);
  report.notes = json.value("notes", std::vector<Note>{});
  report.provenance.clear();
  for (const auto& [name, value] : json.at("provenance").items()) report.provenance.emplace_back(name, value);
}

nlohmann::json report_event(const AgentReport& piece) { return {{"report", piece}}; }

nlohmann::json provenance_event(const std::string& name, const std::string& value) {
  return report_event({.provenance = {{name, value}}});
}

}  // namespace isthmus
