// conjugate_gradient [ROWS [SOLVES]]: solves the one-dimensional Poisson equation by conjugate gradients, in plain MPI:
// parameters by broadcast, neighbours' edges by messages, dot products by allreduce, the solution by gather.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

// Rows of the matrix with 2.5 on the diagonal and -1 beside it; a rank has some that follow each other.
class Rows {
 public:
  Rows(int all, MPI_Comm comm) : comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
    for (int rank = 0; rank < size_; ++rank) counts_.push_back(all / size_ + (rank < all % size_ ? 1 : 0));
  }

  int count() const { return counts_[rank_]; }
  int first() const {
    int before = 0;
    for (int rank = 0; rank < rank_; ++rank) before += counts_[rank];
    return before;
  }

  std::vector<double> times_matrix(const std::vector<double>& x) const {
    const int below = rank_ > 0 ? rank_ - 1 : MPI_PROC_NULL;
    const int above = rank_ < size_ - 1 ? rank_ + 1 : MPI_PROC_NULL;
    double from_below = 0;
    double from_above = 0;
    MPI_Sendrecv(&x.back(), 1, MPI_DOUBLE, above, 0, &from_below, 1, MPI_DOUBLE, below, 0, comm_, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&x.front(), 1, MPI_DOUBLE, below, 1, &from_above, 1, MPI_DOUBLE, above, 1, comm_, MPI_STATUS_IGNORE);
    std::vector<double> product(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      product[i] = 2.5 * x[i] - (i > 0 ? x[i - 1] : from_below) - (i + 1 < x.size() ? x[i + 1] : from_above);
    return product;
  }

  double dot(const std::vector<double>& a, const std::vector<double>& b) const {
    double own = 0;
    for (std::size_t i = 0; i < a.size(); ++i) own += a[i] * b[i];
    double all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, comm_);
    return all;
  }

  /// On rank 0.
  std::vector<double> gathered(const std::vector<double>& x) const {
    std::vector<int> places;
    int all = 0;
    for (const int count : counts_) {
      places.push_back(all);
      all += count;
    }
    std::vector<double> whole(rank_ == 0 ? all : 0);
    MPI_Gatherv(x.data(), static_cast<int>(x.size()), MPI_DOUBLE, whole.data(), counts_.data(), places.data(),
                MPI_DOUBLE, 0, comm_);
    return whole;
  }

 private:
  MPI_Comm comm_;
  int rank_ = 0, size_ = 1;
  std::vector<int> counts_;
};

// Returns the number of iterations.
int solve(const Rows& rows, const std::vector<double>& right, double tolerance, std::vector<double>& x) {
  std::vector<double> residual = right;
  std::vector<double> direction = right;
  x.assign(right.size(), 0);
  double square = rows.dot(residual, residual);
  const double enough = square * tolerance * tolerance;
  int iterations = 0;
  for (; square > enough && iterations < 1000; ++iterations) {
    const std::vector<double> product = rows.times_matrix(direction);
    const double step = square / rows.dot(direction, product);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += step * direction[i];
      residual[i] -= step * product[i];
    }
    const double next = rows.dot(residual, residual);
    for (std::size_t i = 0; i < x.size(); ++i) direction[i] = residual[i] + next / square * direction[i];
    square = next;
  }
  return iterations;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct {
    int rows, solves;
    double tolerance;
  } parameters = {};
  if (rank == 0) parameters = {argc > 1 ? std::atoi(argv[1]) : 2000, argc > 2 ? std::atoi(argv[2]) : 1, 1e-10};
  MPI_Bcast(&parameters, sizeof parameters, MPI_BYTE, 0, MPI_COMM_WORLD);

  const Rows rows(parameters.rows, MPI_COMM_WORLD);
  std::vector<double> right(rows.count());
  std::vector<double> x;
  int iterations = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin_s = MPI_Wtime();
  for (int number = 0; number < parameters.solves; ++number) {
    for (int i = 0; i < rows.count(); ++i) right[i] = std::sin(0.01 * (rows.first() + i + number));
    iterations += solve(rows, right, parameters.tolerance, x);
  }
  const double own_s = MPI_Wtime() - begin_s;
  double seconds = 0;
  MPI_Reduce(&own_s, &seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);

  const std::vector<double> solution = rows.gathered(x);
  double worst = 0;
  double sum = 0;
  for (int i = 0; rank == 0 && i < parameters.rows; ++i) {
    const double product =
        2.5 * solution[i] - (i > 0 ? solution[i - 1] : 0) - (i + 1 < parameters.rows ? solution[i + 1] : 0);
    worst = std::fmax(worst, std::fabs(product - std::sin(0.01 * (i + parameters.solves - 1))));
    sum += solution[i];
  }
  const bool right_answer = worst < 1e-8;
  if (rank == 0)
    std::printf("conjugate_gradient rows %d iterations %d sum %.9f residual %s seconds %.6f\n", parameters.rows,
                iterations, sum, right_answer ? "small" : "LARGE", seconds);
  MPI_Finalize();
  return right_answer ? 0 : 1;
}
