// stencil [N [STEPS [messages|neighbours [PX PY PZ [open]]]]]: heat in a cube of N x N x N cells, periodic or with cold
// walls (open), on a grid of processes that may be reordered, in plain MPI. Faces travel by messages to the neighbours
// that MPI_Cart_shift names, or by MPI_Neighbor_alltoallv. Prints the grid, a sum that is the same for every number and
// order of processes, and the seconds that the exchange of faces took; exchanges in which an MPI makes its connections
// come before and are not counted.
#include <mpi.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

class Block {
 public:
  Block(int cells, MPI_Comm cart) : cart_(cart) {
    std::array<int, 3> sizes{}, periodic{}, place{};
    MPI_Cart_get(cart, 3, sizes.data(), periodic.data(), place.data());
    for (int d = 0; d < 3; ++d) {
      first_[d] = cells * place[d] / sizes[d];
      length_[d] = cells * (place[d] + 1) / sizes[d] - first_[d];
      MPI_Cart_shift(cart, d, 1, &neighbours_[2 * d], &neighbours_[2 * d + 1]);
    }
    int all = 0;
    for (int face = 0; face < 6; ++face) {
      counts_[face] = length_[0] * length_[1] * length_[2] / length_[face / 2];
      places_[face] = all;
      all += counts_[face];
    }
    out_.resize(all);
    in_.resize(all);
    values_.resize(static_cast<std::size_t>(length_[0] + 2) * (length_[1] + 2) * (length_[2] + 2));
    for_each([&](int x, int y, int z) {
      const int cell = ((first_[0] + x) * cells + first_[1] + y) * cells + first_[2] + z;
      at(x, y, z) = cell % 17;
    });
  }

  double exchange(bool by_neighbours) {
    for (int face = 0; face < 6; ++face)
      copy_face(face, face % 2 == 0 ? 0 : length_[face / 2] - 1,
                [&](double& cell, int i) { out_[places_[face] + i] = cell; });
    const double begin = MPI_Wtime();
    if (by_neighbours) {
      MPI_Neighbor_alltoallv(out_.data(), counts_.data(), places_.data(), MPI_DOUBLE, in_.data(), counts_.data(),
                             places_.data(), MPI_DOUBLE, cart_);
    } else {
      std::array<MPI_Request, 12> requests{};
      for (int face = 0; face < 6; ++face)
        MPI_Irecv(&in_[places_[face]], counts_[face], MPI_DOUBLE, neighbours_[face], face, cart_, &requests[face]);
      for (int face = 0; face < 6; ++face)  // arrives at the opposite face
        MPI_Isend(&out_[places_[face]], counts_[face], MPI_DOUBLE, neighbours_[face], face ^ 1, cart_,
                  &requests[6 + face]);
      MPI_Waitall(12, requests.data(), MPI_STATUSES_IGNORE);
    }
    const double seconds = MPI_Wtime() - begin;
    for (int face = 0; face < 6; ++face)
      copy_face(face, face % 2 == 0 ? -1 : length_[face / 2],
                [&](double& cell, int i) { cell = in_[places_[face] + i]; });
    return seconds;
  }

  void step() {
    std::vector<double> next = values_;
    for_each([&](int x, int y, int z) {
      next[index(x, y, z)] = at(x, y, z) / 2 + (at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) +
                                                at(x, y, z - 1) + at(x, y, z + 1)) /
                                                   12;
    });
    values_ = std::move(next);
  }

  double sum_of_squares() {
    double sum = 0;
    for_each([&](int x, int y, int z) { sum += at(x, y, z) * at(x, y, z); });
    return sum;
  }

 private:
  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(x + 1) * (length_[1] + 2) + y + 1) * (length_[2] + 2) + z + 1;
  }
  double& at(int x, int y, int z) { return values_[index(x, y, z)]; }

  template <typename Use>
  void for_each(Use use) {
    for (int x = 0; x < length_[0]; ++x)
      for (int y = 0; y < length_[1]; ++y)
        for (int z = 0; z < length_[2]; ++z) use(x, y, z);
  }

  // The cells whose coordinate across the face is `layer`.
  template <typename Use>
  void copy_face(int face, int layer, Use use) {
    std::array<int, 3> begin{0, 0, 0};
    std::array<int, 3> end = length_;
    begin[face / 2] = layer;
    end[face / 2] = layer + 1;
    int i = 0;
    for (int x = begin[0]; x < end[0]; ++x)
      for (int y = begin[1]; y < end[1]; ++y)
        for (int z = begin[2]; z < end[2]; ++z) use(at(x, y, z), i++);
  }

  MPI_Comm cart_;
  std::array<int, 3> first_{}, length_{};
  std::array<int, 6> neighbours_{}, counts_{}, places_{};  // by face: below and above along each dimension
  std::vector<double> values_, out_, in_;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int cells = argc > 1 ? std::atoi(argv[1]) : 24;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 10;
  const bool by_neighbours = argc > 3 && std::string(argv[3]) == "neighbours";
  std::array<int, 3> sizes{};
  for (int d = 0; d < 3 && argc > 4 + d; ++d) sizes[d] = std::atoi(argv[4 + d]);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, sizes.data());
  const int around = argc > 7 && std::string(argv[7]) == "open" ? 0 : 1;
  const std::array<int, 3> periodic{around, around, around};
  MPI_Comm cart = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 3, sizes.data(), periodic.data(), 1, &cart);
  Block block(cells, cart);
  double seconds = 0;
  constexpr int not_counted = 3;
  for (int i = 0; i < not_counted; ++i) block.exchange(by_neighbours);
  MPI_Barrier(cart);
  for (int i = 0; i < steps; ++i) {
    seconds += block.exchange(by_neighbours);
    block.step();
  }
  std::array<double, 2> own{block.sum_of_squares(), seconds};
  std::array<double, 2> all{};
  MPI_Reduce(own.data(), all.data(), 1, MPI_DOUBLE, MPI_SUM, 0, cart);
  MPI_Reduce(&own[1], &all[1], 1, MPI_DOUBLE, MPI_MAX, 0, cart);
  int rank = 0;
  MPI_Comm_rank(cart, &rank);
  if (rank == 0) std::printf("grid %dx%dx%d sum %.6f exchange %.6f s\n", sizes[0], sizes[1], sizes[2], all[0], all[1]);
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
