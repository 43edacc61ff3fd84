// lennard_jones [CELLS [STEPS]]: molecular dynamics of a Lennard-Jones crystal with replicated data, in plain MPI.
// Every rank holds all atoms, moves some, and sums some of the pairs. A step has one reduction to all (forces), one
// gather to all (positions) and, every tenth step, a broadcast (rank 0's rescaling of velocities): the collectives of
// CHARMM in Lowekamp 1995, section 6.2.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr double lattice = 1.6796;  // of a face-centred cubic crystal near its density at rest, in units of sigma
constexpr double time_step = 0.002;
constexpr double temperature = 0.5;

// Time in collectives, of this rank.
class Clock {
 public:
  template <typename Call>
  void time(Call call) {
    const double begin_s = MPI_Wtime();
    call();
    seconds_ += MPI_Wtime() - begin_s;
  }
  double seconds() const { return seconds_; }

 private:
  double seconds_ = 0;
};

class Crystal {
 public:
  Crystal(int cells, MPI_Comm comm) : comm_(comm), box_(cells * lattice), atoms_(4 * cells * cells * cells) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
    int begin = 0;
    for (int rank = 0; rank < size_; ++rank) {
      const int own = atoms_ / size_ + (rank < atoms_ % size_ ? 1 : 0);
      counts_.push_back(3 * own);
      begins_.push_back(3 * begin);
      begin += own;
    }
    const double corners[4][3] = {{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}};
    for (int cell = 0; cell < cells * cells * cells; ++cell)
      for (const auto& corner : corners) {
        positions_.push_back((cell % cells + corner[0]) * lattice);
        positions_.push_back((cell / cells % cells + corner[1]) * lattice);
        positions_.push_back((cell / cells / cells + corner[2]) * lattice);
      }
    forces_.resize(positions_.size() + 1);
    // Velocities without a random generator, so that every run is the same; their sum is near zero.
    for (int i = 0; i < counts_[rank_]; ++i) velocities_.push_back(std::sin(12.9898 * (begins_[rank_] + i + 1)));
    own_.assign(positions_.begin() + begins_[rank_], positions_.begin() + begins_[rank_] + counts_[rank_]);
    sum_forces();
  }

  void step(bool rescale) {
    const int first = begins_[rank_];
    for (std::size_t i = 0; i < own_.size(); ++i) {
      velocities_[i] += time_step / 2 * forces_[first + i];
      own_[i] += time_step * velocities_[i];
    }
    clock_.time([&] {
      MPI_Allgatherv(own_.data(), counts_[rank_], MPI_DOUBLE, positions_.data(), counts_.data(), begins_.data(),
                     MPI_DOUBLE, comm_);
    });
    sum_forces();
    for (std::size_t i = 0; i < own_.size(); ++i) velocities_[i] += time_step / 2 * forces_[first + i];
    if (!rescale) return;
    const double target = 3.0 / 2 * temperature * atoms_;
    double factor = std::sqrt(target / kinetic_energy());
    clock_.time([&] { MPI_Bcast(&factor, 1, MPI_DOUBLE, 0, comm_); });
    for (double& velocity : velocities_) velocity *= factor;
  }

  double kinetic_energy() {
    double own = 0;
    for (const double velocity : velocities_) own += velocity * velocity / 2;
    double all = 0;
    clock_.time([&] { MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, comm_); });
    return all;
  }
  double potential_energy() const { return forces_.back(); }
  int atoms() const { return atoms_; }
  double seconds() const { return clock_.seconds(); }

 private:
  // Pairs of atoms by turns among the ranks. The potential energy is the last element.
  void sum_forces() {
    std::vector<double> own(forces_.size());
    for (int a = rank_; a < atoms_; a += size_)
      for (int b = a + 1; b < atoms_; ++b) {
        double away[3];
        double square = 0;
        for (int axis = 0; axis < 3; ++axis) {
          away[axis] = positions_[3 * a + axis] - positions_[3 * b + axis];
          away[axis] -= box_ * std::round(away[axis] / box_);
          square += away[axis] * away[axis];
        }
        if (square > 2.5 * 2.5) continue;
        const double sixth = 1 / (square * square * square);
        const double over_square = 24 * sixth * (2 * sixth - 1) / square;
        for (int axis = 0; axis < 3; ++axis) {
          own[3 * a + axis] += over_square * away[axis];
          own[3 * b + axis] -= over_square * away[axis];
        }
        own.back() += 4 * sixth * (sixth - 1);
      }
    clock_.time(
        [&] { MPI_Allreduce(own.data(), forces_.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_SUM, comm_); });
  }

  MPI_Comm comm_;
  double box_;
  int atoms_, rank_ = 0, size_ = 1;
  std::vector<int> counts_, begins_;  // of coordinates, by rank
  std::vector<double> positions_, forces_, velocities_, own_;
  Clock clock_;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int cells = argc > 1 ? std::atoi(argv[1]) : 5;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 20;
  MPI_Barrier(MPI_COMM_WORLD);
  Crystal crystal(cells, MPI_COMM_WORLD);
  const double before = crystal.kinetic_energy() + crystal.potential_energy();
  double after = before;
  for (int step = 1; step <= steps; ++step) {
    crystal.step(step % 10 == 0);
    if (step == 9) after = crystal.kinetic_energy() + crystal.potential_energy();  // before the first rescaling
  }
  const double own_s = crystal.seconds();
  double seconds = 0;
  MPI_Reduce(&own_s, &seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    std::printf("atoms %d steps %d potential %.4f drift %s communication_s %.6f\n", crystal.atoms(), steps,
                crystal.potential_energy(), std::abs(after - before) < 1e-2 * std::abs(before) ? "small" : "LARGE",
                seconds);
  MPI_Finalize();
}
