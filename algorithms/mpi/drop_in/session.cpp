#include "algorithms/mpi/drop_in/session.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

#include "algorithms/mpi/discovery/network_of_hosts.hpp"
#include "algorithms/mpi/drop_in/forwarding.hpp"
#include "algorithms/mpi/library/coordinates.hpp"

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

void check_can_be_written(const std::string& variable, const std::string& to) {
  if (!to.empty() && to != "1" && !std::ofstream(to, std::ios::app))
    throw BadInput(variable + ": " + to + " cannot be written; 1 or a file that can be is right");
}

}  // namespace

Session* session() { return current_session().get(); }

void begin_session() {
  if (session() != nullptr) return;  // MPICH's Fortran comes by the names of C
  try {
    auto begun = std::make_unique<Session>();
    begun->world = world_of(MPI_COMM_WORLD, discovered);
    const Settings& settings = begun->world->settings;
    if (world_rank() == 0) {
      check_can_be_written("ISTHMUS_REPORT", settings.report);
      check_can_be_written("ISTHMUS_LOG", settings.log);
    }
    if (forwarding() != nullptr) begun->report.enter("ranks with forwarding", transfer_modes(), {.calls = 1});
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
