#include "algorithms/neighbourhood/schedules.hpp"

namespace isthmus {

void neighbours_direct(Program& program, int rank, const NeighbourProblem& problem) {
  const Neighbourhood& neighbourhood = *problem.neighbourhood;
  for (const Neighbourhood::Edge& edge : neighbourhood.edges_to(rank))
    if (edge.from != rank) program.receive(received_block(problem, edge), edge.from);
  for (const Neighbourhood::Edge& edge : neighbourhood.edges_from(rank))
    if (edge.to != rank) program.send(sent_block(problem, edge), edge.to);
  for (const Neighbourhood::Edge& edge : neighbourhood.edges_from(rank))
    if (edge.to == rank) program.copy(received_block(problem, edge), sent_block(problem, edge));
}

}  // namespace isthmus
