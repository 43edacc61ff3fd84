#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "algorithms/process/sanitizer.hpp"
#include "emulator/substrates/substrate.hpp"
