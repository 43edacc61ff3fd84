// Times of plans for the commands that print them: predict, simulate, emulate, compare.
#pragma once

#include <span>
#include <vector>

#include "algorithms/text/note.hpp"
#include "validation/command_line/options/run_options.hpp"
#include "validation/harness/request.hpp"
#include "validation/records/record.hpp"
#include "validation/text/progress.hpp"

namespace isthmus::command_line {

/// Progress on the standard error of a command that takes longer than two seconds: on a terminal, without --quiet.
Progress make_progress(bool quiet, std::size_t steps);

struct Timings {
  std::vector<Record> records;  ///< by source, then in the order of the requests
  std::vector<Note> notes;
};

/// Runs all points of all requests that a source can answer; those of one request and source together, so that a
/// simulator or an emulated network starts once. Stores the records if --store is given. `sources_named`: the user
/// named the sources; points without an answer then give a note. Throws BadInput when there is no point at all or no
/// answer.
Timings time_plans(std::span<const RunRequest> requests, std::span<const Source> sources, const RunOptions& options,
                   bool sources_named);

}  // namespace isthmus::command_line
