// What the C interface keeps for a communicator: a private duplicate, the topology, the plan, and programs made ready.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/mpi/comm_topology.hpp"
#include "algorithms/mpi/executor.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

class CommState {
 public:
  /// Collective over `comm`; the same result, or the same BadInput, on all ranks. Throws MpiError.
  explicit CommState(MPI_Comm comm);
  ~CommState();
  CommState(const CommState&) = delete;
  CommState& operator=(const CommState&) = delete;

  int size() const { return topology_.size(); }

  /// The broadcast of `count` elements of `element_bytes` (1 or more) from `root`, made ready when it is asked for
  /// first. Throws BadInput when the plan cannot serve it.
  Executor& broadcast(std::int64_t count, std::int64_t element_bytes, int root);

 private:
  // A program depends on these, the plan and the topology.
  struct Key {
    std::int64_t count = 0;
    std::int64_t element_bytes = 0;
    int root = 0;
    bool operator==(const Key&) const = default;
  };
  struct Ready {
    Key key;
    std::unique_ptr<Executor> executor;
  };

  Executor& make_ready(const Key& key);

  MPI_Comm comm_;
  int rank_ = 0;
  std::optional<Placed> placed_;  // when a network was given
  Topology topology_;
  Plan plan_;
  std::vector<Ready> ready_;
  std::size_t latest_ = 0;  // the one used last: a loop asks for it again
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
