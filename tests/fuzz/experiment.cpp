// An experiment's file.
#include "validation/harness/experiment.hpp"

#include "tests/fuzz/input.hpp"

ISTHMUS_HARNESS(experiment) {
  using namespace isthmus;
  const fuzz::InputFile file(data, size);
  fuzz::answered([&] {
    const Experiment experiment = read_experiment(file.path());
    for (const PlanRequest& plan : experiment.plans) {
      for (const std::int64_t bytes : experiment.sizes_of(plan))
        fuzz::answered([&] { check_problem(experiment.problem(plan, bytes), 8); });
    }
  });
  return 0;
}
