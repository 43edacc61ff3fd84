// A decision table for eight ranks in two sites: read, written and read again the same, asked, and exported.
#include "algorithms/tuning/decision_table.hpp"

#include <nlohmann/json.hpp>

#include "algorithms/tuning/table_exports.hpp"
#include "tests/fuzz/input.hpp"

namespace isthmus {
namespace {

Topology two_sites() {
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < 8; ++rank) paths.push_back({rank < 4 ? "here" : "there"});
  return Topology::from_paths(paths);
}

void use(const DecisionTable& table) {
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{65536}, INT64_MAX})
    decision_for(table, Collective::broadcast, 1, bytes);
  for (const auto form : {openmpi_rules, openmpi_rules_json, mpich_selection, nccl_tuner_csv})
    fuzz::answered([&] { form(table); });
}

}  // namespace
}  // namespace isthmus

ISTHMUS_HARNESS(decision_table) {
  using namespace isthmus;
  static const Topology topology = two_sites();
  const fuzz::InputFile file(data, size);
  DecisionTable table;
  if (!fuzz::answered([&] { table = read_decision_table(file.path(), topology); })) return 0;
  const nlohmann::json written = to_json(table);
  fuzz::require(to_json(decision_table_from_json(written, topology)) == written);
  use(table);
  return 0;
}
