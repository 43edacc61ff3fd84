// emulate_job CLUSTERS HOSTS SUBSTRATE TIMEOUT SIZE PLAN...: a program for tests to watch and to kill. Prints the
// progress of emulate().
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"
#include "emulator/client/emulate.hpp"
#include "tests/emulator/networks.hpp"

int main(int argc, char** argv) {
  using namespace isthmus;
  if (argc < 7) return 2;
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  try {
    Job job;
    job.network = test::mesh({.clusters = std::atoi(argv[1]), .hosts = std::atoi(argv[2])});
    job.placement = place_ranks(job.network, PlacementRule::block, 1);
    for (int i = 6; i < argc; ++i) {
      for (const char* size = argv[5]; *size != '\0'; size += *size == ',' ? 1 : 0) {
        char* end = nullptr;
        Point point;
        point.problem.count = std::strtoll(size, &end, 10);
        point.plan = parse_plan(Collective::broadcast, argv[i]);
        job.points.push_back(point);
        size = end;
      }
    }
    EmulationOptions options;
    options.substrate = argv[3];
    options.timeout_s = std::atof(argv[4]);
    if (const char* tolerance = std::getenv("TOLERANCE")) options.tolerance = std::atof(tolerance);
    EmulationEvents events;
    events.progress = [&](const std::string& text) {
      fmt::print("{:7.2f} s  {}\n", passed(), text);
      std::fflush(stdout);
    };
    events.done = [&](int number, const PointResult& point) {
      const Point& asked = job.points[number];
      fmt::print("{:7.2f} s  {} {} B:", passed(), to_string(asked.plan), asked.problem.bytes());
      for (const Repetition& repetition : point.repetitions) {
        fmt::print(" {:.9f} s (late {:.9f})", repetition.seconds, repetition.late_s());
      }
      fmt::print("\n");
      std::fflush(stdout);
    };
    const Emulated result = emulate(job, options, events);
    for (const Achieved& a : result.achieved) {
      fmt::print("{} to {}: {:.9f} s of {:.9f} s, {:.1f} B/s of {:.1f} B/s\n", a.from, a.to, a.latency_s,
                 a.asked_latency_s, a.bandwidth_Bps, a.asked_bandwidth_Bps);
    }
    for (const auto& [name, value] : result.provenance) fmt::print("{}: {}\n", name, value);
    fmt::print("{:7.2f} s  done\n", passed());
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "{:7.2f} s  {}\n", passed(), error.what());
    return error.exit_status();
  }
}
