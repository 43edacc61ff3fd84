#include "algorithms/mpi/library/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <regex>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/json/json_reader.hpp"
#include "algorithms/mpi/executor/tags.hpp"
#include "algorithms/mpi/library/comm_topology.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"
#include "algorithms/text/sizes.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr const char* network_variable = "ISTHMUS_NETWORK";
constexpr const char* channels_variable = "ISTHMUS_CHANNELS";
constexpr const char* table_variable = "ISTHMUS_TABLE";
constexpr const char* effort_variable = "ISTHMUS_EFFORT";
constexpr const char* site_variable = "ISTHMUS_SITE_PATTERN";
constexpr const char* report_variable = "ISTHMUS_REPORT";
constexpr const char* log_variable = "ISTHMUS_LOG";
constexpr const char* check_variable = "ISTHMUS_CHECK";
constexpr const char* reorder_variable = "ISTHMUS_REORDER";
constexpr const char* neighbour_variable = "ISTHMUS_NEIGHBOURS";
constexpr const char* discover_variable = "ISTHMUS_DISCOVER";
constexpr const char* discover_seconds_variable = "ISTHMUS_DISCOVER_SECONDS";
constexpr const char* discover_cache_variable = "ISTHMUS_DISCOVER_CACHE";
constexpr const char* tag_variable = "ISTHMUS_TAG_LIMIT";
constexpr const char* forward_variable = "ISTHMUS_FORWARD";  // of each process, before it initialises MPI
constexpr const char* start_variable = "ISTHMUS_START_SECONDS";
constexpr const char* statistics_variable = "ISTHMUS_FORWARD_STATISTICS";

// ISTHMUS_REDUCE_SCATTER for reduce_scatter.
std::string variable_of(std::string_view setting) {
  std::string variable = "ISTHMUS_";
  for (const char letter : setting) variable += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return variable;
}

std::vector<std::string> variables() {
  std::vector<std::string> names = {network_variable,
                                    channels_variable,
                                    table_variable,
                                    effort_variable,
                                    site_variable,
                                    report_variable,
                                    log_variable,
                                    check_variable,
                                    reorder_variable,
                                    neighbour_variable,
                                    tag_variable,
                                    discover_variable,
                                    discover_seconds_variable,
                                    discover_cache_variable};
  for (const Collective collective : collectives()) names.push_back(variable_of(name(collective)));
  return names;
}

// Those that are read before there is an MPI; they cannot be in a network's file.
std::vector<std::string> variables_of_processes() { return {forward_variable, statistics_variable, start_variable}; }

