// The collective of the MPI itself, as if it were an algorithm: what isthmus is compared with.
//
// `COLLECTIVE/mpi` is the call that a program makes without isthmus. It has no schedule: it cannot be verified,
// predicted or traced, but simulated and emulated by the same harness as every plan. `selector` says who selects among
// the algorithms that an MPI has of a collective: in SMPI one of the MPIs that it imitates, in Open MPI a component.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// That of a collective; it is not among algorithms().
const Algorithm& mpi_own(Collective collective);
inline bool is_mpi_own(const Plan& plan) { return plan.algorithm->write == nullptr; }

/// Why what works on schedules refuses it.
inline constexpr std::string_view no_schedule =
    "the MPI's own has no schedule that is known; `isthmus simulate` and `isthmus emulate` time it";

/// Of SMPI (`smpi/coll-selector`).
inline constexpr std::array<std::string_view, 5> smpi_selectors = {"default", "ompi", "mpich", "mvapich2", "impi"};
/// Of Open MPI: the components of its framework `coll`.
inline constexpr std::array<std::string_view, 2> openmpi_selectors = {"tuned", "han"};

/// Throws BadInput for a plan whose selector is none of those that `world` has.
void check_selector(const Plan& plan, std::span<const std::string_view> known, std::string_view world);

}  // namespace isthmus
