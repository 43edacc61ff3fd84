#include "algorithms/channels/channels.hpp"

#include <nlohmann/json.hpp>

#include "algorithms/channels/channels_json.hpp"
#include "algorithms/json/json_text.hpp"
#include "python/module/module.hpp"
#include "validation/channels/channels_picture.hpp"
#include "validation/channels/channels_text.hpp"
#include "validation/report/standalone.hpp"

namespace isthmus::python {
namespace {

py::list rows_of(const Channels& channels) {
  py::list rows;
  for (std::size_t number = 0; number < channels.channels.size(); ++number) {
    const Channel& channel = channels.channels[number];
    py::list parts;
    for (const int part : channel.parts) parts.append(channels.channels[part].name);
    py::dict row;
    row["channel"] = channel.name;
    row["network"] = channel.is_virtual() ? py::object(py::none()) : py::str(channels.networks[channel.network].name);
    row["parts"] = parts;
    row["hosts"] = channel.hosts;
    row["gateways"] = channel.gateways;
    row["used_up"] = channel.used_up;
    row["world"] = static_cast<int>(number) == channels.world;
    rows.append(row);
  }
  return rows;
}

std::vector<std::string> seen_by(const Channels& channels, const std::string& host) {
  std::vector<std::string> names;
  for (const int number : channels.seen_by(host)) names.push_back(channels.channels[number].name);
  return names;
}

}  // namespace

void register_channels(py::module_& module) {
  py::class_<Channels>(module, "ChannelFiles")
      .def_static("read", &read_channels, py::arg("files"))
      .def_static(
          "from_json",
          [](const std::string& text) {
            return channels_from_json(parse_json(text, "channels", "what to_json() gives would be right"));
          },
          py::arg("text"))
      .def("to_json", [](const Channels& channels) { return to_json(channels).dump(); })
      .def("rows", rows_of)
      .def("seen_by", seen_by, py::arg("host"))
      .def("text", channels_text)
      .def("svg", [](const Channels& channels) { return standalone_svg(draw_channels(channels)); });
}

}  // namespace isthmus::python
