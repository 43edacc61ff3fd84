#include "emulator/agent/agent.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "algorithms/errors.hpp"
#include "algorithms/measuring/estimate.hpp"
#include "algorithms/mpi/job/job.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/text/counted.hpp"
#include "emulator/agent/containers/rootfs_check.hpp"
#include "emulator/agent/job_ranks.hpp"
#include "emulator/agent/links/apply.hpp"
#include "emulator/agent/links/delay_compensation.hpp"
#include "emulator/agent/links/probe.hpp"
#include "emulator/agent/openmpi.hpp"
#include "emulator/agent/session_program.hpp"
#include "emulator/protocol/agent_report.hpp"

namespace isthmus {
namespace {

std::string joined(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string text;
  for (const auto& [name, value] : pairs) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

void set_environment(const EmulationSettings& settings) {
  clearenv();
  for (const auto& [name, value] : settings.environment) setenv(name.c_str(), value.c_str(), 1);
  for (const auto& [name, value] : settings.bundle_environment) setenv(name.c_str(), value.c_str(), 1);
  // Each host has its own /tmp.
  setenv("TMPDIR", "/tmp", 1);
  setenv("HOME", "/tmp", 0);
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  // These slow down the start of an MPI and are not needed: a store in shared memory between daemon and ranks, of which
  // 10 MB are written at once; the plugins that search for graphics cards.
  setenv("PMIX_MCA_gds", "hash", 0);
  setenv("HWLOC_PLUGINS_PATH", run_folder, 0);
  // Sleeps end on time, not up to 50 us late; all started programs inherit this.
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
}

/// Links the helper programs under names that need no quoting, wherever isthmus is installed; copies them if the hosts
/// have another root file system.
void link_helpers(const EmulationSettings& settings) {
  checked(chmod(run_folder, 0777), "open " + std::string(run_folder));  // for the user of a bundle
  const std::string folder = fmt::format("{}/bin", run_folder);
  checked(mkdir(folder.c_str(), 0755), "make " + folder);
  for (const auto& [name, file] : {std::pair{"enter", "isthmus-enter"},
                                   {"worker", "isthmus-worker"},
                                   {"isthmus-forwarder", "isthmus-forwarder"},
                                   {"idle.so", "libisthmus-idle.so"},
                                   {"streams.so", "libisthmus-streams.so"},
                                   {"daemons.so", "libisthmus-daemons.so"},
                                   {"mpich-end.so", "libisthmus-mpich-end.so"}}) {
    const std::string source = settings.helpers + "/" + file;
    const std::string target = folder + "/" + name;
    if (settings.files.root.empty()) {
      checked(symlink(source.c_str(), target.c_str()), "link a helper program");
    } else {
      copy_file(source, target);
    }
  }
}

/// How far the latency is off because the kernel's queues hold whole microseconds.
double rounding_s(const ProbePair& pair) {
  double off_s = 0;
  for (const std::vector<Queue>* way : {&pair.forth, &pair.back}) {
    for (const Queue& queue : *way) off_s += std::round(queue.delay_s * 1e6) * 1e-6 - queue.delay_s;
  }
  return std::abs(off_s) / 2;
}

bool has_latency(const Achieved& got, const ProbePair& pair, const EmulationSettings& settings) {
  return std::abs(got.latency_s - got.asked_latency_s) <=
         settings.tolerance() * got.asked_latency_s + settings.substrate.latency_slack_s + rounding_s(pair);
}

bool has_rate(const Achieved& got, const EmulationSettings& settings) {
  return std::abs(got.bandwidth_Bps - got.asked_bandwidth_Bps) <= settings.tolerance() * got.asked_bandwidth_Bps;
}

/// What would be right where a link is not as it should be. In real time a machine keeps what its processors have time
/// for; a latency of 0 has no relative tolerance.
std::string remedy(double got, double asked, const EmulationSettings& settings) {
  std::vector<std::string> ways;
  if (settings.substrate.real_time) ways = {"a machine with less to do", "--substrate virtual"};
  if (asked > 0) ways.push_back(fmt::format("--tolerance {:.2g}", std::ceil(std::abs(got / asked - 1) * 100) / 100));
  return ways.empty() ? "" : fmt::format("; {} would be right", fmt::join(ways, " or "));
}

[[noreturn]] void refuse(const char* figure, const char* unit, double got, double asked, const Achieved& link,
                         const EmulationSettings& settings) {
  throw Refused(fmt::format(
      "the emulated {} from {} to {} is {:.6g} {}, not the {:.6g} {} of the platform (tolerance {:g} %){}", figure,
      link.from, link.to, got, unit, asked, unit, settings.tolerance() * 100, remedy(got, asked, settings)));
}

void check(const Achieved& got, const ProbePair& pair, const EmulationSettings& settings) {
  if (!has_latency(got, pair, settings)) refuse("latency", "s", got.latency_s, got.asked_latency_s, got, settings);
  if (!has_rate(got, settings)) refuse("rate", "B/s", got.bandwidth_Bps, got.asked_bandwidth_Bps, got, settings);
}

/// A shaped link that is not as it should be is measured again: in real time, other work on the machine may spoil a
/// measurement, but rarely several of the same link.
Achieved probe_until_right(const ProbePair& pair, const AgentContext& context) {
  constexpr int most = 3;
  Achieved got = probe(pair, context.plan, context.containers);
  for (int times = 1; times < most && pair.shaped; ++times) {
    if (has_latency(got, pair, context.settings) && has_rate(got, context.settings)) break;
    got = probe(pair, context.plan, context.containers);
  }
  return got;
}

/// `part`: the field of the report for the results.
void measure(const AgentContext& context, std::vector<Achieved> AgentReport::*part) {
  for (const ProbePair& pair : context.plan.probes) {
    const Achieved got = probe_until_right(pair, context);
    AgentReport piece;
    (piece.*part).push_back(got);
    context.events.send(report_event(piece));
    if (pair.shaped) check(got, pair, context.settings);
  }
}

/// Reports the medians of three rounds over all links: in real time, other work on the machine may spoil a measurement,
/// but rarely two of the same link.
void measure_in_rounds(const AgentContext& context) {
  constexpr std::size_t rounds = 3;
  const std::vector<ProbePair>& pairs = context.plan.probes;
  std::vector<std::vector<Achieved>> of_pair(pairs.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    context.events.send(
        {{"progress", fmt::format("measuring {}, round {} of {}", counted(pairs.size(), "link"), round + 1, rounds)}});
    for (std::size_t i = 0; i < pairs.size(); ++i)
      of_pair[i].push_back(probe(pairs[i], context.plan, context.containers));
  }
  const auto median_figure = [](const std::vector<Achieved>& all, double Achieved::*figure) {
    std::vector<double> samples;
    for (const Achieved& one : all) samples.push_back(one.*figure);
    return median(std::move(samples));
  };
  for (const std::vector<Achieved>& all : of_pair) {
    Achieved got = all.front();
    got.latency_s = median_figure(all, &Achieved::latency_s);
    got.bandwidth_Bps = median_figure(all, &Achieved::bandwidth_Bps);
    context.events.send(report_event({.achieved = {got}}));
  }
}

std::string text_of_weights(const EmulationPlan& plan, bool processor_weights) {
  if (!processor_weights) return "none: processors take no time";
  std::string text;
  for (const Container& container : plan.containers) {
    if (container.niceness > 0)
      text += fmt::format("{}{} nice {}", text.empty() ? "" : ", ", container.name, container.niceness);
  }
  return text.empty() ? "equal" : text;
}

void send_provenance(const Transport& transport, const EmulationSettings& settings, MessageSender& events) {
  utsname kernel{};
  uname(&kernel);
  for (const auto& [name, value] :
       {std::pair<std::string, std::string>{"kernel", fmt::format("{} {}", kernel.sysname, kernel.release)},
        {"openmpi_parameters", joined(openmpi_parameters(transport))},
        {"rank_environment", joined(rank_environment(settings.plan.streams))},
        {"streams", std::to_string(settings.plan.streams)},
        {"tcp", joined(host_settings(settings.plan))},
        {"routes", route_settings(settings.plan)},
        {"host_links", settings.shaping.shape_host_links ? "shaped" : "not shaped"},
        {"host_speeds", text_of_weights(settings.plan, settings.shaping.processor_weights)}}) {
    events.send(provenance_event(name, value));
  }
}

/// Sets up the network of the plan, shortens its delays if time is real, and calls `run` there.
template <typename Run>
void on_network(const Network& network, const NeededProgram& program, MessageSender& events, const Run& run) {
  auto settings = nlohmann::json::parse(read_text(settings_file)).get<EmulationSettings>();
  EmulationPlan& plan = settings.plan;
  HopTable hops(plan.delayed);
  set_environment(settings);
  link_helpers(settings);
  send_provenance(network.transport, settings, events);

  const auto hosts =
      std::count_if(plan.containers.begin(), plan.containers.end(), [](const Container& c) { return c.host >= 0; });
  events.send({{"reached", "network"}});
  events.send({{"progress", fmt::format("laying out {} hosts and {} routers", hosts,
                                        static_cast<std::ptrdiff_t>(plan.containers.size()) - hosts)}});
  const std::vector<RunningContainer> containers = apply(plan, settings.files, hops, settings.options.conditions.seed);
  if (!settings.files.root.empty()) check_rootfs(settings.files.root, program, containers.front(), events);
  events.send({{"reached", "probe"}});
  std::this_thread::sleep_for(std::chrono::duration<double>(settings.substrate.settle_s));
  if (settings.substrate.real_time) {
    const double early_release_s = compensate_delays(plan, containers, hops);
    events.send(provenance_event("delays_shortened", fmt::format("{:.0f} us a hop", early_release_s * 1e6)));
  }
  run(AgentContext{plan, containers, settings, network, events}, hops);
}

/// The bytes that have come into a container, over all its devices.
std::int64_t bytes_into(const RunningContainer& container) {
  std::istringstream devices(read_text(fmt::format("/proc/{}/net/dev", container.process())));
  std::int64_t sum = 0;
  for (std::string line; std::getline(devices, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos) sum += std::strtoll(line.c_str() + colon + 1, nullptr, 10);
  }
  return sum;
}

/// Calls `run` between two measurements of the links.
template <typename Run>
void between_probes(const AgentContext& context, ConditionDriver::Beginning beginning, HopTable& hops, const Run& run) {
  const Conditions& conditions = context.settings.options.conditions;
  context.events.send({{"progress", fmt::format("measuring {}", counted(context.plan.probes.size(), "link"))}});
  measure(context, &AgentReport::achieved);
  context.events.send({{"reached", "ranks"}});
  run(ConditionDriver(context.plan, context.network, conditions, beginning, context.containers, hops));
  context.events.send({{"reached", "end"}});
  if (context.plan.management >= 0)
    context.events.send(
        provenance_event("management_bytes", std::to_string(bytes_into(context.containers[context.plan.management]))));
  // No second measurement if links have changed, or if retransmissions or ambient traffic may be under way.
  if (!context.plan.lossless || !conditions.traffic.empty() || changes_with_time(context.network, conditions)) return;
  context.events.send({{"progress", "measuring the links again"}});
  measure(context, &AgentReport::drift);
}

void work(MessageSender& events) {
  const nlohmann::json work = nlohmann::json::parse(read_text(work_file));
  if (work.contains("job")) {
    const Job job = job_from_json(work.at("job"));
    on_network(job.network, {fmt::format("{}/bin/worker", run_folder), "isthmus-worker", true}, events,
               [&](const AgentContext& context, HopTable& hops) {
                 between_probes(context, ConditionDriver::Beginning::each_start, hops,
                                [&](const ConditionDriver& driver) {
                                  run_ranks_of_job(job, work.value("drop_in", ""), context, driver);
                                });
               });
  } else if (work.contains("session")) {
    const auto program = work.at("session").get<SessionProgram>();
    on_network(network_from_json(program.network), {program.argv.front(), program.argv.front(), program.host.empty()},
               events, [&](const AgentContext& context, HopTable& hops) {
                 between_probes(context, ConditionDriver::Beginning::now, hops,
                                [&](const ConditionDriver& driver) { run_session_program(program, context, driver); });
               });
  } else {
    on_network(network_from_json(work.at("self_test")), {}, events,
               [](const AgentContext& context, HopTable&) { measure_in_rounds(context); });
  }
}

}  // namespace

void run_agent_work() {
  signal(SIGPIPE, SIG_IGN);
  MessageSender events(events_folder);
  try {
    work(events);
  } catch (const Error& error) {
    events.send({{"error", error.what()}, {"status", error.exit_status()}});
  } catch (const std::exception& error) {
    events.send({{"error", error.what()}, {"status", 1}});
  }
  events.send({{"end", true}});
}

}  // namespace isthmus
