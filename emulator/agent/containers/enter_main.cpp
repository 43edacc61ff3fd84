// isthmus-enter HOST COMMAND...: runs a command in the container of a host, as ssh would on a machine.
// isthmus-enter alone is the first process of a container.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "algorithms/process/control_message.hpp"
#include "emulator/agent/containers/container_init.hpp"
#include "emulator/agent/containers/spawn.hpp"

namespace {

int failed(const char* what) {
  std::perror(what);
  return 255;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) isthmus::hold_container();
  if (argc < 3) {
    std::fputs("usage: isthmus-enter HOST COMMAND...\n", stderr);
    return 255;
  }
  std::string request(argv[1]);
  request += '\0';
  for (int i = 2; i < argc; ++i) {
    if (i > 2) request += ' ';
    request += argv[i];
  }

  const int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, isthmus::spawn_socket, sizeof address.sun_path - 1);
  if (connection < 0 || connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    return failed("isthmus-enter: connect");
  }
  const int standard[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  isthmus::ControlMessage<sizeof standard> message(request.data(), request.size());
  cmsghdr* const header = message.first();
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof standard);
  std::memcpy(CMSG_DATA(header), standard, sizeof standard);
  if (sendmsg(connection, message.get(), 0) < 0) return failed("isthmus-enter: send");

  isthmus::SpawnAnswer status = 255;
  if (recv(connection, &status, sizeof status, 0) != sizeof status) return failed("isthmus-enter: receive");
  return status;
}
