#include "algorithms/json/json_position.hpp"

#include <algorithm>

namespace isthmus {
namespace {

// Walks over JSON that a real parser has already accepted, so that every step below can rely on the grammar.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) { skip_space(); }

  std::size_t at() const { return at_; }

  // Moves from the beginning of a value to the beginning of one of its members. False when there is none.
  bool enter(std::string_view key) {
    const bool is_object = text_[at_] == '{';
    if (!is_object && text_[at_] != '[') return false;
    ++at_;
    for (std::size_t index = 0;; ++index) {
      skip_space();
      if (text_[at_] == '}' || text_[at_] == ']') return false;
      std::string name = std::to_string(index);
      if (is_object) {
        const std::size_t begin = at_ + 1;
        skip_value();
        name = text_.substr(begin, at_ - 1 - begin);
        skip_space();
        ++at_;  // the colon
        skip_space();
      }
      if (name == key) return true;
      skip_value();
      skip_space();
      if (text_[at_] == ',') ++at_;
    }
  }

 private:
  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  void skip_string() {
    for (++at_; text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }

  void skip_value() {
    int depth = 0;
    do {
      const char c = text_[at_];
      if (c == '"') {
        skip_string();
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        --depth;
        ++at_;
      } else if (depth == 0) {
        at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      } else {
        ++at_;
      }
    } while (depth > 0);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

int line_of_json_pointer(std::string_view text, std::string_view pointer) {
  Walker walker(text);
  std::size_t found = walker.at();
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t slash = std::min(pointer.find('/'), pointer.size());
    if (!walker.enter(pointer.substr(0, slash))) break;
    found = walker.at();
    pointer.remove_prefix(slash);
  }
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(found), '\n'));
}

}  // namespace isthmus
