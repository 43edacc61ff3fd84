#include "validation/report/sections/provenance.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "algorithms/text/counted.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

void add_fact(Element& body, std::string_view key, std::string_view value) {
  body.add(Element("tr").add(text_element("th", key).set("scope", "row")).add(text_element("td", value)));
}

std::string plain(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Element facts_table(const Element& body) {
  return Element("div").set("class", "scroll").add(Element("table").set("class", "facts").add(body));
}

/// If a value differs between records, all its values are shown.
Element source_facts(const Outcome& outcome, Source source) {
  std::map<std::string, std::set<std::string>> facts;
  std::size_t count = 0;
  for (const Record& record : outcome.records) {
    if (record.source != source) continue;
    ++count;
    facts["statistic"].insert(record.statistic);
    facts["repetitions"].insert(std::to_string(record.repetitions));
    for (const auto& [key, value] : record.settings.items()) facts[key].insert(plain(value));
    const auto provenance = record.extra.find("provenance");
    if (provenance != record.extra.end() && provenance->is_object())
      for (const auto& [key, value] : provenance->items()) facts[key].insert(plain(value));
  }
  Element body("tbody");
  add_fact(body, "results", std::to_string(count));
  for (const auto& [key, values] : facts) add_fact(body, key, fmt::format("{}", fmt::join(values, "; ")));
  return facts_table(body);
}

double number(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : NAN;
}

std::string text_of(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() ? plain(*found) : std::string();
}

void add_achieved(Element& section, const Outcome& outcome) {
  std::set<std::string> seen;
  Element body("tbody");
  for (const Record& record : outcome.records) {
    const auto achieved = record.extra.find("achieved");
    if (achieved == record.extra.end() || !achieved->is_array()) continue;
    for (const nlohmann::json& link : *achieved) {
      if (!link.is_object() || !seen.insert(record.platform + link.dump()).second) continue;
      const double asked_latency = number(link, "asked_latency_s"), latency = number(link, "latency_s");
      const double asked_rate = number(link, "asked_bandwidth_Bps"), rate = number(link, "bandwidth_Bps");
      Element row("tr");
      row.add(text_element("td", record.platform).set("class", "text"));
      row.add(text_element("td", text_of(link, "from") + " to " + text_of(link, "to")).set("class", "text"));
      row.add(text_element("td", fmt::format("{:.4g}", asked_latency * 1e3)));
      row.add(text_element("td", fmt::format("{:.4g}", latency * 1e3)));
      row.add(text_element("td", format_percent(latency / asked_latency - 1)));
      row.add(text_element("td", fmt::format("{:.4g}", asked_rate / 1e6)));
      row.add(text_element("td", fmt::format("{:.4g}", rate / 1e6)));
      row.add(text_element("td", format_percent(rate / asked_rate - 1)));
      body.add(row);
    }
  }
  if (seen.empty()) return;
  Element head("tr");
  const auto column = [&](const char* name, const char* unit, bool is_text) {
    head.add(text_element("th", name)
                 .set("scope", "col")
                 .set("class", is_text ? "text" : "")
                 .add(text_element("small", unit)));
  };
  column("platform", "", true);
  column("route", "", true);
  column("latency asked", "ms", false);
  column("achieved", "ms", false);
  column("difference", "%", false);
  column("rate asked", "MB/s", false);
  column("achieved", "MB/s", false);
  column("difference", "%", false);
  section.add(text_element("h3", "What the emulated links gave"));
  section.add(text_element("p", "Measured by a probe before the run; rates are of payload.").set("class", "note"));
  section.add(table_element(head, body, "emulated links"));
}

}  // namespace

Element provenance_section(const Experiment& experiment, const Outcome& outcome, const ReportContext& context) {
  Element section("section");
  section.add(text_element("h2", "Where the numbers come from").set("id", "provenance"));
  Element body("tbody");
  add_fact(body, "command", context.command);
  add_fact(body, "experiment", experiment.file);
  add_fact(body, "made", context.created_at);
  for (const auto& [key, value] : context.machine) add_fact(body, key, value);
  for (const Scene& scene : outcome.scenes)
    add_fact(body, "platform " + scene.placed.network().name,
             fmt::format("{}; digest {}; {}; a message costs {:g} bytes more on every link", scene.platform_file,
                         scene.placed.digest(), counted(scene.placed.size(), "rank"),
                         scene.placed.network().transport.header_bytes));
  section.add(facts_table(body));
  add_achieved(section, outcome);
  section.add(text_element("h3", "Settings and versions, by source"));
  for (const Source source : experiment.sources)
    section.add(Element("details").add(text_element("summary", name(source))).add(source_facts(outcome, source)));
  return section;
}

}  // namespace isthmus
