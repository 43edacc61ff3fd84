// Several emulations at once on one machine, and emulations by users without privileges.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/emulator/jobs.hpp"

namespace isthmus {
namespace {

struct Instance {
  pid_t process = -1;
  int output = -1;
};

/// A small job without tolerance on links, so that other load cannot fail it.
Instance start(const std::string& substrate, bool ordinary_user) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child != 0) {
    close(ends[1]);
    return {child, ends[0]};
  }
  constexpr unsigned nobody = 65534;
  if (ordinary_user && geteuid() == 0 && (setgid(nobody) != 0 || setuid(nobody) != 0)) _exit(126);
  setenv("TOLERANCE", "100", 1);
  dup2(ends[1], STDOUT_FILENO);
  dup2(ends[1], STDERR_FILENO);
  execl(TEST_PROGRAMS "/emulate_job", "emulate_job", "2", "1", substrate.c_str(), "120", "1,65536", "binomial",
        nullptr);
  _exit(127);
}

struct Ended {
  int status = -1;
  std::string output;

  /// Without the real times at the beginning of each line.
  std::string results() const {
    std::string text;
    for (std::size_t at = 0; at < output.size();) {
      const std::size_t end = std::min(output.find('\n', at), output.size());
      const std::string line = output.substr(at, end - at);
      if (line.find(" B: ") != std::string::npos) text += line.substr(line.find(" s  ")) + "\n";
      if (line.find("B/s of") != std::string::npos) text += line + "\n";
      at = end + 1;
    }
    return text;
  }
};

Ended wait_for(const Instance& instance) {
  Ended ended;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(instance.output, buffer, sizeof buffer)) > 0;) {
    ended.output.append(buffer, static_cast<std::size_t>(count));
  }
  close(instance.output);
  waitpid(instance.process, &ended.status, 0);
  return ended;
}

TEST(Instances, RunSideBySideOnEverySubstrate) {
  const test::SubstratesHere here = test::substrates_here();
  if (here.names.empty()) GTEST_SKIP() << "needs a substrate, and none is here:" << here.reasons;
  for (const std::string& substrate : here.names) {
    SCOPED_TRACE(substrate);
    const Instance one = start(substrate, false);
    const Instance other = start(substrate, false);
    const Ended first = wait_for(one);
    const Ended second = wait_for(other);
    EXPECT_EQ(first.status, 0) << first.output;
    EXPECT_EQ(second.status, 0) << second.output;
    EXPECT_NE(first.results(), "");
    if (substrate == "virtual") {
      EXPECT_EQ(first.results(), second.results());
    }
  }
}

/// The running kernel's containers inside a user namespace.
TEST(OrdinaryUser, EmulatesOnTheRunningKernel) {
  NEEDS_SUBSTRATE(delay_line_substrate());
  const Ended ended = wait_for(start("delay-line", true));
  EXPECT_EQ(ended.status, 0) << ended.output;
}

TEST(OrdinaryUser, EmulatesByTheRunningKernelsQueues) {
  NEEDS_SUBSTRATE(native_substrate());
  const Ended ended = wait_for(start("native", true));
  EXPECT_EQ(ended.status, 0) << ended.output;
}

TEST(OrdinaryUser, EmulatesOnUserModeLinux) {
  NEEDS_SUBSTRATE(uml_substrate());
  const Ended ended = wait_for(start("uml", true));
  EXPECT_EQ(ended.status, 0) << ended.output;
}

}  // namespace
}  // namespace isthmus
