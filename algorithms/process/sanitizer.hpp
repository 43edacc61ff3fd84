// Whether this program was built with the address sanitizer, which some substrates cannot run.
#pragma once

// GCC has a macro for it, clang a feature.
#if defined(__SANITIZE_ADDRESS__)
#define ISTHMUS_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ISTHMUS_ADDRESS_SANITIZER
#endif
#endif

namespace isthmus {

#ifdef ISTHMUS_ADDRESS_SANITIZER
inline constexpr bool has_address_sanitizer = true;
#else
inline constexpr bool has_address_sanitizer = false;
#endif

}  // namespace isthmus
