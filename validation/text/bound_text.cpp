#include "validation/text/bound_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithms/text/printable.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

std::string host_name(const Network& network, int host) {
  return host < 0 ? std::string() : printable(network.hosts[host].name);
}

/// What makes the bound, as the end of a sentence.
std::string reason(const LowerBound& bound, const Network& network) {
  const std::string from = host_name(network, bound.from_host), to = host_name(network, bound.to_host);
  switch (bound.kind) {
    case BoundKind::nothing:
      return "nothing is to be done";
    case BoundKind::loopback:
      return fmt::format("all ranks are on {}", from);
    case BoundKind::distance:
      return fmt::format("the latency from {} to {}", from, to);
    case BoundKind::cut:
      return fmt::format("{} have to cross these links, for instance from {} to {}", rounded_bytes(bound.bytes), from,
                         to);
    case BoundKind::partition:
      return fmt::format("{} have to cross these links, counted once a crossing", rounded_bytes(bound.bytes));
    case BoundKind::spreading:
      return "so many hosts cannot have been reached earlier, each by a message from one that had been";
    case BoundKind::detours:
      return "blocks have to share these links, whichever ways they take";
    case BoundKind::sums:
      return "operands have to come together and sums to go out over these links, whichever ways they take";
    case BoundKind::unlimited:
      return "no link limits it";
  }
  return {};
}

}  // namespace

std::string bound_sentence(const LowerBound& bound, const Network& network) {
  return fmt::format("No schedule takes less than {}: {}", format_seconds(bound.seconds), reason(bound, network));
}

std::string links_in_words(const Network& network, std::span<const int> links) {
  constexpr std::size_t max_names = 3;
  std::string text;
  for (std::size_t i = 0; i < links.size() && i < max_names; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", printable(network.links[links[i]].name));
  if (links.size() > max_names) text += fmt::format(" and {} more", links.size() - max_names);
  return text;
}

std::string rounded_bytes(double bytes) {
  return bytes < 9e15 ? format_bytes(std::llround(bytes)) : fmt::format("{:.3g} B", bytes);
}

}  // namespace isthmus
