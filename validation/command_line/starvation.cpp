#include "validation/command_line/starvation.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "emulator/substrates/substrate.hpp"

namespace isthmus::command_line {

void say_when_starved(double processor_waited, const std::string& substrate) {
  if (processor_waited <= substrate_kind(substrate).bearable_wait) return;
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
  if (worst == nullptr || waited(*worst) <= 0 || !worst->extra.contains("provenance")) return;
  say_when_starved(waited(*worst), worst->extra.at("provenance").value("substrate", "native"));
}

}  // namespace isthmus::command_line
