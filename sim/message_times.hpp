// How long messages take in the simulation, set through SimGrid's own hooks.
#pragma once

#include <simgrid/s4u/Engine.hpp>

#include "algorithms/models/network.hpp"
#include "sim/simulate.hpp"

namespace isthmus {

/// Makes an uncontended message of m bytes take the latency of its route + (m + header_bytes) / the route's bandwidth,
/// and lets messages share links as `queueing` says. A host without loopback reaches itself at no cost. Call after the
/// platform is loaded and before the simulation runs; `network` must outlive that.
void set_message_times(const simgrid::s4u::Engine& engine, const Network& network, Queueing queueing);

}  // namespace isthmus
