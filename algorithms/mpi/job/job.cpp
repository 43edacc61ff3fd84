#include "algorithms/mpi/job/job.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/network/network_json.hpp"

namespace isthmus {
namespace {

using Json = nlohmann::json;

// A value of the document with its path, for error messages.
struct Located {
  const Json& value;
  std::string path;

  [[noreturn]] void refuse(std::string_view right) const {
    throw BadInput(path + " is " + excerpt_of(value) + "; it should be " + std::string(right));
  }

  Located operator[](const char* key) const {
    if (!value.is_object()) refuse("an object");
    const auto found = value.find(key);
    if (found == value.end()) throw BadInput(path + " has no \"" + key + "\"");
    return {*found, path + "." + key};
  }

  template <typename Element>
  auto each(Element element) const {
    if (!value.is_array()) refuse("an array");
    std::vector<decltype(element(*this))> result;
    result.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i)
      result.push_back(element(Located{value[i], path + "[" + std::to_string(i) + "]"}));
    return result;
  }

  std::int64_t integer(std::int64_t least, std::int64_t most) const {
    const bool fits =
        value.is_number_integer() &&
        (!value.is_number_unsigned() || value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max());
    if (!fits || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most)
      refuse("an integer from " + std::to_string(least) + " to " + std::to_string(most));
    return value.get<std::int64_t>();
  }

  double seconds() const {
    if (!value.is_number() || !std::isfinite(value.get<double>())) refuse("a finite number");
    return value.get<double>();
  }

  bool boolean() const {
    if (!value.is_boolean()) refuse("true or false");
    return value.get<bool>();
  }

  std::string text() const {
    if (!value.is_string()) refuse("a string");
    return value.get<std::string>();
  }
};

constexpr std::int64_t max_repetitions = 1'000'000;
constexpr std::int64_t max_bytes = std::int64_t{1} << 50;

Json to_json(const Point& point) {
  return {{"collective", name(point.problem.collective)},
          {"count", point.problem.count},
          {"element_bytes", point.problem.element_bytes},
          {"root", point.problem.root},
          {"counts", point.problem.counts},
          {"commutative", point.problem.commutative},
          {"plan", to_string(point.plan)}};
}

Point point_from_json(const Located& json, const Topology& topology) {
  Point point;
  point.problem.collective = collective_named(json["collective"].text());
  point.problem.element_bytes = json["element_bytes"].integer(1, std::numeric_limits<int>::max());
  point.problem.count = json["count"].integer(0, max_bytes / point.problem.element_bytes);
  point.problem.root = static_cast<int>(json["root"].integer(0, topology.size() - 1));
  const std::int64_t max_count = max_bytes / point.problem.element_bytes;
  point.problem.counts = json["counts"].each([&](const Located& count) { return count.integer(0, max_count); });
  point.problem.commutative = json["commutative"].boolean();
  try {
    point.plan = parse_plan(point.problem.collective, json["plan"].text());
    check(point.plan, topology, point.problem);
  } catch (const BadInput& error) {
    throw BadInput(json.path + ": " + error.what());
  }
  return point;
}

Json to_json(const Repetition& repetition) {
  return {{"seconds", repetition.seconds},
          {"rank_start_s", repetition.rank_start_s},
          {"rank_end_s", repetition.rank_end_s}};
}

Repetition repetition_from_json(const Located& json) {
  Repetition repetition;
  repetition.seconds = json["seconds"].seconds();
  repetition.rank_start_s = json["rank_start_s"].each([](const Located& start) { return start.seconds(); });
  repetition.rank_end_s = json["rank_end_s"].each([](const Located& end) { return end.seconds(); });
  return repetition;
}

}  // namespace

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
  const Located json{document, "job"};
  Job job;
  job.network = network_from_json(json["network"].value);
  const std::int64_t last_host = static_cast<std::int64_t>(job.network.hosts.size()) - 1;
  job.placement.host_of_rank = json["host_of_rank"].each([&](const Located& host) {
    const int number = static_cast<int>(host.integer(0, last_host));
    if (job.network.hosts[number].gateway)
      host.refuse("a host that runs ranks; " + job.network.hosts[number].name + " is a gateway");
    return number;
  });
  if (job.placement.size() == 0) json["host_of_rank"].refuse("a host number for each of one or more ranks");
  const Topology topology = topology_of(job.network, job.placement);
  job.points = json["points"].each([&](const Located& point) { return point_from_json(point, topology); });
  job.repetitions = static_cast<int>(json["repetitions"].integer(1, max_repetitions));
  job.confidence = json["confidence"].seconds();
  if (job.confidence < 0) json["confidence"].refuse("0 or more, relative to the median");
  job.warm_up = static_cast<int>(json["warm_up"].integer(0, max_repetitions));
  return job;
}

Json to_json(const PointResult& result) {
  Json repetitions = Json::array();
  for (const Repetition& repetition : result.repetitions) repetitions.push_back(to_json(repetition));
  return {{"correct", result.correct}, {"repetitions", repetitions}};
}

PointResult point_result_from_json(const Json& document) {
  const Located json{document, "result"};
  PointResult result;
  result.correct = json["correct"].boolean();
  result.repetitions = json["repetitions"].each(repetition_from_json);
  return result;
}

}  // namespace isthmus
