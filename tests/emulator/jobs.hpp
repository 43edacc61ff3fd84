// Jobs for the tests, and what they need of the machine.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/replay/replay.hpp"
#include "emulator/client/emulate.hpp"
#include "emulator/substrates/substrate.hpp"
#include "tests/emulator/networks.hpp"

namespace isthmus::test {

inline Job broadcasts(const Mesh& shape, const std::vector<std::string>& plans,
                      const std::vector<std::int64_t>& sizes) {
  Job job;
  job.network = mesh(shape);
  job.placement = place_ranks(job.network, PlacementRule::block, 1);
  for (const std::string& plan : plans) {
    for (const std::int64_t bytes : sizes) {
      Point point;
      point.problem.count = bytes;
      point.plan = parse_plan(Collective::broadcast, plan);
      job.points.push_back(point);
    }
  }
  return job;
}

/// The seconds of a point by the replay.
inline double replayed_s(const Job& job, const Point& point) {
  const Topology topology = topology_of(job.network, job.placement);
  return replay({job.network, job.placement}, point.problem.element_bytes, source(point.plan, topology, point.problem))
      .seconds;
}

inline EmulationOptions on(const std::string& substrate, double timeout_s = 300) {
  EmulationOptions options;
  options.substrate = substrate;
  options.timeout_s = timeout_s;
  return options;
}

/// In real time: of each point the repetition that other load has disturbed least.
inline void expect_near_the_replay(const Job& job, const Emulated& result, double relative) {
  for (std::size_t i = 0; i < job.points.size(); ++i) {
    const double expected = replayed_s(job, job.points[i]);
    double min_s = 1e9;
    for (const Repetition& repetition : result.points[i].repetitions) min_s = std::min(min_s, repetition.seconds);
    EXPECT_NEAR(min_s, expected, relative * expected)
        << to_string(job.points[i].plan) << ", " << job.points[i].problem.bytes() << " B";
  }
}

/// The substrates that this machine has, and why it lacks the others.
struct SubstratesHere {
  std::vector<std::string> names;
  std::string reasons;
};

inline SubstratesHere substrates_here() {
  SubstratesHere here;
  for (const Availability& look : {native_substrate(), delay_line_substrate(), virtual_substrate(), uml_substrate()}) {
    if (look.substrate)
      here.names.push_back(look.substrate->name);
    else
      here.reasons += "\n" + look.reason;
  }
  return here;
}

}  // namespace isthmus::test

#define NEEDS_SUBSTRATE(look)                                                                     \
  do {                                                                                            \
    const ::isthmus::Availability found = (look);                                                 \
    if (!found.substrate) GTEST_SKIP() << "needs a substrate that is not here: " << found.reason; \
  } while (false)
