// Bine butterfly allgather. De Sensi et al. 2025, "Bine Trees: Enhancing Collective Operations by Optimizing
// Communication Locality" (SC), section 4: ranks exchange all that they hold at distances (1 - (-2)^(k + 1)) / 3, the
// largest first, upwards for even ranks and downwards for odd ones. The bytes of a message double from step to step
// while distances halve, so that most bytes travel short distances. If P is not a power of two the first ranks form
// pairs.
//
// Cost for P = 2^k: log2(P) alpha + (P - 1) n beta, as recursive doubling. Blocks that are not contiguous are packed.
#include <algorithm>
#include <bit>

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/patterns/halving.hpp"
#include "algorithms/patterns/packing.hpp"
#include "algorithms/topology/negabinary.hpp"

namespace isthmus {
namespace {

/// The steps of the butterfly over 2^bits members, the largest distance first.
class Butterfly {
 public:
  explicit Butterfly(int bits) : bits_(bits) {}

  int steps() const { return bits_; }
  int partner(int member, int step) const {
    const int ones = bits_ - step;
    const int distance = from_negabinary((std::uint32_t{1} << ones) - 1, bits_), members = 1 << bits_;
    return (member + (member % 2 == 0 ? distance : members - distance)) % members;
  }
  /// The members whose blocks a member holds before a step, ascending.
  std::vector<int> held(int member, int step) const {
    std::vector<int> found{member};
    for (int before = step - 1; before >= 0; --before)
      for (std::size_t i = found.size(); i-- > 0;) found.push_back(partner(found[i], before));
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  int bits_;
};

}  // namespace

void allgather_bine(Program& program, const Call& call) {
  const int size = call.topology.size(), rank = call.rank;
  const Blocks all(call.problem, size, Buffer::output);
  const PowerOfTwo core(size, rank);
  const int other = core.partner();
  program.copy(all.of(rank), input(0, block_count(call.problem, rank)));
  if (other >= 0) {
    program.receive(all.of(other), other);
    program.send(all.of(rank), other);
  }
  const auto ranks_of = [&](const std::vector<int>& members) {
    std::vector<int> ranks;
    for (const int member : members)
      for (int of = core.first_rank_of(member); of < size && core.member_of(of) == member; ++of) ranks.push_back(of);
    return ranks;
  };
  const auto slot_of = [&](const std::vector<int>& ranks) {
    return consecutive(ranks) ? all.range(ranks.front(), ranks.back() + 1) : program.reserve(all.count_of(ranks));
  };
  const Butterfly butterfly(std::countr_zero(static_cast<unsigned>(core.members())));
  for (int step = 0; step < butterfly.steps(); ++step) {
    const int partner = butterfly.partner(core.member(), step);
    const std::vector<int> there = ranks_of(butterfly.held(partner, step));
    const Slice coming = slot_of(there);
    if (core.takes_part()) {
      const std::vector<int> here = ranks_of(butterfly.held(core.member(), step));
      const Slice going = slot_of(here);
      if (going.buffer == Buffer::scratch) pack(program, going, here, all);
      program.receive(coming, core.rank_of(partner));
      program.send(going, core.rank_of(partner));
      if (other >= 0) program.send(coming, other);
    } else {
      program.receive(coming, other);
    }
    if (coming.buffer == Buffer::scratch) unpack(program, all, there, coming);
  }
}

}  // namespace isthmus
