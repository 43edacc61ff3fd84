// What there is to note about results: plans without an answer, processes that starved, times that are not settled.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/text/note.hpp"
#include "validation/harness/request.hpp"
#include "validation/records/record.hpp"

namespace isthmus {

/// The plans of a request that a source has no answer for, each once.
std::optional<Note> note_of_unanswered(Source source, const RunRequest& request);

/// Real time in which ranks waited for processors measures those and not the network; see AgentReport for
/// `processor_waited`. None where they waited no longer than the substrate bears.
std::optional<Note> note_of_starvation(double processor_waited, const std::string& substrate);
/// The same of the worst of the records.
std::optional<Note> note_of_starvation(std::span<const Record> records);

/// Results that are less certain than asked for.
std::optional<Note> note_of_unsettled(std::span<const Record> records);

/// All that the records themselves tell.
std::vector<Note> notes_about(std::span<const Record> records);

}  // namespace isthmus
