#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/collective/contract.hpp"
#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/network/link_names.hpp"
#include "algorithms/replay/forwarded.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/schedule/census.hpp"
#include "algorithms/schedule/export_chrome_trace.hpp"
#include "algorithms/schedule/export_goal.hpp"
#include "algorithms/schedule/export_graphviz.hpp"
#include "algorithms/schedule/export_json.hpp"
#include "algorithms/schedule/text.hpp"
#include "algorithms/schedule/verify.hpp"
#include "algorithms/tuning/trials/link_load.hpp"
#include "python/module/module.hpp"
#include "python/module/placed.hpp"
#include "validation/report/schedule_picture.hpp"
#include "validation/report/standalone.hpp"
#include "validation/report/timeline_picture.hpp"
#include "validation/report/tree_picture.hpp"

namespace isthmus::python {
namespace {

/// The schedule of one plan on a placed network. Its programs are generated at their first use.
class PlannedSchedule {
 public:
  PlannedSchedule(std::shared_ptr<const Placed> placed, RequestedPoint point)
      : placed_(std::move(placed)), point_(std::move(point)) {}

  const Placed& placed() const { return *placed_; }
  std::shared_ptr<const Placed> shared_placed() const { return placed_; }
  const Problem& problem() const { return point_.problem; }
  int size() const { return placed_->placement().size(); }
  std::string plan() const { return fmt::format("{}/{}", name(problem().collective), request_text(point_.plan)); }
  ProgramSource programs() const { return source(point_.plan, placed_->topology(), point_.problem); }

  const Schedule& all() const {
    if (!all_) all_ = materialise(size(), programs());
    return *all_;
  }
  const Program& program(int rank) const {
    if (rank < 0 || rank >= size()) throw BadInput(fmt::format("rank: {}; 0 to {} would be right", rank, size() - 1));
    return all()[rank];
  }

  Replay replayed() const {
    return replay(placed_->request.placed, problem().element_bytes, programs(), false, signal_checkpoint());
  }

  /// The schedule on the network: with the forwarders, if there are any, as further ranks.
  struct Timed {
    PlacedNetwork placed;
    Schedule schedule;
    Replay replay;
  };
  Timed timed() const {
    const Carried all = carried(placed_->request.placed, problem().element_bytes, programs());
    return {all.placed, materialise(all.placed.size(), all.programs),
            replay(all.placed, problem().element_bytes, all.programs, true, signal_checkpoint())};
  }

 private:
  std::shared_ptr<const Placed> placed_;
  RequestedPoint point_;
  mutable std::optional<Schedule> all_;
};

py::object slice_text(const Slice& slice) {
  return slice.empty() ? py::object(py::none()) : py::object(py::str(to_string(slice)));
}

/// The columns of a table by name.
class Columns {
 public:
  template <class... Names>
  explicit Columns(Names... names) {
    (columns_.emplace_back(names, py::list()), ...);
  }
  template <class... Values>
  void add(Values&&... values) {
    std::size_t at = 0;
    (columns_[at++].second.append(std::forward<Values>(values)), ...);
  }
  py::dict dict() const {
    py::dict table;
    for (const auto& [name, column] : columns_) table[name] = column;
    return table;
  }

