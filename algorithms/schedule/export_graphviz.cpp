#include "algorithms/schedule/export_graphviz.hpp"

#include <fmt/format.h>

#include <iterator>

#include "algorithms/schedule/census.hpp"
#include "algorithms/schedule/dependencies.hpp"
#include "algorithms/schedule/matching.hpp"
#include "algorithms/schedule/text.hpp"

namespace isthmus {

std::string export_graphviz(const Schedule& schedule) {
  Matching matching;
  matching.match(schedule);
  Dependencies dependencies;
  std::string text = "digraph schedule {\n  rankdir=TB;\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n";
  const auto out = std::back_inserter(text);
  for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank) {
    const Program& program = schedule[rank];
    derive(program, dependencies);
    fmt::format_to(out, "  subgraph cluster_{0} {{\n    label=\"rank {0}\";\n", rank);
    for (int op = 0; op < dependencies.size(); ++op)
      fmt::format_to(out, "    r{}_{} [label=\"{}: {}\"];\n", rank, op, op, to_string(program.ops()[op]));
    for (int op = 0; op < dependencies.size(); ++op) {
      // Program order keeps the operations of a rank below each other.
      if (op > 0) fmt::format_to(out, "    r{0}_{1} -> r{0}_{2} [style=invis];\n", rank, op - 1, op);
      for (const int other : dependencies.after(op))
        fmt::format_to(out, "    r{0}_{1} -> r{0}_{2} [color=gray50, constraint=false];\n", rank, other, op);
    }
    text += "  }\n";
  }
  for (int rank = 0; rank < static_cast<int>(schedule.size()); ++rank)
    for (int op = 0; op < static_cast<int>(schedule[rank].ops().size()); ++op) {
      const Op& send = schedule[rank].ops()[op];
      const int partner = matching.partner(matching.number(rank, op));
      if (send.kind == OpKind::send && partner >= 0)
        fmt::format_to(out, "  r{}_{} -> r{}_{} [color=\"#1f77b4\", penwidth=1.5, constraint=false];\n", rank, op,
                       send.peer, partner - matching.first(send.peer));
    }
  text += "}\n";
  return text;
}

std::string export_graphviz_ranks(const Schedule& schedule, std::int64_t element_bytes) {
  std::string text = "digraph ranks {\n  node [shape=circle, fontname=\"sans-serif\"];\n";
  const auto out = std::back_inserter(text);
  const Census counted = census(schedule, element_bytes);
  for (std::size_t rank = 0; rank < schedule.size(); ++rank) fmt::format_to(out, "  {};\n", rank);
  for (const PairCensus& pair : counted.pairs) {
    const std::string messages =
        pair.traffic.messages == 1 ? std::string() : fmt::format("{} messages, ", pair.traffic.messages);
    fmt::format_to(out, "  {} -> {} [label=\"{}{} B\"];\n", pair.source, pair.destination, messages,
                   pair.traffic.bytes);
  }
  text += "}\n";
  return text;
}

}  // namespace isthmus
