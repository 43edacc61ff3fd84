#include "validation/records/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_reader.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

constexpr std::array<std::string_view, 7> source_names = {"hockney", "logp", "loggp",   "plogp",
                                                          "replay",  "smpi", "emulated"};

nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) && value > 0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::json question_of(const Record& record) {
  return {
      {"source", name(record.source)},   {"platform", record.platform},           {"network", record.network_digest},
      {"collective", record.collective}, {"requested", record.requested},         {"bytes", record.bytes},
      {"ranks", record.ranks},           {"element_bytes", record.element_bytes}, {"root", record.root},
      {"settings", record.settings},     {"placement", record.placement},         {"repetitions", record.repetitions}};
}

std::string text_of(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string_view name(Source source) { return source_names[static_cast<std::size_t>(source)]; }

std::string label(Source source) {
  return std::string(name(source)) + (source == Source::logp ? " (length ignored)" : "");
}

Source source_named(std::string_view name) {
  const auto found = std::find(source_names.begin(), source_names.end(), name);
  if (found == source_names.end())
    throw BadInput(fmt::format("unknown source `{}`; there are {}", excerpt(name), fmt::join(source_names, ", ")));
  return static_cast<Source>(found - source_names.begin());
}

nlohmann::ordered_json to_json(const Record& record) {
  nlohmann::ordered_json json;
  json["source"] = name(record.source);
  json["platform"] = record.platform;
  json["collective"] = record.collective;
  json["algorithm"] = record.algorithm;
  json["bytes"] = record.bytes;
  json["segment_bytes"] =
      record.segment_bytes ? nlohmann::ordered_json(*record.segment_bytes) : nlohmann::ordered_json(nullptr);
  json["ranks"] = record.ranks;
  json["root"] = record.root;
  json["seconds"] = record.seconds;
  json["bound_seconds"] = number_or_null(record.bound_seconds);
  json["repetitions"] = record.repetitions;
  json["statistic"] = record.statistic;
  json["plan"] = record.plan;
  json["requested"] = record.requested;
  json["element_bytes"] = record.element_bytes;
  json["placement"] = record.placement;
  json["network_digest"] = record.network_digest;
  json["settings"] = record.settings;
  for (const auto& [key, value] : record.extra.items())
    if (!json.contains(key)) json[key] = value;
  return json;
}

Record record_from_json(const nlohmann::json& json) {
  const JsonReader fields(json, "record");
  nlohmann::json extra = json;
  const auto take = [&](const char* key) {
    const JsonReader field = fields.at(key);
    extra.erase(key);
    return field;
  };
  constexpr std::int64_t max_int = std::numeric_limits<int>::max(),
                         max_bytes = std::numeric_limits<std::int64_t>::max();
  Record record;
  record.source = take("source").name_as(source_named);
  record.platform = take("platform").text();
  record.collective = take("collective").text();
  record.algorithm = take("algorithm").text();
  record.bytes = take("bytes").integer(0, max_bytes);
  if (const JsonReader segment = take("segment_bytes"); !segment.value().is_null())
    record.segment_bytes = segment.integer(0, max_bytes);
  record.ranks = static_cast<int>(take("ranks").integer(0, max_int));
  record.root = static_cast<int>(take("root").integer(0, max_int));
  record.seconds = take("seconds").number();
  if (const JsonReader bound = take("bound_seconds"); !bound.value().is_null()) record.bound_seconds = bound.number();
  record.repetitions = static_cast<int>(take("repetitions").integer(0, max_int));
  record.statistic = take("statistic").text();
  record.plan = take("plan").text();
  record.requested = take("requested").text();
  record.element_bytes = take("element_bytes").integer(0, max_bytes);
  record.placement = take("placement").text();
  record.network_digest = take("network_digest").text();
  record.settings = take("settings").value();
  record.extra = std::move(extra);
  return record;
}

std::string identity(const Record& record) {
  nlohmann::json key = question_of(record);
  key["plan"] = record.plan;
  return text_of(key);
}

std::string question(const Record& record) { return text_of(question_of(record)); }

bool is_unsettled(const Record& record) {
  const double asked = record.settings.value("confidence", 0.0);
  return asked > 0 && record.extra.value("half_interval_seconds", 0.0) > asked * record.seconds;
}

std::string placement_text(const std::vector<int>& host_of_rank) {
  fmt::memory_buffer text;
  const std::size_t size = host_of_rank.size();
  for (std::size_t i = 0; i < size;) {
    std::size_t same = i + 1;
    while (same < size && host_of_rank[same] == host_of_rank[i]) ++same;
    std::size_t rising = i + 1;
    while (rising < size && host_of_rank[rising] == host_of_rank[rising - 1] + 1) ++rising;
    if (i > 0) text.push_back(',');
    if (same - i > 1) {
      fmt::format_to(std::back_inserter(text), "{}x{}", host_of_rank[i], same - i);
      i = same;
    } else {
      // The last host of a rising run may be the first of a repeated one.
      const bool repeats = rising < size && host_of_rank[rising] == host_of_rank[rising - 1] && rising - i > 1;
      const std::size_t end = repeats ? rising - 1 : rising;
      fmt::format_to(std::back_inserter(text), "{}", host_of_rank[i]);
      if (end - i > 1) fmt::format_to(std::back_inserter(text), "-{}", host_of_rank[end - 1]);
      i = end;
    }
  }
  std::string whole = fmt::to_string(text);
  return whole.size() <= 60 ? whole : "digest " + digest(whole);
}

}  // namespace isthmus
