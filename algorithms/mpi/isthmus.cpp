#include "algorithms/mpi/isthmus.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "algorithms/mpi/comm_state.hpp"

namespace {

using isthmus::CommState;

// An error code with a text of our own, as MPI lets libraries add them.
int code_with_text(const std::string& text) {
  int code = MPI_ERR_OTHER;
  if (MPI_Add_error_code(MPI_ERR_OTHER, &code) != MPI_SUCCESS) return MPI_ERR_OTHER;
  MPI_Add_error_string(code, text.substr(0, MPI_MAX_ERROR_STRING - 1).c_str());
  return code;
}

int code_of_current_exception() {
  try {
    throw;
  } catch (const isthmus::MpiError& error) {
    return error.code();
  } catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
  } catch (const std::exception& error) {
    return code_with_text(std::string("isthmus: ") + error.what());
  }
}

// A communicator's state, or why it has none: that is found out once, and the same on all ranks.
struct Attached {
  std::unique_ptr<CommState> state;
  int failure = MPI_SUCCESS;
};

int delete_attached(MPI_Comm, int, void* attached, void*) {
  delete static_cast<Attached*>(attached);
  return MPI_SUCCESS;
}

int free_keyval(MPI_Comm, int, void* keyval, void*) {
  int freed = static_cast<int>(reinterpret_cast<std::intptr_t>(keyval));
  return MPI_Comm_free_keyval(&freed);
}

int create_keyval(MPI_Comm_delete_attr_function* on_delete) {
  int keyval = MPI_KEYVAL_INVALID;
  isthmus::check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyval, nullptr),
                     {.call = "MPI_Comm_create_keyval"});
  return keyval;
}

// Freed when MPI_Finalize deletes what is attached to MPI_COMM_SELF, which it does first of all.
int new_keyval() {
  const int keyval = create_keyval(delete_attached);
  int at_end = create_keyval(free_keyval);
  isthmus::check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, at_end, reinterpret_cast<void*>(std::intptr_t{keyval})),
                     {.call = "MPI_Comm_set_attr"});
  MPI_Comm_free_keyval(&at_end);  // goes with the attribute
  return keyval;
}

std::unique_ptr<Attached> make_attached(MPI_Comm comm) {
  auto attached = std::make_unique<Attached>();
  int inter = 0;
  MPI_Comm_test_inter(comm, &inter);
  if (inter != 0) {
    attached->failure = MPI_ERR_COMM;
    return attached;
  }
  try {
    attached->state = std::make_unique<CommState>(comm);
  } catch (...) {
    attached->failure = code_of_current_exception();
  }
  return attached;
}

Attached& attached_to(MPI_Comm comm) {
  static const int keyval = new_keyval();
  void* found = nullptr;
  int flag = 0;
  isthmus::check_mpi(MPI_Comm_get_attr(comm, keyval, &found, &flag), {.call = "MPI_Comm_get_attr"});
  if (flag != 0) return *static_cast<Attached*>(found);
  auto attached = make_attached(comm);
  isthmus::check_mpi(MPI_Comm_set_attr(comm, keyval, attached.get()), {.call = "MPI_Comm_set_attr"});
  return *attached.release();
}

int broadcast(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  if (count < 0) return MPI_ERR_COUNT;
  if (datatype == MPI_DATATYPE_NULL) return MPI_ERR_TYPE;
  Attached& attached = attached_to(comm);
  if (attached.failure != MPI_SUCCESS) return attached.failure;
  if (root < 0 || root >= attached.state->size()) return MPI_ERR_ROOT;
  MPI_Count element_bytes = 0;
  isthmus::check_mpi(MPI_Type_size_x(datatype, &element_bytes), {.call = "MPI_Type_size_x"});
  if (count == 0 || element_bytes == 0) return MPI_SUCCESS;
  attached.state->broadcast(count, element_bytes, root).run({.output = buffer, .datatype = datatype});
  return MPI_SUCCESS;
}

}  // namespace

int isthmus_broadcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) {
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_COMM);
    return MPI_ERR_COMM;
  }
  int code = MPI_SUCCESS;
  try {
    code = broadcast(buffer, count, datatype, root, comm);
  } catch (...) {
    code = code_of_current_exception();
  }
  if (code != MPI_SUCCESS) MPI_Comm_call_errhandler(comm, code);
  return code;
}

int isthmus_broadcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return isthmus_broadcast_c(buffer, count, datatype, root, comm);
}
