// Changes of a platform's links over time: the profiles in its file.
#pragma once

#include "algorithms/network/network.hpp"
#include "platforms/source_file.hpp"

namespace isthmus {

/// Reads the profiles of links, from their files (`bandwidth_file`, `latency_file`), into the links of the
/// network. Each line is an instant in seconds and an absolute
/// value in B/s or seconds; what repeats does so for a day, or for 10000 steps of the link where those are
/// fewer. Throws BadInput for a profile that cannot be read, is random, or does not ascend.
void read_profiles(const SourceFile& source, Network& network);

}  // namespace isthmus
