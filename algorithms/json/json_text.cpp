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

  [[noreturn]] void fail(std::size_t at, const std::string& what) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(at, text_.size()));
    const auto line = 1 + std::count(text_.begin(), end, '\n');
    throw BadInput(where_ + ":" + std::to_string(line) + ": " + what + "; " + std::string(needed_));
  }

  /// As far as the text is JSON, strings are strings here and brackets brackets; what comes after that the parser never
  /// gets to.
  void check_levels() const {
    int level = 0;
    for (std::size_t at = 0; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '"') {
        for (++at; at < text_.size() && text_[at] != '"'; ++at) at += text_[at] == '\\' ? 1 : 0;
      } else if (c == '{' || c == '[') {
        if (++level > max_json_levels)
          fail(at, "JSON of more than " + std::to_string(max_json_levels) + " levels, lists and objects in each other");
      } else if (c == '}' || c == ']') {
        --level;
      }
    }
  }

 private:
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
    return open_.back().insert(key).second ? nullptr : &key;
  }

 private:
  std::vector<std::set<std::string>> open_;
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
      throw BadInput(where + ": " + excerpt(*key) + ": is given twice; once would be right");
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
