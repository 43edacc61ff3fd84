// Flat tree (linear fan-in-fan-out) barrier. Pjesivac-Grbovic 2005, section 4.2: all ranks report to rank 0, which then
// releases them.
//
// Cost (there, table 1): Hockney (P - 1) alpha; P-LogP from P g + 2 L, if all reports arrive as quickly as one, to P (g
// + or) + 2 (L - or).
#include "algorithms/barrier/barrier.hpp"
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/reduce/reduce.hpp"

namespace isthmus {

void barrier_flat(Program& program, int size, int rank, Slice own, Slice into) {
  reduce_flat(program, size, rank, {own, into, 0, 0});
  broadcast_linear(program, RootedGroup(size, rank, 0), into, 0);
}

}  // namespace isthmus
