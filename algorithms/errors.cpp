#include "algorithms/errors.hpp"

#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

/// Limits the length of a message. Values should be cut by excerpt() where the message is written; this catches the
/// rest.
std::string one_line(std::string_view text) {
  constexpr std::size_t head = 1200, tail = 300;
  while (text.ends_with('\n')) text.remove_suffix(1);
  if (text.size() <= head + tail) return printable(text);
  return printable(text.substr(0, head)) + " [...] " + printable(text.substr(text.size() - tail));
}

}  // namespace

Error::Error(const std::string& what) : std::runtime_error(one_line(what)) {}

}  // namespace isthmus
