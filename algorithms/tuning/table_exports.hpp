// Decision tables in the formats of other libraries. These have fewer algorithms: for each size the best plan with a
// counterpart there is written; sizes without any are left out.
#pragma once

#include <string>
#include <vector>

#include "algorithms/tuning/decision_table.hpp"

namespace isthmus {

/// Whether the other library has the algorithm.
bool is_in_openmpi(const Counterpart& there);
bool is_in_mpich(const Counterpart& there);
bool is_in_nccl(const Counterpart& there);
/// The decisions of a table that are left out: for another root than 0, or without a candidate that is there.
std::vector<const Decision*> left_out(const DecisionTable& table, bool (*is_there)(const Counterpart&));

/// Open MPI's dynamic rules file for coll/tuned of 4.1 (coll_tuned_dynamic_rules_filename). The decisions for root 0
/// are used. If blocks are exchanged its message sizes are those of the whole buffer.
std::string openmpi_rules(const DecisionTable& table);
/// The same in the JSON form that Open MPI reads from 6.0 on, by its schema (docs/tuning-apps/
/// tuned_dynamic_file_schema.json there), with the names of collectives that its reader takes, reduce_scatter among
/// them, which are not those of the schema; 4.1 and 5.0 read the other form alone.
std::string openmpi_rules_json(const DecisionTable& table);
/// MPICH's selection file (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE). It replaces all of MPICH's own rules: calls that
/// are not in the table get an algorithm that serves every call.
std::string mpich_selection(const DecisionTable& table);
/// The CSV that NCCL's example tuner plugin reads (ext-tuner/example there): tree or ring by size, the protocol simple,
/// for any number of nodes, channels, operations in a pipeline and kind of buffer.
std::string nccl_tuner_csv(const DecisionTable& table);

}  // namespace isthmus
