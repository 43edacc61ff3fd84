// The floating-point settings of isthmus's own computations. A program may have others: exceptions that end it
// (gfortran's -ffpe-trap, feenableexcept), another rounding, small numbers flushed to zero. Infinite times are compared
// and not-a-numbers made while plans are chosen, and ranks that round differently would choose different plans.
#pragma once

#include <cfenv>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// While it exists this thread, and those that it starts, compute with the settings that programs begin with. Then the
/// thread has its own settings again, and no flag of an exception that was raised meanwhile. Operators and callbacks of
/// the program must not be called in it.
class DefaultFloatingPoint {
 public:
  DefaultFloatingPoint() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  DefaultFloatingPoint(const DefaultFloatingPoint&) = delete;
  DefaultFloatingPoint& operator=(const DefaultFloatingPoint&) = delete;
  ~DefaultFloatingPoint() { std::fesetenv(&before_); }

 private:
  std::fenv_t before_{};
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
