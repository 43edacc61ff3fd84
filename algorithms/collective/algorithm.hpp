// An algorithm: a name, its paper, the parameters that it takes, and a pure generator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/collective/packing.hpp"
#include "algorithms/collective/problem.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// The parameters of all algorithms. `Algorithm::parameters` lists those that an algorithm reads. 0 or empty: its
/// default.
struct Parameters {
  std::int64_t segment_bytes = 0;  ///< a multiple of the element, or 0 for unsegmented
  int degree = 0;                  ///< of a k-ary tree, or the number of chains of a k-chain
  int wan_degree = 0;              ///< kielmann: degree of the tree over coordinators
  int lan_degree = 0;              ///< kielmann: degree of the trees inside clusters
  /// multilevel: the tree of each level, outermost first; the last one repeats, and may be `mpi` (handed_over.hpp)
  std::vector<std::string> levels;
  std::vector<std::string> patterns;  ///< eco: the tree of each group, by its number; the last one repeats
  int merged = 0;                     ///< multilevel: the number of outermost levels of groups that count as one
  Packing packing;                    ///< packed: the ways of the data through the sites
  std::string inside;                 ///< `mpi`: what is done inside outermost groups (handed_over.hpp)
  std::string selector;               ///< mpi: what selects among the MPI's own algorithms; empty: the MPI's default

  bool operator==(const Parameters&) const = default;
};

/// The default number of chains of a k-chain and the default degree of a k-ary tree.
inline constexpr int default_degree = 4;

class SharedWork;  // shared_work.hpp

/// All inputs of a generator.
struct Call {
  int rank = 0;
  const Topology& topology;
  const Problem& problem;
  const Parameters& parameters;
  SharedWork* shared = nullptr;  ///< null where one program alone is written

  /// The segment in elements (0: unsegmented).
  std::int64_t segment_elements() const { return parameters.segment_bytes / problem.element_bytes; }
  /// Of a k-ary tree, or the number of chains of a k-chain.
  int degree() const { return parameters.degree > 0 ? parameters.degree : default_degree; }
};

/// The generator of an algorithm: appends the program of `call.rank` to an empty program.
using Write = void(Program& program, const Call& call);

/// The names of an algorithm in other libraries; empty or 0 where it has no counterpart.
struct Counterpart {
  int openmpi = 0;                     ///< its number in coll/tuned, as listed by `ompi_info --param coll tuned`
  std::string_view openmpi_name = {};  ///< there
  std::string_view mpich = {};         ///< the end of its function name, after MPIR_<Collective>_intra_
  std::string_view nccl = {};
  bool degree_is_fan_out = true;  ///< the parameter `degree` is Open MPI's fan-out

  bool operator==(const Counterpart&) const = default;
};

/// The closed form of an algorithm over two layers of links (models/two_layer_forms.hpp).
enum class TwoLayerForm : std::uint8_t { none, unpipelined, pipelined, default_levels };

/// One algorithm of a collective. `write` appends the program of `call.rank` to an empty program: a pure function of
/// its argument, in time proportional to that program (and to the number of sibling groups). It does not build the
/// programs of other ranks.
struct Algorithm {
  Collective collective;
  std::string_view id;          ///< e.g. `kielmann`; its file name
  std::string_view paper;       ///< authors, year, section
  std::string_view summary;     ///< one line
  std::string_view parameters;  ///< the names it takes, space separated, e.g. `segment wan-degree lan-degree`
  /// Null for the collective of the MPI itself (mpi_own.hpp), whose schedule is not known.
  Write* write;
  /// Throws BadInput for parameters that this algorithm refuses, beyond the checks for all algorithms; null if there
  /// are none.
  void (*check)(const Parameters& parameters) = nullptr;
  /// Throws BadInput for problems that this algorithm cannot serve with these parameters, for example because of the
  /// number of ranks or an operator that does not commute; null if it serves all problems.
  void (*serves)(const Topology& topology, const Problem& problem, const Parameters& parameters) = nullptr;

  bool uses_groups = false;     ///< its messages depend on the groups of the topology
  bool is_default = false;      ///< used when there is no time or no network for a choice
  bool for_searches = false;    ///< left out of choices at run time, where other rows mostly do as well
  bool for_many_sites = false;  ///< left out of the choice where packings are searched, which do as well
  TwoLayerForm two_layer_form = TwoLayerForm::none;
  Counterpart counterpart = {};
  std::string_view old_id = {};  ///< an alias

  /// Copies of the row with one more fact, for the tables.
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
  constexpr Algorithm searched_only() const {
    Algorithm changed = *this;
    changed.for_searches = true;
    return changed;
  }
  constexpr Algorithm for_many_sites_only() const {
    Algorithm changed = *this;
    changed.for_many_sites = true;
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

/// Rows without their names in other libraries, for a variant that has no counterparts there.
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

/// Reads a plan of this algorithm, such as `kielmann:segment=64Ki,wan-degree=3` or `multilevel:levels=linear/binomial`;
/// `segment=none` is unsegmented. Throws BadInput for a parameter that the algorithm does not take, or a value out of
/// range.
Plan parse_plan(const Algorithm& algorithm, std::string_view text);
/// The inverse: parameters at their defaults are left out.
std::string to_string(const Plan& plan);

/// Throws BadInput when the plan cannot serve the problem: a problem that check_problem() refuses, a segment that is
/// not a multiple of the element, an unknown level algorithm, a parameter that the algorithm does not take, a problem
/// that it cannot serve.
void check(const Plan& plan, const Topology& topology, const Problem& problem);

/// Whether the plan's algorithm serves the problem with these parameters: false only if `Algorithm::serves` throws.
/// Other checks of check() are not made.
bool serves(const Plan& plan, const Topology& topology, const Problem& problem);

/// The generator of a checked plan. All four must outlive the source. Where the topology has ranks without a route
/// between them, others relay. Throws BadInput for a plan without schedule, and where nobody can relay.
ProgramSource source(const Plan& plan, const Topology& topology, const Problem& problem);

}  // namespace isthmus
