// A message of a socket with ancillary data, such as descriptors or a time stamp.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstring>
#include <ctime>
#include <optional>

namespace isthmus {

/// For sendmsg() and recvmsg(): `bytes` of a buffer, and room for `control_bytes` of ancillary data. The buffer must
/// outlive it.
template <std::size_t control_bytes>
class ControlMessage {
 public:
  ControlMessage(void* buffer, std::size_t bytes) : data_{buffer, bytes} {
    header_.msg_iov = &data_;
    header_.msg_iovlen = 1;
    header_.msg_control = control_;
    header_.msg_controllen = sizeof control_;
  }
  ControlMessage(const ControlMessage&) = delete;
  ControlMessage& operator=(const ControlMessage&) = delete;

  msghdr* get() { return &header_; }
  cmsghdr* first() { return CMSG_FIRSTHDR(&header_); }
  cmsghdr* after(cmsghdr* one) { return CMSG_NXTHDR(&header_, one); }
  /// When the kernel received the message, by the real-time clock, from a socket with SO_TIMESTAMPNS.
  std::optional<timespec> stamp() {
    for (cmsghdr* part = first(); part != nullptr; part = after(part)) {
      if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) continue;
      timespec stamp{};
      std::memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
      return stamp;
    }
    return std::nullopt;
  }

 private:
  alignas(cmsghdr) char control_[CMSG_SPACE(control_bytes)] = {};
  iovec data_;
  msghdr header_ = {};
};

}  // namespace isthmus
