#include "algorithms/forwarding/forwarder_link.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "algorithms/process/system.hpp"

namespace isthmus {
namespace {

constexpr std::size_t read_bytes = std::size_t{256} << 10U;

// A segment of another host has come here from its source or from a gateway before.
std::size_t held_by(const Frame& frame) { return frame.header.position > 1 ? frame.payload_bytes() : 0; }

}  // namespace

ForwarderLink::ForwarderLink(std::uint64_t id, Descriptor socket, int host, double now_s, std::string greeting)
    : id_(id),
      socket_(std::move(socket)),
      host_(host),
      greeting_(std::move(greeting)),
      in_(read_bytes),
      last_sent_s_(now_s),
      last_heard_s_(now_s) {}

void ForwarderLink::put(Frame frame) {
  held_bytes_ += held_by(frame);
  out_.push_back(std::move(frame));
}

bool ForwarderLink::send(double now_s) {
  while (greeting_sent_ < greeting_.size()) {
    const ssize_t count =
        ::send(socket(), greeting_.data() + greeting_sent_, greeting_.size() - greeting_sent_, MSG_NOSIGNAL);
    if (count < 0) return only_later(count);
    greeting_sent_ += static_cast<std::size_t>(count);
  }
  while (!out_.empty()) {
    std::array<iovec, 64> parts{};
    std::size_t used = 0;
    std::size_t skipped = sent_of_first_;
    const auto add = [&](const void* data, std::size_t bytes) {
      const std::size_t skip = std::min(skipped, bytes);
      skipped -= skip;
      if (bytes > skip) parts[used++] = {const_cast<char*>(static_cast<const char*>(data)) + skip, bytes - skip};
    };
    for (std::size_t i = 0; i < out_.size() && used + 2 <= parts.size(); ++i) {
      add(&out_[i].header, sizeof(FrameHeader));
      if (out_[i].payload) add(out_[i].payload->data(), out_[i].payload->size());
    }
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = used;
    const ssize_t count = sendmsg(socket(), &message, MSG_NOSIGNAL);
    if (count < 0) return only_later(count);
    last_sent_s_ = now_s;
    sent_of_first_ += static_cast<std::size_t>(count);
    while (!out_.empty() && sent_of_first_ >= sizeof(FrameHeader) + out_.front().payload_bytes()) {
      sent_of_first_ -= sizeof(FrameHeader) + out_.front().payload_bytes();
      held_bytes_ -= held_by(out_.front());
      out_.pop_front();
    }
  }
  return true;
}

bool ForwarderLink::receive(double now_s, std::size_t max_payload, const std::function<void(Frame&&)>& arrived) {
  if (in_.size() < max_payload + sizeof(FrameHeader) + read_bytes)
    in_.resize(max_payload + sizeof(FrameHeader) + read_bytes);
  const ssize_t count = recv(socket(), in_.data() + in_bytes_, in_.size() - in_bytes_, 0);
  if (count < 0) return only_later(count);
  if (count == 0) return false;
  last_heard_s_ = now_s;
  in_bytes_ += static_cast<std::size_t>(count);
  std::size_t at = 0;
  while (in_bytes_ - at >= sizeof(FrameHeader)) {
    Frame frame;
    std::memcpy(&frame.header, in_.data() + at, sizeof(FrameHeader));
    if (frame.header.bytes > max_payload || frame.header.hosts > max_path_hosts) return false;
    if (in_bytes_ - at < sizeof(FrameHeader) + frame.header.bytes) break;
    if (frame.header.bytes > 0)
      frame.payload = std::make_shared<const std::string>(in_.data() + at + sizeof(FrameHeader), frame.header.bytes);
    at += sizeof(FrameHeader) + frame.header.bytes;
    arrived(std::move(frame));
  }
  std::memmove(in_.data(), in_.data() + at, in_bytes_ - at);
  in_bytes_ -= at;
  return true;
}

}  // namespace isthmus
