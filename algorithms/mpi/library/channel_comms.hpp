// The communicators of channels (channels/channels.hpp).
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// The channels that this process sees.
struct ChannelComms {
  std::vector<MPI_Comm> comms;
  int world = 0;  ///< index of MPI_COMM_WORLD's
};

/// Whether the files of ISTHMUS_CHANNELS, separated by `:`, can be read and have the host of every rank. Collective
/// over MPI_COMM_WORLD; throws BadInput, the same on all ranks, that says what is wrong.
void check_channels(const std::string& files);

/// Made at the first call, which is collective over MPI_COMM_WORLD. Throws BadInput, the same on all ranks; MpiError.
const ChannelComms& channel_comms();

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
