#include "emulator/agent/openmpi.hpp"

#include <fmt/format.h>

#include "emulator/agent/containers/container.hpp"

namespace isthmus {

std::vector<std::pair<std::string, std::string>> openmpi_parameters(const Transport& transport) {
  // Open MPI counts its own header into these limits; a message of exactly eager_bytes must still be sent at once.
  const std::string eager = std::to_string(transport.eager_bytes + 4096);
  return {
      // Start: daemons in the hosts' containers; the first host starts and contacts all of them directly.
      {"plm", "rsh"},
      {"plm_rsh_agent", fmt::format("{}/bin/enter", run_folder)},
      {"plm_rsh_no_tree_spawn", "1"},
      {"plm_rsh_num_concurrent", "1000"},
      {"routed", "direct"},
      // Daemons stay in the session of all other processes, because the scheduler may give weights by session.
      {"orte_leave_session_attached", "1"},
      {"oob_tcp_if_include", "eth0"},
      {"orte_keep_fqdn_hostnames", "1"},
      {"hwloc_base_binding_policy", "none"},
      {"rmaps", "seq"},
      // Not loaded because not needed: other ways to start programs, to inspect networks, to share memory with daemons.
      {"schizo", "^slurm,jsm,flux"},
      {"pmix", "^flux"},
      {"state", "^novm,tool"},
      {"errmgr", "^default_tool"},
      {"odls", "^pspawn"},
      {"iof", "^tool"},
      {"reachable", "^netlink"},
      {"shmem", "^sysv,posix"},
      // Messages: only over the emulated network.
      {"pml", "ob1"},
      {"btl", "tcp,self"},
      {"btl_tcp_if_include", "eth0"},
      {"osc", "pt2pt"},
      // Up to the eager size, no round trip (rendezvous) before a message.
      {"btl_tcp_eager_limit", eager},
      {"btl_tcp_rndv_eager_limit", eager},
      {"btl_tcp_max_send_size", eager},
      // Collectives: HAN is available to communicators that ask for it; for others `tuned` has the higher priority.
      {"coll_han_priority", "1"},
      // Idle ranks yield, and check their sockets in each round of polling (see idle.c).
      {"mpi_yield_when_idle", "1"},
      {"mpi_event_tick_rate", "1"},
  };
}

namespace {

std::vector<std::pair<std::string, std::string>> environment_with(const char* preloaded) {
  return {{"LD_PRELOAD", fmt::format("{}/bin/{}", run_folder, preloaded)},
          {"MALLOC_MMAP_THRESHOLD_", "1073741824"},
          {"MALLOC_TRIM_THRESHOLD_", "1073741824"},
          {"MALLOC_TOP_PAD_", "67108864"}};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> daemon_environment() { return environment_with("daemons.so"); }

std::vector<std::pair<std::string, std::string>> rank_environment(int streams) {
  std::vector<std::pair<std::string, std::string>> environment = environment_with("idle.so");
  if (streams > 1) {
    environment.front().second += fmt::format(":{}/bin/streams.so", run_folder);
    environment.emplace_back("ISTHMUS_STREAMS", std::to_string(streams));
  }
  return environment;
}

}  // namespace isthmus
