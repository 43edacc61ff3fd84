#include "algorithms/collective/contract.hpp"

#include <fmt/format.h>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

Contract broadcast_contract(const Problem& problem, int size) {
  Contract contract;
  contract.size = size;
  contract.input_count.assign(size, 0);
  contract.output_count.assign(size, problem.count);
  contract.values = {{problem.root}};
  contract.initial = {{problem.root, output(0, problem.count), 0, 0}};
  for (int rank = 0; rank < size; ++rank) contract.required.push_back({rank, output(0, problem.count), 0, 0});
  return contract;
}

}  // namespace

Contract contract_of(const Problem& problem, int size) {
  if (size < 1) throw BadInput(fmt::format("{} ranks: at least 1 is needed", size));
  if (problem.count < 0) throw BadInput(fmt::format("count {}: it cannot be negative", problem.count));
  if (problem.root < 0 || problem.root >= size)
    throw BadInput(fmt::format("root {} is out of range: ranks are 0..{}", problem.root, size - 1));
  switch (problem.collective) {
    case Collective::broadcast:
      return broadcast_contract(problem, size);
  }
  throw BadInput(fmt::format("collective {} has no contract", static_cast<int>(problem.collective)));
}

}  // namespace isthmus
