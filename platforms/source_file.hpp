// The text of a platform file, to find the lines of elements for error messages.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "algorithms/errors.hpp"

namespace isthmus {

class SourceFile {
 public:
  /// Throws BadInput when the file cannot be read.
  explicit SourceFile(std::string file);

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }
  /// Whether a lenient parser accepts the text; if not there are no elements.
  bool is_parsed() const { return parsed_; }
  pugi::xml_node platform() const { return document_.child("platform"); }

  int line_of(pugi::xml_node element) const;
  /// The element that defines a name: the one with this `id`, or the link of which it is a direction (`l_UP`); else a
  /// cluster with the prefix of its host (`c0-7`) or the id of its link (`c0_link_7_UP`); else one that has it in some
  /// attribute.
  pugi::xml_node element_of(std::string_view name) const;

  /// `file:line: what`. The element may be null: then the line of the platform element.
  BadInput error(pugi::xml_node element, const std::string& what) const;
  BadInput error(int line, const std::string& what) const;

 private:
  std::string file_;
  std::string text_;
  pugi::xml_document document_;
  bool parsed_ = false;
};

}  // namespace isthmus
