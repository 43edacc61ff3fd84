#include "platforms/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "algorithms/network/link_range.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/parse_number.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

constexpr double day_s = 86400;
constexpr std::size_t max_steps = 10000;
constexpr std::string_view latency = "latency";

using Values = std::map<double, double>;  // by the instant from which they hold

/// The profiles of a link.
struct Profiles {
  Values bandwidth_Bps, latency_s;
};

std::optional<double> number(const std::string& text) {
  const std::optional<double> value = parse_number<double>(text);
  return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

class ProfileReading {
 public:
  explicit ProfileReading(const SourceFile& source) : source_(source) {}

  void read(Network& network) {
    for (const auto& found : source_.platform().select_nodes("//link")) read_attributes(found.node());
    for (std::size_t i = 0; i < network.links.size(); ++i) {
      const Link& link = network.links[i];
      for (const char* direction : {"", "_UP", "_DOWN"}) {
        const std::string_view suffix(direction);
        if (!link.name.ends_with(suffix)) continue;
        const auto at = profiles_.find(link.name.str().substr(0, link.name.size() - suffix.size()));
        if (at != profiles_.end()) network.profiles[static_cast<int>(i)] = steps(link, at->second);
      }
    }
  }

 private:
  [[noreturn]] void fail(pugi::xml_node element, const std::string& what) const {
    throw source_.error(element, what +
                                     "; lines of an instant in seconds and a value are right, with PERIODICITY or "
                                     "LOOPAFTER where they repeat");
  }

  Values& values_of(const std::string& link, std::string_view kind) {
    Profiles& profiles = profiles_[link];
    return kind == latency ? profiles.latency_s : profiles.bandwidth_Bps;
  }

  void read_attributes(pugi::xml_node element) {
    for (const std::string_view kind : {std::string_view("bandwidth"), latency}) {
      const std::string name = element.attribute(fmt::format("{}_file", kind).c_str()).value();
      if (name.empty()) continue;
      const auto [used, is_new] = used_.try_emplace(name, source_.line_of(element));
      if (!is_new) {
        throw source_.error(element, fmt::format("profile {}: line {} has it already, and SimGrid takes a file for one "
                                                 "link; a copy under another name is right",
                                                 excerpt(name), used->second));
      }
      std::filesystem::path file = std::filesystem::path(source_.file()).parent_path() / name;
      std::error_code unreadable;
      if (!std::filesystem::exists(file, unreadable)) file = name;
      Values values = values_in(text_of(file, element), element, excerpt(name));
      for (const auto& [at_s, value] : values) {
        const bool is_cut = value == 0 && kind != latency;
        const std::string fault = kind == latency ? fault_of_latency(value) : fault_of_bandwidth(value);
        if (!is_cut && !fault.empty())
          throw source_.error(element, fmt::format("profile {}, after {} s: {}", excerpt(name), at_s, fault));
      }
      values_of(element.attribute("id").value(), kind) = std::move(values);
    }
  }

  std::string text_of(const std::filesystem::path& file, pugi::xml_node element) const {
    try {
      return read_whole_file(file.string(), "a file beside the platform is right");
    } catch (const BadInput& error) {
      throw source_.error(element, fmt::format("profile {}", error.what()));
    }
  }

  Values values_in(const std::string& text, pugi::xml_node element, const std::string& name) const {
    std::vector<std::pair<double, double>> once;
    double pause_s = -1, period_s = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string first, second, rest;
      words >> first >> second >> rest;
      if (first.empty() || first.front() == '#' || first.front() == '%') continue;
      const std::optional<double> value = number(second);
      const bool is_pause = first == "LOOPAFTER", is_period = first == "PERIODICITY";
      if (!value || !rest.empty() || (!is_pause && !is_period && !number(first))) {
        fail(element, fmt::format("profile {}: \"{}\" cannot be read", name, excerpt(line)));
      }
      if (is_pause) {
        pause_s = *value;
      } else if (is_period) {
        period_s = *value;
      } else {
        if (!once.empty() && *number(first) < once.back().first) {
          fail(element, fmt::format("profile {}: {} s comes after {} s", name, first, once.back().first));
        }
        once.emplace_back(*number(first), *value);
      }
    }
    if (once.empty()) fail(element, fmt::format("profile {}: there is nothing in it", name));
    if (pause_s >= 0) period_s = once.back().first + pause_s;
    if (period_s > 0 && period_s < once.back().first) {
      fail(element, fmt::format("profile {}: a period of {} s ends before its last value", name, period_s));
    }
    Values values;
    for (double start_s = 0; start_s < day_s && values.size() < max_steps; start_s += period_s) {
      for (const auto& [at_s, value] : once) values[start_s + at_s] = value;
      if (period_s <= 0) break;
    }
    return values;
  }

  static std::vector<LinkStep> steps(const Link& link, const Profiles& profiles) {
    std::map<double, LinkStep> steps;
    for (const Values* values : {&profiles.bandwidth_Bps, &profiles.latency_s}) {
      for (const auto& [at_s, value] : *values) steps[at_s] = {at_s, link.bandwidth_Bps, link.latency_s};
    }
    const auto at = [](const Values& values, double at_s, double otherwise) {
      const auto after = values.upper_bound(at_s);
      return after == values.begin() ? otherwise : std::prev(after)->second;
    };
    std::vector<LinkStep> profile;
    for (auto& [at_s, step] : steps) {
      step.bandwidth_Bps = at(profiles.bandwidth_Bps, at_s, step.bandwidth_Bps);
      step.latency_s = at(profiles.latency_s, at_s, step.latency_s);
      if (profile.size() < max_steps) profile.push_back(step);
    }
    return profile;
  }

  const SourceFile& source_;
  std::map<std::string, int> used_;           // files, by the line of the link
  std::map<std::string, Profiles> profiles_;  // by the link's name in the file
};

}  // namespace

void read_profiles(const SourceFile& source, Network& network) { ProfileReading(source).read(network); }

}  // namespace isthmus
