// Plans of the whole catalogue: every algorithm with its defaults, and with further values of its parameters other than
// the segment. A new algorithm is included once it has its row.
#pragma once

#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"

namespace isthmus::tests {

/// The plans of one algorithm, as text.
inline std::vector<std::string> plans_of(const Algorithm& algorithm) {
  const std::string id(algorithm.id);
  std::vector<std::string> plans = {id};
  const bool takes_levels = takes(algorithm, "levels"), takes_degree = takes(algorithm, "degree");
  if (takes_degree && !takes_levels)
    for (const char* degree : {"1", "2", "3"}) plans.push_back(id + ":degree=" + degree);
  if (takes(algorithm, "wan-degree")) plans.push_back(id + ":wan-degree=2,lan-degree=3");
  if (takes(algorithm, "merged")) plans.push_back(id + ":merged=2");
  if (takes(algorithm, "lag")) plans.push_back(id + ":lag=100,slack=50");
  if (takes(algorithm, "credit")) plans.push_back(id + ":segment=8,lag=100,credit=50");
  if (takes_levels) plans.push_back(id + ":levels=binomial/chain/k-ary");
  if (takes(algorithm, "inside")) plans.push_back(id + ":inside=mpi");
  if (takes(algorithm, "patterns")) plans.push_back(id + ":patterns=k-ary-2");
  if (takes_levels && takes_degree) plans.push_back(id + ":levels=k-chain/binary/linear,degree=2");
  return plans;
}

/// Of all algorithms of a collective, in the order of its table.
inline std::vector<std::string> plans_of(Collective collective) {
  std::vector<std::string> plans;
  for (const Algorithm* algorithm : algorithms_of(collective))
    for (std::string& plan : plans_of(*algorithm)) plans.push_back(std::move(plan));
  return plans;
}

}  // namespace isthmus::tests
