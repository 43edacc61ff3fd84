// The collectives of studies and proofs of plans made for the rates of a network: one of each kind that packings serve.
#pragma once

#include "algorithms/collective/problem.hpp"

namespace isthmus::tests {

inline constexpr Collective rated_collectives[] = {Collective::broadcast,
                                                   Collective::reduce,
                                                   Collective::allreduce,
                                                   Collective::allgather,
                                                   Collective::reduce_scatter_block,
                                                   Collective::gather,
                                                   Collective::scatter,
                                                   Collective::alltoall};

}  // namespace isthmus::tests
