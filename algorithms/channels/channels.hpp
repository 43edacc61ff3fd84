// Channels: which hosts a program may treat as one network, from the networks and channels files of MPICH/MadIII
// (Aumage 2003, section 3).
//
// A physical channel is some or all hosts of one network; there may be several over one network. A virtual channel
// joins physical channels; a host in several of its parts is a gateway, which forwards between them. The parts are used
// up: a program does not see them. The channel of MPI_COMM_WORLD is the one called `default`, else the first one that a
// program sees and that has all hosts; it must have all hosts.
#pragma once

#include <string>
#include <vector>

#include "algorithms/topology/topology.hpp"

namespace isthmus {

struct ChannelNetwork {
  std::string name;
  std::string device;  ///< the kind of card: tcp, sisci, bip ...
  std::vector<std::string> hosts;
};

struct Channel {
  std::string name;
  int network = -1;                        ///< of a physical channel
  std::vector<int> parts = {};             ///< of a virtual channel: numbers of channels
  std::vector<std::string> hosts;          ///< in the order of the file; of a virtual channel each once, part by part
  std::vector<std::string> gateways = {};  ///< the hosts of a virtual channel in two or more of its parts
  bool used_up = false;                    ///< a part of a virtual channel, which a program does not see

  bool is_virtual() const { return !parts.empty(); }
  bool has(const std::string& host) const;
};

struct Channels {
  std::string application, flavor;  ///< as the file says; empty if it does not
  std::vector<ChannelNetwork> networks;
  std::vector<Channel> channels;  ///< in the order of the file, virtual ones last
  int world = 0;                  ///< the channel of MPI_COMM_WORLD

  /// The hosts of all channels, in the order of their first mention.
  std::vector<std::string> hosts() const;
  /// The channels that a program on a host sees, in order.
  std::vector<int> seen_by(const std::string& host) const;
  /// The groups of ranks on these hosts in a channel, and who reaches whom. The parts of a virtual channel are groups;
  /// a gateway is in none of them. Throws BadInput for a host that is not in the channel.
  Topology topology_of(int channel, const std::vector<std::string>& host_of_rank) const;
};

/// Reads a channels file, with the networks file that it includes (relative to its folder), or a networks and a
/// channels file in any order, or one file with both. Throws BadInput `FILE:LINE:COLUMN: ...`, for contents too: an
/// unknown network, channel or host, parts of a virtual channel that do not connect, a channel used up twice, no
/// channel for MPI_COMM_WORLD.
Channels read_channels(const std::vector<std::string>& files);

}  // namespace isthmus
