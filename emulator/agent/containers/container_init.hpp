// The first process of a container.
#pragma once

#include <sys/wait.h>

#include <csignal>

namespace isthmus {

/// Runs until it is killed, and reaps the processes that nobody else waits for.
[[noreturn]] inline void hold_container() {
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, nullptr);
  for (;;) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    sigwaitinfo(&children, nullptr);
  }
}

}  // namespace isthmus
