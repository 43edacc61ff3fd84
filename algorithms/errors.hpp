// The three ways in which isthmus can fail to answer, each with the exit status that the command line gives it.
#pragma once

#include <stdexcept>
#include <string>

namespace isthmus {

/// Base of all errors that a user can act on. `what()` is one line: what is wrong, where, and what would be right. What
/// a terminal would obey in it is written out (printable()), so that values and names may stand in it as they are; the
/// middle of an overlong one is left out.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what);
  virtual int exit_status() const noexcept = 0;
};

/// The question was understood and the answer is no: a check failed, a tolerance was missed, a run did not complete.
class Refused : public Error {
 public:
  using Error::Error;
  int exit_status() const noexcept override { return 1; }
};

/// The request or an input file is wrong. The message names the offending value and, for a file, `file:line:`.
class BadInput : public Error {
 public:
  using Error::Error;
  int exit_status() const noexcept override { return 2; }
};

/// The environment lacks something. The message names it and the command that would bring it.
class Missing : public Error {
 public:
  using Error::Error;
  int exit_status() const noexcept override { return 3; }
};

}  // namespace isthmus
