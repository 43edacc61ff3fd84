// The one way in which values are taken out of JSON: a cursor that knows where it stands, so that an error says what is
// wrong, where, and what would be right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/errors.hpp"

namespace isthmus {

/// A value somewhere in a document. Everything that is refused is BadInput in one line and one form, the line where the
/// document has lines, the pointer (RFC 6901) unless it is the whole:
///   FILE:LINE: /links/0/latency_s: is -1; a number from 0 on would be right
/// Copies are cheap; the JSON must outlive them.
class JsonReader {
 public:
  /// The whole of a value that came by another way than as a text: `where` is what errors call it, as `record`.
  JsonReader(const nlohmann::json& value, std::string where);

  const nlohmann::json& value() const;

  // ---- objects
  /// Refuses what is no object, and keys that are none of these, with the near matches.
  void expect_keys(std::initializer_list<std::string_view> known) const;
  bool has(std::string_view key) const { return value_->is_object() && value_->contains(key); }
  /// Refuses a value that is no object. Without the key the error comes when a value is taken, which says what would be
  /// right: FILE:LINE: /sizes: is missing; a list would be right
  JsonReader at(std::string_view key) const;
  /// Nothing where the key is missing.
  std::optional<JsonReader> find(std::string_view key) const;
  /// The same for keys within each other, `/process/user/uid`.
  std::optional<JsonReader> find_below(std::string_view pointer) const;

  // Of a key that may be missing.
  std::string name_or(std::string_view key, std::string otherwise) const;
  double number_or(std::string_view key, double otherwise, double least, double most) const;
  std::int64_t integer_or(std::string_view key, std::int64_t otherwise, std::int64_t least, std::int64_t most) const;
  std::vector<JsonReader> elements_or_none(std::string_view key) const;

  // ---- lists
  bool is_list() const { return value_->is_array(); }
  /// Refuses what is no list or ends before this.
  JsonReader at(std::size_t number) const;
  /// The elements. `expected` says what the whole should be, for one with fewer than `min_size`.
  std::vector<JsonReader> elements(std::size_t min_size = 0, std::string_view expected = "a list") const;
  std::vector<int> integers(std::int64_t least, std::int64_t most) const;
  /// One name or more.
  std::vector<std::string> names() const;

  // ---- single values
  std::string text() const;
  /// A text that is not empty.
  std::string name(std::string_view expected = "a text in quotes") const;
  bool boolean() const;
  /// Finite.
  double number() const;
  double number_from(double least) const;
  double number_from(double least, double most) const;
  double number_above_0() const;
  /// Whole, and nothing that a conversion would bend, as 1e300.
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  /// Whole, and 0 or more.
  std::uint64_t unsigned_integer() const;

  // ---- errors
  /// `is VALUE; EXPECTED would be right`, here.
  [[noreturn]] void refuse(std::string_view expected) const;
  /// Any sentence, here.
  [[noreturn]] void fail(std::string_view what) const;
  /// Calls `read` and passes what it throws as BadInput on as an error of this place.
  template <class Read>
  auto reading(Read read) const {
    try {
      return read();
    } catch (const BadInput& error) {
      fail(error.what());
    }
  }
  /// What `parse` makes of a name(); what it refuses is an error of this place.
  template <class Parse>
  auto name_as(Parse parse, std::string_view expected = "a text in quotes") const {
    const std::string text = name(expected);
    return reading([&] { return parse(text); });
  }

 private:
  friend class JsonDocument;
  struct Origin {
    std::string where;
    std::optional<std::string> text;
  };
  JsonReader(const nlohmann::json& value, std::shared_ptr<const Origin> origin, std::string pointer)
      : value_(&value), origin_(std::move(origin)), pointer_(std::move(pointer)) {}
  JsonReader member(const nlohmann::json& value, std::string_view key) const;

  const nlohmann::json* value_;
  std::shared_ptr<const Origin> origin_;
  std::string pointer_;
};

/// A text as JSON, with its lines. Its readers must not outlive it.
class JsonDocument {
 public:
  /// Throws as parse_json() does.
  JsonDocument(std::string text, std::string where, std::string_view needed);
  /// Throws as read_whole_file() and parse_json() do.
  static JsonDocument of_file(const std::string& file, std::string_view needed);
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  JsonReader whole() const { return {value_, origin_, ""}; }

 private:
  std::shared_ptr<const JsonReader::Origin> origin_;
  nlohmann::json value_;
};

}  // namespace isthmus
