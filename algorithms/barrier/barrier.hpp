// The barriers as functions: each appends one rank's part to a program.
//
// A barrier is an allreduce of tokens with the operator `or`: no rank can hold all tokens before all ranks have
// entered. `own` and `into` are one element. In the cost formulas P is the number of ranks, and times are in seconds: a
// token takes alpha (Hockney), or L + g from its start to its arrival (P-LogP; g, and the receive's overhead or, for a
// message of one byte).
#pragma once

#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

void barrier_flat(Program& program, int size, int rank, Slice own, Slice into);
void barrier_double_ring(Program& program, int size, int rank, Slice own, Slice into);
void barrier_recursive_doubling(Program& program, int size, int rank, Slice own, Slice into);
void barrier_dissemination(Program& program, int size, int rank, Slice own, Slice into);
void barrier_k_ary(Program& program, int size, int rank, Slice own, Slice into, int degree);
void barrier_multilevel(Program& program, const Topology& topology, int rank, Slice own, Slice into);

}  // namespace isthmus
