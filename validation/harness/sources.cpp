#include "validation/harness/sources.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/measuring/calibration.hpp"
#include "algorithms/models/closed_forms.hpp"
#include "algorithms/models/price.hpp"
#include "algorithms/models/two_layer_forms.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/schedule/census.hpp"
#include "emulator/client/emulate.hpp"
#include "emulator/substrates/substrate.hpp"
#include "sim/simulate.hpp"

namespace isthmus {
namespace {

/// What one call costs.
double price(const PlacedNetwork& placed, const RequestedPoint& point) {
  const ProgramSource programs = source(point.plan, placed.topology(), point.problem);
  return price_of(placed, census(placed.size(), programs, point.problem.element_bytes));
}

/// That the plan's packing is not the best there may be.
void add_synthesis(const Packing& packing, Record& record) {
  if (packing.loss > 0 || !packing.finished)
    record.extra["synthesis"] = {{"loss", packing.loss}, {"finished", packing.finished}};
}

std::vector<Record> record_templates(Source source, const RunRequest& request) {
  std::vector<Record> records;
  check_ranks_reach_each_other(request.placed.network(), request.placed.placement(),
                               request.placed.topology().connectivity());
  const bool priced = has_prices(request.placed.network());
  for (const RequestedPoint& point : request.points) {
    if (const std::string reason = why_unanswerable(source, request, point); !reason.empty()) throw BadInput(reason);
    records.push_back(record_template(source, request, point));
    add_synthesis(point.plan.parameters.packing, records.back());
    if (priced && !is_mpi_own(point.plan)) records.back().extra["price"] = price(request.placed, point);
    records.back().bound_seconds =
        request.bounds->of(request.placed, request.emulation.conditions, source, point.problem);
  }
  return records;
}

/// The closed form's range from the best to the worst case, by the form of both layers if there is one.
FormTime closed_form(Model model, const TwoLayers& layers, const ModelParameters& parameters, const RunRequest& request,
                     const RequestedPoint& point) {
  const Transport& transport = request.placed.network().transport;
  if (model == Model::plogp) {
    if (const auto seconds = two_layer_seconds(layers, transport, point.plan, point.problem)) return *seconds;
  }
  return predict(model, parameters, point.plan, point.problem, request.placed.size()).value();
}

void predict_all(Model model, const RunRequest& request, std::vector<Record>& records, const OnRecord& on_record) {
  const TwoLayers layers = two_layers_of(request.placed);
  const ModelParameters parameters = parameters_of(layers.lan, request.placed.network().transport.reduction_s_per_byte);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const FormTime time = closed_form(model, layers, parameters, request, request.points[i]);
    records[i].seconds = time.min_s;
    if (time.max_s > time.min_s) records[i].extra["worst_case_seconds"] = time.max_s;
    if (on_record) on_record(i, records[i]);
  }
}

ReplayTotals replayed(const RunRequest& request, const RequestedPoint& point) {
  if (point.replayed) return *point.replayed;
  const ProgramSource programs = source(point.plan, request.placed.topology(), point.problem);
  return replay(request.placed, point.problem.element_bytes, programs, false, request.checkpoint);
}

void replay_all(const RunRequest& request, std::vector<Record>& records, const OnRecord& on_record) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    const ReplayTotals result = replayed(request, request.points[i]);
    records[i].seconds = result.seconds;
    records[i].extra["messages"] = result.messages;
    records[i].extra["message_bytes"] = result.bytes;
    if (on_record) on_record(i, records[i]);
  }
}

Job job_of(const RunRequest& request, int warm_up) {
  Job job;
  job.network = request.placed.network();
  job.placement = request.placed.placement();
  job.repetitions = request.repetitions;
  job.confidence = request.confidence;
  job.warm_up = warm_up;
  for (const RequestedPoint& point : request.points) job.points.push_back({point.problem, point.plan});
  return job;
}

