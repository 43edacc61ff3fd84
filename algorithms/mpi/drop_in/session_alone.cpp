#include "algorithms/mpi/drop_in/session_alone.hpp"

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include "algorithms/mpi/drop_in/session.hpp"
#include "algorithms/mpi/library/settings.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {
namespace {

struct Alone {
  std::mutex mutex;
  bool begun = false;
  int sessions = 0;
  std::string to;
  std::atomic<Report*> report = nullptr;
};

// Never destroyed: exit handlers may end sessions.
Alone& alone() {
  static auto* const state = new Alone;
  return *state;
}

bool is_initialised() {
  int initialised = 0;
  PMPI_Initialized(&initialised);
  return initialised != 0;
}

// Launchers end the other processes then.
[[noreturn]] void end_process(const char* why) {
  constexpr std::chrono::milliseconds time_to_read(500);
  std::fprintf(stderr, "isthmus: %s\n", why);
  std::this_thread::sleep_for(time_to_read);
  std::_Exit(2);
}

}  // namespace

void session_begun() {
  Alone& here = alone();
  const std::lock_guard lock(here.mutex);
  ++here.sessions;
  if (here.begun || is_initialised()) return;
  here.begun = true;
  try {
    here.to = settings_of_process().report;
    check_can_be_written("ISTHMUS_REPORT", here.to);
    if (!here.to.empty()) here.report = new Report;
  } catch (const BadInput& error) {
    if (may_be_rank_0()) end_process(error.what());  // the settings are those of rank 0
  }
}

void session_ended() {
  Alone& here = alone();
  const std::lock_guard lock(here.mutex);
  if (--here.sessions > 0 || here.report == nullptr) return;
  Report& report = *here.report;
  if (report.is_empty() && (is_initialised() || !may_be_rank_0())) return;
  tell(report.own_table(), here.to);
  report.clear();
}

Report* report_alone() { return alone().report; }

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
