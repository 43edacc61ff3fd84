#include "algorithms/channels/config_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/text/characters.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

constexpr int max_depth = 32;

[[noreturn]] void refuse_at(const std::string& file, const TextPlace& place, const std::string& why) {
  throw BadInput(fmt::format("{}:{}:{}: {}", file, place.line, place.column, why));
}

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_.-+/@").find(c) != std::string_view::npos;
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  ConfigValue whole() {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
    ConfigValue value{.kind = ConfigValue::Kind::members, .place = {}, .word = {}, .values = {}, .members = {}};
    read_members(value, 0);
    if (!at_end()) refuse("a name of a member would be right");
    if (value.members.empty()) refuse("a member `name : value` would be right");
    return value;
  }

 private:
  bool at_end() const { return next_ == text_.size(); }

  bool at_line_end() const { return text_[next_] == '\n' || text_[next_] == '\r'; }

  /// Lines end with `\n`, `\r\n` or `\r`.
  void advance() {
    const bool ends = text_[next_] == '\n' || (text_[next_] == '\r' && !text_.substr(next_ + 1).starts_with('\n'));
    ++next_;
    if (ends) ++place_.line;
    place_.column = ends ? 1 : place_.column + 1;
  }

  /// The bytes of the character of a word that comes next; 0 if there is none.
  std::size_t word_bytes() const {
    if (at_end()) return 0;
    if (static_cast<unsigned char>(text_[next_]) < 0x80) return is_word_character(text_[next_]) ? 1 : 0;
    const Character character = first_character(text_.substr(next_));
    return is_control(character.point) || is_blank(character.point) ? 0 : character.bytes;
  }

  /// One character.
  void advance_by(std::size_t bytes) {
    next_ += bytes;
    ++place_.column;
  }

  void skip_blanks() {
    while (!at_end()) {
      if (text_[next_] == '#')
        while (!at_end() && !at_line_end()) advance();
      else if (std::isspace(static_cast<unsigned char>(text_[next_])) != 0)
        advance();
      else
        return;
    }
  }

  bool take(char c) {
    skip_blanks();
    if (at_end() || text_[next_] != c) return false;
    advance();
    return true;
  }

  void need(char c, const char* instead) {
    if (!take(c)) refuse(fmt::format("{} would be right", instead));
  }

  [[noreturn]] void refuse(const std::string& right) {
    skip_blanks();
    std::string found = "the end of the file";
    const TextPlace place = place_;
    if (!at_end()) {
      const std::size_t begin = next_;
      while (const std::size_t bytes = word_bytes()) advance_by(bytes);
      const std::size_t other = std::max<std::size_t>(first_character(text_.substr(begin)).bytes, 1);
      found = fmt::format("`{}`", excerpt(text_.substr(begin, next_ > begin ? next_ - begin : other)));
    }
    refuse_at(file_, place, found + "; " + right);
  }

  std::string word(const char* right) {
    skip_blanks();
    std::string word;
    TextPlace start = place_;
    while (const std::size_t bytes = word_bytes()) {
      word += text_.substr(next_, bytes);
      advance_by(bytes);
    }
    if (word.empty()) {
      place_ = start;
      refuse(right);
    }
    return word;
  }

  void read_members(ConfigValue& into, int depth) {
    for (;;) {
      skip_blanks();
      if (word_bytes() == 0) return;
      const TextPlace place = place_;
      std::string name = word("a name of a member would be right");
      const auto same = std::ranges::find(into.members, name, &ConfigMember::name);
      if (same != into.members.end())
        refuse_at(
            file_, place,
            fmt::format("`{}` is given twice, first in line {}; once would be right", excerpt(name), same->place.line));
      need(':', "`:` and a value");
      into.members.push_back({std::move(name), place, value(depth + 1)});
      if (!take(';')) return;
    }
  }

  ConfigValue value(int depth) {
    skip_blanks();
    if (depth > max_depth) refuse(fmt::format("at most {} values inside each other would be right", max_depth));
    ConfigValue value{.kind = ConfigValue::Kind::word, .place = place_, .word = {}, .values = {}, .members = {}};
    if (take('(')) {
      value.kind = ConfigValue::Kind::list;
      if (take(')')) return value;
      do value.values.push_back(this->value(depth + 1));
      while (take(','));
      need(')', "`,` or `)`");
    } else if (take('{')) {
      value.kind = ConfigValue::Kind::members;
      read_members(value, depth);
      need('}', "`;` or `}`");
    } else {
      value.word = word("a word, a list in ( ) or members in { } would be right");
    }
    return value;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t next_ = 0;
  TextPlace place_;
};

std::string_view kind_name(ConfigValue::Kind kind) {
  switch (kind) {
    case ConfigValue::Kind::word:
      return "a word";
    case ConfigValue::Kind::list:
      return "a list";
    case ConfigValue::Kind::members:
      return "members";
  }
  return "";
}

}  // namespace

ConfigValue parse_config(std::string_view text, const std::string& file) { return Parser(text, file).whole(); }

const ConfigMember* ConfigReader::find(std::string_view name) const {
  if (value_->kind != ConfigValue::Kind::members)
    refuse(fmt::format("{} stands here; members in {{ }} would be right", kind_name(value_->kind)));
  const auto found = std::ranges::find(value_->members, name, &ConfigMember::name);
  return found == value_->members.end() ? nullptr : &*found;
}

ConfigReader ConfigReader::at(std::string_view name) const {
  const ConfigMember* const found = find(name);
  if (found == nullptr) refuse(fmt::format("no member `{0}`; `{0} : ...` would be right", name));
  return {found->value, *file_};
}

const std::string& ConfigReader::word() const {
  if (value_->kind != ConfigValue::Kind::word)
    refuse(fmt::format("{} {} here; a word would be right", kind_name(value_->kind),
                       value_->kind == ConfigValue::Kind::members ? "stand" : "stands"));
  return value_->word;
}

std::vector<ConfigReader> ConfigReader::elements() const {
  if (value_->kind != ConfigValue::Kind::list) return {*this};
  std::vector<ConfigReader> elements;
  for (const ConfigValue& one : value_->values) elements.emplace_back(one, *file_);
  return elements;
}

std::vector<ConfigReader> ConfigReader::words() const {
  const std::vector<ConfigReader> all = elements();
  if (all.empty()) refuse("an empty list; at least one name would be right");
  for (const ConfigReader& one : all) one.word();
  return all;
}

void ConfigReader::allow(std::initializer_list<std::string_view> names) const {
  for (const ConfigMember& member : value_->members) {
    if (std::ranges::find(names, member.name) != names.end()) continue;
    const std::vector<std::string_view> known(names);
    refuse_at(*file_, member.place,
              fmt::format("no member `{}`{}", excerpt(member.name), near_matches(member.name, known)));
  }
}

void ConfigReader::refuse(const std::string& why) const { refuse_at(*file_, value_->place, why); }

}  // namespace isthmus
