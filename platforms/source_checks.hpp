// Checks of a platform file's text for errors that SimGrid accepts or that make it abort.
#pragma once

#include "platforms/source_file.hpp"

namespace isthmus {

/// The line that SimGrid needs before the platform.
inline constexpr const char* right_document_type = "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">";

/// Throws BadInput with the line of the first of: a graph in GraphML or a table of sites in place of a platform,
/// another version of the format, a bandwidth or speed that is not positive, a negative latency, a name or route given
/// twice, an invalid radical, an unknown kind of routing, no host at all. Text that is no XML is left to SimGrid
/// otherwise.
void check_source(const SourceFile& source);

}  // namespace isthmus
