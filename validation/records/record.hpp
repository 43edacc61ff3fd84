// The record: one line of result. What was run, where the number comes from, the seconds, the bound, the provenance.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/text/digest.hpp"

namespace isthmus {

/// Where a number comes from: a closed form of one of four models, the replay of the schedule, SimGrid's SMPI, a real
/// MPI on the emulated network.
enum class Source : std::uint8_t { hockney, logp, loggp, plogp, replay, smpi, emulated };

/// All sources, cheapest first; the order of columns and of runs.
inline constexpr Source all_sources[] = {Source::hockney, Source::logp, Source::loggp,   Source::plogp,
                                         Source::replay,  Source::smpi, Source::emulated};

/// The name used on the command line and in records, e.g. `smpi`.
std::string_view name(Source source);
/// The name in tables and reports. LogP ignores the length of messages, so its times may lie below the bound: its label
/// says so.
std::string label(Source source);
/// Throws BadInput with the names there are.
Source source_named(std::string_view name);

struct Record {
  Source source = Source::plogp;
  std::string platform;                       ///< name of the network
  std::string collective;                     ///< e.g. `broadcast`
  std::string algorithm;                      ///< id, e.g. `kielmann`
  std::int64_t bytes = 0;                     ///< what the MPI call passes for one buffer or block
  std::optional<std::int64_t> segment_bytes;  ///< none: unsegmented
  int ranks = 0;
  int root = 0;
  double seconds = 0;        ///< common start to the last rank's end
  double bound_seconds = 0;  ///< what no schedule can beat; 0: none known
  int repetitions = 1;
  std::string statistic;  ///< how `seconds` comes from the repetitions

  std::string plan;       ///< the algorithm with every parameter, as parse_plan reads it
  std::string requested;  ///< the plan as it was asked for, before open parameters were chosen
  std::int64_t element_bytes = 1;
  std::string placement;       ///< which host runs each rank, in short; see placement_text
  std::string network_digest;  ///< of the whole network, so that two platforms of one name are told apart
  nlohmann::json settings = nlohmann::json::object();  ///< what was asked of the source and can change the seconds
  nlohmann::json extra = nlohmann::json::object();     ///< whatever else the source knows; no key of a field above
};

/// One JSON object, the fields in the order above, `extra` at its end on the same level; unknown numbers are null.
nlohmann::ordered_json to_json(const Record& record);
/// Throws BadInput naming the key. Keys that are no field go to `extra`.
Record record_from_json(const nlohmann::json& json);

/// Two records of equal identity are the same point. Seconds and provenance are not part of it.
std::string identity(const Record& record);

/// The same with the plan as asked for: records of equal question() may have different plans.
std::string question(const Record& record);

/// Whether the median is less certain than asked for after all repetitions that were allowed.
bool is_unsettled(const Record& record);

/// The hosts of ranks 0, 1 ..., runs abbreviated: `1-4,6-9,6x4` (host 6 with four ranks). A digest if that is longer
/// than 60 characters.
std::string placement_text(const std::vector<int>& host_of_rank);

}  // namespace isthmus
