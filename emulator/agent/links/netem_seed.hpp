// The chance in netem's queues, made the same in every run.
#pragma once

#include <cstdint>
#include <string>

namespace isthmus {

/// Gives the netem queue at the root of a device, in the calling thread's network, a seed for what it leaves to chance.
/// Kernels before 6.6 take no notice. iproute2 6.1 cannot: this speaks to the kernel itself. Throws Refused.
void seed_netem(const std::string& device, std::uint64_t seed);

}  // namespace isthmus
