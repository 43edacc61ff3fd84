#include "validation/command_line/starvation.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace isthmus::command_line {
namespace {

/// As part of the time in which a processor was wanted. Quiet, 16 ranks on two processors wait 0.1 of it; those of a
/// kernel that runs as a process wait inside, and 0.25, beside other work, made its results 2 to 7 % longer.
double bearable(const std::string& substrate) { return substrate == "uml" ? 0.2 : 0.4; }

}  // namespace

void say_when_starved(double processor_waited, const std::string& substrate) {
  if (processor_waited <= bearable(substrate)) return;
  std::fflush(stdout);
  fmt::print(
      stderr,
      "isthmus: note: processes waited for a processor {:.0f} % of the time in which they wanted one: times may "
      "be those of the processors and not of the network; fewer ranks, a quieter machine, or --substrate virtual "
      "would do\n",
      processor_waited * 100);
}

void say_when_starved(const std::vector<Record>& records) {
  const Record* worst = nullptr;
  const auto waited = [](const Record& record) { return record.extra.value("processor_waited", 0.0); };
  for (const Record& record : records) {
    if (worst == nullptr || waited(record) > waited(*worst)) worst = &record;
  }
  if (worst == nullptr || waited(*worst) <= 0) return;
  const nlohmann::json provenance = worst->extra.value("provenance", nlohmann::json::object());
  say_when_starved(waited(*worst), provenance.value("substrate", ""));
}

}  // namespace isthmus::command_line
