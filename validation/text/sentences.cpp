#include "validation/text/sentences.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithms/text/counted.hpp"
#include "validation/text/units.hpp"

namespace isthmus {

std::string sentence(const Check& check) {
  return fmt::format("{} of {} at {} on {}, {}: {} % from {}, {:.3g} % tolerated", name(check.source), check.algorithm,
                     format_bytes(check.bytes), check.platform, counted(check.ranks, "rank"),
                     format_percent(check.error), name(check.against), check.tolerance * 100);
}

std::string sentences(const Summary& summary) {
  std::string text;
  if (summary.checks == 0) {
    text = fmt::format("{} results, no tolerances asked for.", summary.results);
  } else if (summary.worst) {
    text = fmt::format("{} of {} comparisons are out of tolerance; the worst is {}.", summary.missed, summary.checks,
                       sentence(*summary.worst));
  } else {
    text = fmt::format("All {} comparisons are within their tolerance.", summary.checks);
  }
  for (const Check& check : summary.largest_errors) {
    const std::string error = format_percent(std::abs(check.error));
    text += fmt::format(" {} differs from {} by {} % at most ({} at {}).", name(check.source), name(check.against),
                        error.front() == '+' ? error.substr(1) : error, check.algorithm, format_bytes(check.bytes));
  }
  if (summary.unsettled > 0) {
    text += fmt::format(" {} results are less certain than asked for: {} repetitions did not do.", summary.unsettled,
                        summary.repetitions);
  }
  return text;
}

std::string sentence(const Finding& finding) {
  const auto full_name = [&](const Finding::Entry& entry) {
    return finding.is_one_of_collectives ? finding.collective + "/" + entry.algorithm : entry.algorithm;
  };
  std::string text = fmt::format(
      "At {} on {}, {} is the fastest: {}", format_bytes(finding.bytes),
      finding.is_one_of_ranks ? fmt::format("{} ({} ranks)", finding.platform, finding.ranks) : finding.platform,
      full_name(finding.fastest), format_seconds(finding.fastest.seconds));
  const double best = finding.fastest.seconds, next = finding.second.seconds;
  if (next >= best * 1.095) {
    text += fmt::format(", {:.2g} times faster than {}", next / best, full_name(finding.second));
  } else if (next > best * 1.005) {
    text += fmt::format(", {:.0f} % faster than {}", 100 * (next / best - 1), full_name(finding.second));
  }
  if (finding.over_bound) text += fmt::format(", {:.2f} times the lower bound", *finding.over_bound);
  return text + ".";
}

std::string sentences(const ExperimentVerdict& verdict) {
  std::string text = sentences(verdict.summary);
  for (const Finding& finding : verdict.findings) text.append(" ").append(sentence(finding));
  return text;
}

}  // namespace isthmus
