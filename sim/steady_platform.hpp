// A platform without its profiles. SimGrid would apply them itself, from the start of the simulation and by its own
// rules; here links change according to the network, from the start of each repetition.
#pragma once

#include <string>

namespace isthmus {

/// A file in memory with the platform's text without the profiles of links. Returns its path, for this process. Throws
/// BadInput when the file cannot be read.
std::string steady_platform(const std::string& file);

}  // namespace isthmus
