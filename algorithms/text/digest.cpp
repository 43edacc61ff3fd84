#include "algorithms/text/digest.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace isthmus {

std::string digest(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  return fmt::format("{:016x}", hash);
}

}  // namespace isthmus
