// The collective of the MPI itself, as if it were an algorithm: what isthmus is compared with.
//
// `COLLECTIVE/mpi` is the call that a program makes without isthmus. It has no schedule: it cannot be verified,
// predicted or traced. It can be simulated and emulated by the same harness as other plans. `selector` chooses what
// selects among the MPI's algorithms: in SMPI one of the MPIs that it imitates, in Open MPI a component.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// The row of a collective; it is not in algorithms().
const Algorithm& mpi_own(Collective collective);
inline bool is_mpi_own(const Plan& plan) { return plan.algorithm->write == nullptr; }

/// The error of everything that needs a schedule.
inline constexpr std::string_view no_schedule =
    "the MPI's own has no schedule that is known; `isthmus simulate` and `isthmus emulate` time it";

/// The selectors of SMPI (`smpi/coll-selector`).
inline constexpr std::array<std::string_view, 5> smpi_selectors = {"default", "ompi", "mpich", "mvapich2", "impi"};
/// The selectors of Open MPI: the components of its framework `coll`.
inline constexpr std::array<std::string_view, 2> openmpi_selectors = {"tuned", "han"};

/// Throws BadInput for a plan whose selector `world` does not have.
void check_selector(const Plan& plan, std::span<const std::string_view> known, std::string_view world);

}  // namespace isthmus
