// isthmus channels: the channels that files of networks and channels define, as text and as a picture.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "algorithms/channels/channels.hpp"
#include "algorithms/channels/channels_json.hpp"
#include "algorithms/process/whole_file.hpp"
#include "validation/channels/channels_picture.hpp"
#include "validation/channels/channels_text.hpp"
#include "validation/command_line/commands.hpp"
#include "validation/command_line/options/output.hpp"
#include "validation/report/standalone.hpp"

namespace isthmus::command_line {

void add_channels(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "channels", "what programs see of networks and channels files as MPICH/MadIII has them: channels, gateways");
  struct Options {
    std::vector<std::string> files;
    std::string picture, format = "table";
  };
  auto options = std::make_shared<Options>();
  command->add_option("FILE", options->files, "a channels file, with the networks file that it includes; or both")
      ->required();
  command->add_option("-o,--output", options->picture, "draw the channels into this SVG file");
  command->add_option("--format", options->format, "table or json")->check(CLI::IsMember({"table", "json"}));
  command->callback([options] {
    require_svg("--output", options->picture);
    const Channels channels = read_channels(options->files);
    if (!options->picture.empty()) write_whole_file(options->picture, standalone_svg(draw_channels(channels)) + "\n");
    if (options->format == "json")
      fmt::print("{}\n", to_json(channels).dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
    else
      fmt::print("{}", channels_text(channels));
  });
}

}  // namespace isthmus::command_line
