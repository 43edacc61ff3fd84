// The system's calls by which an MPI over TCP makes its connections: those to hosts without a route are forwarded. All
// others go straight on, by calls in tail position: libraries behind this one may ask who their caller is.
#include <dlfcn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "algorithms/mpi/drop_in/forwarding.hpp"

using namespace isthmus;

namespace {

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int with_source(int taken, sockaddr* from, const socklen_t* size, socklen_t room) {
  if (taken < 0) return taken;
  if (!drop_in::learn_source(taken)) {
    close(taken);
    errno = ECONNABORTED;
    return -1;
  }
  if (from != nullptr && size != nullptr) drop_in::show_source(from, *size < room ? *size : room);
  return taken;
}

}  // namespace

extern "C" {

int connect(int socket, const sockaddr* to, socklen_t size) {
  static auto* const beneath = next<int(int, const sockaddr*, socklen_t)>("connect");
  const drop_in::Forwarding* const forwarding = drop_in::forwarding();
  if (forwarding == nullptr || !forwarding->forwards(to)) return beneath(socket, to, size);
  sockaddr_in address{};
  std::memcpy(&address, to, sizeof address);
  return forwarding->connect_there(socket, address);
}

int accept(int socket, sockaddr* from, socklen_t* size) {
  static auto* const beneath = next<int(int, sockaddr*, socklen_t*)>("accept");
  if (drop_in::forwarding() == nullptr) return beneath(socket, from, size);
  const socklen_t room = size == nullptr ? 0 : *size;
  return with_source(beneath(socket, from, size), from, size, room);
}

int accept4(int socket, sockaddr* from, socklen_t* size, int flags) {
  static auto* const beneath = next<int(int, sockaddr*, socklen_t*, int)>("accept4");
  if (drop_in::forwarding() == nullptr) return beneath(socket, from, size, flags);
  const socklen_t room = size == nullptr ? 0 : *size;
  return with_source(beneath(socket, from, size, flags), from, size, room);
}

int getpeername(int socket, sockaddr* to, socklen_t* size) noexcept {
  static auto* const beneath = next<int(int, sockaddr*, socklen_t*)>("getpeername");
  if (drop_in::forwarding() == nullptr) return beneath(socket, to, size);
  const socklen_t room = size == nullptr ? 0 : *size;
  const int result = beneath(socket, to, size);
  if (result == 0 && size != nullptr) drop_in::show_source(to, *size < room ? *size : room);
  return result;
}

}  // extern "C"
