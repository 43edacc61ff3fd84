#include "validation/studies/ranks_output.hpp"

#include <string_view>

#include "algorithms/process/child.hpp"
#include "emulator/client/session.hpp"

namespace isthmus {

RanksOutput output_of_ranks(const Network& network, const Placement& placement, const std::string& program,
                            const std::string& argument, const EmulationOptions& emulation,
                            const std::function<void(const std::string&)>& progress) {
  const Session session{.network = network, .placement = placement, .argv = {helper_program(program), argument}};
  RanksOutput printed;
  SessionOptions options;
  options.emulation = emulation;
  options.progress = progress;
  options.output = [&](std::string_view bytes) { printed.output += bytes; };
  options.errors = [&](std::string_view bytes) { printed.errors += bytes; };
  printed.exit_status = run_session(session, options).exit_status;
  return printed;
}

}  // namespace isthmus
