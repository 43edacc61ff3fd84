#include "validation/command_line/options/questions.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "validation/command_line/options/output.hpp"
#include "validation/command_line/options/timing.hpp"
#include "validation/harness/notes.hpp"
#include "validation/text/units.hpp"

namespace isthmus::command_line {

std::string answers_of(const RunOptions& options, const std::string& why_no_algorithm, const Answer& answer) {
  std::vector<std::pair<RunRequest, Problem>> questions;
  for (const RunOptions& one : by_platform(options)) {
    const std::vector<Collective> collectives = collectives_of(one, why_no_algorithm);
    const RunRequest request = placed(one);
    print_notes(notes_of_profiles(request.placed.network()));
    for (const Collective collective : collectives)
      for (const Problem& problem : problems_of(one, collective)) questions.emplace_back(request, problem);
  }
  std::string text;
  Progress progress = make_progress(options.quiet, questions.size());
  for (const auto& [request, problem] : questions) {
    progress.begin(fmt::format("{} of {} on {}", name(problem.collective), format_bytes(problem.bytes()),
                               request.placed.network().name));
    text += answer(request, problem, text.empty());
    progress.step();
  }
  return text;
}

}  // namespace isthmus::command_line
