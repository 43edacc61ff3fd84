// Whether all ranks of MPI_COMM_WORLD have the drop-in: a rank without it makes none of its calls, and the others would
// wait for ever.
#pragma once

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Called by every rank that has the drop-in, as its first call after MPI has been initialised. If not all ranks come
/// within `limit_s` of each other a line names those that do not, and the job ends with exit status 2. Throws MpiError.
void call_roll(double limit_s);

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
