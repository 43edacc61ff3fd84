#include "algorithms/forwarding/frame.hpp"

namespace isthmus {

Frame make_frame(FrameKind kind, const std::vector<int>& path, std::string_view payload) {
  Frame frame;
  frame.header.kind = kind;
  frame.header.hosts = static_cast<std::uint8_t>(path.size());
  frame.header.position = 1;
  for (std::size_t i = 0; i < path.size() && i < max_path_hosts; ++i)
    frame.header.path[i] = static_cast<std::uint16_t>(path[i]);
  frame.header.bytes = static_cast<std::uint32_t>(payload.size());
  if (!payload.empty()) frame.payload = std::make_shared<const std::string>(payload);
  return frame;
}

std::vector<int> path_of(const FrameHeader& header) {
  return {header.path.begin(), header.path.begin() + header.hosts};
}

}  // namespace isthmus
