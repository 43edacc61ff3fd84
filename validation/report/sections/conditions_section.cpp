#include "validation/report/sections/conditions_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "validation/text/units.hpp"

namespace isthmus {
namespace {

std::string provenance_text(const Record& record, const char* key) {
  const auto provenance = record.extra.find("provenance");
  if (provenance == record.extra.end() || !provenance->is_object()) return {};
  const auto value = provenance->find(key);
  return value != provenance->end() && value->is_string() ? value->get<std::string>() : std::string();
}

/// The word after `key` in a text of words; empty if it is not there.
std::string word_after(const std::string& text, std::string_view key) {
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (word == key) return words >> word ? word : std::string();
  return {};
}

/// The numbers of a setting such as `net/ipv4/tcp_rmem=4096 67108864 67108864`; the last is the maximum.
std::string max_of(const std::string& settings, const std::string& key) {
  const std::size_t at = settings.find(key + "=");
  if (at == std::string::npos) return {};
  std::istringstream numbers(settings.substr(at + key.size() + 1));
  std::int64_t number = 0, last = -1;
  while (numbers >> number) last = number;
  return last < 0 ? std::string() : format_bytes(last);
}

/// `TCP of the emulated network: initial window 10 segments, ...`; empty without figures.
std::string tcp_sentence(const Record& record) {
  const std::string routes = provenance_text(record, "routes"), tcp = provenance_text(record, "tcp");
  const std::string streams = provenance_text(record, "streams");
  std::vector<std::string> parts;
  if (const std::string window = word_after(routes, "initcwnd"); !window.empty())
    parts.push_back(fmt::format("initial window {} segments", window));
  if (const std::string least = word_after(routes, "rto_min"); !least.empty())
    parts.push_back(fmt::format("shortest time-out {}", least));
  const std::string received = max_of(tcp, "tcp_rmem"), sent = max_of(tcp, "tcp_wmem");
  if (!received.empty() && received == sent) parts.push_back(fmt::format("buffers up to {}", received));
  if (!received.empty() && received != sent)
    parts.push_back(fmt::format("buffers up to {} to receive and {} to send", received, sent));
  if (const std::size_t at = tcp.find("tcp_slow_start_after_idle="); at != std::string::npos)
    parts.push_back(tcp[tcp.find('=', at) + 1] == '0' ? "no slow start after a pause" : "slow start after a pause");
  if (!streams.empty() && streams != "1") parts.push_back(fmt::format("{} streams a connection", streams));
  if (parts.empty()) return {};
  return fmt::format("TCP of the emulated network: {}.", fmt::join(parts, ", "));
}

bool is_han(const Record& record) { return record.requested.find("selector=han") != std::string::npos; }

/// With one rank a host, HAN has no level inside a host.
bool has_one_rank_a_host(const Scene& scene) {
  std::set<int> hosts(scene.placed.placement().host_of_rank.begin(), scene.placed.placement().host_of_rank.end());
  return static_cast<int>(hosts.size()) == scene.placed.size();
}

}  // namespace

std::vector<std::string> conditions_of(const Outcome& outcome) {
  std::vector<std::string> sentences;
  for (const Record& record : outcome.records) {
    if (record.source != Source::emulated) continue;
    const std::string sentence = tcp_sentence(record);
    if (!sentence.empty() && std::ranges::find(sentences, sentence) == sentences.end()) sentences.push_back(sentence);
  }
  const bool is_flat =
      !outcome.scenes.empty() && std::all_of(outcome.scenes.begin(), outcome.scenes.end(), has_one_rank_a_host);
  if (is_flat && std::any_of(outcome.records.begin(), outcome.records.end(), is_han))
    sentences.emplace_back(
        "HAN is tuned here: with one rank a host, Open MPI's HAN has no level inside a host and calls tuned between "
        "hosts.");
  return sentences;
}

}  // namespace isthmus
