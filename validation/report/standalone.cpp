#include "validation/report/standalone.hpp"

#include "validation/report/embedded.hpp"

namespace isthmus {

std::string standalone_svg(Element picture) {
  picture.set("xmlns", "http://www.w3.org/2000/svg");
  // An SVG file has no body to give its text a font, nor a page to be wide in.
  constexpr std::string_view alone = "svg { min-width: 0; font-family: system-ui, 'DejaVu Sans', sans-serif; }";
  picture.add(Element("style").raw(picture_css).raw(alone));
  return picture.str();
}

}  // namespace isthmus
