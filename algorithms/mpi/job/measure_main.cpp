// isthmus-measure TASK: measures P-LogP between pairs of the ranks that mpirun started. TASK is the task as JSON, as
// `isthmus calibrate PLATFORM --task` prints it. Rank 0 prints a line of JSON for each pair.
#include <mpi.h>

#include <iostream>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/mpi/job/measure_pairs.hpp"
#include "algorithms/mpi/job/mpi_main.hpp"

namespace {

void work(const char* text) {
  const isthmus::MeasuringTask task = isthmus::measuring_task_from_json(
      isthmus::parse_json(text, "TASK", "a task of measuring in JSON would be right"));
  isthmus::measure_pairs(task, MPI_COMM_WORLD, isthmus::real_time(),
                         [](const isthmus::MeasuredPair& pair) { std::cout << to_json(pair).dump() << std::endl; });
}

}  // namespace

int main(int argc, char** argv) {
  return isthmus::mpi_main(argc, argv, "isthmus-measure", [&] {
    if (argc != 2) throw isthmus::BadInput("usage: isthmus-measure TASK (JSON)");
    work(argv[1]);
  });
}
