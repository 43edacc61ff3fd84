// JSON that people write by hand, read strictly: every key known, every value of its kind, errors that name file and
// key.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace isthmus {

/// One object of such a file. Errors are BadInput, `FILE: KEY: what is wrong; what would be right`.
class StrictObject {
 public:
  /// `known`: the keys there may be. Throws for any other, with the near matches. `at` names the object inside the
  /// file, e.g. `tolerances[2]`; empty for the whole.
  StrictObject(const nlohmann::json& value, std::string file, std::string at, std::vector<std::string_view> known);

  bool has(const char* key) const { return value_.contains(key); }
  /// Throws when the key is missing.
  const nlohmann::json& at(const char* key) const;

  std::string text(const char* key) const;
  std::string text_or(const char* key, const std::string& otherwise) const { return has(key) ? text(key) : otherwise; }
  /// A whole number in least..greatest.
  std::int64_t integer_or(const char* key, std::int64_t otherwise, std::int64_t least, std::int64_t greatest) const;
  /// Greater than 0.
  double positive(const char* key) const;
  /// A list with at least one element, none of them empty.
  std::vector<std::string> texts(const char* key) const;

  /// The error for a key. A key of a list may carry its number: `algorithms[1]`.
  [[noreturn]] void fail(const std::string& key, const std::string& what) const;

  /// Calls `read` and passes what it throws as BadInput on with file and key before it.
  template <class Read>
  auto reading(const std::string& key, Read read) const;

 private:
  const nlohmann::json& value_;
  std::string file_, at_;
};

}  // namespace isthmus

#include "algorithms/errors.hpp"

namespace isthmus {

template <class Read>
auto StrictObject::reading(const std::string& key, Read read) const {
  try {
    return read();
  } catch (const BadInput& error) {
    fail(key, error.what());
  }
}

}  // namespace isthmus
