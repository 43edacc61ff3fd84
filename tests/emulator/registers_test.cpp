// The library preloaded into kernels that run as processes: registers of a program are restored on processors that have
// more of them than the kernel knows.
#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace isthmus {
namespace {

using Ptrace = long (*)(int request, pid_t process, long type, iovec* data);

TEST(Registers, OfAnyProcessorAreRestoredFromTheirFirstPart) {
  void* const library = dlopen(HELPER_PROGRAMS "/libisthmus-registers.so", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto preloaded = reinterpret_cast<Ptrace>(dlsym(library, "ptrace"));
  ASSERT_NE(preloaded, nullptr);
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSTOPPED(status));

  // Every processor of x86-64 with AVX has more than these: the registers of SSE and the header.
  std::array<unsigned char, 576> first{}, restored{};
  iovec part{first.data(), first.size()};
  ASSERT_EQ(preloaded(PTRACE_GETREGSET, child, NT_X86_XSTATE, &part), 0) << errno;
  constexpr int first_register = 160;  // xmm0 in the format of XSAVE
  for (int i = 0; i < 16; ++i) first[first_register + i] = static_cast<unsigned char>(100 + i);
  part = {first.data(), first.size()};
  EXPECT_EQ(ptrace(PTRACE_SETREGSET, child, NT_X86_XSTATE, &part), -1) << "Linux takes a part now: nothing to fill up";
  part = {first.data(), first.size()};
  EXPECT_EQ(preloaded(PTRACE_SETREGSET, child, NT_X86_XSTATE, &part), 0) << errno;
  part = {restored.data(), restored.size()};
  ASSERT_EQ(preloaded(PTRACE_GETREGSET, child, NT_X86_XSTATE, &part), 0) << errno;
  for (int i = 0; i < 16; ++i) EXPECT_EQ(restored[first_register + i], 100 + i) << i;

  ptrace(PTRACE_KILL, child, nullptr, nullptr);
  waitpid(child, &status, 0);
  dlclose(library);
}

}  // namespace
}  // namespace isthmus
