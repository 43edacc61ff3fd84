#include <fmt/format.h>

#include <mutex>

#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "python/module/module.hpp"
#include "python/module/placed.hpp"
#include "validation/harness/notes.hpp"
#include "validation/harness/record_template.hpp"
#include "validation/harness/sources.hpp"
#include "validation/records/fields.hpp"
#include "validation/records/record.hpp"
#include "validation/records/store.hpp"

namespace isthmus::python {
namespace {

/// One point of a sweep: plan, bytes, element_bytes, root.
using Asked = std::tuple<std::string, std::int64_t, std::int64_t, int>;

/// The settings of a source, beyond the points, that can change the seconds.
struct Settings {
  int repetitions, warm_up;
  std::string queueing;
  EmulationOptions emulation;
};

RunRequest request_of(const Placed& placed, const Settings& settings) {
  RunRequest request = placed.request;
  if (settings.repetitions < 1)
    throw BadInput(fmt::format("repetitions: {}; 1 or more would be right", settings.repetitions));
  request.repetitions = settings.repetitions;
  request.warm_up = settings.warm_up;
  if (settings.queueing != "fifo" && settings.queueing != "fluid")
    throw BadInput(fmt::format("queueing: `{}`; fifo or fluid would be right", settings.queueing));
  request.queueing = settings.queueing == "fifo" ? Queueing::fifo : Queueing::fluid;
  request.emulation = settings.emulation;
  return request;
}

std::string text_of(const Record& record) {
  return to_json(record).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Record record_of(const std::string& text) {
  return record_from_json(parse_json(text, "record", "a line of `--format json` would be right"));
}

/// The question() of each point, by which the store finds its record. None if the algorithm cannot serve the point or
/// the source has no answer for any choice of parameters. Chooses no parameters, which may take long.
std::vector<std::optional<std::string>> questions(const Placed& placed, const std::string& source_name,
                                                  const std::vector<Asked>& asked, const Settings& settings) {
  const Source source = source_named(source_name);
  RunRequest request = request_of(placed, settings);
  if (source == Source::emulated) settle_substrate(request);
  std::vector<std::optional<std::string>> texts;
  for (const auto& [what, bytes, element_bytes, root] : asked) {
    const PlanRequest plan = parse_plan_request(what);
    const Problem problem = problem_of(plan.collective, bytes, element_bytes, has_root(plan.collective) ? root : 0);
    // A question holds the plan as asked for: for the automatic choice any algorithm will do here.
    const Plan known = plan.automatic ? Plan{algorithms_of(plan.collective).front(), {}} : plan.plan;
    const RequestedPoint point = {problem, known, plan.text};
    if (plan.automatic) {
      check_problem(problem, placed.placement().size());
    } else if (!serves(point.plan, placed.topology(), point.problem) || !answers(source, request, point)) {
      texts.emplace_back(std::nullopt);
      continue;
    } else {
      check(point.plan, placed.topology(), point.problem);
    }
    texts.emplace_back(question(record_template(source, request, point)));
  }
  return texts;
}

/// Records as JSON; none for a point if the source has no answer for the plan that was chosen.
std::vector<std::optional<std::string>> run_models(const Placed& placed, const std::string& source_name,
                                                   const std::vector<Asked>& asked) {
  const Source source = source_named(source_name);
  if (source == Source::smpi || source == Source::emulated)
    throw BadInput(fmt::format("source: {} is run by the program isthmus, not in process", source_name));
  RunRequest request = placed.request;
  request.checkpoint = signal_checkpoint();
  std::vector<std::optional<std::string>> texts(asked.size());
  std::vector<std::size_t> number_of_point;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto& [what, bytes, element_bytes, root] = asked[i];
    request.checkpoint();
    const int valid_root = has_root(parse_plan_request(what).collective) ? root : 0;
    RequestedPoint point = placed.point(what, bytes, element_bytes, valid_root);
    if (!answers(source, request, point)) continue;
    request.points.push_back(std::move(point));
    number_of_point.push_back(i);
  }
  const std::vector<Record> records = run(source, request);
  for (std::size_t i = 0; i < records.size(); ++i) texts[number_of_point[i]] = text_of(records[i]);
  return texts;
}

/// A store with a lock, for several threads of one process.
class SharedStore {
 public:
  explicit SharedStore(const std::string& file) : store_(file) {}

