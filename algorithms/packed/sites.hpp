// The sites that a packing speaks of, and who drives their links.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// The numbers of the sites of a topology, made without a look at all ranks. The topology must outlive it.
class SiteNumbers {
 public:
  explicit SiteNumbers(const Topology& topology) : topology_(topology) {}

  int count() const { return static_cast<int>(topology_.members(0).size()); }
  int of(int rank) const;

 private:
  const Topology& topology_;
};

/// The outermost groups and the ranks in none, in the order of their lowest ranks. The members of a site stand in the
/// order of its inner groups, so that a chain of members enters and leaves each inner group once.
class Sites {
 public:
  explicit Sites(const Topology& topology);

  int count() const { return static_cast<int>(members_.size()); }
  int of(int rank) const { return site_[rank]; }
  std::span<const int> members(int site) const { return members_[site]; }
  int size(int site) const { return static_cast<int>(members_[site].size()); }
  /// The position of a rank among the members of its site.
  int position(int rank) const { return position_[rank]; }

  /// The member at which piece number `turn` enters or leaves a site, by turns among `drivers` of them, 0: all.
  int driver(int site, std::int64_t turn, int drivers) const {
    return members_[site][turn % (drivers > 0 && drivers < size(site) ? drivers : size(site))];
  }

 private:
  std::vector<int> site_, position_;  // by rank
  std::vector<std::vector<int>> members_;
};

}  // namespace isthmus
