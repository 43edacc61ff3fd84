#include "algorithms/process/loaded_symbol.hpp"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <string>
#include <vector>

namespace isthmus {
namespace {

std::vector<std::string> loaded_libraries() {
  std::vector<std::string> names;
  const auto add = [](dl_phdr_info* library, std::size_t, void* to) {
    static_cast<std::vector<std::string>*>(to)->emplace_back(library->dlpi_name);
    return 0;
  };
  dl_iterate_phdr(add, &names);
  return names;
}

// It is kept: whoever has the address uses it.
void* library_with(const char* name) {
  for (const std::string& each : loaded_libraries()) {
    void* const library = dlopen(each.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    if (dlsym(library, name) != nullptr) return library;
    dlclose(library);
  }
  return nullptr;
}

}  // namespace

void* loaded_symbol(const char* name) {
  if (void* const found = dlsym(RTLD_DEFAULT, name); found != nullptr) return found;
  static std::atomic<void*> last = nullptr;
  if (void* const library = last; library != nullptr)
    if (void* const found = dlsym(library, name); found != nullptr) return found;
  void* const library = library_with(name);
  if (library == nullptr) return nullptr;
  last = library;
  return dlsym(library, name);
}

}  // namespace isthmus
