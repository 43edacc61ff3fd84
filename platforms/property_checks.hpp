// The properties `isthmus.*` of a platform file.
#pragma once

#include "platforms/source_file.hpp"

namespace isthmus {

/// Throws BadInput with the line of a <prop> that isthmus would ignore: of a name that it does not know, of an element
/// whose property of that name it does not read, or of a role that is none.
void check_property(const SourceFile& source, pugi::xml_node property);

}  // namespace isthmus
