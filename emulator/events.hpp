// What the emulation tells while it runs: one JSON object a line, in a file that is read from outside.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace isthmus {

inline constexpr const char* job_folder = "/run/isthmus/job";  ///< shared with the outside
inline constexpr const char* job_file = "/run/isthmus/job/job.json";
inline constexpr const char* settings_file = "/run/isthmus/job/settings.json";
inline constexpr const char* events_file = "/run/isthmus/job/events.jsonl";
inline constexpr const char* stop_file = "/run/isthmus/job/stop";  ///< appears when time is up

/// `{"progress": "..."}`, `{"achieved": {...}}`, `{"provenance": [name, value]}`, `{"point": 0, ...}`,
/// `{"error": "...", "status": 1}`, and `{"end": true}` last.
void tell(const nlohmann::json& event);
void tell_progress(const std::string& text);

}  // namespace isthmus
