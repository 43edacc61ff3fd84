#include <fmt/format.h>

#include "algorithms/process/sanitizer.hpp"
#include "algorithms/process/system.hpp"
#include "emulator/substrates/substrate.hpp"
