// The slices that an operation reads and writes. Dependencies and proofs need nothing else of an operation.
#pragma once

#include <array>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// The slice that an operation writes; empty for a send and a wait.
inline Slice written_by(const Op& op) { return op.kind == OpKind::send || op.kind == OpKind::wait ? Slice{} : op.to; }

/// The slices that an operation reads; empty ones mean nothing.
inline std::array<Slice, 2> read_by(const Op& op) {
  switch (op.kind) {
    case OpKind::send:
    case OpKind::copy:
    case OpKind::wait:
      return {op.from, Slice{}};
    case OpKind::reduce:
      return {op.from, op.right};
    case OpKind::receive:
      break;
  }
  return {};
}

}  // namespace isthmus
