// A program that the agent is to run, as the client found it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace isthmus {

enum class MpiKind : std::uint8_t { openmpi, mpich };

struct SessionProgram {
  nlohmann::json network;  ///< see network_json.hpp
  std::vector<std::string> argv;
  std::string folder;   ///< working folder
  std::string host;     ///< empty: in every rank
  std::string drop_in;  ///< a library to load before the MPI, or empty
  std::string preload;  ///< other libraries that the user preloads, or empty
  std::string capture;  ///< a link, or empty
  MpiKind mpi = MpiKind::openmpi;
  bool terminal = false;      ///< it runs on a person's terminal
  int rows = 0, columns = 0;  ///< of the terminal
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SessionProgram, network, argv, folder, host, drop_in, preload, capture, mpi,
                                   terminal, rows, columns)

}  // namespace isthmus
