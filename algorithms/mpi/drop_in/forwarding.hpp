// Messages between ranks without a route, through the forwarders of gateways (algorithms/forwarding).
//
// The MPI's own TCP connections are forwarded: what it connects to on a host without a route is a stream that the
// forwarder of this host carries. So matching, order, wildcards, modes, cancellation, collectives, one-sided operations
// and everything else between such ranks is the MPI's own, and its other connections stay as they are.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <string>
#include <vector>

#include "algorithms/forwarding/forwarding_map.hpp"
#include "algorithms/process/descriptor.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {

/// From MPI_Init to the end of the process.
class Forwarding {
 public:
  /// Connects to the forwarder of this host, which is started if none runs. Throws Error.
  Forwarding(ForwardingMap map, int own_host, const std::string& network, const std::string& setting);

  /// Whether an address is of a host without a route: then connect_there() connects.
  bool forwards(const sockaddr* to) const;
  /// As connect(); the socket may be non-blocking.
  int connect_there(int socket, const sockaddr_in& to) const;

  /// Ranks of the job are on these hosts: to be told when one without a route to it is lost.
  void need(const std::vector<int>& hosts) const;

  const ForwardingMap& map() const { return map_; }
  int own_host() const { return own_; }
  /// Whether messages between the two hosts are forwarded and their last gateway is lost.
  bool is_lost(int host) const { return lost_[static_cast<std::size_t>(host)].load(std::memory_order_relaxed); }
  bool any_lost() const { return any_lost_.load(std::memory_order_relaxed); }
  std::string why_lost() const;

 private:
  void watch();
  /// Whether the forwarder takes the connection as a watcher; false: it has ended. Throws Refused.
  bool is_taken(int connection) const;

  ForwardingMap map_;
  int own_;
  Descriptor watcher_;
  std::vector<std::atomic<bool>> lost_;
  std::atomic<bool> any_lost_ = false;
  std::atomic<bool> forwarder_ended_ = false;
};

/// Null unless ISTHMUS_FORWARD asks for forwarding and the network lacks routes.
const Forwarding* forwarding();
/// For the report: up to which size messages leave before their receive is posted, as a setting of the MPI.
std::string transfer_modes();
/// Called before the MPI is initialised. If something is wrong it prints one line and ends the process with exit
/// status 2.
void begin_forwarding();

/// A connection that accept() has returned: if it comes from the forwarder, the address of the program at its source
/// replaces the forwarder's. False: the connection is broken.
bool learn_source(int socket);
/// Replaces the forwarder's address by that of the program at the source.
void show_source(sockaddr* address, socklen_t size);

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
