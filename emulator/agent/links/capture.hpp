// Captures the frames of a link where they leave it, in the format of pcap files.
#pragma once

#include <string>
#include <vector>

#include "emulator/agent/containers/container.hpp"
#include "emulator/plan/plan.hpp"

namespace isthmus {

class Capture {
 public:
  /// Listens where frames leave a link; for a split-duplex link, in both directions. Throws BadInput when there is no
  /// such link, or no rank's frames can cross it.
  Capture(const std::string& link, const EmulationPlan& plan, const Network& network,
          const std::vector<RunningContainer>& containers);

  /// The frames since the last call; the first call puts the header of the file before them.
  std::string take();
  /// Number of frames since the last call that were lost because they came too quickly.
  std::int64_t missed() const;

 private:
  std::vector<Descriptor> sockets_;
  std::string head_;
};

}  // namespace isthmus
