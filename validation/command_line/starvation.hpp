// Real time in which ranks waited for processors measures those and not the network: that is said.
#pragma once

#include <string>
#include <vector>

#include "validation/records/record.hpp"

namespace isthmus::command_line {

/// A note on the standard error, where the processes of a run waited too long; see Emulated for `processor_waited`.
void say_when_starved(double processor_waited, const std::string& substrate);
/// The same of the worst of the records.
void say_when_starved(const std::vector<Record>& records);

}  // namespace isthmus::command_line
