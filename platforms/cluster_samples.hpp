// Large clusters are read with a few of their hosts, since SimGrid takes kilobytes and microseconds for each: the
// others are like these but for their numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/network/name_range.hpp"
#include "platforms/source_file.hpp"

namespace isthmus {

/// Clusters of so many hosts or more are sampled.
inline constexpr std::int64_t min_sampled_cluster = 256;

/// A platform whose large clusters have only their first hosts.
struct PlatformSample {
  std::string text;                 ///< the XML
  std::vector<NameRange> clusters;  ///< the names of all hosts of each of these clusters
};

/// None if no cluster is large. Left as they are: clusters of other topologies than a star, those whose hosts or links
/// the file names elsewhere, and those whose names might be taken for another one's.
std::optional<PlatformSample> sample_clusters(const SourceFile& source);

}  // namespace isthmus
