#include "algorithms/mpi/job/job.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/json/json_reader.hpp"
#include "algorithms/network/network_json.hpp"

namespace isthmus {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t max_repetitions = 1'000'000;
constexpr std::int64_t max_buffer_bytes = std::int64_t{1} << 50;

Json to_json(const Point& point) {
  return {{"collective", name(point.problem.collective)},
          {"count", point.problem.count},
          {"element_bytes", point.problem.element_bytes},
          {"root", point.problem.root},
          {"counts", point.problem.counts},
          {"commutative", point.problem.commutative},
          {"plan", to_string(point.plan)}};
}

Point point_from(const JsonReader& json, const Topology& topology) {
  Point point;
  point.problem.collective = collective_named(json.at("collective").text());
  point.problem.element_bytes = json.at("element_bytes").integer(1, std::numeric_limits<int>::max());
  const std::int64_t max_count = max_buffer_bytes / point.problem.element_bytes;
  point.problem.count = json.at("count").integer(0, max_count);
  point.problem.root = static_cast<int>(json.at("root").integer(0, topology.size() - 1));
  for (const JsonReader& count : json.at("counts").elements())
    point.problem.counts.push_back(count.integer(0, max_count));
  point.problem.commutative = json.at("commutative").boolean();
  const std::string plan = json.at("plan").text();
  json.reading([&] {
    point.plan = parse_plan(point.problem.collective, plan);
    check(point.plan, topology, point.problem);
  });
  return point;
}

Json to_json(const Repetition& repetition) {
  return {{"seconds", repetition.seconds},
          {"rank_start_s", repetition.rank_start_s},
          {"rank_end_s", repetition.rank_end_s}};
}

std::vector<double> seconds_of(const JsonReader& list) {
  std::vector<double> seconds;
  for (const JsonReader& one : list.elements()) seconds.push_back(one.number());
  return seconds;
}

/// Of all ranks; 0 for a schedule that cannot be written, which is refused by name when it is run.
double scratch_elements(const Point& point, const Topology& topology) {
  if (is_mpi_own(point.plan)) return 0;
  double elements = 0;
  try {
    const ProgramSource programs = source(point.plan, topology, point.problem);
    Program program;
    for (int rank = 0; rank < topology.size(); ++rank) {
      program.clear();
      programs(rank, program);
      elements += static_cast<double>(program.scratch_count());
    }
  } catch (const BadInput&) {
    return 0;
  }
  return elements;
}

}  // namespace

double data_bytes(const Point& point, const Topology& topology) {
  const int ranks = topology.size();
  double elements = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const BufferCounts counts = buffer_counts(point.problem, ranks, rank);
    elements += static_cast<double>(counts.input) + static_cast<double>(counts.output);
  }
  elements += scratch_elements(point, topology);
  return elements * static_cast<double>(point.problem.element_bytes);
}

double Repetition::late_s() const {
  return rank_start_s.empty() ? 0 : *std::max_element(rank_start_s.begin(), rank_start_s.end());
}

Json to_json(const Job& job) {
  Json points = Json::array();
  for (const Point& point : job.points) points.push_back(to_json(point));
  return {{"network", to_json(job.network)},
          {"host_of_rank", job.placement.host_of_rank},
          {"points", points},
          {"repetitions", job.repetitions},
          {"confidence", job.confidence},
          {"warm_up", job.warm_up}};
}

Job job_from_json(const Json& document) {
  const JsonReader json(document, "job");
  Job job;
  job.network = network_from_json(json.at("network").value());
  const std::int64_t last_host = static_cast<std::int64_t>(job.network.hosts.size()) - 1;
  for (const JsonReader& host : json.at("host_of_rank").elements(1, "a host number for each of one or more ranks")) {
    const auto number = static_cast<int>(host.integer(0, last_host));
    if (job.network.hosts[number].gateway)
      host.refuse("a host that runs ranks, which the gateway " + job.network.hosts[number].name + " does not,");
    job.placement.host_of_rank.push_back(number);
  }
  const Topology topology = topology_of(job.network, job.placement);
  for (const JsonReader& point : json.at("points").elements()) job.points.push_back(point_from(point, topology));
  job.repetitions = static_cast<int>(json.at("repetitions").integer(1, max_repetitions));
  job.confidence = json.at("confidence").number_from(0);
  job.warm_up = static_cast<int>(json.at("warm_up").integer(0, max_repetitions));
  return job;
}

Json to_json(const PointResult& result) {
  Json repetitions = Json::array();
  for (const Repetition& repetition : result.repetitions) repetitions.push_back(to_json(repetition));
  return {{"correct", result.correct}, {"repetitions", repetitions}};
}

PointResult point_result_from_json(const Json& document) {
  const JsonReader json(document, "result");
  PointResult result;
  result.correct = json.at("correct").boolean();
  for (const JsonReader& one : json.at("repetitions").elements()) {
    result.repetitions.push_back(
        {one.at("seconds").number(), seconds_of(one.at("rank_start_s")), seconds_of(one.at("rank_end_s"))});
  }
  return result;
}

}  // namespace isthmus
