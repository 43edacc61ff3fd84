#include "sim/load_platform.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <pugixml.hpp>
#include <simgrid/s4u.hpp>
#include <sstream>

#include "algorithms/errors.hpp"
#include "algorithms/network/conditions.hpp"
#include "sim/network_zone.hpp"

namespace isthmus {
namespace {

/// A file in memory with the platform's text without the profiles of links: its path, for this process.
std::string without_profiles(const std::string& file) {
  pugi::xml_document platform;
  if (!platform.load_file(file.c_str(), pugi::parse_full)) throw BadInput(fmt::format("{}: cannot be read", file));
  for (const auto& found : platform.select_nodes("//link")) {
    for (const char* profile : {"bandwidth_file", "latency_file", "state_file"}) {
      found.node().remove_attribute(profile);
    }
  }
  std::ostringstream text;
  platform.save(text, " ", pugi::format_raw);
  const std::string bytes = text.str();
  const int memory = memfd_create("platform", 0);
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t count = memory < 0 ? -1 : write(memory, bytes.data() + written, bytes.size() - written);
    if (count <= 0) throw Missing(fmt::format("a file in memory: {}", std::strerror(errno)));
    written += static_cast<std::size_t>(count);
  }
  return fmt::format("/proc/self/fd/{}", memory);  // open to the end
}

}  // namespace

void load_platform(simgrid::s4u::Engine& engine, const std::string& file, const Network& network) {
  if (file.ends_with(".json"))
    make_network_zone(network);
  else
    engine.load_platform(changes_with_time(network, Conditions{}) ? without_profiles(file) : file);
}

}  // namespace isthmus
