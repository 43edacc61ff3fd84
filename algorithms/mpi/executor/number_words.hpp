// Ranks and times as messages to users say them.
#pragma once

#include <string>
#include <vector>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// `ranks 0-3, 7` of ascending numbers.
std::string ranks_text(const std::vector<int>& ranks);
/// `0.5 s`
std::string seconds_text(double seconds);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
