// Sockets for whole frames of network devices.
#pragma once

#include <string>

#include "algorithms/process/descriptor.hpp"

namespace isthmus {

/// The number of a device of this network namespace. Throws Refused.
int device_index(const std::string& device);

struct PacketSocketOptions {
  int buffer_bytes = 0;  ///< of each direction; the kernel may give less
  /// Frames begin with a header that says which checksums the sender has left to the device, and frames that are sent
  /// pass no queue.
  bool passes_on = false;
};

/// A socket for the frames that come in at a device, each with the time at which it came (ControlMessage::stamp()), and
/// for frames to send there. It does not block. Throws Refused.
Descriptor packet_socket(const std::string& device, const PacketSocketOptions& options);

}  // namespace isthmus
