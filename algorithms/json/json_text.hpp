// JSON as text: how it is parsed, and how values of it stand in messages. What is in it, a JsonReader takes out.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace isthmus {

/// Objects and lists in each other, at most: whatever walks over a value by calling itself then has an end.
inline constexpr int max_json_levels = 100;

/// The text as JSON. Throws BadInput `WHERE:LINE: what is wrong; NEEDED` (read_whole_file() says what `needed` is): for
/// what is no JSON, for a number that is too large for any type, for more than max_json_levels, and for a key that is
/// given twice in an object.
nlohmann::json parse_json(std::string_view text, const std::string& where, std::string_view needed);

/// The beginning of a value's text, for a message.
std::string excerpt_of(const nlohmann::json& value);

}  // namespace isthmus
