// Writes, proves and counts a binomial broadcast with the installed library.
#include <cstdio>
#include <isthmus.hpp>

int main() {
  const isthmus::Problem problem{isthmus::Collective::broadcast, 1000, 8, 3};
  const isthmus::Topology topology = isthmus::Topology::flat(13);
  const isthmus::Plan plan = isthmus::parse_plan(problem.collective, "binomial");
  const isthmus::Schedule schedule = isthmus::materialise(13, isthmus::source(plan, topology, problem));
  const isthmus::Verdict verdict = isthmus::verify(schedule, isthmus::contract_of(problem, 13));
  std::size_t sends = 0;
  for (const auto& program : schedule)
    for (const auto& op : program.ops()) sends += op.kind == isthmus::OpKind::send;
  std::printf("%s, %zu messages\n", verdict.ok() ? "proved" : "wrong", sends);
  return verdict.ok() && sends == 12 ? 0 : 1;
}
