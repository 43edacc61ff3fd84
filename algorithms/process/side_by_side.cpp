#include "algorithms/process/side_by_side.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace isthmus {
namespace {

/// Signals of the program go to its own threads: a thread that is started meanwhile has them blocked.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

int usable_processors() {
  cpu_set_t own;
  // It fails on a machine with more processors than the set can hold.
  return sched_getaffinity(0, sizeof(own), &own) == 0 ? CPU_COUNT(&own)
                                                      : static_cast<int>(std::thread::hardware_concurrency());
}

void side_by_side(std::size_t tasks, const std::function<void(std::size_t)>& task) {
  std::vector<std::exception_ptr> errors(tasks);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t one = next++; one < tasks; one = next++) try {
        task(one);
      } catch (...) {
        errors[one] = std::current_exception();
      }
  };
  {
    const std::size_t threads = std::min<std::size_t>(tasks, std::max(1, usable_processors()));
    std::vector<std::jthread> others;
    try {
      const SignalsBlocked blocked;
      while (others.size() + 1 < threads) others.emplace_back(work);
    } catch (const std::system_error&) {
      // The system has no more threads to give: those that run do all the work.
    }
    work();
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace isthmus
