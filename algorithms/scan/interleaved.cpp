// The scan across clusters whose ranks are not consecutive, so that the sum of a cluster is not part of any prefix. The
// operands of a cluster are gathered at its coordinator, the lowest rank. The coordinators exchange all operands at
// once, and each computes the prefixes of its own cluster. One wide-area latency, and every operand crosses each
// wide-area link out of its cluster once.
//
// Cost for S clusters of P_l ranks, m bytes each: L_l + P_l g_l(m) for the gather, L_w + (S - 1) g_w(P_l m) for the
// exchange, P m gamma to combine, and L_l + P_l g_l(m) for the scatter.
#include <vector>

#include "algorithms/scan/scan.hpp"
#include "algorithms/topology/clusters.hpp"

namespace isthmus {

void exscan_interleaved(Program& program, const Topology& topology, int rank, Slice own, Slice into) {
  const Clusters clusters(topology, rank);
  const std::int64_t count = own.count;
  const std::span<const int> members = clusters.ranks(clusters.self());
  const int coordinator = members.front();
  if (rank != coordinator) {
    program.receive(into, coordinator);
    program.send(own, coordinator);
    return;
  }

  std::vector<Slice> operands(topology.size());
  std::vector<Slice> packed;  // by cluster
  for (int cluster = 0; cluster < clusters.size(); ++cluster) {
    const std::span<const int> ranks = clusters.ranks(cluster);
    packed.push_back(program.reserve(static_cast<std::int64_t>(ranks.size()) * count));
    for (std::size_t place = 0; place < ranks.size(); ++place)
      operands[ranks[place]] = packed.back().part(static_cast<std::int64_t>(place) * count, count);
    if (cluster != clusters.self()) program.receive(packed.back(), ranks.front());
  }
  for (const int member : members.subspan(1)) program.receive(operands[member], member);
  program.copy(operands[rank], own);
  for (int i = 1; i < clusters.size(); ++i)
    program.send(packed[clusters.self()], clusters.ranks((clusters.self() + i) % clusters.size()).front());

  Slice sum = operands[0];
  bool keep = true;  // the contents of `sum` are still needed
  int before = 1;    // the number of ranks that `sum` covers
  for (const int member : members) {
    if (member == 0) continue;
    for (; before < member; ++before) {
      const Slice to = keep ? program.reserve(count) : sum;
      program.reduce(to, sum, operands[before]);
      sum = to;
      keep = false;
    }
    if (member == rank)
      program.copy(into, sum);
    else
      program.send(sum, member);
    keep = true;
  }
}

}  // namespace isthmus
