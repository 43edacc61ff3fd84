// The questions of one command line, answered one after the other.
#pragma once

#include <functional>
#include <string>

#include "validation/command_line/options/run_options.hpp"

namespace isthmus::command_line {

/// The text of one answer; `is_first` where it is to begin with a heading that holds for all.
using Answer = std::function<std::string(const RunRequest&, const Problem&, bool is_first)>;

/// The answers for every platform, collective and size that is named, with progress. Collectives are named without
/// algorithms: else throws BadInput with `why_no_algorithm`.
std::string answers_of(const RunOptions& options, const std::string& why_no_algorithm, const Answer& answer);

}  // namespace isthmus::command_line
