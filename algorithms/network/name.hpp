// The name of a host or link, in half the memory of a std::string: large networks have millions.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace isthmus {

/// A text that is read, compared and replaced as a whole. Up to 15 characters need no memory beside it.
class Name {
 public:
  Name() = default;
  template <std::convertible_to<std::string_view> Text>
  Name(const Text& text) {
    assign(text);
  }
  Name(const Name& other) { assign(other); }
  Name(Name&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Name& operator=(Name other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Name() {
    if (is_long()) delete long_text();
  }

  operator std::string_view() const {
    return is_long() ? std::string_view(*long_text()) : std::string_view(bytes_.data(), length());
  }
  operator std::string() const { return str(); }
  std::string str() const { return std::string(std::string_view(*this)); }

  bool empty() const { return size() == 0; }
  std::size_t size() const { return std::string_view(*this).size(); }
  bool starts_with(std::string_view start) const { return std::string_view(*this).starts_with(start); }
  bool ends_with(std::string_view end) const { return std::string_view(*this).ends_with(end); }

  template <std::convertible_to<std::string_view> Text>
  friend bool operator==(const Name& one, const Text& other) {
    return std::string_view(one) == std::string_view(other);
  }
  friend auto operator<=>(const Name& one, const Name& other) {
    return std::string_view(one) <=> std::string_view(other);
  }
  friend std::string operator+(const Name& one, std::string_view more) { return one.str().append(more); }
  friend std::string operator+(std::string one, const Name& more) { return one.append(std::string_view(more)); }
  friend std::ostream& operator<<(std::ostream& out, const Name& name) { return out << std::string_view(name); }
  friend std::string_view format_as(const Name& name) { return name; }  // for {fmt}

 private:
  static constexpr std::size_t max_length = 15;
  static constexpr char long_mark = 16;
  static constexpr std::size_t pointer_bytes = sizeof(void*);

  std::size_t length() const { return static_cast<std::size_t>(bytes_.back()); }
  bool is_long() const { return bytes_.back() == long_mark; }
  const std::string* long_text() const {
    const std::string* text = nullptr;
    std::memcpy(&text, bytes_.data(), pointer_bytes);
    return text;
  }

  /// Of a name that is empty.
  void assign(std::string_view text) {
    if (text.size() <= max_length) {
      std::copy(text.begin(), text.end(), bytes_.begin());
      bytes_.back() = static_cast<char>(text.size());
      return;
    }
    const auto* copy = new std::string(text);
    std::memcpy(bytes_.data(), &copy, pointer_bytes);
    bytes_.back() = long_mark;
  }

  std::array<char, max_length + 1> bytes_{};  // the characters, or a pointer to them; last the length, or the mark
};

}  // namespace isthmus
