// The report of an experiment: one self-contained HTML file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "validation/harness/harness.hpp"

namespace isthmus {

/// Where, when and by which command the report was made.
struct ReportContext {
  std::string command;                                       ///< as it was typed
  std::string created_at;                                    ///< date and time with the zone
  std::vector<std::pair<std::string, std::string>> machine;  ///< e.g. {"kernel", "Linux 6.1"}
};

/// This machine and now; `version` as `isthmus 0.1.0 (COMMIT)`.
ReportContext report_context(std::string command, std::string version);

std::string report_html(const Experiment& experiment, const Outcome& outcome, const ReportContext& context);

/// `FOLDER/NAME.html`, with the folder made and the file one that can be written: for a check before long work. Throws
/// as write_report() does.
std::string report_file(const Experiment& experiment, const std::string& folder);

/// Writes `FOLDER/NAME.html`, making the folder, and returns its path. What was there is replaced in one step. Throws
/// BadInput, or Refused for a full disk, naming the file and what the system said.
std::string write_report(const Experiment& experiment, const Outcome& outcome, const ReportContext& context,
                         const std::string& folder);

}  // namespace isthmus
