// Seeds the random numbers of netem's queues, so that they are the same in every run.
#pragma once

#include <cstdint>
#include <string>

namespace isthmus {

/// Seeds the random numbers of the netem queue at the root of a device in the calling thread's network. Kernels before
/// 6.6 ignore the seed. iproute2 6.1 cannot set it, so this uses netlink. Throws Refused.
void seed_netem(const std::string& device, std::uint64_t seed);

}  // namespace isthmus
