// Decision tables: the best plan for each call, computed in advance.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "algorithms/tuning/select.hpp"

namespace isthmus {

/// The plans for one collective, root and size, best first.
struct Decision {
  Collective collective = Collective::broadcast;
  int root = 0;
  std::int64_t bytes = 0;  ///< what the MPI call passes for one buffer or block
  std::vector<Candidate> candidates;
  std::string by;  ///< source of the first plan's seconds: replay, smpi, emulated

  const Candidate& best() const { return candidates.front(); }
};

struct DecisionTable {
  std::string platform;
  std::string topology;  ///< digest_of()
  int ranks = 0;
  std::vector<Decision> decisions;
};

/// Identifies a topology: digest of the groups of all ranks without their names (FNV-1a, 64 bits, hexadecimal).
std::string digest_of(const Topology& topology);

/// The decision for a call: the one with the nearest size (as a ratio) among those for its root, or among those for the
/// lowest root if there are none. Null if there is none for the collective.
const Decision* decision_for(const DecisionTable& table, Collective collective, int root, std::int64_t bytes);

nlohmann::json to_json(const DecisionTable& table);
/// Throws BadInput naming what is wrong, and Refused when the table is for another topology.
DecisionTable decision_table_from_json(const nlohmann::json& json, const Topology& topology);
/// Throws as above, with the file's name.
DecisionTable read_decision_table(const std::string& file, const Topology& topology);

}  // namespace isthmus
