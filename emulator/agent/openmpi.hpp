// Settings of Open MPI for an emulated network; all of them go into the record.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

/// MCA parameters: only TCP, messages up to the transport's eager size sent at once, idle ranks yield.
std::vector<std::pair<std::string, std::string>> openmpi_parameters(const Transport& transport);

/// Environment of mpirun and its daemons.
std::vector<std::pair<std::string, std::string>> daemon_environment();

/// Environment of the ranks: the library that lets them wait, and malloc settings that keep freed memory in the
/// process. With more than one stream, the library that shares each connection over a long distance among as many.
std::vector<std::pair<std::string, std::string>> rank_environment(int streams);

}  // namespace isthmus
