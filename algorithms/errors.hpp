// The three kinds of errors, each with its exit status on the command line.
#pragma once

#include <stdexcept>
#include <string>

namespace isthmus {

/// Base of all errors that a user can act on. `what()` is one line: what is wrong, where, and what would be right.
/// Control characters in it are escaped (printable()), so that callers can insert values and names as they are. The
/// middle of an overlong text is left out.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what);
  virtual int exit_status() const noexcept = 0;
};

/// The request was right and the answer is no: a check failed, a tolerance was missed, a run did not complete.
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

/// The environment lacks something: a program, a permission, space on a disk. The message names it, and what brings it.
class Missing : public Error {
 public:
  using Error::Error;
  int exit_status() const noexcept override { return 3; }
};

}  // namespace isthmus
