#include "validation/records/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <type_traits>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_reader.hpp"
#include "algorithms/text/digest.hpp"
#include "algorithms/text/printable.hpp"
#include "validation/records/fields.hpp"

namespace isthmus {
namespace {

constexpr std::array<std::string_view, 7> source_names = {"hockney", "logp", "loggp",   "plogp",
                                                          "replay",  "smpi", "emulated"};

void take(const JsonReader& value, const RecordField& field, Record& record) {
  const auto read = [&](auto member) {
    using Value = std::decay_t<decltype(record.*member)>;
    constexpr std::int64_t max_int = std::numeric_limits<int>::max();
    constexpr std::int64_t max_integer = std::numeric_limits<std::int64_t>::max();
    if constexpr (std::is_same_v<Value, Source>) {
      record.*member = value.name_as(source_named);
    } else if constexpr (std::is_same_v<Value, std::string>) {
      record.*member = value.text();
    } else if constexpr (std::is_same_v<Value, double>) {
      record.*member = value.number();
    } else if constexpr (std::is_same_v<Value, int>) {
      record.*member = static_cast<int>(value.integer(0, max_int));
    } else if constexpr (std::is_same_v<Value, nlohmann::json>) {
      record.*member = value.value();
    } else {
      record.*member = value.integer(0, max_integer);
    }
  };
  if (!(field.may_be_unknown && value.value().is_null())) std::visit(read, field.member);
}

/// The fields that are part of `key`, as text.
nlohmann::json key_of(const Record& record, bool is_identity) {
  nlohmann::json key = nlohmann::json::object();
  for (const RecordField& field : record_fields())
    if (field.part == KeyPart::question || (is_identity && field.part == KeyPart::identity))
      key[std::string(field.key.empty() ? field.name : field.key)] = value_of(record, field);
  return key;
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
    throw BadInput(
        fmt::format("unknown source `{}`; one of {} would be right", excerpt(name), fmt::join(source_names, ", ")));
  return static_cast<Source>(found - source_names.begin());
}

nlohmann::ordered_json to_json(const Record& record) {
  nlohmann::ordered_json json;
  for (const RecordField& field : record_fields()) json[std::string(field.name)] = value_of(record, field);
  for (const auto& [key, value] : record.extra.items())
    if (!json.contains(key)) json[key] = value;
  return json;
}

Record record_from_json(const nlohmann::json& json) {
  const JsonReader fields(json, "record");
  Record record;
  record.extra = json;
  for (const RecordField& field : record_fields()) {
    take(fields.at(field.name), field, record);
    record.extra.erase(std::string(field.name));
  }
  return record;
}

std::string identity(const Record& record) { return text_of(key_of(record, true)); }

std::string question(const Record& record) { return text_of(key_of(record, false)); }

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
