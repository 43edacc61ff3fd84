#include "algorithms/schedule/text.hpp"

#include <fmt/format.h>

#include <array>

namespace isthmus {

std::string_view name(Buffer buffer) {
  constexpr std::array<std::string_view, 3> names = {"input", "output", "scratch"};
  return names[static_cast<std::size_t>(buffer)];
}

std::string_view name(OpKind kind) {
  constexpr std::array<std::string_view, 5> names = {"send", "receive", "reduce", "copy", "wait"};
  return names[static_cast<std::size_t>(kind)];
}

std::string to_string(const Slice& slice) {
  return fmt::format("{}[{}..{})", name(slice.buffer), slice.offset, slice.end());
}

std::string to_string(const Op& op) {
  const std::string lane = op.lane == 0 ? std::string() : fmt::format(" in lane {}", op.lane);
  switch (op.kind) {
    case OpKind::send:
      return fmt::format("send {} to rank {}{}", to_string(op.from), op.peer, lane);
    case OpKind::receive:
      return fmt::format("receive {} from rank {}{}", to_string(op.to), op.peer, lane);
    case OpKind::reduce:
      return fmt::format("reduce {} = {} + {}{}", to_string(op.to), to_string(op.from), to_string(op.right), lane);
    case OpKind::wait:
      return fmt::format("wait for {}{}", to_string(op.from), lane);
    case OpKind::copy:
      break;
  }
  return fmt::format("copy {} = {}{}", to_string(op.to), to_string(op.from), lane);
}

}  // namespace isthmus
