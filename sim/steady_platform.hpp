// A platform without its profiles. SimGrid would act on them itself, from the start of the simulation on and in its own
// way; here links change as the network says, from each start on.
#pragma once

#include <string>

namespace isthmus {

/// A file in memory with the platform's text but for the profiles of its links; its path, for this process. Throws
/// BadInput when the file cannot be read.
std::string steady_platform(const std::string& file);

}  // namespace isthmus
