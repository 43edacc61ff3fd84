// isthmus platform: the network that isthmus read from a platform file.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "algorithms/network/network_json.hpp"
#include "emulator/plan/plan.hpp"
#include "emulator/substrates/substrate.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/run_options.hpp"
#include "validation/text/describe.hpp"

namespace isthmus::command_line {

void add_platform(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("platform", "sites, hosts, links, routes; problems in the file with their line");
  auto file = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("table");
  command->add_option("PLATFORM", *file, "SimGrid XML file, or a network in JSON")->required();
  command
      ->add_option("--format", *format, "table, or json: the network that other commands can read in place of the XML")
      ->check(CLI::IsMember({"table", "json"}));
  auto emulation = std::make_shared<bool>(false);
  auto substrate = std::make_shared<std::string>("virtual");
  command->add_flag("--emulation", *emulation,
                    "print what `isthmus emulate` would set up: containers, cables, addresses, routes, queues");
  command->add_option("--substrate", *substrate, "with --emulation: native, virtual, uml or delay-line")
      ->capture_default_str()
      ->check(CLI::IsMember({"native", "virtual", "uml", "delay-line"}));
  command->callback([file, format, emulation, substrate] {
    const Network network = read_platform_with_warnings(*file);
    if (*emulation) {
      const EmulationPlan plan = plan_emulation(network, place_ranks(network, PlacementRule::block, 1),
                                                {substrate_kind(*substrate).shaping, {}});
      fmt::print("{}", to_text(plan, network));
      return;
    }
    if (*format == "json") {
      fmt::print("{}\n", to_json(network).dump(1));
      return;
    }
    print_network(network);
  });
}

}  // namespace isthmus::command_line
