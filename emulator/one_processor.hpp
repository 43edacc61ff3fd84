// Keeping a kernel that runs as a process on one processor.
#pragma once

namespace isthmus {

/// Confines this process, and what it starts, to one of the processors it may use: the one that was idle most during
/// the last moment. User-Mode Linux hands over between two processes at each system call and page fault; on two
/// processors each hand-over wakes the other one up, which takes several times as long as the call itself.
void keep_to_one_processor();

}  // namespace isthmus
