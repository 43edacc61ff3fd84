#include "validation/report/sections/timeline_section.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/replay/forwarded.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/schedule/census.hpp"
#include "validation/report/timeline_picture.hpp"
#include "validation/report/tree_picture.hpp"
#include "validation/text/plan_text.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

Element timeline_tools(int ranks) {
  const auto button = [](std::string_view act, std::string_view label, std::string_view text) {
    return text_element("button", text).set("type", "button").set("data-zoom", act).set("aria-label", label);
  };
  Element select("select");
  select.set("data-rank", "");
  select.add(text_element("option", "all ranks").set("value", ""));
  for (int rank = 0; rank < ranks; ++rank)
    select.add(text_element("option", fmt::format("rank {}", rank)).set("value", std::to_string(rank)));
  return Element("div")
      .set("class", "tools")
      .add(button("in", "zoom in", "+"))
      .add(button("out", "zoom out", "−"))
      .add(button("left", "earlier", "←"))
      .add(button("right", "later", "→"))
      .add(button("whole", "the whole time", "whole"))
      .add(Element("label").add(text_element("span", "messages of")).add(select));
}

}  // namespace

void add_timeline(Element& section, const TimelineRequest& request, const Experiment& experiment, const Scene& scene) {
  const Problem problem = experiment.problem(request.plan, request.bytes);
  const Topology& topology = scene.placed.topology();
  const Plan plan = completed(scene.placed, request.plan, problem).plan;
  check(plan, topology, problem);
  const Carried all = carried(scene.placed, problem.element_bytes, source(plan, topology, problem));
  const Replay result = replay(all.placed, problem.element_bytes, all.programs, true);
  const Schedule schedule = materialise(all.placed.size(), all.programs);
  const std::vector<Flight> flights = flights_of(schedule, result.timeline, problem.element_bytes);
  section.add(text_element(
      "h3", fmt::format("One schedule: {}, {}", short_plan(request_text(plan)), format_bytes(request.bytes))));
  Element figure("figure");
  figure.set("class", "explorable");
  figure.add(timeline_tools(all.placed.size()));
  figure.add(Element("div").set("class", "scroll").add(draw_timeline(flights, all.placed, result.seconds)));
  Element caption("figcaption");
  caption.text(
      fmt::format("The replay of the schedule: {} messages, {} from the common start to the last rank's end. One "
                  "row a rank; a bar is a message on its way to that rank, from its sending, or from the arrival "
                  "of the one before it, to its own arrival. Bars alternate in shade.",
                  result.messages, format_seconds(result.seconds)));
  caption.add(Element("span").set("class", "key wide-area")).text("between sites");
  caption.add(Element("span").set("class", "key local")).text("inside a site");
  section.add(figure.add(caption));
  const Census counted = census(schedule, problem.element_bytes);
  section.add(figure_element(
      Element("div").set("class", "scroll").add(draw_tree(counted, topology, problem.root)),
      fmt::format("Who sends to whom: {} messages, {}; thick lines are between sites, and each site has its colour.",
                  counted.total.messages, format_bytes(counted.total.bytes))));
}

}  // namespace isthmus
