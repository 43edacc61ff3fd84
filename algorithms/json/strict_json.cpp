#include "algorithms/json/strict_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/json/json_text.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {

StrictObject::StrictObject(const nlohmann::json& value, std::string file, std::string at,
                           std::vector<std::string_view> known)
    : value_(value), file_(std::move(file)), at_(std::move(at)) {
  if (!value_.is_object()) fail("", "expected an object, { ... }");
  for (const auto& [key, ignored] : value_.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      fail(excerpt(key), "is no key here" + near_matches(key, known));
}

void StrictObject::fail(const std::string& key, const std::string& what) const {
  const std::string where = at_.empty() || key.empty() ? at_ + key : at_ + "." + key;
  throw BadInput(where.empty() ? fmt::format("{}: {}", file_, what) : fmt::format("{}: {}: {}", file_, where, what));
}

const nlohmann::json& StrictObject::at(const char* key) const {
  const auto found = value_.find(key);
  if (found == value_.end()) fail(key, "is missing");
  return *found;
}

std::string StrictObject::text(const char* key) const {
  const nlohmann::json& value = at(key);
  if (!value.is_string() || value.get_ref<const std::string&>().empty())
    fail(key, fmt::format("is {}; a text in quotes would be right", excerpt_of(value)));
  return value.get<std::string>();
}

std::int64_t StrictObject::integer_or(const char* key, std::int64_t otherwise, std::int64_t least,
                                      std::int64_t greatest) const {
  if (!has(key)) return otherwise;
  const nlohmann::json& value = at(key);
  if (!value.is_number_integer() || value.get<std::int64_t>() < least || value.get<std::int64_t>() > greatest)
    fail(key, fmt::format("is {}; a whole number from {} to {} would be right", excerpt_of(value), least, greatest));
  return value.get<std::int64_t>();
}

double StrictObject::positive(const char* key) const {
  const nlohmann::json& value = at(key);
  if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() <= 0)
    fail(key, fmt::format("is {}; a number above 0 would be right", excerpt_of(value)));
  return value.get<double>();
}

std::vector<std::string> StrictObject::texts(const char* key) const {
  const nlohmann::json& value = at(key);
  if (!value.is_array() || value.empty()) fail(key, "expected a list of texts with at least one in it");
  std::vector<std::string> found;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!value[i].is_string() || value[i].get_ref<const std::string&>().empty())
      fail(fmt::format("{}[{}]", key, i), fmt::format("is {}; a text in quotes would be right", excerpt_of(value[i])));
    found.push_back(value[i].get<std::string>());
  }
  return found;
}

}  // namespace isthmus
