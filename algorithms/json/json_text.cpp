#include "algorithms/json/json_text.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

using nlohmann::json;

/// Where a text stands, to tell what is wrong with it.
class Source {
 public:
  Source(std::string_view text, const std::string& where, std::string_view needed)
      : text_(text), where_(where), needed_(needed) {}

  [[noreturn]] void fail(std::size_t at, const std::string& what) const { fail(at, what, needed_); }

  /// `right`: what would be right, in place of `needed`.
  [[noreturn]] void fail(std::size_t at, const std::string& what, std::string_view right) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(at, text_.size()));
    const auto line = 1 + std::count(text_.begin(), end, '\n');
    throw BadInput(where_ + ":" + std::to_string(line) + ": " + what + "; " + std::string(right));
  }

  /// As far as the text is JSON, strings are strings here and brackets brackets; what comes after that the parser never
  /// gets to.
  void check_levels() const {
    int level = 0;
    for (std::size_t at = 0; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '"') {
        at = end_of_string(at);
      } else if (c == '{' || c == '[') {
        if (++level > max_json_levels)
          fail(at, "JSON of more than " + std::to_string(max_json_levels) + " levels, lists and objects in each other");
      } else if (c == '}' || c == ']') {
        --level;
      }
    }
  }

  /// Where the key begins before which there are so many keys; the text is JSON up to there.
  std::size_t position_of_key(std::size_t keys_before) const {
    for (std::size_t at = 0; at < text_.size(); ++at) {
      if (text_[at] != '"') continue;
      const std::size_t begin = at;
      at = end_of_string(at);
      const std::size_t next = text_.find_first_not_of(" \t\r\n", at + 1);
      if (next == std::string_view::npos || text_[next] != ':') continue;
      if (keys_before-- == 0) return begin;
    }
    return text_.size();
  }

 private:
  /// The closing quote of the string whose opening one is here; the end of the text where there is none.
  std::size_t end_of_string(std::size_t at) const {
    for (++at; at < text_.size() && text_[at] != '"'; ++at) at += text_[at] == '\\' ? 1 : 0;
    return at;
  }

  std::string_view text_;
  const std::string& where_;
  std::string_view needed_;
};

/// The parser keeps the last of two equal keys; what a person meant is not to be guessed.
class Keys {
 public:
  /// The key that this event gives a second time; null for all else.
  const std::string* repeated(json::parse_event_t event, const json& parsed) {
    if (event == json::parse_event_t::object_start) open_.emplace_back();
    if (event == json::parse_event_t::object_end) open_.pop_back();
    if (event != json::parse_event_t::key) return nullptr;
    const auto& key = parsed.get_ref<const std::string&>();
    ++number_;
    return open_.back().insert(key).second ? nullptr : &key;
  }

  /// How many keys there were before that one.
  std::size_t before() const { return number_ - 1; }

 private:
  std::vector<std::set<std::string>> open_;
  std::size_t number_ = 0;
};

/// `syntax error while parsing value - unexpected end of input`, without the parser's own position, which counts bytes.
std::string what_of(const json::exception& error) {
  const std::string text = error.what();
  const std::size_t end = text.find("; last read:");
  const std::size_t syntax = text.find("syntax error");
  const std::size_t begin = syntax != std::string::npos ? syntax : std::min(text.find("] ") + 2, text.size());
  return text.substr(begin, end == std::string::npos ? end : end - begin);
}

}  // namespace

json parse_json(std::string_view text, const std::string& where, std::string_view needed) {
  const Source source(text, where, needed);
  source.check_levels();
  Keys keys;
  const auto watch = [&](int, json::parse_event_t event, json& parsed) {
    if (const std::string* key = keys.repeated(event, parsed)) {
      source.fail(source.position_of_key(keys.before()), excerpt(*key) + ": is given twice", "once would be right");
    }
    return true;
  };
  try {
    return json::parse(text, watch);
  } catch (const json::parse_error& error) {
    source.fail(error.byte > 0 ? error.byte - 1 : 0, "is not JSON: " + excerpt(what_of(error), 200));
  } catch (const json::exception& error) {
    source.fail(0, "is not JSON that can be read: " + excerpt(what_of(error), 200));
  }
}

std::string excerpt_of(const json& value) {
  return excerpt(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace isthmus
