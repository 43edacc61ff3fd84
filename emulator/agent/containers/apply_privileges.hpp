// As whom, and within which limits, a program runs.
#pragma once

#include "emulator/protocol/bundle.hpp"

namespace isthmus {

/// Makes them this process's own, before it executes a program. Throws Refused.
void apply_privileges(const Privileges& privileges);

}  // namespace isthmus
