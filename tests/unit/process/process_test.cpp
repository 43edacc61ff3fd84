#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "algorithms/errors.hpp"
#include "algorithms/process/child.hpp"
#include "algorithms/process/system.hpp"

namespace isthmus {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

// Whether a process is still there, a zombie excepted.
bool is_running(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return stat >> number >> name >> state && state != "Z";
}

bool ends_within(pid_t pid, double seconds) {
  for (int i = 0; i < seconds * 100 && is_running(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !is_running(pid);
}

TEST(RunningAChild, GivesItsLinesAndItsStatus) {
  std::vector<std::string> lines;
  ChildOptions options;
  options.on_line = [&](const std::string& line) { lines.push_back(line); };
  const ChildResult result = run_child(shell("echo one; echo; printf two; exit 7"), options);
  EXPECT_THAT(lines, ElementsAre("one", "", "two"));
  EXPECT_EQ(result.exit_status, 7);
  EXPECT_EQ(result.how_it_ended(options), "ended with status 7");
}

TEST(RunningAChild, FeedsMoreInputThanAPipeHolds) {
  std::size_t bytes = 0;
  ChildOptions options;
  options.input = std::string(3000000, 'x') + "\n";
  options.on_line = [&](const std::string& line) { bytes += line.size(); };
  EXPECT_EQ(run_child({"/bin/cat"}, options).exit_status, 0);
  EXPECT_EQ(bytes, 3000000);
}

TEST(RunningAChild, DoesNotMindAChildThatReadsNothing) {
  ChildOptions options;
  options.input = std::string(3000000, 'x');
  EXPECT_EQ(run_child({"/bin/true"}, options).exit_status, 0);
}

TEST(RunningAChild, PassesArgumentsUntouched) {
  std::vector<std::string> lines;
  ChildOptions options;
  options.on_line = [&](const std::string& line) { lines.push_back(line); };
  run_child({"/usr/bin/printf", "%s\n", "$(echo no); `no` *"}, options);
  EXPECT_THAT(lines, ElementsAre("$(echo no); `no` *"));
}

TEST(RunningAChild, AddsToTheEnvironmentAndReplacesInIt) {
  std::vector<std::string> lines;
  ChildOptions options;
  options.on_line = [&](const std::string& line) { lines.push_back(line); };
  options.environment = {{"ISTHMUS_TEST_WORD", "a b"}, {"HOME", "/nowhere"}};
  run_child(shell("echo \"$ISTHMUS_TEST_WORD\"; echo \"$HOME\"; env | grep -c ^HOME="), options);
  EXPECT_THAT(lines, ElementsAre("a b", "/nowhere", "1"));
}

TEST(RunningAChild, KeepsTheBeginningAndTheEndOfTheStandardError) {
  ChildOptions options;
  options.error_bytes = 100;
  const ChildResult result = run_child(
      shell("echo first >&2; i=0; while [ $i -lt 500 ]; do echo line $i >&2; i=$((i+1)); done; echo last >&2"),
      options);
  EXPECT_LT(result.errors.size(), 120);
  EXPECT_THAT(result.errors, testing::StartsWith("first\n"));
  EXPECT_THAT(result.errors, EndsWith("last\n"));
  EXPECT_EQ(result.last_error_line(), "last");
}

TEST(RunningAChild, KillsItWhenTimeIsUpWithAllThatItStarted) {
  pid_t grandchild = 0;
  ChildOptions options;
  options.timeout_s = 0.3;
  options.grace_s = 0.2;
  options.on_line = [&](const std::string& line) { grandchild = std::stoi(line); };
  const ChildResult result =
      run_child(shell("trap '' TERM; sleep 1000 & echo $!; wait; while :; do sleep 1; done"), options);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_EQ(result.how_it_ended(options), "was still running after 0.3 s");
  ASSERT_GT(grandchild, 0);
  EXPECT_TRUE(ends_within(grandchild, 2));
}

TEST(RunningAChild, KillsOneThatNeverStopsPrinting) {
  std::int64_t lines = 0;
  ChildOptions options;
  options.timeout_s = 0.3;
  options.grace_s = 0.2;
  options.on_line = [&](const std::string&) {
    usleep(1);  // the child prints more quickly than its lines are taken
    if (++lines == 1000000) throw std::runtime_error("is not killed");
  };
  const ChildResult result = run_child(shell("exec yes"), options);
  EXPECT_TRUE(result.timed_out);
  EXPECT_GT(lines, 100);
}

TEST(RunningAChild, LetsItTidyUpWhenTimeIsUp) {
  std::vector<std::string> lines;
  ChildOptions options;
  options.timeout_s = 0.2;
  options.grace_s = 5;
  options.on_line = [&](const std::string& line) { lines.push_back(line); };
  const ChildResult result = run_child(shell("trap 'echo tidy; exit 3' TERM; sleep 100 & wait"), options);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.exit_status, 3);
  EXPECT_THAT(lines, ElementsAre("tidy"));
}

TEST(RunningAChild, KillsItWhenALineIsRefused) {
  pid_t child = 0;
  ChildOptions options;
  options.on_line = [&](const std::string& line) {
    child = std::stoi(line);
    throw std::runtime_error("refused");
  };
  EXPECT_THROW(run_child(shell("echo $$; sleep 1000"), options), std::runtime_error);
  EXPECT_FALSE(is_running(child));
}

TEST(RunningAChild, KillsWhatTheChildLeftBehind) {
  pid_t grandchild = 0;
  ChildOptions options;
  options.on_line = [&](const std::string& line) { grandchild = std::stoi(line); };
  EXPECT_EQ(run_child(shell("sleep 1000 & echo $!"), options).exit_status, 0);
  ASSERT_GT(grandchild, 0);
  EXPECT_TRUE(ends_within(grandchild, 2));
}

TEST(RunningAChild, SaysWhichSignalEndedIt) {
  const ChildResult result = run_child(shell("kill -SEGV $$"));
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_THAT(result.how_it_ended({}), HasSubstr("signal 11"));
}

TEST(RunningAChild, LimitsItsMemory) {
  ChildOptions options;
  options.address_space_bytes = 64 << 20;
  const ChildResult result = run_child({"/usr/bin/head", "-c", "1000000000", "/dev/zero"}, options);
  EXPECT_EQ(result.exit_status, 0) << "a stream needs no memory";
  EXPECT_NE(run_child({"/usr/bin/dd", "if=/dev/zero", "of=/dev/null", "bs=500M", "count=1"}, options).exit_status, 0);
}

struct CallerAndChild {
  pid_t caller = 0;
  int child = 0;  ///< 0 where it did not say its number
};

/// Forks a process that runs a child by a shell's command, which prints its number first.
CallerAndChild forked_caller_of(const std::string& command) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t caller = fork();
  if (caller == 0) {
    ChildOptions options;
    options.on_line = [&](const std::string& line) {
      if (write(ends[1], line.data(), line.size()) < 0) _exit(1);
    };
    run_child(shell(command), options);
    _exit(0);
  }
  char text[32] = {};
  return {caller, read(ends[0], text, sizeof text - 1) > 0 ? std::stoi(text) : 0};
}

TEST(RunningAChild, EndsItAndThenThisProcessOnAnInterrupt) {
  const auto [caller, child] = forked_caller_of("echo $$; sleep 1000");
  ASSERT_GT(child, 0);
  kill(caller, SIGINT);
  int status = 0;
  waitpid(caller, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  EXPECT_TRUE(ends_within(child, 2));
}

TEST(RunningAChild, EndsItWhenThisProcessIsKilled) {
  const auto [caller, child] = forked_caller_of("echo $$; exec sleep 1000");
  ASSERT_GT(child, 0);
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  EXPECT_TRUE(ends_within(child, 2));
}

TEST(RunningAChild, RefusesAProgramThatCannotBeStarted) {
  EXPECT_THROW(run_child({"/nowhere/program"}), Missing);
  EXPECT_THROW(run_child({"/etc/passwd"}), Missing);
}

TEST(HelperPrograms, AreLookedForWhereTheEnvironmentSays) {
  setenv("ISTHMUS_LIBEXEC", "/bin", 1);
  EXPECT_EQ(helper_program("cat"), "/bin/cat");
  setenv("ISTHMUS_LIBEXEC", "/nowhere", 1);
  try {
    helper_program("cat");
    ADD_FAILURE() << "found a program in /nowhere";
  } catch (const Missing& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/cat"));
    EXPECT_THAT(error.what(), HasSubstr("ISTHMUS_LIBEXEC"));
  }
  unsetenv("ISTHMUS_LIBEXEC");
}

TEST(ATrial, IsOfAProcessOfItsOwn) {
  int here = 0;
  EXPECT_TRUE(succeeds_in_child([&] { here = 1; }));
  EXPECT_EQ(here, 0);
  EXPECT_FALSE(succeeds_in_child([] { throw Refused("no"); }));
  EXPECT_FALSE(succeeds_in_child([] { abort(); }));
}

}  // namespace
}  // namespace isthmus
