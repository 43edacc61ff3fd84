// The programs of a schedule side by side: one row a rank, its operations in the order in which they are issued.
#pragma once

#include "algorithms/schedule/program.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

/// One box an operation: `→3` sends to rank 3, `←0` receives from rank 0, `+` reduces, `=` copies; its tooltip has the
/// whole operation. Draws at most so many ranks and operations of each; a last box says how many are left out.
Element draw_schedule(const Schedule& schedule, int max_ranks = 64, int max_operations = 40);

}  // namespace isthmus
