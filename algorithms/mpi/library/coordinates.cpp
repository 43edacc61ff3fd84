#include "algorithms/mpi/library/coordinates.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <utility>

#include "algorithms/mpi/executor/mpi_error.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

using Attached = std::shared_ptr<const PermutedGrid>;

// None has been made: the calls below go straight to the MPI.
std::atomic<bool>& any_made() {
  static std::atomic<bool> any = false;
  return any;
}

int copy_grid(MPI_Comm, int, void*, void* from, void* to, int* flag) {
  auto* const copy = new (std::nothrow) Attached(*static_cast<Attached*>(from));
  if (copy == nullptr) return MPI_ERR_NO_MEM;
  *static_cast<void**>(to) = copy;
  *flag = 1;
  return MPI_SUCCESS;
}

int delete_grid(MPI_Comm, int, void* attached, void*) {
  delete static_cast<Attached*>(attached);
  return MPI_SUCCESS;
}

int grid_keyval() {
  static const int keyval = [] {
    int made = MPI_KEYVAL_INVALID;
    check_mpi(PMPI_Comm_create_keyval(copy_grid, delete_grid, &made, nullptr), {.call = "MPI_Comm_create_keyval"});
    return made;
  }();
  return keyval;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

int fail(MPI_Comm comm, int code) {
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}

}  // namespace

void permute_coordinates(MPI_Comm cart, CartesianGrid grid, std::vector<int> rank_of_position) {
  std::vector<int> position_of_rank(rank_of_position.size());
  for (std::size_t position = 0; position < rank_of_position.size(); ++position)
    position_of_rank[rank_of_position[position]] = static_cast<int>(position);
  auto attached = std::make_unique<Attached>(std::make_shared<const PermutedGrid>(
      PermutedGrid{std::move(grid), std::move(rank_of_position), std::move(position_of_rank)}));
  check_mpi(PMPI_Comm_set_attr(cart, grid_keyval(), attached.get()), {.call = "MPI_Comm_set_attr"});
  static_cast<void>(attached.release());
  any_made() = true;
}

const PermutedGrid* permuted_grid(MPI_Comm comm) {
  if (!any_made() || comm == MPI_COMM_NULL) return nullptr;
  void* found = nullptr;
  int flag = 0;
  if (PMPI_Comm_get_attr(comm, grid_keyval(), static_cast<void*>(&found), &flag) != MPI_SUCCESS || flag == 0)
    return nullptr;
  return static_cast<Attached*>(found)->get();
}

int refuse_permuted(MPI_Comm comm) { return fail(comm, MPI_ERR_UNSUPPORTED_OPERATION); }

int cart_rank(MPI_Comm comm, const int coordinates[], int* rank) {
  // MPI's answer is the position, and its checks are the same.
  const int code = PMPI_Cart_rank(comm, coordinates, rank);
  const PermutedGrid* const permuted = code == MPI_SUCCESS ? permuted_grid(comm) : nullptr;
  if (permuted != nullptr) *rank = permuted->rank_of_position[*rank];
  return code;
}

int cart_coords(MPI_Comm comm, int rank, int dimensions, int coordinates[]) {
  const PermutedGrid* const permuted = permuted_grid(comm);
  const bool known = permuted != nullptr && rank >= 0 && rank < static_cast<int>(permuted->position_of_rank.size());
  return PMPI_Cart_coords(comm, known ? permuted->position_of_rank[rank] : rank, dimensions, coordinates);
}

int cart_shift(MPI_Comm comm, int dimension, int step, int* source, int* destination) {
  const PermutedGrid* const permuted = permuted_grid(comm);
  if (permuted == nullptr) return PMPI_Cart_shift(comm, dimension, step, source, destination);
  if (dimension < 0 || dimension >= permuted->grid.dimensions()) return fail(comm, MPI_ERR_DIMS);
  if (source == nullptr || destination == nullptr) return fail(comm, MPI_ERR_ARG);
  const int position = permuted->position_of_rank[rank_in(comm)];
  const auto rank_at = [&](int distance) {
    const int there = permuted->grid.neighbour(position, dimension, distance);
    return there < 0 ? MPI_PROC_NULL : permuted->rank_of_position[there];
  };
  *source = rank_at(-step);
  *destination = rank_at(step);
  return MPI_SUCCESS;
}

int cart_get(MPI_Comm comm, int dimensions, int sizes[], int periodic[], int coordinates[]) {
  const int code = PMPI_Cart_get(comm, dimensions, sizes, periodic, coordinates);
  const PermutedGrid* const permuted = code == MPI_SUCCESS ? permuted_grid(comm) : nullptr;
  if (permuted == nullptr) return code;
  return guarded(comm, [&] {
    const std::vector<int> own = permuted->grid.coordinates(permuted->position_of_rank[rank_in(comm)]);
    std::copy_n(own.begin(), std::min<std::size_t>(own.size(), static_cast<std::size_t>(dimensions)), coordinates);
    return MPI_SUCCESS;
  });
}

// The part is an ordinary Cartesian communicator, with its ranks in the order of their coordinates.
int cart_sub(MPI_Comm comm, const int remain[], MPI_Comm* made) {
  const PermutedGrid* const permuted = permuted_grid(comm);
  if (permuted == nullptr) return PMPI_Cart_sub(comm, remain, made);
  if (remain == nullptr || made == nullptr) return fail(comm, MPI_ERR_ARG);
  return guarded(comm, [&] {
    const CartesianGrid& grid = permuted->grid;
    const std::vector<int> own = grid.coordinates(permuted->position_of_rank[rank_in(comm)]);
    int part = 0;
    int place = 0;
    std::vector<int> sizes;
    std::vector<int> periodic;
    for (int d = 0; d < grid.dimensions(); ++d) {
      int& number = remain[d] != 0 ? place : part;
      number = number * grid.sizes[d] + own[d];
      if (remain[d] == 0) continue;
      sizes.push_back(grid.sizes[d]);
      periodic.push_back(grid.periodic[d] ? 1 : 0);
    }
    MPI_Comm ordered = MPI_COMM_NULL;
    check_mpi(PMPI_Comm_split(comm, part, place, &ordered), {.call = "MPI_Comm_split"});
    const int code = PMPI_Cart_create(ordered, static_cast<int>(sizes.size()), sizes.data(), periodic.data(), 0, made);
    PMPI_Comm_free(&ordered);
    return code;
  });
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
