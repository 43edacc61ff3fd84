// Exits, entrances and lines that were found one by one, but are one link.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace isthmus {

/// A pair of parts of one group; a part and itself stands for the routes between its hosts.
using PartRoute = std::pair<int, int>;

/// A link that several routes share.
struct SharedLink {
  std::string name;  ///< `out`, `in`, `port` (both) or `bus` of `part`; `line` of no part
  int part = -1;
  double bandwidth_Bps = 0;
  std::set<PartRoute> routes;
};

/// What routes carry together where they share these links fairly and each gets no more than alone.
double carried_Bps(const std::vector<SharedLink>& links, const std::vector<PartRoute>& routes,
                   const std::function<double(PartRoute)>& alone_Bps);

/// Joins links of equal rates where tests say so: up to three of two routes each or, where two do not tell, one of all
/// or of a ring of parts, which would carry most over two links compared with one. Routes cross the `buses` too. What
/// was joined is called `line`. A link all of whose routes cross another that is no wider is left out.
std::vector<SharedLink> joined_links(std::vector<SharedLink> links, const std::vector<SharedLink>& buses,
                                     const std::vector<int>& parts, const std::function<double(PartRoute)>& alone_Bps,
                                     const std::function<double(const std::vector<PartRoute>&)>& together_Bps);

/// Adds to each line those of the routes that up to three tests, with a known route of the line each, say are on it.
void add_routes_of_lines(std::vector<SharedLink>& links, const std::vector<SharedLink>& buses,
                         const std::vector<PartRoute>& routes, const std::function<double(PartRoute)>& alone_Bps,
                         const std::function<double(const std::vector<PartRoute>&)>& together_Bps);

/// Leaves out each line whose routes the other links let carry no more together than this line does.
void leave_out_explained_lines(std::vector<SharedLink>& links, const std::vector<SharedLink>& buses,
                               const std::function<double(PartRoute)>& alone_Bps);

}  // namespace isthmus
