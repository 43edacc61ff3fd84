// How the helper programs are told a platform.
#pragma once

#include <string>

namespace isthmus {

/// The file as an argument, which must not look like an option. Throws BadInput if it is neither a SimGrid platform
/// (.xml) nor a network (.json).
std::string platform_argument(const std::string& file);

}  // namespace isthmus
