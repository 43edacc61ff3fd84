// Decision tables in the forms that other libraries read. They know fewer algorithms: for each size the best of the
// plans that has a counterpart there is given, and sizes without any are left out.
#pragma once

#include <string>

#include "algorithms/tuning/decision_table.hpp"

namespace isthmus {

/// Open MPI's dynamic rules file, as coll/tuned of 4.1 reads it (coll_tuned_dynamic_rules_filename). Root 0 counts. Its
/// message sizes are of the whole buffer where blocks are exchanged.
std::string openmpi_rules(const DecisionTable& table);
/// The same in the JSON form that Open MPI reads from 6.0 on, by its schema (docs/tuning-apps/
/// tuned_dynamic_file_schema.json there), with the names of collectives that its reader takes, reduce_scatter among
/// them, which are not those of the schema; 4.1 and 5.0 read the other form alone.
std::string openmpi_rules_json(const DecisionTable& table);
/// MPICH's selection file (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE). It replaces all of MPICH's own rules: what the
/// table does not say is given to an algorithm that serves every call.
std::string mpich_selection(const DecisionTable& table);
/// The CSV that NCCL's example tuner plugin reads (ext-tuner/example there): tree or ring by size, the protocol simple,
/// for any number of nodes, channels, operations in a pipeline and kind of buffer.
std::string nccl_tuner_csv(const DecisionTable& table);

}  // namespace isthmus
