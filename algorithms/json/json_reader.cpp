#include "algorithms/json/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/json/json_position.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

// What at() gives for a key that there is not: the reader of its value says what would be right.
const nlohmann::json missing_value(nlohmann::json::value_t::discarded);

}  // namespace

JsonReader::JsonReader(const nlohmann::json& value, std::string where)
    : value_(&value), origin_(std::make_shared<const Origin>(Origin{std::move(where), std::nullopt})) {}

JsonReader JsonReader::member(const nlohmann::json& value, std::string_view key) const {
  std::string pointer;
  pointer.reserve(pointer_.size() + 1 + key.size());
  pointer.append(pointer_).append("/").append(key);
  return {value, origin_, std::move(pointer)};
}

const nlohmann::json& JsonReader::value() const {
  if (value_ == &missing_value) refuse("a value");
  return *value_;
}

void JsonReader::expect_keys(std::initializer_list<std::string_view> known) const {
  if (!value_->is_object()) refuse("an object");
  for (const auto& [key, value] : value_->items()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      member(value, key).fail("is no key here" + near_matches(key, std::vector<std::string_view>(known)));
  }
}

JsonReader JsonReader::at(std::string_view key) const {
  if (!value_->is_object()) refuse("an object");
  const auto found = value_->find(key);
  return member(found == value_->end() ? missing_value : *found, key);
}

std::optional<JsonReader> JsonReader::find(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return at(key);
}

std::optional<JsonReader> JsonReader::find_below(std::string_view pointer) const {
  std::optional<JsonReader> found = *this;
  while (found && !pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view key = pointer.substr(0, pointer.find('/'));
    found = found->find(key);
    pointer.remove_prefix(key.size());
  }
  return found;
}

std::string JsonReader::name_or(std::string_view key, std::string otherwise) const {
  return has(key) ? at(key).name() : std::move(otherwise);
}

double JsonReader::number_or(std::string_view key, double otherwise, double least, double most) const {
  return has(key) ? at(key).number_from(least, most) : otherwise;
}

std::int64_t JsonReader::integer_or(std::string_view key, std::int64_t otherwise, std::int64_t least,
                                    std::int64_t most) const {
  return has(key) ? at(key).integer(least, most) : otherwise;
}

std::vector<JsonReader> JsonReader::elements_or_none(std::string_view key) const {
  return has(key) ? at(key).elements() : std::vector<JsonReader>();
}

JsonReader JsonReader::at(std::size_t number) const {
  if (!value_->is_array() || number >= value_->size()) refuse(fmt::format("a list of {} or more", number + 1));
  return member((*value_)[number], std::to_string(number));
}

std::vector<JsonReader> JsonReader::elements(std::size_t min_size, std::string_view expected) const {
  if (!value_->is_array() || value_->size() < min_size) refuse(expected);
  std::vector<JsonReader> all;
  all.reserve(value_->size());
  for (const nlohmann::json& element : *value_) all.push_back(member(element, std::to_string(all.size())));
  return all;
}

std::vector<int> JsonReader::integers(std::int64_t least, std::int64_t most) const {
  std::vector<int> all;
  for (const JsonReader& element : elements()) all.push_back(static_cast<int>(element.integer(least, most)));
  return all;
}

std::vector<std::string> JsonReader::names() const {
  std::vector<std::string> all;
  for (const JsonReader& element : elements(1, "a list with at least one text in it")) all.push_back(element.name());
  return all;
}

std::string JsonReader::text() const {
  if (!value_->is_string()) refuse("a text in quotes");
  return value_->get<std::string>();
}

std::string JsonReader::name(std::string_view expected) const {
  if (!value_->is_string() || value_->get_ref<const std::string&>().empty()) refuse(expected);
  return value_->get<std::string>();
}

bool JsonReader::boolean() const {
  if (!value_->is_boolean()) refuse("true or false");
  return value_->get<bool>();
}

double JsonReader::number() const {
  if (!value_->is_number() || !std::isfinite(value_->get<double>())) refuse("a number");
  return value_->get<double>();
}

double JsonReader::number_from(double least) const {
  if (!value_->is_number() || !std::isfinite(value_->get<double>()) || value_->get<double>() < least)
    refuse(fmt::format("a number from {:g} on", least));
  return value_->get<double>();
}

double JsonReader::number_from(double least, double most) const {
  if (!value_->is_number() || !(value_->get<double>() >= least && value_->get<double>() <= most))
    refuse(fmt::format("a number from {:g} to {:g}", least, most));
  return value_->get<double>();
}

double JsonReader::number_above_0() const {
  if (!value_->is_number() || !std::isfinite(value_->get<double>()) || value_->get<double>() <= 0)
    refuse("a number above 0");
  return value_->get<double>();
}

std::int64_t JsonReader::integer(std::int64_t least, std::int64_t most) const {
  const bool fits =
      value_->is_number_integer() &&
      (!value_->is_number_unsigned() || value_->get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX));
  if (!fits || value_->get<std::int64_t>() < least || value_->get<std::int64_t>() > most)
    refuse(fmt::format("a whole number from {} to {}", least, most));
  return value_->get<std::int64_t>();
}

std::uint64_t JsonReader::unsigned_integer() const {
  if (!value_->is_number_unsigned()) refuse("a whole number from 0 on");
  return value_->get<std::uint64_t>();
}

void JsonReader::refuse(std::string_view expected) const {
  fail(fmt::format("is {}; {} would be right", value_ == &missing_value ? "missing" : excerpt_of(*value_), expected));
}

void JsonReader::fail(std::string_view what) const {
  std::string place = origin_->where;
  if (origin_->text) place += fmt::format(":{}", line_of_json_pointer(*origin_->text, pointer_));
  throw BadInput(fmt::format("{}: {}{}{}", place, excerpt(pointer_, 200), pointer_.empty() ? "" : ": ", what));
}

JsonDocument::JsonDocument(std::string text, std::string where, std::string_view needed)
    : value_(parse_json(text, where, needed)) {
  origin_ = std::make_shared<const JsonReader::Origin>(JsonReader::Origin{std::move(where), std::move(text)});
}

JsonDocument JsonDocument::of_file(const std::string& file, std::string_view needed) {
  return {read_whole_file(file, needed), file, needed};
}

}  // namespace isthmus
