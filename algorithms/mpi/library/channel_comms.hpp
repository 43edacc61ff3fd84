// The communicators of channels (channels/channels.hpp).
#pragma once

#include <mpi.h>

#include <vector>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// The channels that this process sees.
struct ChannelComms {
  std::vector<MPI_Comm> comms;
  int world = 0;  ///< index of MPI_COMM_WORLD's
};

/// Made at the first call, which is collective over MPI_COMM_WORLD. Throws BadInput, the same on all ranks; MpiError.
const ChannelComms& channel_comms();

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
