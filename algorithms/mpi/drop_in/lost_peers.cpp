#include "algorithms/mpi/drop_in/lost_peers.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "algorithms/mpi/drop_in/session.hpp"
#include "algorithms/mpi/executor/mpi_error.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {
namespace {

std::atomic<int> calls_without_errors = 0;
std::atomic<unsigned> calls_begun = 0;
std::atomic<bool> fatal_errors = true;

int world_rank_of(const Peer& peer) {
  int inter = 0;
  PMPI_Comm_test_inter(peer.comm, &inter);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  if (inter != 0)
    PMPI_Comm_remote_group(peer.comm, &group);
  else
    PMPI_Comm_group(peer.comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  int rank = MPI_UNDEFINED;
  PMPI_Group_translate_ranks(group, 1, &peer.rank, world, &rank);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return rank;
}

}  // namespace

bool is_lost(const Forwarding& forwarding, const Peer& peer) {
  const Session* const here = session();
  if (peer.rank < 0 || here == nullptr || !here->world->placed) return true;
  const int rank = world_rank_of(peer);
  const std::vector<int>& hosts = here->world->placed->placement().host_of_rank;
  if (rank < 0 || rank >= static_cast<int>(hosts.size())) return true;
  return forwarding.is_lost(hosts[static_cast<std::size_t>(rank)]);
}

int raise_lost(const Forwarding& forwarding, MPI_Comm comm) {
  return guarded(comm, [&] { return code_with_text("isthmus: " + forwarding.why_lost()); });
}

void EndsWithLoss::enter() {
  calls_without_errors.fetch_add(1);
  calls_begun.fetch_add(1);
}

void EndsWithLoss::leave() { calls_without_errors.fetch_sub(1); }

void errors_are_fatal(bool fatal) { fatal_errors.store(fatal); }

void end_where_no_error_returns(const Forwarding& forwarding) {
  constexpr useconds_t between_looks_us = 100000;
  const int looks = static_cast<int>(forwarding.map().limits.timeout_s * 1e6 / between_looks_us);
  unsigned call = calls_begun.load();
  for (int since_loss = 0, in_this_call = 0;; ++since_loss, ++in_this_call) {
    if (calls_without_errors.load() == 0 || calls_begun.load() != call) {
      in_this_call = 0;
      call = calls_begun.load();
    }
    if (in_this_call > looks || (fatal_errors.load() && since_loss > looks)) {
      std::fprintf(stderr, "isthmus: %s\n", forwarding.why_lost().c_str());
      std::_Exit(2);
    }
    usleep(between_looks_us);
  }
}

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
