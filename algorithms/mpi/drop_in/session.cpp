#include "algorithms/mpi/drop_in/session.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "algorithms/mpi/discovery/network_of_hosts.hpp"
#include "algorithms/mpi/drop_in/forwarding.hpp"
#include "algorithms/mpi/drop_in/session_alone.hpp"
#include "algorithms/mpi/executor/roll_call.hpp"
#include "algorithms/mpi/library/channel_comms.hpp"
#include "algorithms/mpi/library/coordinates.hpp"
#include "algorithms/mpi/library/default_floating_point.hpp"
#include "algorithms/mpi/library/request.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {
namespace {

// What MPI gives a profiling library no other place for. Never destroyed: exit handlers and destructors of the
// program's globals may call MPI.
std::unique_ptr<Session>& current_session() {
  static auto* const session = new std::unique_ptr<Session>;
  return *session;
}

int world_rank() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

[[noreturn]] void refuse(const std::string& why) {
  if (world_rank() != 0) PMPI_Barrier(MPI_COMM_WORLD);  // does not return: rank 0 prints the error first
  end_job(why);
}

constexpr double min_answer_s = 10;

std::optional<Network> discovered(const Settings& settings, MPI_Comm comm) {
  DiscoverySettings how;
  how.in_rounds = settings.discover == DiscoverForm::rounds;
  how.budget_s = settings.discover_s;
  how.answer_s = std::max(min_answer_s, settings.discover_s);  // all ranks initialise MPI: they answer
  return network_of_hosts(how, settings.discover_cache, comm);
}

#if defined(MPICH_VERSION)
constexpr const char* of_this = "libisthmus-mpi-mpich.so is for MPICH";
constexpr const char* right = "libisthmus-mpi.so";
constexpr std::array<std::string_view, 1> others = {"Open MPI"};
#else
constexpr const char* of_this = "libisthmus-mpi.so is for Open MPI";
constexpr const char* right = "libisthmus-mpi-mpich.so";
constexpr std::array<std::string_view, 3> others = {"MPICH", "MVAPICH", "Intel(R) MPI"};  // of one binary interface
#endif

// `MPICH 4.0.2` or `Open MPI v4.1.4`: the beginning of a longer text, whose parts MPICH separates by tabulators.
std::string name_and_version(std::string_view text) {
  std::string name(text.substr(0, text.find_first_of(",\n")));
  if (const std::size_t found = name.find(" Version:\t"); found != std::string::npos) name.replace(found, 10, " ");
  return name;
}

}  // namespace

Session* session() { return current_session().get(); }

Report* asked_report() {
  Session* const here = session();
  if (here == nullptr) return report_alone();
  return here->world->settings.report.empty() ? nullptr : &here->report;
}

bool may_be_rank_0() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (const char* const rank = std::getenv(variable); rank != nullptr) return std::string_view(rank) == "0";
  return true;
}

void check_can_be_written(const std::string& variable, const std::string& to) {
  if (!to.empty() && to != "1" && !std::ofstream(to, std::ios::app))
    throw BadInput(variable + ": " + to + " cannot be written; 1 or a file that can be is right");
}

void refuse_other_mpi() {
  constexpr std::size_t longest = 8192;  // of MPICH; Open MPI's constant is smaller
  std::array<char, longest + 1> version{};
  int length = 0;
  PMPI_Get_library_version(version.data(), &length);
  const std::string_view text(version.data());
  for (const std::string_view other : others) {
    if (!text.starts_with(other)) continue;
    // Launchers kill the other processes when one has ended, and may not have read what it wrote.
    constexpr std::chrono::milliseconds time_to_read(500);
    if (may_be_rank_0())
      std::fprintf(stderr, "isthmus: %s, and this program runs over %s; %s would be right\n", of_this,
                   name_and_version(text).c_str(), right);
    else
      std::this_thread::sleep_for(time_to_read);
    std::this_thread::sleep_for(time_to_read);
    std::_Exit(2);
  }
}

void begin_session() {
  if (session() != nullptr) return;  // MPICH's Fortran comes by the names of C
  const DefaultFloatingPoint of_isthmus;
  try {
    call_roll(start_seconds());
    auto begun = std::make_unique<Session>();
    begun->world = world_of(MPI_COMM_WORLD, discovered);
    const Settings& settings = begun->world->settings;
    if (world_rank() == 0) {
      check_can_be_written("ISTHMUS_REPORT", settings.report);
      check_can_be_written("ISTHMUS_LOG", settings.log);
    }
    if (!settings.channels.empty()) check_channels(settings.channels);
    if (forwarding() != nullptr) {
      begun->report.enter("ranks with forwarding", transfer_modes(), {.calls = 1});
      if (begun->world->placed) forwarding()->need(begun->world->placed->placement().host_of_rank);
    }
    set_world(begun->world);
    current_session() = std::move(begun);
  } catch (const Error& error) {
    refuse(error.what());
  } catch (const std::exception& error) {  // of this rank alone
    end_job(std::string("MPI_Init: ") + error.what());
  }
  made(MPI_COMM_WORLD);
}

int end_session() {
  Session* const here = session();
  if (here == nullptr) return MPI_SUCCESS;
  const int code = guarded(MPI_COMM_WORLD, [&] {
    const std::string& to = here->world->settings.report;
    if (!to.empty()) {
      const std::string table = here->report.table(MPI_COMM_WORLD);
      if (world_rank() == 0) tell(table, to);
    }
    if (CommAttributes* const world = attributes_before(MPI_COMM_WORLD); world != nullptr)
      world->call_order_check.reset();
    calls_in_flight()->end();
    return MPI_SUCCESS;
  });
  current_session().reset();
  return code;
}

void tell(const std::string& text, const std::string& to) {
  if (to == "1") {
    std::fputs(text.c_str(), stderr);
    return;
  }
  std::ofstream file(to, std::ios::app);
  if (!(file << text << std::flush)) std::fprintf(stderr, "isthmus: %s: cannot be written\n", to.c_str());
}

int made(MPI_Comm comm) {
  if (session() == nullptr || comm == MPI_COMM_NULL) return MPI_SUCCESS;
  return guarded(comm, [&] {
    try {
      if (may_be_served(comm) || permuted_grid(comm) != nullptr) attributes_with_neighbours(comm);
    } catch (const Error&) {
      // The error is reported by the first call of a collective on it.
    }
    return MPI_SUCCESS;
  });
}

int made_of_group(MPI_Comm comm) {
  if (session() == nullptr || comm == MPI_COMM_NULL) return MPI_SUCCESS;
  if (!session()->world->many_threads) return made(comm);
  return guarded(comm, [&] {
    leave_to_mpi(comm);
    return MPI_SUCCESS;
  });
}

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
