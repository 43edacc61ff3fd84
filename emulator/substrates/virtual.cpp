#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "algorithms/process/child.hpp"
#include "algorithms/process/sanitizer.hpp"
#include "emulator/substrates/substrate.hpp"

namespace isthmus {
namespace {

std::filesystem::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') return cache;
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home != nullptr && *home != '\0' ? home : "/root") / ".cache";
}

/// `6.12.94` as numbers, so that 6.12 comes after 6.9.
std::vector<int> version_numbers(const std::string& text) {
  std::vector<int> numbers{0};
  for (const char c : text) {
    if (c == '-') break;
    if (c == '.') {
      numbers.push_back(0);
    } else if (c >= '0' && c <= '9') {
      numbers.back() = numbers.back() * 10 + (c - '0');
    }
  }
  return numbers;
}

}  // namespace

std::string virtual_kernel() {
  std::filesystem::path best;
  for (const auto& kernels : {cache_folder() / "isthmus", std::filesystem::path(helper_folder())}) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(kernels / "virtual-kernel", none)) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with("-" ISTHMUS_VIRTUAL_KERNEL_CONFIG) ||
          !std::filesystem::exists(entry.path() / "linux", none)) {
        continue;
      }
      if (best.empty() || version_numbers(best.parent_path().filename().string()) < version_numbers(name)) {
        best = entry.path() / "linux";
      }
    }
  }
  return best.string();
}

Availability virtual_substrate() {
  if (has_address_sanitizer) return {{}, sanitizer_needs_address_space};
  if (!namespaces_allowed(false)) return {{}, "no right to make namespaces; root of the machine has it"};
  const std::string kernel = virtual_kernel();
  if (kernel.empty()) return {{}, "its kernel has not been built; `scripts/setup --virtual` builds it (5 minutes)"};
  Substrate substrate;
  substrate.name = "virtual";
  substrate.own_kernel = true;
  substrate.real_time = false;
  substrate.kernel = kernel;
  // Nothing from outside differs between runs: the date is always the same, programs lie at the same addresses, and
  // random numbers are those of chance.c.
  substrate.boot = {"time-travel=inf-cpu", "time-travel-start=1767225600000000000", "norandmaps"};
  // MPI treats a clock that shows less than a second as broken.
  substrate.settle_s = 2;
  substrate.provenance = {{"time", "virtual"}, {"kernel_file", kernel}};
  return {substrate, ""};
}

}  // namespace isthmus
