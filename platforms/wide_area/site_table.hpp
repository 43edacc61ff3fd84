// Tables of a value for each ordered pair of sites, in CSV.
#pragma once

#include <string>
#include <vector>

#include "platforms/wide_area/units.hpp"

namespace isthmus {

/// `values[from * size() + to]`, in seconds, bytes per second or price per 1e9 bytes; 0 from a site to itself.
struct SiteTable {
  std::vector<std::string> sites;
  std::vector<double> values;

  std::size_t size() const { return sites.size(); }
  double at(std::size_t from, std::size_t to) const { return values[from * size() + to]; }
};

/// Reads one of two forms; the first line tells which, and the unit (column_scale()):
///   latency_ms,tokyo,london          source,destination,latency_ms
///   tokyo,,105                       tokyo,london,105
///   london,104,                      london,tokyo,104
/// In a square the source is the row. Empty lines and lines that begin with # are left out. What stands from a site to
/// itself is not read. With `symmetric`, a pair that stands in one direction only holds in both.
/// Throws BadInput with line, row and column: a value that is missing, there twice, no number, negative, or 0 where it
/// is a bandwidth.
SiteTable read_site_table(const std::string& file, Quantity quantity, bool symmetric);

}  // namespace isthmus
