// fft_transpose [SIDE [ROUNDS]]: the two-dimensional Fourier transform of a square of complex numbers and its inverse,
// in plain MPI: each rank transforms its rows, and an alltoall transposes the square. SIDE is a power of two and a
// multiple of the number of ranks.
#include <mpi.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

namespace {

using Complex = std::complex<double>;

// Transforms `count` numbers in place, by the iterative algorithm of Cooley and Tukey.
void transform(Complex* numbers, int count, bool inverse) {
  for (int i = 1, j = 0; i < count; ++i) {
    int bit = count >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(numbers[i], numbers[j]);
  }
  for (int length = 2; length <= count; length *= 2) {
    const double angle = 2 * std::numbers::pi / length * (inverse ? 1 : -1);
    for (int begin = 0; begin < count; begin += length)
      for (int k = 0; k < length / 2; ++k) {
        const Complex even = numbers[begin + k];
        const Complex odd = numbers[begin + k + length / 2] * std::polar(1.0, angle * k);
        numbers[begin + k] = even + odd;
        numbers[begin + k + length / 2] = even - odd;
      }
  }
  for (int i = 0; inverse && i < count; ++i) numbers[i] /= count;
}

// A rank's rows of a square of side x side.
struct Square {
  int side, rows;
  std::vector<Complex> numbers;

  void transform_rows(bool inverse) {
    for (int row = 0; row < rows; ++row)
      transform(numbers.data() + static_cast<std::size_t>(row) * side, side, inverse);
  }

  void transpose(MPI_Comm comm) {
    const int ranks = side / rows;
    const int block = rows * rows;
    std::vector<Complex> out(numbers.size());
    for (int rank = 0; rank < ranks; ++rank)
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < rows; ++column)
          out[rank * block + column * rows + row] =
              numbers[static_cast<std::size_t>(row) * side + rank * rows + column];
    std::vector<Complex> in(numbers.size());
    MPI_Alltoall(out.data(), block, MPI_C_DOUBLE_COMPLEX, in.data(), block, MPI_C_DOUBLE_COMPLEX, comm);
    for (int rank = 0; rank < ranks; ++rank)
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < rows; ++column)
          numbers[static_cast<std::size_t>(row) * side + rank * rows + column] = in[rank * block + row * rows + column];
  }
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int parameters[2] = {argc > 1 ? std::atoi(argv[1]) : 256, argc > 2 ? std::atoi(argv[2]) : 1};
  MPI_Bcast(parameters, 2, MPI_INT, 0, MPI_COMM_WORLD);
  const auto [side, rounds] = parameters;
  if (side < 1 || (side & (side - 1)) != 0 || side % ranks != 0) {
    if (rank == 0) std::fprintf(stderr, "fft_transpose: %d is no power of two and multiple of %d ranks\n", side, ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  Square square{side, side / ranks, std::vector<Complex>(static_cast<std::size_t>(side) * (side / ranks))};
  // One wave: its transform is a single number, at row 3 and column 5.
  const int first = rank * square.rows;
  const auto wave = [&](int row, int column) {
    return std::polar(1.0, 2 * std::numbers::pi * (3.0 * row + 5.0 * column) / side);
  };
  for (int row = 0; row < square.rows; ++row)
    for (int column = 0; column < side; ++column)
      square.numbers[static_cast<std::size_t>(row) * side + column] = wave(first + row, column);

  double worst = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin_s = MPI_Wtime();
  for (int round = 0; round < rounds; ++round) {
    square.transform_rows(false);
    square.transpose(MPI_COMM_WORLD);
    square.transform_rows(false);
    // Transposed: rows are columns.
    const double peak = static_cast<double>(side) * side;
    for (int row = 0; row < square.rows; ++row)
      for (int column = 0; column < side; ++column) {
        const double right = first + row == 5 % side && column == 3 % side ? peak : 0;
        worst =
            std::fmax(worst, std::abs(square.numbers[static_cast<std::size_t>(row) * side + column] - right) / peak);
      }
    square.transform_rows(true);
    square.transpose(MPI_COMM_WORLD);
    square.transform_rows(true);
  }
  const double own_s = MPI_Wtime() - begin_s;
  for (int row = 0; row < square.rows; ++row)
    for (int column = 0; column < side; ++column)
      worst = std::fmax(
          worst, std::abs(square.numbers[static_cast<std::size_t>(row) * side + column] - wave(first + row, column)));
  double result[2] = {worst, own_s};
  MPI_Allreduce(MPI_IN_PLACE, result, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  const bool right_answer = result[0] < 1e-9;
  if (rank == 0)
    std::printf("fft_transpose side %d rounds %d error %s seconds %.6f\n", side, rounds,
                right_answer ? "small" : "LARGE", result[1]);
  MPI_Finalize();
  return right_answer ? 0 : 1;
}
