// Notes: what somebody who reads a result should know, and which is no error. Whoever finds one gives it on as a value;
// a program prints them, a package raises them as warnings, a report lists them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

struct Note {
  enum class Kind : std::uint8_t {
    doubtful_network,  ///< figures of a platform that are allowed and hardly meant
    no_answer,         ///< plans that a source has no answer for
    starved,           ///< processes that waited for processors
    unsettled,         ///< results less certain than asked for
    lost_frames,       ///< frames that a capture missed
    cut_links          ///< links that were cut when a program failed
  };
  Kind kind = Kind::no_answer;
  std::string text;        ///< what was found; of several alike the first
  std::string remedy;      ///< what would do, or a question; may be empty
  std::int64_t count = 1;  ///< how many are like it, itself among them
};

/// `doubtful_network`
std::string_view name(Note::Kind kind);

/// Adds a note, or counts it where the list has one of its kind with the same remedy.
void add_note(std::vector<Note>& notes, Note note);

/// `das: link wan has a latency of 10 s, and 3 more are like it; are milliseconds meant?`
std::string sentence(const Note& note);

/// The same after what it is: `warning: ` where something is probably wrong, else `note: `.
std::string labelled_sentence(const Note& note);

}  // namespace isthmus
