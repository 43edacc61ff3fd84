// The memory that SMPI takes for messages on their way.
#pragma once

#include "algorithms/mpi/job/job.hpp"
#include "algorithms/network/placed_network.hpp"

namespace isthmus {

/// The bytes of messages that are on their way at one moment, the most, by the replay. SMPI copies each message that
/// leaves before its receive (Transport::eager_bytes) when it is sent, and keeps it until it has been received.
/// 0 for a plan without a schedule, or with one that cannot be run.
double most_bytes_in_flight(const PlacedNetwork& placed, const Point& point);

}  // namespace isthmus
