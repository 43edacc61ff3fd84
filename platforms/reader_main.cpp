// isthmus-platform FILE.xml: loads a platform into SimGrid and prints its network as one line of JSON. For a bad file:
// one line on the standard error, exit status 2. Of large clusters SimGrid loads a few hosts only
// (cluster_samples.hpp), unless the first argument is --whole.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/errors.hpp"
#include "platforms/cluster_samples.hpp"
#include "platforms/engine_network.hpp"
#include "platforms/network_sample.hpp"
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
    if (what.ends_with('.')) what.pop_back();
    if (const std::size_t end = what.find(" does name a node"); end != std::string::npos)  // it means: no node
      what = what.substr(0, end) +
             " names no host or router; one of the file would be right (a <cluster> with a topology has no router: "
             "a host of it)";
    if (what.starts_with("unknown unit")) what += "; s, us, MBps, Gbps, Gf, for instance, are right";
    if (what.find("Bad declaration <!") != std::string::npos)
      what += fmt::format("; `{}` and a <platform> would be right", isthmus::right_document_type);
    else if (what.starts_with("Invalid XML"))
      what += "; a SimGrid platform file, version 4.1, would be right";
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

/// Loads the file into SimGrid. `source` is what the user wrote; `alike` are the clusters of a sample.
isthmus::Network load(const SourceFile& source, const std::string& file,
                      const std::vector<isthmus::NameRange>& alike = {}) {
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
  return network_of(engine, source, std::filesystem::path(source.file()).stem().string(), alike);
}

void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(to, text.data(), text.size());
    if (written <= 0) throw std::runtime_error("the network could not be written");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// A path under which this process and its children can read the text.
std::string memory_file(const std::string& text) {
  const int file = memfd_create("platform.xml", 0);
  if (file < 0) throw std::runtime_error("no file in memory");
  write_all(file, text);
  return fmt::format("/proc/self/fd/{}", file);
}

/// Prints the network from a sample of its clusters, in a child, because SimGrid ends a process when it does not like a
/// platform. False if it cannot; then nothing has been printed.
bool print_network_of_sample(const SourceFile& source) {
  const auto sample = isthmus::sample_clusters(source);
  if (!sample) return false;
  const std::string file = memory_file(sample->text);
  const pid_t child = fork();
  if (child == 0) {
    int status = 1;
    try {
      dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
      isthmus::Network network = load(source, file, sample->clusters);
      read_profiles(source, network);
      write_all(STDOUT_FILENO, isthmus::to_text({std::move(network), sample->clusters}));
      status = 0;
    } catch (const std::exception&) {
      status = 1;  // reading the whole platform tells what is wrong
    }
    std::_Exit(status);
  }
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

void print_network(const std::string& file, bool whole) {
  const SourceFile source(file);
  isthmus::Network network;
  check_source(source);
  if (source.is_parsed()) {
    read_profiles(source, network);  // before SimGrid aborts because of one
    if (!whole && print_network_of_sample(source)) return;
  }
  network = load(source, file);
  read_profiles(source, network);
  write_all(STDOUT_FILENO, isthmus::to_text({std::move(network), {}}));
}

}  // namespace

int main(int argc, char** argv) {
  int status = 0;
  try {
    const bool whole = argc == 3 && std::string_view(argv[1]) == "--whole";
    if (argc != 2 && !whole) throw BadInput("usage: isthmus-platform [--whole] FILE.xml");
    print_network(argv[argc - 1], whole);
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
