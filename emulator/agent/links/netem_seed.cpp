#include "emulator/agent/links/netem_seed.hpp"

#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/process/system.hpp"
#include "emulator/agent/links/packet_socket.hpp"

namespace isthmus {
namespace {

constexpr unsigned short netem_prng_seed = 14;  // TCA_NETEM_PRNG_SEED, which older headers lack

using Message = std::vector<char>;

void append_attribute(Message& message, unsigned short type, const void* data, std::size_t bytes) {
  const rtattr header{static_cast<unsigned short>(RTA_LENGTH(bytes)), type};
  const std::size_t at = message.size();
  message.resize(at + RTA_SPACE(bytes));
  std::memcpy(message.data() + at, &header, sizeof header);
  std::memcpy(message.data() + at + RTA_LENGTH(0), data, bytes);
}

Message request(unsigned short type, unsigned short flags, int device, std::uint32_t handle) {
  Message message(NLMSG_LENGTH(sizeof(tcmsg)));
  nlmsghdr header{};
  header.nlmsg_type = type;
  header.nlmsg_flags = static_cast<unsigned short>(NLM_F_REQUEST | flags);
  tcmsg body{};
  body.tcm_family = AF_UNSPEC;
  body.tcm_ifindex = device;
  body.tcm_parent = TC_H_ROOT;
  body.tcm_handle = handle;
  std::memcpy(message.data(), &header, sizeof header);
  std::memcpy(message.data() + NLMSG_HDRLEN, &body, sizeof body);
  return message;
}

Message ask(const Descriptor& socket, Message message) {
  const auto length = static_cast<std::uint32_t>(message.size());
  std::memcpy(message.data(), &length, sizeof length);  // the first member of nlmsghdr
  checked(send(socket.get(), message.data(), message.size(), 0), "ask the kernel for a queue");
  Message answer(65536);
  answer.resize(static_cast<std::size_t>(
      checked(recv(socket.get(), answer.data(), answer.size(), 0), "hear from the kernel about a queue")));
  nlmsghdr header{};
  std::memcpy(&header, answer.data(), sizeof header);
  if (header.nlmsg_type == NLMSG_ERROR) {
    nlmsgerr error{};
    std::memcpy(&error, answer.data() + NLMSG_HDRLEN, sizeof error);
    errno = -error.error;
    if (error.error != 0) throw_errno("seed a netem queue");
  }
  return answer;
}

/// The queue's options as the kernel reports them; they are sent back together with the seed.
Message options_in(const Message& answer) {
  for (std::size_t at = NLMSG_LENGTH(sizeof(tcmsg)); at + sizeof(rtattr) <= answer.size();) {
    rtattr attribute{};
    std::memcpy(&attribute, answer.data() + at, sizeof attribute);
    if (attribute.rta_len < sizeof attribute || at + attribute.rta_len > answer.size()) break;
    if (attribute.rta_type == TCA_OPTIONS) {
      return {answer.begin() + static_cast<std::ptrdiff_t>(at + RTA_LENGTH(0)),
              answer.begin() + static_cast<std::ptrdiff_t>(at + attribute.rta_len)};
    }
    at += RTA_ALIGN(attribute.rta_len);
  }
  throw Refused("seed a netem queue: the kernel tells no options of it");
}

}  // namespace

void seed_netem(const std::string& device, std::uint64_t seed) {
  const Descriptor socket(checked(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE), "netlink"));
  const timeval patience{5, 0};
  checked(setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), "limit a wait");
  const int index = device_index(device);
  constexpr std::uint32_t handle = 1U << 16;  // `1:`, as the plan's commands call it
  Message options = options_in(ask(socket, request(RTM_GETQDISC, NLM_F_ECHO, index, handle)));
  options.resize(RTA_ALIGN(options.size()));
  append_attribute(options, netem_prng_seed, &seed, sizeof seed);

  Message change = request(RTM_NEWQDISC, NLM_F_ACK | NLM_F_REPLACE, index, handle);
  append_attribute(change, TCA_KIND, "netem", sizeof "netem");
  append_attribute(change, TCA_OPTIONS, options.data(), options.size());
  ask(socket, change);
}

}  // namespace isthmus
