// The namespaces around a whole emulation: when their first process ends, so does everything in them.
#pragma once

namespace isthmus {

/// Enters new ones of mounts and, for the children, processes; anybody but the superuser enters a user namespace too
/// and is its superuser. `network` adds what an emulation on the running kernel changes. Throws where this user may
/// not.
void enter_namespaces(bool network);

}  // namespace isthmus
