// User, groups, capabilities and limits of a program.
#pragma once

#include "emulator/protocol/bundle.hpp"

namespace isthmus {

/// Applies them to this process, before it executes a program. Throws Refused.
void apply_privileges(const Privileges& privileges);

}  // namespace isthmus
