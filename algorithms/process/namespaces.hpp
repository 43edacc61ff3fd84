// The namespaces of a whole emulation: when their first process ends, the kernel ends all processes in them.
#pragma once

namespace isthmus {

/// Enters a new mount namespace and, for the children, a new process namespace. Users other than root, and the root of
/// a container, who has not all rights, also enter a user namespace, in which they are root. `network` adds the
/// namespaces that an emulation on the running kernel needs. Throws if this user is not permitted.
void enter_namespaces(bool network);

}  // namespace isthmus
