#include "algorithms/mpi/settings.hpp"

#include <cctype>
#include <cstdlib>
#include <map>
#include <vector>

#include "algorithms/mpi/comm_topology.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr const char* network_variable = "ISTHMUS_NETWORK";
constexpr const char* effort_variable = "ISTHMUS_EFFORT";

// ISTHMUS_REDUCE_SCATTER for reduce_scatter.
std::string variable_of(Collective collective) {
  std::string variable = "ISTHMUS_";
  for (const char letter : name(collective))
    variable += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return variable;
}

// The variables that are set, each as its name, '=', its value and a null character: no value holds one.
std::string environment() {
  std::vector<std::string> variables = {network_variable, effort_variable};
  for (std::size_t i = 0; i < collectives; ++i) variables.push_back(variable_of(static_cast<Collective>(i)));
  std::string text;
  for (const std::string& variable : variables)
    if (const char* value = std::getenv(variable.c_str()); value != nullptr && *value != '\0')
      text.append(variable).append("=").append(value).append(1, '\0');
  return text;
}

// What `parse` makes of a variable; an error begins with the variable's name.
template <typename Parse>
auto parsed(const std::string& variable, const std::string& value, Parse parse) {
  try {
    return parse(value);
  } catch (const BadInput& error) {
    throw BadInput(variable + ": " + error.what());
  }
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
  if (const std::string& effort = values[effort_variable]; !effort.empty())
    settings.effort_messages =
        parsed(effort_variable, effort, [](const std::string& value) { return parse_size(value); });
  for (std::size_t i = 0; i < collectives; ++i) {
    const auto collective = static_cast<Collective>(i);
    const std::string variable = variable_of(collective);
    if (const auto found = values.find(variable); found != values.end())
      settings.plans[i] =
          parsed(variable, found->second, [&](const std::string& value) { return parse_plan(collective, value); });
  }
  return settings;
}

}  // namespace

Settings own_settings() { return parse(environment()); }

Settings settings_of_rank_0(MPI_Comm comm) { return parse(share_text(environment(), comm)); }

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
