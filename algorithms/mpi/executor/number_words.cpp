#include "algorithms/mpi/executor/number_words.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

std::string ranks_text(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t begin = 0; begin < ranks.size();) {
    std::size_t end = begin + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (begin > 0) text += ", ";
    text += std::to_string(ranks[begin]);
    if (end - begin > 1) text += '-' + std::to_string(ranks[end - 1]);
    begin = end;
  }
  return text;
}

std::string seconds_text(double seconds) { return fmt::format("{:g} s", seconds); }

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
