// What an algorithm is to the rest of isthmus: a name, its paper, the parameters that it takes, and a pure generator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/collective/problem.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// The parameters of all algorithms; each algorithm says in `Algorithm::parameters` which it reads. 0 or empty: its
/// default.
struct Parameters {
  std::int64_t segment_bytes = 0;   ///< a multiple of the element, or 0 for unsegmented
  int degree = 0;                   ///< of a k-ary tree, or the number of chains of a k-chain
  int wan_degree = 0;               ///< kielmann: degree of the tree over coordinators
  int lan_degree = 0;               ///< kielmann: degree of the trees inside clusters
  std::vector<std::string> levels;  ///< multilevel: the algorithm of each level, outermost first; the last one repeats
  int merged = 0;                   ///< multilevel: so many of the outermost levels of groups count as one
  std::string selector;             ///< mpi: who selects among the MPI's own algorithms; empty: who does by itself

  bool operator==(const Parameters&) const = default;
};

/// The number of chains of a k-chain and the degree of a k-ary tree that serve when none is asked for.
inline constexpr int default_degree = 4;

/// Everything that a generator may know.
struct Call {
  int rank = 0;
  const Topology& topology;
  const Problem& problem;
  const Parameters& parameters;

  /// The segment in elements (0: unsegmented).
  std::int64_t segment_elements() const { return parameters.segment_bytes / problem.element_bytes; }
};

/// The generator of an algorithm: appends the program of `call.rank` to an empty program.
using Write = void(Program& program, const Call& call);

/// What an algorithm is called in other libraries; empty or 0 where it has no counterpart there.
struct Counterpart {
  int openmpi = 0;                     ///< coll/tuned, as `ompi_info --param coll tuned` numbers them
  std::string_view openmpi_name = {};  ///< there
  std::string_view mpich = {};         ///< after MPIR_<Collective>_intra_
  std::string_view nccl = {};
  bool degree_is_fan_out = true;  ///< our degree is what Open MPI calls fan-out

  bool operator==(const Counterpart&) const = default;
};

/// Which closed form over two layers of links (models/two_layer_forms.hpp) an algorithm has.
enum class TwoLayerForm : std::uint8_t { none, unpipelined, pipelined, default_levels };

/// One algorithm of a collective. `write` appends the program of `call.rank` to an empty program: a pure function, in
/// time proportional to that program (and to the number of sibling groups), that never looks at what others do.
struct Algorithm {
  Collective collective;
  std::string_view id;          ///< e.g. `kielmann`; its file name
  std::string_view paper;       ///< authors, year, section
  std::string_view summary;     ///< one line
  std::string_view parameters;  ///< the names it takes, space separated, e.g. `segment wan-degree lan-degree`
  /// Null for the collective of the MPI itself (mpi_own.hpp), of which no schedule is known.
  Write* write;
  /// Throws BadInput for parameters that this algorithm cannot take, beyond what all share; null where there are none.
  void (*check)(const Parameters& parameters) = nullptr;
  /// Throws BadInput for problems that this algorithm cannot serve with these parameters, such as a number of ranks or
  /// an operator that does not commute; null where it serves all.
  void (*serves)(const Topology& topology, const Problem& problem, const Parameters& parameters) = nullptr;

  bool uses_groups = false;  ///< its messages depend on the groups of the topology
  bool is_default = false;   ///< serves where there is no time or no network to choose by
  TwoLayerForm two_layer_form = TwoLayerForm::none;
  Counterpart counterpart = {};
  std::string_view old_id = {};  ///< by which it is found too

  /// The same algorithm with these facts, for the tables.
  constexpr Algorithm using_groups(TwoLayerForm form = TwoLayerForm::none) const {
    Algorithm changed = *this;
    changed.uses_groups = true;
    changed.two_layer_form = form;
    return changed;
  }
  constexpr Algorithm as_default() const {
    Algorithm changed = *this;
    changed.is_default = true;
    return changed;
  }
  constexpr Algorithm formerly(std::string_view id_before) const {
    Algorithm changed = *this;
    changed.old_id = id_before;
    return changed;
  }
  constexpr Algorithm called(const Counterpart& elsewhere) const {
    Algorithm changed = *this;
    changed.counterpart = elsewhere;
    return changed;
  }
};

/// Rows without what they are called elsewhere: those of a variant that has no counterparts in other libraries.
template <std::size_t rows>
constexpr std::array<Algorithm, rows> without_counterparts(std::array<Algorithm, rows> algorithms) {
  for (Algorithm& algorithm : algorithms) algorithm.counterpart = {};
  return algorithms;
}

/// Whether the algorithm takes the parameter of this name.
bool takes(const Algorithm& algorithm, std::string_view parameter);

/// An algorithm with all its parameters chosen.
struct Plan {
  const Algorithm* algorithm = nullptr;
  Parameters parameters;
};

/// Reads the plan `kielmann:segment=64Ki,wan-degree=3` or `multilevel:levels=linear/binomial` of this algorithm, whose
/// name stands before the colon; `segment=none` is unsegmented. Throws BadInput for a parameter that the algorithm does
/// not take, or a value out of range.
Plan parse_plan(const Algorithm& algorithm, std::string_view text);
/// The inverse: parameters at their defaults are left out.
std::string to_string(const Plan& plan);

/// Throws BadInput when the plan cannot serve the problem: what check_problem() refuses, a segment that is not a
/// multiple of the element, an unknown level algorithm, a parameter that the algorithm does not take, a problem that it
/// cannot serve.
void check(const Plan& plan, const Topology& topology, const Problem& problem);

/// Whether the plan's algorithm serves the problem with these parameters: false where it alone would make check()
/// throw, true also where the problem is wrong in itself.
bool serves(const Plan& plan, const Topology& topology, const Problem& problem);

/// The generator of a checked plan. All four must outlive the source. Throws BadInput for a plan without schedule.
ProgramSource source(const Plan& plan, const Topology& topology, const Problem& problem);

}  // namespace isthmus
