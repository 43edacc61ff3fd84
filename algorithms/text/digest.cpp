#include "algorithms/text/digest.hpp"

#include <fmt/format.h>

namespace isthmus {

void Digest::add(std::string_view bytes) {
  for (const char byte : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
}

void Digest::add(std::int64_t number) {
  for (int byte = 0; byte < 8; ++byte) {
    const char one = static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * byte));
    add(std::string_view(&one, 1));
  }
}

std::string Digest::text() const { return fmt::format("{:016x}", hash_); }

std::string digest(std::string_view text) {
  Digest digest;
  digest.add(text);
  return digest.text();
}

}  // namespace isthmus
