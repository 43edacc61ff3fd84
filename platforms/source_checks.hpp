// What SimGrid would accept or die of, found in the text of a platform file.
#pragma once

#include "platforms/source_file.hpp"

namespace isthmus {

/// Throws BadInput with the line of the first of: another version of the format, a bandwidth or speed that is not
/// positive, a negative latency, a name or route given twice, a radical that is none, an unknown kind of routing, no
/// host at all.
void check_source(const SourceFile& source);

}  // namespace isthmus
