// The frames of a link, as they come out of it, in the format of pcap files.
#pragma once

#include <string>
#include <vector>

#include "emulator/agent/containers/container.hpp"
#include "emulator/plan/plan.hpp"

namespace isthmus {

class Capture {
 public:
  /// Listens where the frames of a link, or of both directions of a split-duplex one, come out. Throws BadInput when
  /// there is no such link, or no rank's frames can cross it.
  Capture(const std::string& link, const EmulationPlan& plan, const Network& network,
          const std::vector<RunningContainer>& containers);

  /// What has come since the last call; the first time, after the head of a file.
  std::string take();
  /// How many frames came too quickly to be kept, since the last call.
  std::int64_t missed() const;

 private:
  std::vector<Descriptor> sockets_;
  std::string head_;
};

}  // namespace isthmus
