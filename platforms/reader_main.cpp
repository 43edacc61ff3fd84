// isthmus-platform FILE.xml: loads a platform into SimGrid and prints its network as one line of JSON. For a bad file:
// one line on the standard error, exit status 2.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <simgrid/s4u.hpp>
#include <string>

#include "algorithms/errors.hpp"
#include "algorithms/network/network_json.hpp"
#include "platforms/engine_network.hpp"
#include "platforms/profiles.hpp"
#include "platforms/source_checks.hpp"
#include "platforms/source_file.hpp"

namespace {

using isthmus::BadInput;
using isthmus::SourceFile;

std::string first_line(std::string text) {
  text.erase(std::min(text.find('\n'), text.size()));
  return text;
}

// SimGrid's error text as `file:line: what`. SimGrid gives the line for errors of its parser ("Parse error at F:L: M"),
// and for others at best a name in quotes or at the end.
BadInput located(const SourceFile& source, const std::string& text) {
  const std::string begin = "Parse error at " + source.file() + ":";
  if (text.starts_with(begin)) {
    const std::string rest = text.substr(begin.size());
    const std::size_t colon = rest.find(": ");
    std::string what = first_line(rest.substr(std::min(colon + 2, rest.size())));
    if (what.starts_with("unknown unit")) what += "; s, us, MBps, Gbps, Gf, for instance, are right";
    if (what.starts_with("Invalid XML")) what += "; a SimGrid platform file, version 4.1, would be right";
    return source.error(std::atoi(rest.c_str()), what);
  }
  pugi::xml_node element;
  const std::size_t quote = text.find('\'');
  if (quote != std::string::npos) {
    element = source.element_of(text.substr(quote + 1, text.find('\'', quote + 1) - quote - 1));
  } else if (const std::size_t colon = text.rfind(": "); colon != std::string::npos) {
    element = source.element_of(text.substr(colon + 2));
  }
  std::string what = first_line(text);
  if (what.starts_with("Link not found")) what += "; a <link> of that name before its use would be right";
  return source.error(element, what);
}

void print_network(const std::string& file) {
  const SourceFile source(file);
  isthmus::Network network;
  if (source.is_parsed()) {
    check_source(source);
    read_profiles(source, network);  // before SimGrid aborts because of one
  }
  // Only critical log messages: those with which SimGrid aborts.
  std::string program = "isthmus-platform", quiet = "--log=root.thres:critical";
  char* arguments[] = {program.data(), quiet.data(), nullptr};
  int count = 2;
  simgrid::s4u::Engine engine(&count, arguments);
  try {
    engine.load_platform(file);
    engine.seal_platform();
  } catch (const std::exception& error) {
    throw located(source, error.what());
  }
  network = network_of(engine, source, std::filesystem::path(file).stem().string());
  read_profiles(source, network);
  std::cout << to_json(network).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  int status = 0;
  try {
    if (argc != 2) throw BadInput("usage: isthmus-platform FILE.xml");
    print_network(argv[1]);
  } catch (const isthmus::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    status = error.exit_status();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[argc - 1], first_line(error.what()));
    status = 2;
  }
  std::fflush(nullptr);
  std::_Exit(status);  // SimGrid's own cleanup takes longer than reading
}