/// Fills in the results of a run of the schedule.
void add_result(Record& record, const PointResult& result) {
  const std::string what =
      fmt::format("{}: {}/{}, {} bytes", name(record.source), record.collective, record.plan, record.bytes);
  if (result.repetitions.empty()) throw Refused(what + ": came back without a single repetition");
  if (!result.correct) throw Refused(what + ": a rank ended with wrong bytes");
  std::vector<double> seconds;
  double late_s = 0;
  nlohmann::json starts = nlohmann::json::array();
  nlohmann::json ends = nlohmann::json::array();
  for (const Repetition& repetition : result.repetitions) {
    seconds.push_back(repetition.seconds);
    late_s = std::max(late_s, repetition.late_s());
    starts.push_back(repetition.rank_start_s);
    ends.push_back(repetition.rank_end_s);
  }
  const Estimate median = median_of(seconds);
  record.seconds = median.seconds;
  record.extra["repetition_seconds"] = seconds;
  if (seconds.size() >= few_repetitions) record.extra["half_interval_seconds"] = median.half_width_s;
  record.extra["late_seconds"] = late_s;
  if (record.source != Source::emulated) return;
  record.extra["rank_start_seconds"] = starts;
  record.extra["rank_end_seconds"] = ends;
}

nlohmann::json object_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [key, value] : pairs) object[key] = value;
  return object;
}

void simulate_all(const RunRequest& request, std::vector<Record>& records, const OnRecord& on_record) {
  SimulationOptions options;
  options.queueing = request.queueing;
  options.conditions = request.emulation.conditions;
  options.ready = [&](const Simulated& simulated) {
    for (Record& record : records) record.extra["provenance"] = object_of(simulated.provenance);
  };
  const auto done = [&](int point, const PointResult& result) {
    Record& record = records.at(point);
    add_result(record, result);
    if (on_record) on_record(point, record);
  };
  // Simulated runs have no connection to make and no cold cache. Where ambient traffic keeps repetitions close
  // together, the first tells how long ranks must wait before they report.
  const int warm_up = options.conditions.traffic.empty() ? 0 : std::max(request.warm_up, 1);
  simulate(request.platform_file, job_of(request, warm_up), request.emulation.timeout_s, done, options);
}

void emulate_all(const RunRequest& request, std::vector<Record>& records, const OnRecord& on_record) {
  // What belongs to every record of the run.
  const auto add_report = [&](const nlohmann::json& report) {
    for (Record& record : records) record.extra.update(report);
  };
  EmulationEvents events;
  events.progress = request.progress;
  events.ready = add_report;
  events.done = [&](int point, const PointResult& result) {
    Record& record = records.at(point);
    add_result(record, result);
    if (on_record) on_record(point, record);
  };
  const AgentReport report = emulate(job_of(request, request.warm_up), request.emulation, events);
  add_report(report);
}

}  // namespace

void settle_substrate(RunRequest& request) {
  std::string& substrate = request.emulation.substrate;
  if (substrate == "auto") substrate = choose_substrate(substrate).name;
}

std::vector<Record> run(Source source, const RunRequest& request, const OnRecord& on_record) {
  if (source == Source::emulated && request.emulation.substrate == "auto" && !request.points.empty()) {
    RunRequest settled = request;
    settle_substrate(settled);
    return run(source, settled, on_record);
  }
  std::vector<Record> records = record_templates(source, request);
  if (records.empty()) return records;
  switch (source) {
    case Source::hockney:
    case Source::logp:
    case Source::loggp:
    case Source::plogp:
      predict_all(*model_of(source), request, records, on_record);
      break;
    case Source::replay:
      replay_all(request, records, on_record);
      break;
    case Source::smpi:
      simulate_all(request, records, on_record);
      break;
    case Source::emulated:
      emulate_all(request, records, on_record);
      break;
  }
  return records;
}

}  // namespace isthmus
