// A TCP connection to a neighbouring forwarder: frames that wait to leave, and those that arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/forwarding/frame.hpp"
#include "algorithms/process/descriptor.hpp"

namespace isthmus {

class ForwarderLink {
 public:
  /// The socket does not block. `greeting` is sent first.
  ForwarderLink(std::uint64_t id, Descriptor socket, int host, double now_s, std::string greeting);

  std::uint64_t id() const { return id_; }
  int socket() const { return socket_.get(); }
  int host() const { return host_; }

  void put(Frame frame);
  bool has_to_send() const { return !out_.empty() || greeting_sent_ < greeting_.size(); }
  /// Sends what the socket accepts; false if the connection is broken.
  bool send(double now_s);
  /// Receives what there is; false if the connection has ended or is broken, or if what comes is no frame.
  bool receive(double now_s, std::size_t max_payload, const std::function<void(Frame&&)>& arrived);

  /// Payload of other hosts' segments that waits to leave.
  std::size_t held_bytes() const { return held_bytes_; }
  double last_sent_s() const { return last_sent_s_; }
  double last_heard_s() const { return last_heard_s_; }

  bool up = false;               ///< it has been established
  bool watched_to_send = false;  ///< whether the loop waits until the socket accepts more
  bool peer_needs_us = false;    ///< programs of its host still need forwarding
  bool said_goodbye = false;

 private:
  std::uint64_t id_;
  Descriptor socket_;
  int host_;
  std::string greeting_;
  std::size_t greeting_sent_ = 0;
  std::deque<Frame> out_;
  std::size_t sent_of_first_ = 0, held_bytes_ = 0;
  std::vector<char> in_;
  std::size_t in_bytes_ = 0;
  double last_sent_s_, last_heard_s_;
};

}  // namespace isthmus
