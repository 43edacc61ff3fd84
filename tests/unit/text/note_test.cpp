#include "algorithms/text/note.hpp"

#include <gmock/gmock.h>

namespace isthmus {
namespace {

TEST(Notes, OfOneKindAreOneWithACount) {
  std::vector<Note> notes;
  add_note(notes, {Note::Kind::doubtful_network, "net: link a is slow", "are megabytes meant?"});
  add_note(notes, {Note::Kind::doubtful_network, "net: link b is slow", "are megabytes meant?"});
  add_note(notes, {Note::Kind::doubtful_network, "net: link c is late", "are milliseconds meant?"});
  add_note(notes, {Note::Kind::doubtful_network, "net: link d is slow", "are megabytes meant?"});
  add_note(notes, {Note::Kind::no_answer, "plogp has no answer for broadcast/chain", ""});
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0].count, 3);
  EXPECT_EQ(labelled_sentence(notes[0]), "warning: net: link a is slow, and 2 more are like it; are megabytes meant?");
  EXPECT_EQ(sentence(notes[1]), "net: link c is late; are milliseconds meant?");
  EXPECT_EQ(labelled_sentence(notes[2]), "note: plogp has no answer for broadcast/chain");
}

TEST(Notes, HaveANameForEveryKind) {
  EXPECT_EQ(name(Note::Kind::doubtful_network), "doubtful_network");
  EXPECT_EQ(name(Note::Kind::cut_links), "cut_links");
}

}  // namespace
}  // namespace isthmus