// The settings of a network file, by the names of variables. Other errors in the file are reported by read_network().
std::map<std::string, std::string> settings_of_file(const std::string& file) {
  const JsonDocument document = JsonDocument::of_file(
      file, "a network JSON, as `isthmus platform PLATFORM --format json` writes it, would be right");
  const auto settings = document.whole().find("settings");
  if (!settings) return {};
  if (!settings->value().is_object()) settings->refuse("an object of names and values");
  const std::vector<std::string> known = variables();
  std::map<std::string, std::string> values;
  for (const auto& [setting, value] : settings->value().items()) {
    const std::string variable = variable_of(setting);
    if (variable == network_variable || variable.starts_with(discover_variable) ||
        std::find(known.begin(), known.end(), variable) == known.end()) {
      settings->at(setting).fail(
          "is unknown; a collective, channels, table, effort, site_pattern, report, log, check, reorder, neighbours or "
          "tag_limit would be "
          "right");
    }
    values[variable] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return values;
}

// ISTHMUS_BROADCAST for ISTHMUS_BCAST and ISTHMUS_MPI_BCAST; empty where the variable names no collective.
std::string named_as_mpi_does(std::string_view variable) {
  try {
    return variable_of(name(collective_named(variable.substr(std::string_view("ISTHMUS_").size()))));
  } catch (const BadInput&) {
    return "";
  }
}

// Variables of other programs may have our prefix; a variable that differs from ours by one letter, or has MPI's name
// of a collective, is an error.
void check_spelling(const std::vector<std::string>& known) {
  for (char* const* each = environ; *each != nullptr; ++each) {
    const std::string_view set = std::string_view(*each).substr(0, std::string_view(*each).find('='));
    if (!set.starts_with("ISTHMUS_") || std::find(known.begin(), known.end(), set) != known.end()) continue;
    const std::string collective = named_as_mpi_does(set);
    for (const std::string& variable : known)
      if (edit_distance(set, variable) == 1 || variable == collective)
        throw BadInput(std::string(set) + " is no setting; did you mean " + variable + "?");
  }
}

// The variables that are set, here or in the file, each as name, '=', value and a null character, which no value of the
// environment contains.
std::string all_variables() {
  std::map<std::string, std::string> values;
  const std::vector<std::string> known = variables();
  std::vector<std::string> all = variables_of_processes();
  all.insert(all.end(), known.begin(), known.end());
  check_spelling(all);
  for (const std::string& variable : known)
    if (const char* value = std::getenv(variable.c_str()); value != nullptr && *value != '\0') values[variable] = value;
  if (const char* forward = std::getenv(forward_variable); forward != nullptr) values[forward_variable] = forward;
  if (const auto file = values.find(network_variable); file != values.end()) {
    for (const auto& [variable, value] : settings_of_file(file->second))
      values.emplace(variable, value.substr(0, value.find('\0')));
  }
  std::string text;
  for (const auto& [variable, value] : values) text.append(variable).append("=").append(value).append(1, '\0');
  return text;
}

// Parses a variable by `parse`; an error begins with the variable's name.
template <typename Parse>
auto parsed(const std::string& variable, const std::string& value, Parse parse) {
  try {
    return parse(value);
  } catch (const BadInput& error) {
    throw BadInput(variable + ": " + error.what());
  }
}

void check_pattern(const std::string& pattern) {
  bool right = false;
  try {
    right = std::regex(pattern).mark_count() > 0;
  } catch (const std::regex_error&) {
    right = false;
  }
  if (!right)
    throw BadInput(std::string(site_variable) + ": \"" + pattern +
                   "\" is not a regular expression with a group, such as ^([a-z]+)-");
}

std::string on_or_file(const std::string& value) { return value == "0" ? std::string() : value; }

double seconds_of(const char* variable, const std::string& value, double usual_s) {
  if (value.empty()) return usual_s;
  char* end = nullptr;
  const double seconds = std::strtod(value.c_str(), &end);
  if (*end != '\0' || !std::isfinite(seconds) || seconds < 0 || std::isspace(static_cast<unsigned char>(value.front())))
    throw BadInput(std::string(variable) + ": \"" + value + "\"; seconds, such as 10, would be right");
  return seconds;
}

// The value of a word; empty: the first of the row.
template <typename Value, std::size_t words>
Value one_of(const char* variable, const std::string& value, const std::pair<const char*, Value> (&row)[words]) {
  std::string right;
  for (const auto& [word, meaning] : row) {
    if (value == word) return meaning;
    right += (right.empty() ? "" : " or ") + std::string(word);
  }
  if (value.empty()) return row[0].second;
  throw BadInput(std::string(variable) + ": \"" + excerpt(value) + "\"; " + right + " would be right");
}

constexpr std::pair<const char*, ReorderForm> reorder_forms[] = {
    {"ranks", ReorderForm::ranks}, {"coordinates", ReorderForm::coordinates}, {"no", ReorderForm::none}};
constexpr std::pair<const char*, NeighbourService> neighbour_services[] = {
    {"chosen", NeighbourService::chosen},
    {"mpi", NeighbourService::mpi},
    {"direct", NeighbourService::direct},
    {"aggregated", NeighbourService::aggregated}};

constexpr std::pair<const char*, DiscoverForm> discover_forms[] = {
    {"0", DiscoverForm::none}, {"1", DiscoverForm::pairs}, {"rounds", DiscoverForm::rounds}};

int tag_limit(const std::string& value) {
  const std::int64_t limit = parse_size(value);
  if (limit < lowest_tag_limit)
    throw BadInput(std::to_string(limit) + " is too low; " + std::to_string(lowest_tag_limit) + " or more is right");
  return static_cast<int>(std::min<std::int64_t>(limit, std::numeric_limits<int>::max()));
}

Plan plan_setting(Collective collective, const std::string& value) {
  Plan plan = parse_plan(collective, value);
  if (is_mpi_own(plan) && !plan.parameters.selector.empty())
    throw BadInput("\"" + value + "\": the job's MPI selects for itself by its own settings; `mpi` is right");
  return plan;
}

Settings parse(const std::string& text) {
  std::map<std::string, std::string> values;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t equals = text.find('=', begin);
    const std::size_t end = text.find('\0', equals);
    values[text.substr(begin, equals - begin)] = text.substr(equals + 1, end - equals - 1);
    begin = end + 1;
  }
  Settings settings;
  settings.network = values[network_variable];
  settings.channels = values[channels_variable];
  settings.table = values[table_variable];
  if (const std::string& effort = values[effort_variable]; !effort.empty())
    settings.effort_messages =
        parsed(effort_variable, effort, [](const std::string& value) { return parse_size(value); });
  settings.site_pattern = values[site_variable];
  if (!settings.site_pattern.empty()) check_pattern(settings.site_pattern);
  settings.report = on_or_file(values[report_variable]);
  settings.log = on_or_file(values[log_variable]);
  settings.check_s = seconds_of(check_variable, values[check_variable], 0);
  settings.neighbours = one_of(neighbour_variable, values[neighbour_variable], neighbour_services);
  settings.reorder = one_of(reorder_variable, values[reorder_variable], reorder_forms);
  settings.discover = one_of(discover_variable, values[discover_variable], discover_forms);
  settings.discover_s = seconds_of(discover_seconds_variable, values[discover_seconds_variable], settings.discover_s);
  settings.discover_cache = values[discover_cache_variable];
  if (settings.discover != DiscoverForm::none && !settings.network.empty())
    throw BadInput(std::string(discover_variable) + " and " + network_variable +
                   ": a network is given or discovered; one of them would be right");
  const std::string& forward = values[forward_variable];
  settings.forwards = !forward.empty() && forward != "0";
  if (const std::string& limit = values[tag_variable]; !limit.empty())
    settings.tag_limit = parsed(tag_variable, limit, tag_limit);
  for (std::size_t i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    const std::string variable = variable_of(name(collective));
    if (const auto found = values.find(variable); found != values.end())
      settings.plans[i] =
          parsed(variable, found->second, [&](const std::string& value) { return plan_setting(collective, value); });
  }
  return settings;
}

}  // namespace

double start_seconds() {
  constexpr double usual_s = 60;
  const char* const value = std::getenv(start_variable);
  return seconds_of(start_variable, value != nullptr ? value : "", usual_s);
}

Settings settings_of_process() { return parse(all_variables()); }

// Errors in the file on rank 0 are thrown on all ranks.
Settings settings_of_rank_0(MPI_Comm comm) {
  int rank = 0;
  check_mpi(PMPI_Comm_rank(comm, &rank), {.call = "MPI_Comm_rank"});
  std::string text;
  std::string problem;
  if (rank == 0) {
    try {
      text = all_variables();
    } catch (const BadInput& error) {
      problem = error.what();
    }
  }
  problem = share_text(problem, comm);
  if (!problem.empty()) throw BadInput(problem);
  return parse(share_text(text, comm));
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
