#include "algorithms/mpi/library/channel_comms.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "algorithms/channels/channels.hpp"
#include "algorithms/channels/channels_json.hpp"
#include "algorithms/mpi/library/comm_attributes.hpp"
#include "algorithms/mpi/library/comm_topology.hpp"
#include "algorithms/mpi/library/settings.hpp"
#include "algorithms/text/parts.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

int world_rank() {
  int rank = 0;
  check_mpi(PMPI_Comm_rank(MPI_COMM_WORLD, &rank), {.call = "MPI_Comm_rank"});
  return rank;
}

// Rank 0 reads the files; its errors are thrown on all ranks.
Channels channels_of_rank_0(const std::string& files) {
  std::string problem, text;
  if (world_rank() == 0) {
    try {
      std::vector<std::string> names;
      for (const std::string_view file : parts_of(files, ':')) names.emplace_back(file);
      text = to_json(read_channels(names)).dump();
    } catch (const Error& error) {
      problem = error.what();
    }
  }
  problem = share_text(problem, MPI_COMM_WORLD);
  if (!problem.empty()) throw BadInput("ISTHMUS_CHANNELS: " + problem);
  return channels_from_json(nlohmann::json::parse(share_text(text, MPI_COMM_WORLD)));
}

// By rank: its host as the files call it.
std::vector<std::string> hosts_of_ranks(const Channels& channels) {
  const std::vector<std::string> known = channels.hosts();
  std::vector<std::string> hosts;
  for (const std::string& name : host_names(MPI_COMM_WORLD)) {
    const std::string brief = name.substr(0, name.find('.'));
    auto found = std::ranges::find(known, name);
    if (found == known.end()) found = std::ranges::find(known, brief);
    if (found == known.end())
      throw BadInput("ISTHMUS_CHANNELS: no channel has host " + name + ", where rank " + std::to_string(hosts.size()) +
                     " runs; a channel with all hosts of ranks would be right");
    hosts.push_back(*found);
  }
  return hosts;
}

// The ranks of a channel, whose collectives follow its parts where nothing else is known of the network.
MPI_Comm comm_of(const Channels& channels, int number, const std::vector<std::string>& hosts,
                 const Settings& settings) {
  std::vector<int> ranks;
  std::vector<std::string> hosts_of_members;
  for (int rank = 0; rank < static_cast<int>(hosts.size()); ++rank) {
    if (!channels.channels[number].has(hosts[rank])) continue;
    ranks.push_back(rank);
    hosts_of_members.push_back(hosts[rank]);
  }
  MPI_Comm comm = MPI_COMM_WORLD;
  if (number != channels.world) {
    MPI_Group world = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
    check_mpi(PMPI_Comm_group(MPI_COMM_WORLD, &world), {.call = "MPI_Comm_group"});
    check_mpi(PMPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &group), {.call = "MPI_Group_incl"});
    check_mpi(PMPI_Comm_create(MPI_COMM_WORLD, group, &comm), {.call = "MPI_Comm_create"});
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
  }
  if (comm != MPI_COMM_NULL && settings.network.empty())
    attach_topology(comm, settings, channels.topology_of(number, hosts_of_members));
  return comm;
}

ChannelComms make_channel_comms() {
  const Settings settings = settings_of_rank_0(MPI_COMM_WORLD);
  ChannelComms made;
  if (settings.channels.empty()) {
    made.comms = {MPI_COMM_WORLD};
    return made;
  }
  const Channels channels = channels_of_rank_0(settings.channels);
  const std::vector<std::string> hosts = hosts_of_ranks(channels);
  const int rank = world_rank();
  for (int number = 0; number < static_cast<int>(channels.channels.size()); ++number) {
    if (channels.channels[number].used_up) continue;
    MPI_Comm comm = comm_of(channels, number, hosts, settings);
    if (!channels.channels[number].has(hosts[rank])) continue;
    if (number == channels.world) made.world = static_cast<int>(made.comms.size());
    made.comms.push_back(comm);
  }
  return made;
}

}  // namespace

void check_channels(const std::string& files) { hosts_of_ranks(channels_of_rank_0(files)); }

const ChannelComms& channel_comms() {
  static const ChannelComms* made = nullptr;  // never destroyed: exit handlers may ask for it
  if (made == nullptr) made = new ChannelComms(make_channel_comms());
  return *made;
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
