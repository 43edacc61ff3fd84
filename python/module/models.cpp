#include <fmt/format.h>

#include <string>
#include <string_view>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/models/plogp.hpp"
#include "algorithms/replay/critical_path.hpp"
#include "algorithms/replay/forwarded.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/search.hpp"
#include "algorithms/tuning/select.hpp"
#include "python/module/module.hpp"
#include "python/module/placed.hpp"
#include "validation/studies/sensitivity.hpp"
#include "validation/text/units.hpp"

namespace isthmus::python {
namespace {

py::list points_of(const SizeFunction& function) {
  py::list points;
  for (const SizeFunction::Point& point : function.points()) points.append(py::make_tuple(point.bytes, point.seconds));
  return points;
}

using Points = std::vector<std::pair<double, double>>;

SizeFunction function_of(const Points& pairs) {
  std::vector<SizeFunction::Point> points;
  for (const auto& [bytes, seconds] : pairs) points.push_back({bytes, seconds});
  return SizeFunction(std::move(points));
}

/// The docstring of a time that depends on the length of a message, with one example.
std::string of_length(std::string_view what, std::string_view call, std::string_view result) {
  return fmt::format(R"(
          Gives {}.

          Parameters
          ----------
          bytes : float
              The length of the message in bytes.

          Returns
          -------
          float
              Seconds.

          Examples
          --------
          >>> das.plogp(0, 4).{}
          {}
          )",
                     what, call, result);
}

/// One of the functions of a layer, for a length that is a number of 0 or more.
template <typename Function>
auto for_length(Function function) {
  return [function](const PLogP& layer, double bytes) {
    if (!(bytes >= 0)) throw BadInput(fmt::format("bytes: {}; 0 or more would be right", bytes));
    return function(layer, bytes);
  };
}

/// A layer of a network in the model P-LogP.
void register_plogp(py::module_& module) {
  py::class_<PLogP>(module, "PLogP", R"(
          The costs of a message in one network layer: latency, and overheads and gap by its length.

          Examples
          --------
          >>> das.plogp(0, 4).latency_s
          0.01002
          )")
      .def(py::init([](double latency_s, const Points& send_overhead_s, const Points& receive_overhead_s,
                       const Points& gap_s) {
             return PLogP{latency_s, function_of(send_overhead_s), function_of(receive_overhead_s), function_of(gap_s)};
           }),
           py::arg("latency_s"), py::arg("send_overhead_s"), py::arg("receive_overhead_s"), py::arg("gap_s"),
           R"(
          Makes a layer of its latency and of the points of its functions, pairs of bytes and seconds.

          Parameters
          ----------
          latency_s : float
              The latency L in seconds.
          send_overhead_s, receive_overhead_s, gap_s : list of tuple
              As points() gives them.

          Raises
          ------
          BadInput
              When sizes do not ascend, with the point.

          Examples
          --------
          >>> layer = das.plogp(0, 4)
          >>> isthmus.PLogP(layer.latency_s, **layer.points()) == layer
          True
          )")
      .def("__repr__",
           [](const PLogP& layer) {
             constexpr double bytes = 1024;
             return fmt::format("<isthmus.PLogP: latency {}, gap of 1 KiB {}>", format_seconds(layer.latency_s),
                                format_seconds(layer.gap(bytes)));
           })
      .def_readonly("latency_s", &PLogP::latency_s, "The latency L in seconds.")
      .def("send_overhead_s", for_length([](const PLogP& layer, double bytes) { return layer.send_overhead(bytes); }),
           py::arg("bytes"), of_length("os(m): how long the sender is busy", "send_overhead_s(1000)", "0.0").c_str())
      .def("receive_overhead_s",
           for_length([](const PLogP& layer, double bytes) { return layer.receive_overhead(bytes); }), py::arg("bytes"),
           of_length("or(m): how long the receiver is busy", "receive_overhead_s(1000)", "0.0").c_str())
      .def("gap_s", for_length([](const PLogP& layer, double bytes) { return layer.gap(bytes); }), py::arg("bytes"),
           of_length("g(m): how long after a message the next can be sent", "gap_s(1000)", "0.0011").c_str())
      .def("receive_time_s", for_length([](const PLogP& layer, double bytes) { return layer.receive_time_s(bytes); }),
           py::arg("bytes"),
           of_length("r(m) = L + g(m): when a message that is sent at 0 has been received", "receive_time_s(1000)",
                     "0.01112")
               .c_str())
      .def(
          "points",
          [](const PLogP& layer) {
            py::dict points;
            points["send_overhead_s"] = points_of(layer.send_overhead);
            points["receive_overhead_s"] = points_of(layer.receive_overhead);
            points["gap_s"] = points_of(layer.gap);
            return points;
          },
          R"(
          Gives the points between which the functions are straight.

          Returns
          -------
          dict of str to list of tuple
              For send_overhead_s, receive_overhead_s and gap_s: pairs of bytes and seconds.

          Examples
          --------
          >>> list(das.plogp(0, 4).points())
          ['send_overhead_s', 'receive_overhead_s', 'gap_s']
          )");
}

/// The layers between ranks.
void register_layers(py::module_& module) {
  module.def(
      "plogp",
      [](const Placed& placed, int from_rank, int to_rank) {
        const auto& hosts = placed.placement().host_of_rank;
        return plogp_of(placed.network(), hosts.at(from_rank), hosts.at(to_rank));
      },
      py::arg("placed"), py::arg("from_rank"), py::arg("to_rank"));
  module.def(
      "two_layers",
      [](const Placed& placed) {
        const TwoLayers layers = two_layers_of(placed.request.placed);
        return py::make_tuple(layers.wan, layers.lan, layers.clusters, layers.cluster_size);
      },
      py::arg("placed"), "The layers of Kielmann 2000: (wan, lan, clusters, cluster_size).");
}

/// What bounds the time, and what tries to be near.
void register_searches(py::module_& module) {
  module.def(
      "lower_bound_s",
      [](const Placed& placed, const std::string& collective, std::int64_t bytes, std::int64_t element_bytes,
         int root) {
        return lower_bound(placed.request.placed, problem_of(collective_named(collective), bytes, element_bytes, root));
      },
      py::arg("placed"), py::arg("collective"), py::arg("bytes"), py::arg("element_bytes"), py::arg("root"),
      WithoutGil());

  module.def(
      "candidates",
      [](const Placed& placed, const std::string& collective, std::int64_t bytes, std::int64_t element_bytes, int root,
         bool thorough) {
        std::vector<std::pair<std::string, double>> plans;
        const Problem problem = problem_of(collective_named(collective), bytes, element_bytes, root);
        for (const Candidate& candidate :
             choice_and_others(placed.request.placed, problem, thorough ? Search::every_algorithm : Search::choice))
          plans.emplace_back(std::string(name(problem.collective)) + "/" + request_text(candidate.plan),
                             candidate.seconds);
        return plans;
      },
      py::arg("placed"), py::arg("collective"), py::arg("bytes"), py::arg("element_bytes"), py::arg("root"),
      py::arg("thorough"), WithoutGil(),
      "The automatic choice, then every other plan that is tried, quickest first, with the seconds of its replay.");

  module.def(
      "search_kielmann",
      [](const Placed& placed, std::int64_t bytes, std::int64_t element_bytes, bool exhaustively) {
        const TwoLayers layers = two_layers_of(placed.request.placed);
        const KielmannChoice found = exhaustively ? search_kielmann_exhaustively(layers, bytes, element_bytes)
                                                  : search_kielmann(layers, bytes, element_bytes);
        return std::tuple(found.segment_bytes, found.segments, found.wan_degree, found.lan_degree, found.seconds,
                          found.evaluations);
      },
      py::arg("placed"), py::arg("bytes"), py::arg("element_bytes"), py::arg("exhaustively"), WithoutGil());
}

/// Where the time of a plan goes.
void register_explanations(py::module_& module) {
  module.def(
      "cost_split",
      [](const Placed& placed, const std::string& plan, std::int64_t bytes, std::int64_t element_bytes, int root) {
        const PlanRequest request = parse_plan_request(plan);
        const Problem problem = problem_of(request.collective, bytes, element_bytes, root);
        const PlacedNetwork& network = placed.request.placed;
        const Carried all = carried(network, element_bytes, source(request.plan, network.topology(), problem));
        const Replay timed = replay(all.placed, element_bytes, all.programs, true);
        const CostSplit split =
            critical_path(all.placed, element_bytes, materialise(all.placed.size(), all.programs), timed.timeline);
        return std::tuple(split.latency_s, split.wide_area_s, split.local_s, split.overhead_s, split.contention_s,
                          split.messages);
      },
      py::arg("placed"), py::arg("plan"), py::arg("bytes"), py::arg("element_bytes"), py::arg("root"), WithoutGil(),
      "Seconds of a plan's critical path by cause: latency, wide area, local, processors, waiting; and its messages.");

  module.def(
      "sensitivity",
      [](const Placed& placed, const std::string& what, std::int64_t bytes, std::int64_t element_bytes, int root,
         double change) {
        const RequestedPoint point = placed.point(what, bytes, element_bytes, root);
        const Checkpoint checkpoint = signal_checkpoint();
        const Sensitivity found =
            find_sensitivity(placed.request.placed, point, change, [&](std::size_t, std::size_t) { checkpoint(); });
        return format_sensitivity(found, placed.request.placed, Format::json, {}, true, placed.request.set_links);
      },
      py::arg("placed"), py::arg("what"), py::arg("bytes"), py::arg("element_bytes"), py::arg("root"),
      py::arg("change"), WithoutGil(), "What a change of each link saves: a JSON object a line, as the command's.");
}

/// Numbers as texts and back.
void register_texts(py::module_& module) {
  module.def("parse_sizes", &parse_sizes, py::arg("text"), "`1,64Ki,4Mi` or `1..4Mi`. Raises BadInput.");
  module.def("format_bytes", &format_bytes, py::arg("bytes"));
  module.def("format_seconds", &format_seconds, py::arg("seconds"));
  module.def("format_rate", &format_rate, py::arg("bytes_per_second"));
}

}  // namespace

void register_models(py::module_& module) {
  register_plogp(module);
  register_layers(module);
  register_searches(module);
  register_explanations(module);
  register_texts(module);
}

}  // namespace isthmus::python
