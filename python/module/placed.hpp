// A network with its ranks in place: the package asks all its questions about one.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/network/network.hpp"
#include "validation/harness/request.hpp"

namespace isthmus::python {

struct Placed {
  RunRequest request;  ///< without points

  /// `set_links`: how the links of the network differ from its file's. Throws BadInput when a host does not exist, is a
  /// gateway, or there is none.
  Placed(std::shared_ptr<const Network> network, std::vector<int> host_of_rank, std::vector<std::string> set_links);

  const Network& network() const { return request.placed.network(); }
  const Placement& placement() const { return request.placed.placement(); }
  const Topology& topology() const { return request.placed.topology(); }

  /// A plan with all parameters chosen, checked against the problem. The choice is stored for the next source.
  RequestedPoint point(const std::string& what, std::int64_t bytes, std::int64_t element_bytes, int root) const;

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::tuple<std::string, std::int64_t, std::int64_t, int>, RequestedPoint> points_;
};

/// Throws BadInput unless `bytes` is a multiple of `element_bytes`, both in range.
Problem problem_of(Collective collective, std::int64_t bytes, std::int64_t element_bytes, int root);

}  // namespace isthmus::python
