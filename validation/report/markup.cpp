#include "validation/report/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace isthmus {
namespace {

std::string coordinate(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace

std::string hue_class(std::size_t number) { return fmt::format("hue{}", number % hues); }

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
}

Element& Element::set(const std::string& key, std::string_view value) {
  attributes_ += " " + key + "=\"" + escaped(value) + "\"";
  return *this;
}

Element& Element::set(const std::string& key, double value) {
  attributes_ += " " + key + "=\"" + coordinate(value) + "\"";
  return *this;
}

Element& Element::text(std::string_view text) {
  content_ += escaped(text);
  return *this;
}

Element& Element::raw(std::string_view markup) {
  content_ += markup;
  return *this;
}

Element& Element::add(const Element& child) {
  content_ += child.str();
  return *this;
}

std::string Element::str() const {
  // HTML's void elements have no end tag; every other element needs one, even if it is empty.
  constexpr std::array<std::string_view, 6> without_end = {"br", "hr", "img", "input", "link", "meta"};
  const std::string start = "<" + name_ + attributes_ + ">";
  if (std::find(without_end.begin(), without_end.end(), name_) != without_end.end()) return start;
  return start + content_ + "</" + name_ + ">";
}

Element text_element(std::string name, std::string_view text) { return Element(std::move(name)).text(text); }

Element figure_element(const Element& picture, std::string_view caption) {
  return Element("figure").add(picture).add(text_element("figcaption", caption));
}

Element table_element(const Element& head, const Element& body, std::string_view label) {
  return Element("div")
      .set("class", "scroll")
      .set("tabindex", "0")
      .set("role", "region")
      .set("aria-label", label)
      .add(Element("table").add(Element("thead").add(head)).add(body));
}

Element svg_text(double x, double y, std::string_view text, std::string_view anchor, std::string_view css_class) {
  return Element("text").set("x", x).set("y", y).set("text-anchor", anchor).set("class", css_class).text(text);
}

Element svg_line(double x1, double y1, double x2, double y2, std::string_view css_class) {
  return Element("line").set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2).set("class", css_class);
}

}  // namespace isthmus
