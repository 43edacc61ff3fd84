// What a generator finds out once for all ranks, while the programs of many are written.
#pragma once

#include <memory>

namespace isthmus {

/// Of one source of programs, whose generator asks for one type of work only. Not for several threads at a time.
class SharedWork {
 public:
  /// Null at the first call: a process that writes one program, its own, needs no more. Then Work(arguments...).
  template <typename Work, typename... Arguments>
  const Work* get(const Arguments&... arguments) {
    if (!work_ && calls_++ > 0) work_ = std::make_shared<const Work>(arguments...);
    return static_cast<const Work*>(work_.get());
  }

 private:
  int calls_ = 0;
  std::shared_ptr<const void> work_;
};

}  // namespace isthmus
