#include "validation/report/sections/packing_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/catalog.hpp"
#include "algorithms/tuning/packing_map.hpp"
#include "validation/report/packing_picture.hpp"
#include "validation/text/packing_text.hpp"
#include "validation/text/plan_text.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

constexpr std::size_t max_packings = 5;

const Record* record_of(const ComparisonRow& row, Source source) {
  if (const Record* record = row.of(source)) return record;
  const auto other = std::ranges::find_if(row.by_source, [](const Record* record) { return record != nullptr; });
  return other == row.by_source.end() ? nullptr : *other;
}

/// A record whose plan has a packing.
struct Packed {
  const Record* record = nullptr;
  Plan plan;
};

std::vector<Packed> different_packings(std::span<const ComparisonRow> rows, Source source) {
  std::vector<Packed> found;
  for (const ComparisonRow& row : rows) {
    const Record* record = record_of(row, source);
    if (record == nullptr || record->plan.find("packing=") == std::string::npos) continue;
    const Plan plan = parse_plan(collective_named(record->collective), record->plan);
    if (!plan.parameters.packing.empty()) found.push_back({record, plan});
  }
  std::ranges::stable_sort(found, {}, [](const Packed& of) { return -of.record->bytes; });
  std::set<std::string> seen;
  std::erase_if(found,
                [&](const Packed& of) { return !seen.insert(to_string(of.plan.parameters.packing.ways)).second; });
  return found;
}

/// The figure, and the same as text.
Element drawn(const Packed& packed, const PlacedNetwork& placed) {
  const Record& record = *packed.record;
  const Problem problem{collective_named(record.collective), record.bytes / record.element_bytes, record.element_bytes,
                        record.root};
  const PackingMap map = packing_map(placed, problem, packed.plan);
  const LowerBound bound = find_lower_bound(placed, problem);
  const PackingPicture picture = draw_packing(map, bound, placed.network(), record.seconds);
  Element text("details");
  text.add(text_element("summary", "as text"))
      .add(text_element("pre", packing_text(map, bound, placed.network(), record.seconds, false)))
      .add(text_element("p", "The plan: ").add(text_element("code", record.plan)));
  return Element("div")
      .add(Element("figure")
               .add(Element("div").set("class", "scroll").add(picture.svg))
               .add(text_element("figcaption", picture.caption)))
      .add(text);
}

}  // namespace

std::optional<Element> packing_section(std::span<const ComparisonRow> rows, const PlacedNetwork& placed,
                                       Source source) {
  const std::vector<Packed> packings = different_packings(rows, source);
  if (packings.empty()) return std::nullopt;
  Element section("section");
  for (std::size_t i = 0; i < packings.size() && i < max_packings; ++i) {
    const Record& record = *packings[i].record;
    const std::string title =
        fmt::format("{}, {}, {}", format_bytes(record.bytes), short_plan(record.plan), format_seconds(record.seconds));
    if (i == 0)
      section.add(text_element("h4", title)).add(drawn(packings[i], placed));
    else
      section.add(Element("details").add(text_element("summary", title)).add(drawn(packings[i], placed)));
  }
  if (packings.size() > max_packings)
    section.add(text_element("p", fmt::format("{} more packings, of other sizes, are not drawn.",
                                              packings.size() - max_packings))
                    .set("class", "note"));
  return section;
}

}  // namespace isthmus
