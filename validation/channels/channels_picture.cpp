#include "validation/channels/channels_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace isthmus {
namespace {

constexpr double column_width = 64, row_height = 34, names_width = 190, top = 44, channels_margin = 14;

/// What stands before the line of a channel.
std::string label_of(const Channels& channels, int number) {
  const Channel& channel = channels.channels[number];
  return channel.name + (number == channels.world ? " (world)" : "");
}

std::string note_of(const Channels& channels, int number) {
  const Channel& channel = channels.channels[number];
  std::string note = channel.name + ": ";
  if (!channel.is_virtual()) {
    const ChannelNetwork& network = channels.networks[channel.network];
    return note + network.name + " (" + network.device + ")" + (channel.used_up ? ", part of a virtual channel" : "");
  }
  for (const int part : channel.parts)
    note += (part == channel.parts.front() ? "" : " + ") + channels.channels[part].name;
  return note;
}

class Rows {
 public:
  explicit Rows(const Channels& channels) : channels_(channels) {
    for (const std::string& host : channels.hosts()) column_.emplace(host, static_cast<int>(column_.size()));
  }

  double x(const std::string& host) const { return names_width + column_width * (column_.at(host) + 0.5); }
  static double y(int row) { return top + row_height * (row + 0.5); }
  double width() const { return names_width + column_width * static_cast<double>(column_.size()) + channels_margin; }

  Element row(int number) const {
    const Channel& channel = channels_.channels[number];
    Element row("g");
    row.set("class", channel.used_up ? "point faint" : "point").set("data-note", note_of(channels_, number));
    row.add(svg_text(names_width - 10, y(number) + 4, label_of(channels_, number), "end",
                     channel.used_up ? "small" : "site-name"));
    if (channel.is_virtual()) {
      double shift = -2.5;
      for (const int part : channel.parts) {
        row.add(stretch(channels_.channels[part], y(number) + shift));
        shift = -shift;
      }
    } else {
      row.add(stretch(channel, y(number)));
    }
    for (const std::string& host : channel.hosts) {
      const bool forwards = std::ranges::find(channel.gateways, host) != channel.gateways.end();
      if (forwards)
        row.add(Element("rect")
                    .set("class", "gateway")
                    .set("x", x(host) - 6)
                    .set("y", y(number) - 6)
                    .set("width", 12.0)
                    .set("height", 12.0)
                    .set("rx", 2.0));
      else
        row.add(Element("circle").set("class", "host").set("cx", x(host)).set("cy", y(number)).set("r", 6.0));
    }
    return row;
  }

  Element heads() const {
    Element heads("g");
    for (const auto& [host, column] : column_) {
      heads.add(svg_text(x(host), top - 14, host, "middle", "small"));
      heads.add(svg_line(x(host), top - 8, x(host), y(static_cast<int>(channels_.channels.size()) - 1), "grid"));
    }
    return heads;
  }

 private:
  /// From the first to the last of its hosts, in the hue of its network.
  Element stretch(const Channel& part, double at) const {
    double left = x(part.hosts.front()), right = left;
    for (const std::string& host : part.hosts) {
      left = std::min(left, x(host));
      right = std::max(right, x(host));
    }
    constexpr int hues = 6;
    Element line("g");
    line.set("class", fmt::format("series hue{}", part.network % hues));
    return line.add(svg_line(left, at, right, at, "stroke"));
  }

  const Channels& channels_;
  std::map<std::string, int> column_;
};

}  // namespace

Element draw_channels(const Channels& channels) {
  const Rows rows(channels);
  const auto count = static_cast<double>(channels.channels.size());
  Element svg("svg");
  svg.set("class", "network").set("role", "img");
  svg.set("viewBox", fmt::format("0 0 {:.0f} {:.0f}", rows.width(), top + row_height * count + channels_margin));
  svg.set("style", fmt::format("max-width: {:.0f}px", rows.width()));
  svg.set("aria-label",
          fmt::format("{} channels over {} networks", channels.channels.size(), channels.networks.size()));
  svg.add(rows.heads());
  for (int i = 0; i < static_cast<int>(channels.channels.size()); ++i) svg.add(rows.row(i));
  return svg;
}

}  // namespace isthmus
