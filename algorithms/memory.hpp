// Memory, asked for before it is taken.
#pragma once

#include <cstdint>
#include <string>

namespace isthmus {

/// What this process may still take, in bytes: what the machine has to spare, or less where a limit is set (`ulimit
/// -v`, the memory of a control group).
std::int64_t available_memory_bytes();

/// Throws BadInput `WHAT would take some 9.2 GB of memory, and 4.1 GB are to be had; REMEDY` where the estimate is more
/// than that.
void require_memory(double estimated_bytes, const std::string& what, const std::string& remedy);

}  // namespace isthmus
