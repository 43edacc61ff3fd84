// Parts of the agent that need no emulated kernel: containers and cables on the running one, and the reading of what
// mpirun prints.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "algorithms/errors.hpp"
#include "algorithms/process/namespaces.hpp"
#include "algorithms/process/system.hpp"
#include "emulator/agent/launcher.hpp"
#include "emulator/agent/links/apply.hpp"
#include "emulator/agent/links/packet_socket.hpp"
#include "emulator/agent/links/probe.hpp"
#include "emulator/agent/processor_wait.hpp"
#include "emulator/protocol/agent_report.hpp"
#include "emulator/protocol/messages.hpp"
#include "emulator/protocol/settings.hpp"
#include "emulator/substrates/substrate.hpp"
#include "tests/emulator/jobs.hpp"
#include "tests/support/root_of_a_container.hpp"

namespace isthmus {
namespace {

using testing::HasSubstr;

/// Runs `body` as the agent would: in new namespaces, with a folder that is visible there only. True if it returns
/// without an exception.
template <typename Body>
testing::AssertionResult contained(const Body& body) {
  int ends[2];
  if (pipe(ends) != 0) return testing::AssertionFailure() << "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    std::string problem;
    try {
      enter_namespaces(true);
      const pid_t first = checked(fork(), "fork");
      if (first != 0) {
        int status = 0;
        waitpid(first, &status, 0);
        _exit(WEXITSTATUS(status));
      }
      checked(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "mount");
      mount_file_system("tmpfs", "/run");
      mount_file_system("proc", "/proc");
      mkdir(run_folder, 0755);
      body();
    } catch (const std::exception& error) {
      problem = error.what();
    }
    if (write(ends[1], problem.data(), problem.size()) < 0) _exit(2);
    _exit(problem.empty() ? 0 : 1);
  }
  close(ends[1]);
  std::string problem(1000, '\0');
  const ssize_t count = read(ends[0], problem.data(), problem.size());
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << problem.substr(0, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
}

void require(bool fact, const std::string& what) {
  if (!fact) throw Refused(what);
}

EmulationPlan unshaped(const test::Mesh& shape) {
  const Network network = test::mesh(shape);
  EmulationPlan plan = plan_emulation(network, place_ranks(network, PlacementRule::block, 1));
  for (Cable& cable : plan.cables) cable.a.queue = cable.b.queue = Queue{};
  for (ProbePair& pair : plan.probes) pair.forth = pair.back = {};
  return plan;
}

std::vector<RunningContainer> laid_out(const EmulationPlan& plan) { return apply(plan, {}, HopTable(plan.delayed)); }

TEST(Containers, AreNotPromisedWhereAPartOfProcIsHidden) {
  if (!tests::can_be_root_of_a_container())
    GTEST_SKIP() << "needs root, and a kernel where all may make user namespaces";
  const auto allowed = [](bool hides_a_part) {
    return succeeds_in_child([hides_a_part] {
      enter_namespaces(false);
      checked(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "make mounts private");
      if (hides_a_part) mount_file_system("tmpfs", "/proc/sys");
      tests::become_root_of_a_container();
      if (!namespaces_allowed(true)) throw Refused("not allowed");
    });
  };
  EXPECT_TRUE(allowed(false));
  EXPECT_FALSE(allowed(true));
}

TEST(Containers, AreJoinedByCablesOnTheRunningKernel) {
  NEEDS_SUBSTRATE(delay_line_substrate());
  EXPECT_TRUE(contained([] {
    const EmulationPlan plan = unshaped({.clusters = 3, .hosts = 2});
    const std::vector<RunningContainer> running = laid_out(plan);
    for (const ProbePair& pair : plan.probes) {
      const Achieved got = probe(pair, plan, running);
      require(got.latency_s > 0 && got.latency_s < 1e-3, fmt::format("latency {} s", got.latency_s));
      require(got.bandwidth_Bps > 1e6, fmt::format("rate {} B/s", got.bandwidth_Bps));
    }
  }));
}

TEST(Containers, HaveNamesAndProcessesOfTheirOwn) {
  NEEDS_SUBSTRATE(delay_line_substrate());
  EXPECT_TRUE(contained([] {
    const std::vector<RunningContainer> running = laid_out(unshaped({.clusters = 2, .hosts = 1}));
    const Descriptor nothing = open_file("/dev/null", O_RDONLY);
    auto [answer, said] = make_pipe();
    const pid_t child = running[1].start({"/bin/sh", "-c", "hostname; echo $PPID; cat /etc/hosts"}, nothing.get(),
                                         said.get(), said.get());
    int status = 0;
    waitpid(child, &status, 0);
    char text[1000] = {};
    require(read(answer.get(), text, sizeof text - 1) > 0, "no answer");
    require(std::string(text).starts_with("c1-0\n0\n127.0.0.1 localhost\n10.0.0.5 c0-0\n10.0.0.9 c1-0\n"), text);
  }));
}

TEST(Containers, EndAProgramAsItEnded) {
  NEEDS_SUBSTRATE(delay_line_substrate());
  EXPECT_TRUE(contained([] {
    const std::vector<RunningContainer> running = laid_out(unshaped({.clusters = 2, .hosts = 1}));
    int status = 0;
    waitpid(running[0].start({"/bin/sh", "-c", "exit 7"}, 0, 1, 2), &status, 0);
    require(WIFEXITED(status) && WEXITSTATUS(status) == 7, "exit status " + ending(status));
    waitpid(running[0].start({"/bin/sh", "-c", "kill -KILL $$"}, 0, 1, 2), &status, 0);
    require(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "signal " + ending(status));
  }));
}

TEST(Processes, HaveEndedUntilTheyAreReaped) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t ended;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(has_ended(std::to_string(child)));
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(has_ended(std::to_string(child)));
  EXPECT_FALSE(has_ended("self"));
}

// /proc/net/stat is a folder: it can be opened, and not be read, as the file of a process that goes away meanwhile.
TEST(Processes, MayGoAwayWhileTheyAreLookedAt) { EXPECT_FALSE(has_ended("net")); }

TEST(PacketSocket, NamesADeviceThatIsNotThere) {
  EXPECT_THAT([] { device_index("nowhere0"); }, testing::ThrowsMessage<Refused>(HasSubstr("find device nowhere0")));
}

TEST(DelayLine, KeepsLatencyAndRate) {
  NEEDS_SUBSTRATE(delay_line_substrate());
  EXPECT_TRUE(contained([] {
    const Network network = test::mesh({.clusters = 3, .hosts = 1, .wan_latency_s = 20e-3, .wan_Bps = 2e6});
    const EmulationPlan plan = plan_emulation(network, place_ranks(network, PlacementRule::block, 1),
                                              {substrate_kind("delay-line").shaping, {}});
    const std::vector<RunningContainer> running = laid_out(plan);
    const Achieved got = probe(plan.probes.front(), plan, running);
    require(std::abs(got.latency_s - 20.02e-3) < 1e-3, fmt::format("latency {} s", got.latency_s));
    require(std::abs(got.bandwidth_Bps - 2e6) < 0.02 * 2e6, fmt::format("rate {} B/s", got.bandwidth_Bps));
  }));
}

TEST(Messages, ComeInOrderAndWhole) {
  std::string folder = testing::TempDir() + "isthmus-messages-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  MessageSender sender(folder);
  MessageReceiver receiver(folder);
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_FALSE(receiver.receive());
  for (int round = 0; round < 3; ++round) {
    int sent = 0;
    for (; sender.has_room(); ++sent) sender.send({{"number", sent}, {"bytes", text_of_bytes(bytes)}});
    EXPECT_GT(sent, 100);
    for (int number = 0; number < sent; ++number) {
      const auto message = receiver.receive();
      ASSERT_TRUE(message);
      EXPECT_EQ(message->at("number"), number);
      EXPECT_EQ(bytes_of_text(message->at("bytes").get<std::string>()), bytes);
    }
    EXPECT_FALSE(receiver.receive());
  }
  EXPECT_EQ(rmdir(folder.c_str()), 0);  // empty
  EXPECT_THROW(bytes_of_text("\u20ac"), Refused);
}

TEST(AgentReport, HasOneFormWholeAndInPieces) {
  AgentReport whole;
  for (const nlohmann::json& event :
       {provenance_event("substrate", "virtual"), report_event({.achieved = {{"a", "b", 0.1, 0.2, 3, 4}}}),
        report_event({.drift = {{"a", "b", 0.1, 0.3, 3, 5}}}), report_event({.processor_waited = 0.25}),
        provenance_event("kernel", "Linux 6")}) {
    whole.add(event.at("report").get<AgentReport>());
  }
  const nlohmann::json form = whole;
  EXPECT_EQ(form.at("achieved").at(0).at("asked_latency_s"), 0.1);
  EXPECT_EQ(form.at("drift").at(0).at("bandwidth_Bps"), 5);
  EXPECT_EQ(form.at("processor_waited"), 0.25);
  EXPECT_EQ(form.at("provenance"), (nlohmann::json{{"substrate", "virtual"}, {"kernel", "Linux 6"}}));
  EXPECT_EQ(nlohmann::json(form.get<AgentReport>()), form);
  EXPECT_FALSE(nlohmann::json(AgentReport{}).contains("processor_waited"));
}

TEST(EmulationSettings, ComeBackFromJson) {
  AgentRequest request;
  request.settings.options = {.substrate = "uml", .rootfs = "/root", .force = true, .timeout_s = 5};
  request.settings.options.conditions.changes = {{1, "wan-*", 0.5, 0.25}, {2, "wan-*", 0, {}}};
  request.settings.options.conditions.traffic = {{.from = "a", .to = "b", .kind = AmbientTraffic::Kind::bursty}};
  request.settings.substrate.tolerance = 0.1;
  request.settings.files.shown = {"/opt"};
  request.settings.environment = {{"PATH", "/bin"}};
  const nlohmann::json form = request;
  const auto back = form.get<AgentRequest>();
  EXPECT_EQ(nlohmann::json(back), form);
  EXPECT_EQ(back.settings.tolerance(), 0.1);
  EXPECT_EQ(back.settings.options.conditions.changes[0].latency_s, 0.25);
  request.settings.options.tolerance = 0.02;
  EXPECT_EQ(request.settings.tolerance(), 0.02);
}

TEST(NativeSubstrate, IsThereOnlyWithItsQueues) {
  const Availability native = native_substrate();
  if (native.substrate) {
    EXPECT_EQ(native.substrate->name, "native");
    return;
  }
  EXPECT_THAT(native.reason, testing::AnyOf(HasSubstr("netem"), HasSubstr("namespaces"), HasSubstr("iproute2")));
}

const std::vector<std::string> hosts{"c0-0", "c0-1", "c1-0"};

TEST(ReasonOfFailure, IsTheWorkersOwn) {
  EXPECT_EQ(
      reason_of_failure("isthmus-worker: rank 1: wrong bytes\nMPI_ABORT was invoked on rank 1", "exit status 1", hosts),
      "rank 1: wrong bytes");
}

TEST(ReasonOfFailure, NamesTheRankAndItsHost) {
  EXPECT_EQ(reason_of_failure("--------\nmpirun noticed that process rank 2 with PID 7 on node c1-0 exited on signal 9 "
                              "(Killed).\n-------\n",
                              "exit status 137", hosts),
            "rank 2 on c1-0 died: signal 9 (Killed)");
  EXPECT_EQ(reason_of_failure("  Process name: [[39093,1],1]\n  Exit code:    5\n", "exit status 5", hosts),
            "rank 1 on c0-1 ended too early: exit status 5");
  EXPECT_EQ(reason_of_failure("MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_WORLD\nwith errorcode 3.\n",
                              "exit status 3", hosts),
            "rank 0 on c0-0 gave up: MPI_Abort with 3");
}

TEST(ReasonOfFailure, IsAtLeastMpirunsFirstLine) {
  EXPECT_EQ(reason_of_failure("-----\nThere are not enough slots\nmore\n", "exit status 1", hosts),
            "mpirun failed (exit status 1): There are not enough slots");
}

TEST(Substrates, FindTheVirtualKernelInTheCacheAndBesideTheHelperPrograms) {
  const std::filesystem::path usual = virtual_kernel();
  if (usual.empty()) GTEST_SKIP() << "needs the virtual kernel; scripts/setup --virtual builds it";
  const std::string version = usual.parent_path().filename().string(),
                    configuration = version.substr(version.rfind('-'));
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / fmt::format("kernels-{}", getpid());
  const auto make_kernel = [&](const std::filesystem::path& parent, const std::string& number) {
    const auto kernel = folder / parent / "virtual-kernel" / (number + configuration) / "linux";
    std::filesystem::create_directories(kernel.parent_path());
    std::ofstream(kernel) << "no program";
    return kernel.string();
  };
  const char* const cache = getenv("XDG_CACHE_HOME");
  const std::string kept = cache != nullptr ? cache : "";
  setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  setenv("ISTHMUS_LIBEXEC", (folder / "helpers").c_str(), 1);
  EXPECT_EQ(virtual_kernel(), "");
  const std::string installed = make_kernel("helpers", "6.12.9");
  EXPECT_EQ(virtual_kernel(), installed);
  make_kernel("cache/isthmus", "6.9.100");
  EXPECT_EQ(virtual_kernel(), installed) << "the newest version";
  const std::string newer = make_kernel("cache/isthmus", "6.12.10");
  EXPECT_EQ(virtual_kernel(), newer);
  unsetenv("ISTHMUS_LIBEXEC");
  kept.empty() ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", kept.c_str(), 1);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace isthmus
