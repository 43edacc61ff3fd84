// Notes: remarks for the reader of a result that are not errors. Functions return them as values; a program prints
// them, the Python package raises them as warnings, a report lists them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

struct Note {
  enum class Kind : std::uint8_t {
    doubtful_network,  ///< figures of a platform that are allowed but probably wrong
    no_answer,         ///< plans for which a source has no result
    starved,           ///< processes that waited for processors
    unsettled,         ///< results less certain than asked for
    lost_frames,       ///< frames that a capture missed
    cut_links,         ///< links that were cut when a program failed
    approximate_plan,  ///< plans that a search left before it was done
    left_out,          ///< what a model does not count
    replaced_setting   ///< a setting of the user's that a command replaces by its own
  };
  Kind kind = Kind::no_answer;
  std::string text;        ///< the finding; of several similar ones the first
  std::string remedy;      ///< a remedy, or a question; may be empty
  std::int64_t count = 1;  ///< the number of similar findings, including this one
};

/// `doubtful_network`
std::string_view name(Note::Kind kind);

/// Adds a note, or increases the count of a note of the same kind and remedy.
void add_note(std::vector<Note>& notes, Note note);

/// `das: link wan has a latency of 10 s, and 3 more are like it; are milliseconds meant?`
std::string sentence(const Note& note);

/// The same with a prefix: `warning: ` if something is probably wrong, else `note: `.
std::string labelled_sentence(const Note& note);

}  // namespace isthmus
