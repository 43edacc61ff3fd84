// Nothing is left of an emulation whose program was killed, whenever that was.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/emulator/jobs.hpp"

namespace isthmus {
namespace {

constexpr int kills = 4;          // tests/command_line/test_faults.py kills 200
constexpr double longest_s = 12;  // by then the ranks run

std::string text_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Processes in whose environment there is the mark.
std::set<int> processes_with(const std::string& mark) {
  std::set<int> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (text_of("/proc/" + name + "/environ").find(mark) != std::string::npos) found.insert(std::stoi(name));
  }
  return found;
}

/// Files in the usual temporary folders whose names could be those of an emulation.
std::set<std::string> files_of_emulations() {
  std::set<std::string> found;
  for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm", "/run"}) {
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
      const std::string name = entry.path().filename().string();
      for (const char* part : {"isthmus", "ompi", "vm_file", "uml"}) {
        // Suites of other people may run beside this (tests/suites).
        if (name.find(part) != std::string::npos && !name.starts_with("isthmus-suite"))
          found.insert(entry.path().string());
      }
    }
  }
  return found;
}

pid_t start(const std::string& mark, const std::string& substrate) {
  const pid_t child = fork();
  if (child != 0) return child;
  setenv("ISTHMUS_KILL_TEST", mark.c_str(), 1);
  if (freopen("/dev/null", "w", stdout) == nullptr || freopen("/dev/null", "w", stderr) == nullptr) _exit(126);
  execl(TEST_PROGRAMS "/emulate_job", "emulate_job", "2", "2", substrate.c_str(), "100", "65536,1048576,4194304",
        "binomial", "kielmann:segment=16Ki", "magpie", nullptr);
  _exit(127);
}

TEST(KilledEmulation, LeavesNothing) {
  const test::SubstratesHere here = test::substrates_here();
  if (here.names.empty()) GTEST_SKIP() << "needs a substrate, and none is here:" << here.reasons;
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  SCOPED_TRACE(fmt::format("seed {}", seed));
  // Half of the moments lie in the first second, during start-up. The substrates run side by side, to save time.
  for (int i = 0; i < kills; ++i) {
    const double moment_s = std::uniform_real_distribution<double>(0, i % 2 == 0 ? 1 : longest_s)(random);
    SCOPED_TRACE(fmt::format("killed after {} s", moment_s));
    const std::string mark = fmt::format("kill-test-{}-{}-{}", getpid(), seed, i);
    const std::set<std::string> files = files_of_emulations();
    const std::string mounts = text_of("/proc/self/mountinfo");
    std::vector<pid_t> children;
    for (const std::string& substrate : here.names) children.push_back(start(mark, substrate));
    std::this_thread::sleep_for(std::chrono::duration<double>(moment_s));
    for (const pid_t child : children) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    // Processes that are ending may take a moment to free their memory.
    std::set<int> left = processes_with("ISTHMUS_KILL_TEST=" + mark);
    for (int look = 0; look < 40 && !left.empty(); ++look) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      left = processes_with("ISTHMUS_KILL_TEST=" + mark);
    }
    EXPECT_TRUE(left.empty()) << left.size() << " processes";
    EXPECT_EQ(text_of("/proc/self/mountinfo"), mounts);
    EXPECT_EQ(files_of_emulations(), files);
  }
}

}  // namespace
}  // namespace isthmus
