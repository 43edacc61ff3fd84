// isthmus-forwarder NETWORK SETTING HOST [--stay] [--statistics FILE]: the forwarder of a host. The drop-in starts it
// beside its ranks; on a gateway without ranks an administrator does, with --stay, or `isthmus run`.
#include <signal.h>

#include <cstdio>
#include <string>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/forwarding/forwarder.hpp"
#include "algorithms/network/network_json.hpp"

namespace {

volatile sig_atomic_t told_to_end = 0;

}  // namespace

int main(int argc, char** argv) {
  using namespace isthmus;
  std::vector<std::string> arguments(argv + 1, argv + argc);
  ForwarderOptions options;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--stay")
      options.stays = true;
    else if (arguments[i] == "--statistics" && i + 1 < arguments.size())
      options.statistics = arguments[++i];
    else
      names.push_back(arguments[i]);
  }
  try {
    if (names.size() != 3) throw BadInput("usage: isthmus-forwarder NETWORK SETTING HOST [--stay] [--statistics FILE]");
    const ForwardingMap map = forwarding_map(read_network(names[0]), names[1]);
    const int host = map.number_of(names[2]);
    if (host < 0) throw BadInput(names[0] + ": no host is called " + names[2]);
    struct sigaction action {};
    action.sa_handler = [](int) { told_to_end = 1; };
    for (const int number : {SIGTERM, SIGINT}) sigaction(number, &action, nullptr);
    Forwarder forwarder(map, host, options);
    constexpr double look_s = 1;
    while (told_to_end == 0 && forwarder.step(look_s)) {
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "isthmus-forwarder: %s\n", error.what());
    return error.exit_status();
  }
  return 0;
}
