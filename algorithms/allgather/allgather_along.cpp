// An allgather along any tree, used by eco and k-ary.
#include "algorithms/allgather/allgather.hpp"

namespace isthmus {

void allgather_along(Program& program, const PlaceOf& place_of, int rank, Slice own, const Blocks& all, int size,
                     std::int64_t segment) {
  gather_along(program, place_of, rank, own, all, segment);
  // Each segment goes down as soon as it is complete, while later ones still come up.
  if (segment > 0) program.add_lane();
  const TreePlace place = place_of(rank);
  const Slice everything = all.range(0, size);
  if (place.parent >= 0)
    for (const Slice part : split(everything, segment)) program.receive(part, place.parent);
  for (const Slice part : split(everything, segment))
    for (const int child : place.children) program.send(part, child);
}

}  // namespace isthmus
