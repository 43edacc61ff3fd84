// isthmus list: collectives, algorithms, their parameters and papers.
#include <fmt/format.h>

#include <algorithm>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/packed/packed.hpp"
#include "validation/command_line/commands.hpp"

namespace isthmus::command_line {

void add_list(CLI::App& program) {
  CLI::App* command = program.add_subcommand("list", "collectives, algorithms, parameters, the paper of each");
  command->callback([] {
    std::size_t name_width = 0, parameter_width = 0;
    for (const Algorithm& algorithm : algorithms()) {
      name_width = std::max(name_width, name(algorithm.collective).size() + 1 + algorithm.id.size());
      parameter_width = std::max(parameter_width, algorithm.parameters.size());
    }
    for (const Algorithm& algorithm : algorithms()) {
      fmt::print("{:<{}}  {:<{}}  {}\n", fmt::format("{}/{}", name(algorithm.collective), algorithm.id), name_width,
                 algorithm.parameters, parameter_width, algorithm.summary);
      fmt::print("{:<{}}  {}\n", "", name_width + parameter_width + 2, algorithm.paper);
    }
    const Algorithm& own = mpi_own(Collective::broadcast);
    fmt::print("{:<{}}  {:<{}}  {}: simulated and emulated for comparison\n", fmt::format("COLLECTIVE/{}", own.id),
               name_width, own.parameters, parameter_width, own.summary);
    fmt::print("{:<{}}  {}\n", "", name_width + parameter_width + 2, own.paper);
    fmt::print("\n{}\n", fmt::join(packed_explanation, "\n"));
  });
}

}  // namespace isthmus::command_line
