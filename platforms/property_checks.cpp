#include "platforms/property_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

struct Place {
  std::string_view name;
  bool (*holds)(pugi::xml_node element);
};

bool is_zone(pugi::xml_node element) {
  constexpr std::string_view zones[] = {"zone", "AS", "cluster", "cabinet", "peer"};
  return std::ranges::find(zones, element.name()) != std::end(zones);
}
bool is_outermost(pugi::xml_node element) { return element.parent().name() == std::string_view("platform"); }
bool is_host_or_zone(pugi::xml_node element) { return element.name() == std::string_view("host") || is_zone(element); }
bool is_link(pugi::xml_node element) { return element.name() == std::string_view("link"); }

constexpr Place in_outermost{"the outermost zone", is_outermost}, in_zone{"a zone or <cluster>", is_zone},
    in_host_or_zone{"a host, or a zone of hosts", is_host_or_zone}, in_link{"a <link>", is_link};

struct Property {
  std::string_view name;
  Place place;
};

constexpr std::string_view names_begin = "isthmus.";
constexpr Property properties[] = {{"isthmus.level", in_zone},
                                   {"isthmus.role", in_host_or_zone},
                                   {"isthmus.missing_routes", in_outermost},
                                   {"isthmus.price_per_GB", in_link},
                                   {"isthmus.header_bytes", in_outermost},
                                   {"isthmus.frame_bytes", in_outermost},
                                   {"isthmus.acknowledgement_bytes", in_outermost},
                                   {"isthmus.eager_bytes", in_outermost},
                                   {"isthmus.buffered_bytes", in_outermost},
                                   {"isthmus.send_overhead_s", in_outermost},
                                   {"isthmus.send_overhead_s_per_byte", in_outermost},
                                   {"isthmus.receive_overhead_s", in_outermost},
                                   {"isthmus.receive_overhead_s_per_byte", in_outermost},
                                   {"isthmus.reduction_s_per_byte", in_outermost}};

}  // namespace

void check_property(const SourceFile& source, pugi::xml_node property) {
  const std::string_view name = property.attribute("id").value(), value = property.attribute("value").value();
  if (!name.starts_with(names_begin)) return;
  const auto found = std::ranges::find(properties, name, &Property::name);
  if (found == std::end(properties)) {
    std::vector<std::string_view> known;
    for (const Property& one : properties) known.push_back(one.name.substr(names_begin.size()));
    throw source.error(property, fmt::format("no property `{}` of isthmus{}", excerpt(name),
                                             near_matches(name.substr(names_begin.size()), known)));
  }
  const pugi::xml_node element = property.parent();
  if (!found->place.holds(element))
    throw source.error(property, fmt::format("{} {} has `{}`; in {} it would be right", excerpt(element.name()),
                                             excerpt(element.attribute("id").value()), name, found->place.name));
  if (name == "isthmus.role" && value != "gateway")
    throw source.error(property, fmt::format("{}: \"{}\"; \"gateway\" would be right", name, excerpt(value)));
}

}  // namespace isthmus
