#include "validation/harness/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "emulator/substrates/substrate.hpp"
#include "validation/harness/record_template.hpp"

namespace isthmus {

std::optional<Note> note_of_unanswered(Source source, const RunRequest& request) {
  std::vector<std::string> names;
  for (const RequestedPoint& point : request.points) {
    const std::string plan = fmt::format("{}/{}", name(point.problem.collective), point.requested);
    if (!answers(source, request, point) && std::ranges::find(names, plan) == names.end()) names.push_back(plan);
  }
  if (names.empty()) return std::nullopt;
  return Note{Note::Kind::no_answer, fmt::format("{} has no answer for {}", name(source), fmt::join(names, ", ")), ""};
}

std::vector<Note> notes_of_profiles(const Network& network) {
  if (network.profiles.empty()) return {};
  return {{Note::Kind::left_out,
           fmt::format("{}: models and bounds leave out that link {} changes over time", network.name,
                       network.links[network.profiles.begin()->first].name),
           "`simulate` and `emulate` follow its profile", std::ssize(network.profiles)}};
}

bool leaves_profiles_out(Source source) { return source != Source::smpi && source != Source::emulated; }

std::optional<Note> note_of_starvation(double processor_waited, const std::string& substrate) {
  if (processor_waited <= substrate_kind(substrate).bearable_wait) return std::nullopt;
  return Note{
      Note::Kind::starved,
      fmt::format("processes waited for a processor {:.0f} % of the time in which they wanted one: times may be "
                  "those of the processors, not of the network",
                  processor_waited * 100),
      "fewer ranks, a quieter machine, or --substrate virtual would help"};
}

std::optional<Note> note_of_starvation(std::span<const Record> records) {
  const Record* worst = nullptr;
  const auto waited = [](const Record& record) { return record.extra.value("processor_waited", 0.0); };
  for (const Record& record : records) {
    if (worst == nullptr || waited(record) > waited(*worst)) worst = &record;
  }
  if (worst == nullptr || waited(*worst) <= 0 || !worst->extra.contains("provenance")) return std::nullopt;
  return note_of_starvation(waited(*worst), worst->extra.at("provenance").value("substrate", "native"));
}

std::optional<Note> note_of_unsettled(std::span<const Record> records) {
  const auto wide = std::ranges::count_if(records, is_unsettled);
  if (wide == 0) return std::nullopt;
  return Note{Note::Kind::unsettled,
              fmt::format("{} of {} results are less certain than asked for", wide, records.size()),
              "more --repetitions or a wider --confidence-interval would help"};
}

std::optional<Note> note_of_synthesis(std::span<const Record> records) {
  std::optional<Note> worst;
  double greatest_loss = 0;
  std::int64_t count = 0;
  for (const Record& record : records) {
    const auto synthesis = record.extra.find("synthesis");
    if (synthesis == record.extra.end()) continue;
    ++count;
    const double loss = synthesis->value("loss", 0.0);
    if (worst && loss <= greatest_loss) continue;
    greatest_loss = loss;
    std::vector<std::string> reasons;
    if (loss > 0)
      reasons.push_back(fmt::format("only the best of many links were used, so that its rate may be {:.2g} % less",
                                    std::min(100 * loss, 99.0)));
    if (!synthesis->value("finished", true)) reasons.emplace_back("the search for ways used up its budget");
    worst = Note{Note::Kind::approximate_plan,
                 fmt::format("{}: there may be a better packing for {} of {} B: {}", record.platform, record.collective,
                             record.bytes, fmt::join(reasons, "; ")),
                 ""};
  }
  if (worst) worst->count = count;
  return worst;
}

std::vector<Note> notes_about(std::span<const Record> records) {
  std::vector<Note> notes;
  if (auto note = note_of_starvation(records)) notes.push_back(*note);
  if (auto note = note_of_unsettled(records)) notes.push_back(*note);
  if (auto note = note_of_synthesis(records)) notes.push_back(*note);
  return notes;
}

}  // namespace isthmus
