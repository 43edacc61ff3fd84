#include "sim/in_flight.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/replay/forwarded.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/schedule/matching.hpp"

namespace isthmus {
namespace {

/// When so many bytes more, or less, are on their way.
using Changes = std::vector<std::pair<double, double>>;

Changes changes_of(const PlacedNetwork& placed, const Point& point) {
  const std::int64_t element_bytes = point.problem.element_bytes;
  const Carried all = carried(placed, element_bytes, source(point.plan, placed.topology(), point.problem));
  const Schedule schedule = materialise(all.placed.size(), all.programs);
  const Timeline timeline = replay(all.placed, element_bytes, all.programs, true).timeline;
  Matching matching;
  matching.match(schedule);
  Changes changes;
  for (int rank = 0; rank < all.placed.size(); ++rank) {
    const auto ops = schedule[rank].ops();
    for (int op = 0; op < static_cast<int>(ops.size()); ++op) {
      const std::int64_t bytes = ops[op].from.count * element_bytes;
      if (ops[op].kind != OpKind::send || bytes > placed.network().transport.eager_bytes) continue;
      const int number = matching.number(rank, op);
      changes.emplace_back(timeline[number].begin_s, static_cast<double>(bytes));
      changes.emplace_back(timeline[matching.partner(number)].end_s, -static_cast<double>(bytes));
    }
  }
  return changes;
}

}  // namespace

double most_bytes_in_flight(const PlacedNetwork& placed, const Point& point) {
  if (is_mpi_own(point.plan)) return 0;
  try {
    Changes changes = changes_of(placed, point);
    std::ranges::sort(changes);
    double now = 0, most = 0;
    for (const auto& [at_s, bytes] : changes) most = std::max(most, now += bytes);
    return most;
  } catch (const BadInput&) {
    return 0;
  } catch (const Refused&) {
    return 0;
  }
}

}  // namespace isthmus
