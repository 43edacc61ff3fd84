// isthmus-smpi-measure PLATFORM: simulated ranks measure the pairs of the request's task; prints a line of JSON for
// each pair.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "algorithms/mpi/job/measure_pairs.hpp"
#include "sim/measuring_main.hpp"

int main(int argc, char** argv) {
  isthmus::measuring_main(argc, argv, "isthmus-smpi-measure", [](const nlohmann::json& request) {
    const isthmus::MeasuringTask task = isthmus::measuring_task_from_json(request.at("task"));
    return [task](const isthmus::RankEnvironment& environment) {
      isthmus::measure_pairs(task, MPI_COMM_WORLD, environment,
                             [](const isthmus::MeasuredPair& pair) { fmt::print("{}\n", to_json(pair).dump()); });
    };
  });
}
