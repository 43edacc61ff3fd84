# How everything is compiled. The presets set these options.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

option(ISTHMUS_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
option(ISTHMUS_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(ISTHMUS_ONE_DEFINITION "Let the linker refuse types that are defined differently in two files" OFF)
option(ISTHMUS_FUZZ "Build for libFuzzer, which needs clang (tests/fuzz/README.md)" OFF)
option(ISTHMUS_COVERAGE "Build with coverage counters" OFF)

# Clones in other folders share what is compiled: paths below the source folder are relative for ccache and in __FILE__.
find_program(CCACHE ccache)
foreach(language C CXX)
  if(CCACHE AND NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)  # an empty launcher is none
    set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE})
  endif()
endforeach()

# Target properties that all of isthmus's own targets share.
add_library(isthmus_options INTERFACE)
target_compile_options(isthmus_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
# Nobody replaces single functions of the libraries, so the compiler may inline them: 5 to 10 % off searches and replays.
target_compile_options(isthmus_options INTERFACE -fno-semantic-interposition)
target_compile_options(isthmus_options INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(ISTHMUS_WARNINGS_AS_ERRORS)
  target_compile_options(isthmus_options INTERFACE -Werror)
endif()
if(ISTHMUS_SANITIZE)
  target_compile_options(isthmus_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(isthmus_options INTERFACE -fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With sanitizers GCC takes what std::regex moves for uninitialized.
    target_compile_options(isthmus_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
if(ISTHMUS_ONE_DEFINITION)
  # The linker compares the types of all files; -O0 keeps linking short.
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
  target_compile_options(isthmus_options INTERFACE -O0 -g1)
  target_link_options(isthmus_options INTERFACE -O0 -Werror=odr -Werror=lto-type-mismatch)
endif()
if(ISTHMUS_FUZZ)
  target_compile_options(isthmus_options INTERFACE
    -fsanitize=fuzzer-no-link,float-cast-overflow -fno-sanitize-recover=all -D_GLIBCXX_ASSERTIONS)
endif()
if(ISTHMUS_COVERAGE)
  target_compile_options(isthmus_options INTERFACE --coverage)
  target_link_options(isthmus_options INTERFACE --coverage)
endif()

# isthmus_optimise_less(LEVEL): a folder whose code is not what takes the time. With -O1 instead of -O3 a release is a quarter to a
# third quicker to compile; with -Og a quarter again.
macro(isthmus_optimise_less level)
  string(REPLACE "-O3" "${level}" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endmacro()
