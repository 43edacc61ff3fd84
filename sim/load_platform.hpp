// The platform of a simulation: a SimGrid file, which SimGrid reads itself, or a network in JSON.
#pragma once

#include <string>

#include "algorithms/network/network.hpp"

namespace simgrid::s4u {
class Engine;
}

namespace isthmus {

/// Gives the engine the platform of the file. A file in JSON is not read: `network` is what was in it. Links have no
/// profiles, since SimGrid would apply them by rules of its own, from the start of the simulation; here links change
/// according to the network, from the start of each repetition. Throws BadInput when the file cannot be read.
void load_platform(simgrid::s4u::Engine& engine, const std::string& file, const Network& network);

}  // namespace isthmus
