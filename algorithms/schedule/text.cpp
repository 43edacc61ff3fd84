#include "algorithms/schedule/text.hpp"

#include <fmt/format.h>

namespace isthmus {

std::string_view name(Buffer buffer) {
  switch (buffer) {
    case Buffer::input:
      return "input";
    case Buffer::output:
      return "output";
    case Buffer::scratch:
      break;
  }
  return "scratch";
}

std::string_view name(OpKind kind) {
  switch (kind) {
    case OpKind::send:
      return "send";
    case OpKind::receive:
      return "receive";
    case OpKind::reduce:
      return "reduce";
    case OpKind::copy:
      break;
  }
  return "copy";
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
    case OpKind::copy:
      break;
  }
  return fmt::format("copy {} = {}{}", to_string(op.to), to_string(op.from), lane);
}

}  // namespace isthmus
