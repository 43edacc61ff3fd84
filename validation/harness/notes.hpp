// Notes about results: plans without an answer, processes that waited for processors, medians that are too uncertain.
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

/// Links that change over time, which models and bounds take as they are without changes.
std::vector<Note> notes_of_profiles(const Network& network);

/// Whether the source leaves such changes out.
bool leaves_profiles_out(Source source);

/// In real time, ranks that wait for a processor make times longer than the network does. `processor_waited`: see
/// AgentReport. No note if they waited no longer than the substrate allows.
std::optional<Note> note_of_starvation(double processor_waited, const std::string& substrate);
/// The same for the record with the longest wait.
std::optional<Note> note_of_starvation(std::span<const Record> records);

/// Results that are less certain than asked for.
std::optional<Note> note_of_unsettled(std::span<const Record> records);

/// Plans along packings whose synthesis used only the best of many lines, or ended before it was done.
std::optional<Note> note_of_synthesis(std::span<const Record> records);

/// All notes that follow from the records alone.
std::vector<Note> notes_about(std::span<const Record> records);

}  // namespace isthmus
