#include "algorithms/text/note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace isthmus {
namespace {

struct NoteKind {
  std::string_view name;
  bool is_warning;
};
constexpr NoteKind note_kinds[] = {{"doubtful_network", true},  {"no_answer", false},   {"starved", false},
                                   {"unsettled", false},        {"lost_frames", false}, {"cut_links", false},
                                   {"approximate_plan", false}, {"left_out", false},    {"replaced_setting", false}};
static_assert(std::size(note_kinds) == static_cast<std::size_t>(Note::Kind::replaced_setting) + 1);

const NoteKind& row_of(Note::Kind kind) { return note_kinds[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view name(Note::Kind kind) { return row_of(kind).name; }

void add_note(std::vector<Note>& notes, Note note) {
  const auto alike = std::ranges::find_if(
      notes, [&](const Note& other) { return other.kind == note.kind && other.remedy == note.remedy; });
  if (alike == notes.end()) {
    notes.push_back(std::move(note));
  } else {
    alike->count += note.count;
  }
}

std::string sentence(const Note& note) {
  return note.text + (note.count > 1 ? fmt::format(", and {} more are like it", note.count - 1) : "") +
         (note.remedy.empty() ? "" : "; " + note.remedy);
}

std::string labelled_sentence(const Note& note) {
  return (row_of(note.kind).is_warning ? "warning: " : "note: ") + sentence(note);
}

}  // namespace isthmus
