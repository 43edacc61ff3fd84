#include "algorithms/mpi/attached.hpp"

#include <utility>

#include "algorithms/mpi/request.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

int delete_attached(MPI_Comm, int, void* attached, void*) {
  delete static_cast<Attached*>(attached);
  return MPI_SUCCESS;
}

int free_keyval(MPI_Comm, int, void* keyval, void*) {
  const std::unique_ptr<int> freed(static_cast<int*>(keyval));
  return PMPI_Comm_free_keyval(freed.get());
}

int create_keyval(MPI_Comm_delete_attr_function* on_delete) {
  int keyval = MPI_KEYVAL_INVALID;
  check_mpi(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyval, nullptr),
            {.call = "MPI_Comm_create_keyval"});
  return keyval;
}

// Freed when MPI_Finalize deletes what is attached to MPI_COMM_SELF, which it does first of all.
int new_keyval() {
  const int keyval = create_keyval(delete_attached);
  int at_end = create_keyval(free_keyval);
  auto freed_then = std::make_unique<int>(keyval);
  check_mpi(PMPI_Comm_set_attr(MPI_COMM_SELF, at_end, freed_then.get()), {.call = "MPI_Comm_set_attr"});
  static_cast<void>(freed_then.release());
  PMPI_Comm_free_keyval(&at_end);  // goes with the attribute
  return keyval;
}

std::unique_ptr<Attached> make_attached(MPI_Comm comm) {
  auto attached = std::make_unique<Attached>();
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter != 0) return attached;
  try {
    attached->state = std::make_shared<CommState>(comm, calls_in_flight());
  } catch (...) {
    attached->failure = code_of_current_exception();
  }
  return attached;
}

}  // namespace

const std::shared_ptr<InFlight>& calls_in_flight() {
  static const auto in_flight = std::make_shared<InFlight>();
  return in_flight;
}

Attached& attached_to(MPI_Comm comm) {
  static const int keyval = new_keyval();
  void* found = nullptr;
  int flag = 0;
  check_mpi(PMPI_Comm_get_attr(comm, keyval, &found, &flag), {.call = "MPI_Comm_get_attr"});
  if (flag != 0) return *static_cast<Attached*>(found);
  auto attached = make_attached(comm);
  check_mpi(PMPI_Comm_set_attr(comm, keyval, attached.get()), {.call = "MPI_Comm_set_attr"});
  return *attached.release();
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
