// HTML and SVG as a tree of elements: text from files is escaped in one place.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace isthmus {

inline constexpr std::size_t hues = 6;
/// The class of the colour of one of several things: hue0 to hue5 of picture.css, again from the first.
std::string hue_class(std::size_t number);

/// `&`, `<`, `>`, `"` and `'` as character references; control characters that HTML forbids are dropped.
std::string escaped(std::string_view text);

class Element {
 public:
  explicit Element(std::string name) : name_(std::move(name)) {}

  Element& set(const std::string& key, std::string_view value);
  /// Coordinates: two decimals at most.
  Element& set(const std::string& key, double value);
  Element& text(std::string_view text);
  /// Adds markup without escaping: from this program only, never from a file.
  Element& raw(std::string_view markup);
  Element& add(const Element& child);

  std::string str() const;

 private:
  std::string name_, attributes_, content_;
};

/// An element that contains text only.
Element text_element(std::string name, std::string_view text);

Element figure_element(const Element& picture, std::string_view caption);

/// A table that scrolls if it is wide; `label` names it to readers of screens.
Element table_element(const Element& head, const Element& body, std::string_view label);

/// SVG text at a place; `anchor` is start, middle or end.
Element svg_text(double x, double y, std::string_view text, std::string_view anchor, std::string_view css_class);
Element svg_line(double x1, double y1, double x2, double y2, std::string_view css_class);

}  // namespace isthmus