  void put(const std::vector<std::string>& texts) {
    std::vector<Record> records;
    for (const std::string& text : texts) records.push_back(record_of(text));
    const std::lock_guard lock(mutex_);
    store_.put(records);
  }
  std::vector<std::string> all() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> texts;
    for (const Record& record : store_.all()) texts.push_back(text_of(record));
    return texts;
  }
  /// Records by question(); of several plans for one question, the last that was stored.
  std::vector<std::pair<std::string, std::string>> by_question() {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<std::string, std::string>> texts;
    for (const Record& record : store_.all()) texts.emplace_back(question(record), text_of(record));
    return texts;
  }
  std::int64_t size() {
    const std::lock_guard lock(mutex_);
    return store_.size();
  }

 private:
  std::mutex mutex_;
  Store store_;
};

std::vector<std::string> source_names() {
  std::vector<std::string> names;
  for (const Source source : all_sources) names.emplace_back(name(source));
  return names;
}

/// Name, type and whether it may be unknown, of each field of a record in order.
std::vector<std::tuple<std::string, std::string, bool>> fields() {
  std::vector<std::tuple<std::string, std::string, bool>> all;
  for (const RecordField& field : record_fields()) all.emplace_back(field.name, type_of(field), field.may_be_unknown);
  return all;
}

}  // namespace

void register_records(py::module_& module) {
  py::class_<Settings>(module, "Settings", "The settings of a source.")
      .def(py::init([](int repetitions, int warm_up, const std::string& queueing, const std::string& substrate) {
             return Settings{repetitions, warm_up, queueing, {.substrate = substrate}};
           }),
           py::arg("repetitions"), py::arg("warm_up"), py::arg("queueing"), py::arg("substrate"));
  module.def("source_names", &source_names, "All sources of numbers, cheapest first.");
  module.def("record_fields", &fields,
             "Name, type (text, integer, number, object) and whether it may be unknown, of each field of a record.");
  module.def(
      "notes_about",
      [](const std::vector<std::string>& texts) {
        std::vector<Record> records;
        for (const std::string& text : texts) records.push_back(record_of(text));
        return shown(notes_about(records));
      },
      py::arg("records"), "Notes about records: a kind and a sentence each.");
  module.def(
      "notes_of_models", [](const Network& network) { return shown(notes_of_profiles(network)); }, py::arg("network"),
      "What models and bounds leave out of a network: a kind and a sentence each.");
  module.def("questions", &questions, py::arg("placed"), py::arg("source"), py::arg("points"), py::arg("settings"),
             WithoutGil());
  module.def("run_models", &run_models, py::arg("placed"), py::arg("source"), py::arg("points"), WithoutGil());
  module.def(
      "question_of", [](const std::string& text) { return question(record_of(text)); }, py::arg("record"));

  py::class_<SharedStore>(module, "Store", "Records in an SQLite file, each point once.")
      .def(py::init<const std::string&>(), py::arg("file"), WithoutGil(),
           "Opens the file, or makes it. Raises BadInput when it is no store or was written by a newer isthmus.")
      .def("put", &SharedStore::put, py::arg("records"), WithoutGil(), "JSON texts, all or none.")
      .def("all", &SharedStore::all, WithoutGil(), "JSON texts, oldest first.")
      .def("by_question", &SharedStore::by_question, WithoutGil())
      .def("__len__", &SharedStore::size);
}

}  // namespace isthmus::python
