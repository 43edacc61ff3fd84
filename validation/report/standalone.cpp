#include "validation/report/standalone.hpp"

#include "validation/report/embedded.hpp"

namespace isthmus {

std::string standalone_svg(Element picture) {
  picture.set("xmlns", "http://www.w3.org/2000/svg");
  // A standalone SVG file inherits no font and no width from a page.
  constexpr std::string_view alone = "svg { min-width: 0; font-family: system-ui, 'DejaVu Sans', sans-serif; }";
  picture.add(Element("style").raw(picture_css).raw(alone));
  return picture.str();
}

}  // namespace isthmus
