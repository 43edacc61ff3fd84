// The processor for a kernel that runs as a process.
#pragma once

#include <vector>

#include "algorithms/process/descriptor.hpp"

namespace isthmus {

/// Ticks that each processor has been idle, by its number; 0 where the kernel does not tell.
std::vector<long long> idle_ticks();

/// Confines this process, and what it starts, to one of the processors it may use: the one that was idle most during
/// the last moment. User-Mode Linux hands over between two processes at each system call and page fault; on two
/// processors each hand-over wakes the other one up, which takes several times as long as the call itself.
void keep_to_one_processor();

/// Whatever else the machine does has to wait while this process, and what it starts, has work: real-time priority,
/// where the user may have it.
void go_before_others();

/// As long as this is open, idle processors wait without going to sleep (the kernel's /dev/cpu_dma_latency), where the
/// user may ask for that; else not open. A processor of a virtual machine that sleeps may be milliseconds late for a
/// timer.
Descriptor keep_processors_awake();

}  // namespace isthmus
