#include "algorithms/synthesis/synthesis.hpp"

#include <cmath>
#include <string>

#include "algorithms/errors.hpp"
#include "algorithms/synthesis/commodities.hpp"
#include "algorithms/synthesis/piece_search.hpp"

namespace isthmus {

Synthesis synthesise(const SiteNetwork& network, const Problem& problem, std::int64_t piece_bytes) {
  if (piece_bytes < 1) throw BadInput("pieces of " + std::to_string(piece_bytes) + " bytes; 1 or more would be right");
  return PieceSearch(network, commodities_of(network, problem)).synthesis(piece_bytes);
}

Synthesis synthesise_with_piece(const SiteNetwork& network, const Problem& problem) {
  PieceSearch search(network, commodities_of(network, problem));
  return search.synthesis(search.good_piece());
}

double least_exchange_s(const SiteNetwork& network, const Problem& problem, double enough_s) {
  return PieceSearch(network, sums_of_sites(network, problem)).least_s(enough_s);
}

std::vector<Synthesis> synthesise_several(const SiteNetwork& network, const Problem& problem,
                                          std::int64_t piece_bytes) {
  PieceSearch search(network, commodities_of(network, problem));
  return search.several(piece_bytes > 0 ? piece_bytes : search.good_piece());
}

Synthesis synthesise_exchange(const SiteNetwork& network, const Problem& problem) {
  PieceSearch search(network, sums_of_sites(network, problem));
  Synthesis result = search.synthesis(search.good_piece());
  result.packing.drivers.clear();
  return result;
}

std::vector<Synthesis> synthesise_several_exchanges(const SiteNetwork& network, const Problem& problem) {
  PieceSearch search(network, sums_of_sites(network, problem));
  std::vector<Synthesis> all = search.several(search.good_piece());
  for (Synthesis& one : all) one.packing.drivers.clear();
  return all;
}

Synthesis synthesise_bundles(const SiteNetwork& network, const Problem& problem) {
  PieceSearch search(network, bundles_of_sites(network, problem));
  return search.synthesis(static_cast<std::int64_t>(std::ceil(search.block_bytes())));
}

}  // namespace isthmus
