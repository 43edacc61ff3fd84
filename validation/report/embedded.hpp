// The report's style and script, so that one file is enough to read it.
#pragma once

#include <string_view>

namespace isthmus {

extern const std::string_view picture_css;  ///< colours and the style of SVG pictures
extern const std::string_view report_css;   ///< the page around the pictures
extern const std::string_view report_js;

}  // namespace isthmus
