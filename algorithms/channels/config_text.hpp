// The text of configuration files of Madeleine (Aumage 2003, section 3.1.1) as a tree of values.
//
// A file is a list of members `name : value`, separated by `;`, of which the last may lack. A value is a word, a list
// of values in parentheses separated by `,`, or members in braces. Words are letters, digits and `_ . - + / @`. From
// `#` to the end of its line is a comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

/// A place in a file, counted from 1; columns in bytes.
struct TextPlace {
  int line = 1, column = 1;
};

struct ConfigMember;

struct ConfigValue {
  enum class Kind { word, list, members };

  Kind kind = Kind::word;
  TextPlace place;
  std::string word;
  std::vector<ConfigValue> values;
  std::vector<ConfigMember> members;
};

struct ConfigMember {
  std::string name;
  TextPlace place;
  ConfigValue value;
};

/// The members of a text, as one value. Throws BadInput `FILE:LINE:COLUMN: what stands there; what would be right`,
/// also for a name given twice.
ConfigValue parse_config(std::string_view text, const std::string& file);

/// A value together with its file, whose errors name the place.
class ConfigReader {
 public:
  ConfigReader(const ConfigValue& value, const std::string& file) : value_(&value), file_(&file) {}

  /// A member. at() throws BadInput if it is missing.
  ConfigReader at(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// A word; the values of a list, or the value itself as the only one.
  const std::string& word() const;
  std::vector<ConfigReader> elements() const;
  /// The values of a list of words, of which there is at least one.
  std::vector<ConfigReader> words() const;
  /// Throws BadInput for members of other names.
  void allow(std::initializer_list<std::string_view> names) const;
  /// Throws BadInput at this value.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  const ConfigMember* find(std::string_view name) const;

  const ConfigValue* value_;
  const std::string* file_;
};

}  // namespace isthmus
