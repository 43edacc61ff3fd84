// JSON as text: the one way in which isthmus reads it, and how values of it stand in messages.
#pragma once

#include <cstdint>
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

/// The content of a file as JSON. Throws as parse_json() and read_whole_file() do.
nlohmann::json read_json(const std::string& file, std::string_view needed);

/// The value as a whole number. Throws BadInput `VALUE is no whole number from 0 to 7` for all else, as for 1e300,
/// which a conversion would make something else of.
std::int64_t whole_number(const nlohmann::json& value, std::int64_t least, std::int64_t most);

/// The beginning of a value's text, for a message.
std::string excerpt_of(const nlohmann::json& value);

}  // namespace isthmus
