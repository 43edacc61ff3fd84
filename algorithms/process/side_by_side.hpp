// Tasks on several processors.
#pragma once

#include <cstddef>
#include <functional>

namespace isthmus {

/// The processors that this process may use.
int usable_processors();

/// Runs the tasks 0 to `tasks` - 1, which must not depend on each other, on as many threads as there are processors to
/// use, the caller's among them. Throws what the first of the tasks that failed threw, once all have ended.
void side_by_side(std::size_t tasks, const std::function<void(std::size_t)>& task);

}  // namespace isthmus
