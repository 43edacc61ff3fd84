// Tables and graphs that platforms are made from: read as each kind; what is accepted gives a platform that can be
// read.
#include "platforms/source_checks.hpp"
#include "platforms/wide_area/from_graphml.hpp"
#include "platforms/wide_area/from_tables.hpp"
#include "tests/fuzz/input.hpp"

namespace isthmus {
namespace {

constexpr std::size_t max_sites = 16;  // more cost time and find nothing else

void write_and_check(WideArea area) {
  area.name = "fuzz";
  fuzz::answered([&] {
    const fuzz::InputFile written(platform_xml(area));
    const SourceFile source(written.path());
    fuzz::require(source.is_parsed());
    check_source(source);
  });
}

void use(const SiteTable& table, Quantity quantity) {
  if (table.size() > max_sites) return;
  SiteTable bandwidth = table;
  for (double& value : bandwidth.values) value = 1e6;
  SiteOptions options;
  options.exit = options.entrance = options.host_bandwidth = {SiteRate::Kind::largest, 0};
  SiteTables tables{table, quantity == Quantity::bandwidth ? table : bandwidth, {}, {}};
  if (quantity == Quantity::price) tables.price = table;
  fuzz::answered([&] { write_and_check(wide_area_of(tables, options)); });
}

}  // namespace
}  // namespace isthmus

ISTHMUS_HARNESS(wide_area) {
  using namespace isthmus;
  const fuzz::InputFile file(data, size);
  for (const Quantity quantity : {Quantity::latency, Quantity::bandwidth, Quantity::price}) {
    SiteTable table;
    if (fuzz::answered([&] { table = read_site_table(file.path(), quantity, size % 2 == 0); })) use(table, quantity);
  }
  fuzz::answered([&] { read_site_rows(file.path()); });
  GraphOptions options;
  options.line_bandwidth_Bps = 1e6;
  options.line_latency_s = 0.01;
  WideArea area;
  if (fuzz::answered([&] { area = wide_area_of_graphml(file.path(), options); }) && area.sites.size() <= max_sites)
    write_and_check(area);
  return 0;
}
