// What runs inside the kernel whose network is emulated.
#pragma once

namespace isthmus {

/// Lays out the network of the job in `job_folder`, measures it, runs the ranks, and tells the events. Needs a network
/// namespace of its own with all rights in it, and `run_folder` on a file system of its own.
void run_agent_work();

/// Process 1 of a User-Mode Linux: mounts what a system needs, emulates, and turns the machine off.
[[noreturn]] void boot();

}  // namespace isthmus
