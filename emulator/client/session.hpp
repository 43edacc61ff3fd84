// Running any program on the emulated network, as if it ran here.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/network/network.hpp"
#include "emulator/client/emulate.hpp"

namespace isthmus {

/// A program for the ranks of an MPI, or for one host.
struct Session {
  Network network;
  Placement placement;
  std::vector<std::string> argv;
  std::string host = {};     ///< empty: each rank of the placement, by mpirun; else once, on this host
  bool mpich = false;        ///< started by MPICH's mpiexec instead of Open MPI's mpirun
  bool drop_in = false;      ///< with libisthmus-mpi.so in front of the MPI
  std::string capture = {};  ///< a link whose frames are reported, as the bytes of a pcap file; or empty
};

struct SessionOptions {
  EmulationOptions emulation = {};
  OnProgress progress = {};
  std::vector<std::string> writable;  ///< folders besides the working folder that the program may write to
  std::function<void(std::string_view)> output, errors, capture;  ///< take each piece
  /// SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1 and SIGUSR2 go to the program alone; else they act as in emulate().
  bool pass_signals = false;
};

struct SessionResult : AgentReport {
  int exit_status = 0;  ///< of mpirun or the program; 128 + the signal that ended it
  double seconds = 0;   ///< from its start to its end, by the clock of the emulation
};

/// Whether the loader gives a program MPICH's library, which may be one that its libraries need, as for Fortran. False
/// for scripts and missing files.
bool needs_mpich(const std::string& command);

/// The program sees this machine's files, the working folder writable, and this process's environment and standard
/// input. Throws as emulate() does, and BadInput when there is no such program, host or link. Leaves nothing behind,
/// even when killed.
SessionResult run_session(const Session& session, const SessionOptions& options);

}  // namespace isthmus
