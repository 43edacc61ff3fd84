// A gather along any tree, used by binomial and multilevel.
#include "algorithms/patterns/block_tree.hpp"
#include "algorithms/patterns/packing.hpp"

namespace isthmus {
namespace {

void receive_all(Program& program, Slice message, int from, std::int64_t segment) {
  for (const Slice part : split(message, segment)) program.receive(part, from);
}

/// Blocks that do not arrive in the order of ranks are received in scratch and copied to their positions later.
void gather_at_root(Program& program, std::span<const Branch> branches, const Blocks& all, std::int64_t segment) {
  std::vector<Slice> packed;
  for (const auto& [child, ranks] : branches) {
    const bool in_place = consecutive(ranks);
    packed.push_back(in_place ? all.range(ranks.front(), ranks.back() + 1) : program.reserve(all.count_of(ranks)));
    receive_all(program, packed.back(), child, segment);
  }
  for (std::size_t i = 0; i < branches.size(); ++i)
    if (!consecutive(branches[i].ranks)) unpack(program, all, branches[i].ranks, packed[i]);
}

}  // namespace

void gather_along(Program& program, const PlaceOf& place_of, int rank, Slice own, const Blocks& all,
                  std::int64_t segment) {
  const std::vector<Branch> branches = branches_of(place_of, rank);
  const int parent = place_of(rank).parent;
  if (parent < 0) {
    program.copy(all.of(rank), own);
    gather_at_root(program, branches, all, segment);
    return;
  }
  Slice message = own;
  if (!branches.empty()) {
    std::int64_t count = own.count;
    for (const Branch& branch : branches) count += all.count_of(branch.ranks);
    message = program.reserve(count);
    program.copy(message.part(0, own.count), own);
    std::int64_t at = own.count;
    for (const auto& [child, ranks] : branches) {
      const Slice coming = message.part(at, all.count_of(ranks));
      receive_all(program, coming, child, segment);
      at = coming.end() - message.offset;
    }
  }
  for (const Slice part : split(message, segment)) program.send(part, parent);
}

}  // namespace isthmus
