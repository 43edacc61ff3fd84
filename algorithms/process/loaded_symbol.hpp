// Symbols of libraries that a program has loaded.
#pragma once

namespace isthmus {

/// The address of a symbol in any library of this process; null if none has it. What a program loads later, such as an
/// extension of Python, has its libraries' names for itself: dlsym(RTLD_DEFAULT) does not find them.
void* loaded_symbol(const char* name);

}  // namespace isthmus
