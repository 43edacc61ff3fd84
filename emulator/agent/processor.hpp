// Processor settings for a kernel that runs as a process.
#pragma once

#include <vector>

#include "algorithms/process/descriptor.hpp"

namespace isthmus {

/// Idle ticks of each processor, by its number; 0 if the kernel does not report them.
std::vector<long long> idle_ticks();

/// Confines this process, and what it starts, to one of the processors it may use: the most idle one during 100 ms.
/// User-Mode Linux switches between two processes at each system call and page fault; on two processors each switch
/// wakes up the other processor, which takes several times as long as the call itself.
void keep_to_one_processor();

/// Gives this process, and what it starts, real-time priority if the user may have it: other work of the machine waits.
void go_before_others();

/// While this is open, idle processors do not go to sleep (the kernel's /dev/cpu_dma_latency). Not open if the user may
/// not ask for that. A sleeping processor of a virtual machine may be milliseconds late for a timer.
Descriptor keep_processors_awake();

}  // namespace isthmus
