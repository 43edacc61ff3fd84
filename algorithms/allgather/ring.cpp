// Ring allgather. Thakur, Rabenseifner, Gropp 2005, section 4.1; Open MPI, MPICH: in P - 1 steps every rank forwards to
// the next rank what it received from the one before. Each message is cut into segments.
//
// Cost, unsegmented (there): (P - 1) (alpha + n beta).
#include <algorithm>
#include <numeric>

#include "algorithms/allgather/allgather.hpp"

namespace isthmus {
namespace {

/// Calls pass(slice) for all that `member` sends to its right neighbour, in order.
template <typename Pass>
void for_each_passed_on(std::span<const std::vector<Slice>> held, int member, std::int64_t segment, Pass&& pass) {
  const int size = static_cast<int>(held.size());
  std::size_t most = 0;
  for (const std::vector<Slice>& pieces : held) most = std::max(most, pieces.size());
  for (std::size_t piece = 0; piece < most; ++piece)
    for (int step = 0; step + 1 < size; ++step) {
      const std::vector<Slice>& pieces = held[member >= step ? member - step : member - step + size];
      if (piece >= pieces.size()) continue;
      for (const Slice part : split(pieces[piece], segment)) pass(part);
    }
}

}  // namespace

void allgather_ring(Program& program, std::span<const int> ranks, int self, std::span<const std::vector<Slice>> held,
                    std::int64_t segment) {
  const int size = static_cast<int>(ranks.size());
  const int left = self == 0 ? size - 1 : self - 1;
  const int right = self + 1 == size ? 0 : self + 1;
  for_each_passed_on(held, left, segment, [&](Slice part) { program.receive(part, ranks[left]); });
  for_each_passed_on(held, self, segment, [&](Slice part) { program.send(part, ranks[right]); });
}

void allgather_ring(Program& program, int size, int rank, Slice own, const Blocks& all, std::int64_t segment) {
  std::vector<int> ranks(size);
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<std::vector<Slice>> held;
  held.reserve(size);
  for (const int of : ranks) held.push_back({all.of(of)});
  program.copy(all.of(rank), own);
  allgather_ring(program, ranks, rank, held, segment);
}

}  // namespace isthmus
