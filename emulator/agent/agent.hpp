// What runs inside the kernel whose network is emulated.
#pragma once

namespace isthmus {

/// Lays out the network of the job in `job_folder`, measures it, runs the ranks, and sends the events. Needs its own
/// network namespace with all rights in it, and `run_folder` on its own file system.
void run_agent_work();

/// Process 1 of a User-Mode Linux: mounts the system's file systems, runs the emulation, and turns the machine off.
[[noreturn]] void boot();

}  // namespace isthmus
