// How Open MPI has to be set for an emulated network; all of it goes into the record.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

/// MCA parameters: TCP alone, messages up to the transport's eager size sent at once, idle ranks that yield.
std::vector<std::pair<std::string, std::string>> openmpi_parameters(const Transport& transport);

/// Environment of mpirun and its daemons.
std::vector<std::pair<std::string, std::string>> daemon_environment();

/// Environment of the ranks: the library that lets them wait, and memory that stays with the process once it has it.
std::vector<std::pair<std::string, std::string>> rank_environment();

}  // namespace isthmus