 private:
  std::vector<std::pair<const char*, py::list>> columns_;
};

py::dict operations(const PlannedSchedule& schedule, std::optional<int> only) {
  Columns columns("rank", "operation", "kind", "lane", "peer", "to", "source", "right", "bytes");
  for (int rank = only.value_or(0); rank < (only ? *only + 1 : schedule.size()); ++rank) {
    int number = 0;
    for (const Op& op : schedule.program(rank).ops()) {
      const std::int64_t count = op.kind == OpKind::send ? op.from.count : op.to.count;
      columns.add(rank, number++, name(op.kind), op.lane, op.peer < 0 ? py::object(py::none()) : py::int_(op.peer),
                  slice_text(op.to), slice_text(op.from), slice_text(op.right),
                  count * schedule.problem().element_bytes);
    }
  }
  return columns.dict();
}

py::dict census_dict(const Census& counted) {
  Columns ranks("rank", "sent_messages", "sent_bytes", "received_messages", "received_bytes", "reduced_bytes",
                "copied_bytes");
  for (std::size_t rank = 0; rank < counted.ranks.size(); ++rank) {
    const RankCensus& of = counted.ranks[rank];
    ranks.add(rank, of.sent.messages, of.sent.bytes, of.received.messages, of.received.bytes, of.reduced_bytes,
              of.copied_bytes);
  }
  Columns pairs("source", "destination", "messages", "bytes");
  for (const PairCensus& pair : counted.pairs)
    pairs.add(pair.source, pair.destination, pair.traffic.messages, pair.traffic.bytes);
  py::dict result;
  result["messages"] = counted.total.messages;
  result["bytes"] = counted.total.bytes;
  result["ranks"] = ranks.dict();
  result["pairs"] = pairs.dict();
  return result;
}

Census census_of(const PlannedSchedule& schedule) {
  return census(schedule.size(), schedule.programs(), schedule.problem().element_bytes);
}

std::string exported(const PlannedSchedule& schedule, const std::string& as) {
  const std::int64_t element_bytes = schedule.problem().element_bytes;
  if (as == "json") return export_json(schedule.all());
  if (as == "goal")
    return export_goal(schedule.all(),
                       {.element_bytes = element_bytes,
                        .reduce_s_per_byte = schedule.placed().network().transport.reduction_s_per_byte});
  if (as == "tree") return export_graphviz_ranks(schedule.all(), element_bytes);
  if (as == "graph") return export_graphviz(schedule.all());
  if (as == "timeline") {
    const auto timed = schedule.timed();
    return export_chrome_trace(timed.schedule, timed.replay.timeline, element_bytes);
  }
  throw BadInput(fmt::format("as_: `{}`; json, goal, tree, graph or timeline would be right", as));
}

std::string timeline_svg(const PlannedSchedule& schedule, int max_ranks) {
  const auto timed = schedule.timed();
  const auto flights = flights_of(timed.schedule, timed.replay.timeline, schedule.problem().element_bytes);
  return standalone_svg(draw_timeline(flights, timed.placed, timed.replay.seconds, max_ranks));
}

py::dict timeline(const PlannedSchedule& schedule) {
  const auto timed = [&] {
    const py::gil_scoped_release without_gil;
    return schedule.timed();
  }();
  Columns columns("rank", "operation", "kind", "peer", "bytes", "begin_s", "end_s");
  for (const TimedOp& of : timed.replay.timeline) {
    const Op& op = timed.schedule[of.rank].ops()[of.op];
    const std::int64_t count = op.kind == OpKind::send ? op.from.count : op.to.count;
    columns.add(of.rank, of.op, name(op.kind), op.peer < 0 ? py::object(py::none()) : py::int_(op.peer),
                count * schedule.problem().element_bytes, of.begin_s, of.end_s);
  }
  return columns.dict();
}

py::dict messages(const PlannedSchedule& schedule) {
  std::vector<Flight> flights;
  const auto timed = [&] {
    const py::gil_scoped_release without_gil;
    auto found = schedule.timed();
    flights = flights_of(found.schedule, found.replay.timeline, schedule.problem().element_bytes);
    return found;
  }();
  const Topology& topology = timed.placed.topology();
  Columns columns("source", "destination", "number", "bytes", "begin_s", "end_s", "between_sites");
  for (const Flight& flight : flights)
    columns.add(flight.from, flight.to, flight.number, flight.bytes, flight.begin_s, flight.end_s,
                topology.group_at(flight.from, 1) != topology.group_at(flight.to, 1));
  return columns.dict();
}

/// What the messages put on each shared link, busiest first.
py::dict link_loads_of(const PlannedSchedule& schedule) {
  std::vector<LinkLoad> loads;
  std::vector<bool> wide;
  const Network& network = schedule.placed().network();
  {
    const py::gil_scoped_release without_gil;
    loads = link_loads(schedule.placed().request.placed, schedule.programs(), schedule.problem().element_bytes);
    wide = wide_area_links(network);
  }
  std::stable_sort(loads.begin(), loads.end(),
                   [](const LinkLoad& a, const LinkLoad& b) { return a.seconds > b.seconds; });
  Columns columns("link", "wide_area", "bytes", "busy_s");
  for (const LinkLoad& load : loads)
    columns.add(network.links[load.link].name.str(), static_cast<bool>(wide[load.link]), load.bytes, load.seconds);
  return columns.dict();
}

/// What the programs do.
void define_facts(py::class_<PlannedSchedule>& type) {
  type.def("operations", &operations, py::arg("rank"))
      .def("export", &exported, py::arg("as_"), WithoutGil())
      .def("census", [](const PlannedSchedule& schedule) { return census_dict(census_of(schedule)); })
      .def(
          "wide_area",
          [](const PlannedSchedule& schedule) {
            const Topology& topology = schedule.placed().topology();
            const Traffic traffic = crossing(
                census_of(schedule), [&](int a, int b) { return topology.group_at(a, 1) != topology.group_at(b, 1); });
            return std::pair(traffic.messages, traffic.bytes);
          },
          WithoutGil())
      .def(
          "longest_chain", [](const PlannedSchedule& schedule) { return longest_chain(schedule.all()); }, WithoutGil())
      .def(
          "fault",
          [](const PlannedSchedule& schedule) {
            return verify(schedule.all(), contract_of(schedule.problem(), schedule.size())).message();
          },
          WithoutGil());
}

/// How long they take.
void define_times(py::class_<PlannedSchedule>& type) {
  type.def(
          "replay_seconds", [](const PlannedSchedule& schedule) { return schedule.replayed().seconds; }, WithoutGil())
      .def(
          "rank_end_s", [](const PlannedSchedule& schedule) { return schedule.replayed().rank_end_s; }, WithoutGil())
      .def(
          "bound_seconds",
          [](const PlannedSchedule& schedule) {
            return lower_bound(schedule.placed().request.placed, schedule.problem());
          },
          WithoutGil())
      .def("timeline", &timeline)
      .def("messages", &messages)
      .def("link_loads", &link_loads_of);
}

void define_pictures(py::class_<PlannedSchedule>& type) {
  type.def("timeline_svg", &timeline_svg, py::arg("max_ranks"), WithoutGil())
      .def(
          "tree_svg",
          [](const PlannedSchedule& schedule, int max_ranks) {
            return standalone_svg(
                draw_tree(census_of(schedule), schedule.placed().topology(), schedule.problem().root, max_ranks));
          },
          py::arg("max_ranks"), WithoutGil())
      .def(
          "svg",
          [](const PlannedSchedule& schedule, int max_ranks, int max_operations) {
            return standalone_svg(draw_schedule(schedule.all(), max_ranks, max_operations));
          },
          py::arg("max_ranks"), py::arg("max_operations"), WithoutGil());
}

}  // namespace

void register_schedules(py::module_& module) {
  py::class_<PlannedSchedule> type(module, "Schedule", "The programs of all ranks for one plan on a placed network.");
  type.def(py::init([](std::shared_ptr<const Placed> placed, const std::string& what, std::int64_t bytes,
                       std::int64_t element_bytes, int root) {
             RequestedPoint point = placed->point(what, bytes, element_bytes, root);
             if (is_mpi_own(point.plan)) throw BadInput(fmt::format("{}: {}", what, no_schedule));
             return PlannedSchedule(std::move(placed), std::move(point));
           }),
           py::arg("placed"), py::arg("what"), py::arg("bytes"), py::arg("element_bytes"), py::arg("root"),
           WithoutGil())
      .def_property_readonly("placed", &PlannedSchedule::shared_placed)
      .def_property_readonly("plan", &PlannedSchedule::plan)
      .def_property_readonly("element_bytes",
                             [](const PlannedSchedule& schedule) { return schedule.problem().element_bytes; })
      .def_property_readonly("size", &PlannedSchedule::size)
      .def_property_readonly("bytes", [](const PlannedSchedule& schedule) { return schedule.problem().bytes(); })
      .def_property_readonly("root", [](const PlannedSchedule& schedule) { return schedule.problem().root; });
  define_facts(type);
  define_times(type);
  define_pictures(type);
}

}  // namespace isthmus::python
