#include "emulator/agent/links/apply.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "algorithms/process/system.hpp"
#include "emulator/plan/congestion_control.hpp"

namespace isthmus {

std::vector<std::pair<std::string, std::string>> host_settings(const EmulationPlan& plan) {
  const TcpSettings& tcp = plan.tcp;
  // Size of a buffer in bytes: minimum, at the start of a connection, maximum.
  static constexpr std::int64_t least = 4096, usual = 67108864, most = 67108864;
  const auto buffer = [](std::int64_t asked) {
    return asked > 0 ? fmt::format("{} {} {}", std::min(least, asked), asked, asked)
                     : fmt::format("{} {} {}", least, usual, most);
  };
  std::vector<std::pair<std::string, std::string>> settings{{"net/ipv4/tcp_slow_start_after_idle", "0"},
                                                            {"net/ipv4/tcp_no_metrics_save", "1"},
                                                            {"net/ipv4/tcp_rmem", buffer(tcp.receive_buffer_bytes)},
                                                            {"net/ipv4/tcp_wmem", buffer(tcp.send_buffer_bytes)}};
  // Where nothing is lost, nothing need be sent again: a probe for lost tails would follow data that wait in the queue
  // of a slow link for longer than two of its latencies, and hold up what comes next.
  if (plan.lossless) settings.emplace_back("net/ipv4/tcp_early_retrans", "0");
  if (!tcp.congestion_control.empty()) {
    settings.emplace_back("net/ipv4/tcp_congestion_control", tcp.congestion_control);
  }
  return settings;
}

namespace {

/// Disables IPv6, which would send announcements on each link at random times.
void silence_ipv6(const RunningContainer& container) {
  if (access("/proc/sys/net/ipv6", F_OK) != 0) return;
  container.set({{"net/ipv6/conf/all/disable_ipv6", "1"}, {"net/ipv6/conf/default/disable_ipv6", "1"}});
}

}  // namespace

std::vector<RunningContainer> apply(const EmulationPlan& plan, const HostFiles& files, const HopTable& hops,
                                    std::uint64_t seed) {
  check_congestion_control(plan.tcp, congestion_controls_here());
  std::string hosts = "127.0.0.1 localhost\n";
  for (const Container& container : plan.containers) {
    if (container.host >= 0) hosts += fmt::format("{} {}\n", container.address, container.name);
  }
  const std::string hosts_file = fmt::format("{}/hosts", run_folder);
  write_text(hosts_file, hosts);

  // crun reads the control groups there even if told to use none, and fails on some; it accepts an empty folder.
  if (!files.bundle.empty()) mount_file_system("tmpfs", "/sys/fs/cgroup");
  std::vector<RunningContainer> running;
  std::vector<int> processes;
  for (const Container& container : plan.containers) {
    running.emplace_back(container, files, hosts_file);
    processes.push_back(running.back().process());
  }
  const std::string ip = program_path("ip");
  const std::string tc = program_path("tc");
  run_program({ip, "-batch", "-"}, cable_commands(plan, processes));
  for (std::size_t i = 0; i < running.size(); ++i) {
    const bool host = plan.containers[i].host >= 0;
    running[i].set(host ? host_settings(plan)
                        : std::vector<std::pair<std::string, std::string>>{{"net/ipv4/ip_forward", "1"},
                                                                           {"net/ipv4/conf/all/rp_filter", "0"},
                                                                           {"net/ipv4/conf/default/rp_filter", "0"}});
    silence_ipv6(running[i]);
    run_program({ip, "-batch", "-"}, address_commands(plan, static_cast<int>(i)), running[i].network());
    const std::string queues = queue_commands(plan, static_cast<int>(i));
    if (!queues.empty()) run_program({tc, "-batch", "-"}, queues, running[i].network());
  }
  if (plan.delay_line >= 0) start_delay_line(plan.delayed, hops, seed, running[plan.delay_line]);
  return running;
}

}  // namespace isthmus
