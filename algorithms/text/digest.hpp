// Digests tell texts apart (FNV-1a, 64 bits), and are no protection against malice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace isthmus {

class Digest {
 public:
  void add(std::string_view bytes);
  /// Its eight bytes, the least first.
  void add(std::int64_t number);
  std::uint64_t value() const { return hash_; }
  /// 16 hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

std::string digest(std::string_view text);

}  // namespace isthmus
