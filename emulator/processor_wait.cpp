#include "emulator/processor_wait.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace isthmus {
namespace {

/// Seconds since the machine started; negative where the kernel does not tell.
double waited_s() {
  std::ifstream file("/proc/pressure/cpu");
  std::string word;
  constexpr const char* key = "total=";
  while (file >> word) {
    if (word.starts_with(key)) return std::stod(word.substr(6)) * 1e-6;
  }
  return -1;
}

}  // namespace

ProcessorWait::ProcessorWait() : start_(std::chrono::steady_clock::now()), waited_s_(waited_s()) {}

double ProcessorWait::share() const {
  if (waited_s_ < 0) return -1;
  const double passed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return std::clamp((waited_s() - waited_s_) / std::max(passed_s, 1e-6), 0.0, 1.0);
}

}  // namespace isthmus
