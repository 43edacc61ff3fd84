// A check for enough memory before a large allocation.
#pragma once

#include <cstdint>
#include <string>

namespace isthmus {

/// The memory that this process can still allocate, in bytes: what the machine has available, or less if there is a
/// limit (`ulimit -v`, the memory of a control group).
std::int64_t available_memory_bytes();

/// Throws BadInput `WHAT would take some 9.2 GB of memory, and 4.1 GB are to be had; REMEDY` when the estimate is more
/// than that.
void require_memory(double estimated_bytes, const std::string& what, const std::string& remedy);

}  // namespace isthmus
