// Messages into and out of an emulated kernel, in order: JSON objects as numbered files in a folder that both sides
// see. The reader of a message removes its file.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace isthmus {

inline constexpr const char* job_folder = "/run/isthmus/job";  ///< shared with the client
inline constexpr const char* work_file = "/run/isthmus/job/work.json";
inline constexpr const char* settings_file = "/run/isthmus/job/settings.json";
inline constexpr const char* network_file = "/run/isthmus/job/network.json";

/// Events, to the client: `{"progress": "..."}`, `{"report": a piece of an AgentReport}`, `{"point": 0, ...}`,
/// `{"reached": stage}` (network, probe, ranks, run, end), `{"output": bytes}`, `{"errors": bytes}`,
/// `{"capture": bytes}`, `{"ended": status, "seconds": s}`, `{"error": "...", "status": 1}`, and `{"end": true}` last.
inline constexpr const char* events_folder = "/run/isthmus/job/events";
/// Commands, to the agent: `{"stop": true}` when time is up, `{"signal": number}`.
inline constexpr const char* commands_folder = "/run/isthmus/job/commands";
/// Input, to the agent: `{"bytes": bytes}`, at its end `{"end": true}`. Separate from the commands, because a program
/// that does not read its input blocks it.
inline constexpr const char* input_folder = "/run/isthmus/job/input";

class MessageSender {
 public:
  /// There is one sender for a folder.
  explicit MessageSender(std::string folder) : folder_(std::move(folder)) {}

  /// Whether fewer messages wait to be read than the folder may hold.
  bool has_room() const;
  /// Waits until there is room.
  void send(const nlohmann::json& message);

 private:
  std::string folder_;
  std::uint64_t next_ = 0;
};

class MessageReceiver {
 public:
  explicit MessageReceiver(std::string folder) : folder_(std::move(folder)) {}

  /// The next message, if there is one.
  std::optional<nlohmann::json> receive();

 private:
  std::string folder_;
  std::uint64_t next_ = 0;
};

/// Any bytes as text that JSON can carry: byte n becomes the character of code point n.
std::string text_of_bytes(std::string_view bytes);
/// Throws Refused for text that text_of_bytes() cannot have made.
std::string bytes_of_text(std::string_view text);

}  // namespace isthmus
