// States of the ranks, from /proc; reasons of failures, from their output.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <regex>
#include <sstream>

#include "emulator/agent/launcher.hpp"

namespace isthmus {
namespace {

std::optional<int> number_after(const std::string& text, const std::string& key) {
  const std::size_t at = text.find(key);
  if (at == std::string::npos) return std::nullopt;
  int value = 0;
  const char* const first = text.data() + at + key.size();
  if (std::from_chars(first, text.data() + text.size(), value).ec != std::errc{}) return std::nullopt;
  return value;
}

// Open MPI's variable, or that of MPICH.
std::optional<int> rank_in(const std::string& environment) {
  for (const std::string variable : {"OMPI_COMM_WORLD_RANK=", "PMI_RANK="})
    if (const std::optional<int> rank = number_after(environment, '\0' + variable)) return rank;
  return std::nullopt;
}

std::string rank_name(int rank, const std::vector<std::string>& host_of_rank) {
  if (rank < 0 || rank >= static_cast<int>(host_of_rank.size())) return fmt::format("rank {}", rank);
  return fmt::format("rank {} on {}", rank, host_of_rank[rank]);
}

}  // namespace

std::string states_of_ranks(const EmulationPlan& plan) {
  std::vector<std::string> remarkable;
  std::vector<bool> seen(plan.container_of_rank.size(), false);
  const auto name = [&](int rank) {
    return fmt::format("rank {} on {}", rank, plan.containers[plan.container_of_rank[rank]].name);
  };
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string folder = entry.path().string();
    if (folder.find_first_not_of("0123456789", 6) != std::string::npos) continue;
    try {
      const std::string environment = '\0' + read_text(folder + "/environ");
      const std::optional<int> rank = rank_in(environment);
      if (!rank || *rank < 0 || *rank >= static_cast<int>(seen.size())) continue;
      const std::string status = read_text(folder + "/stat");
      const char state = status.at(status.rfind(')') + 2);
      seen[*rank] = true;
      if (state == 'T' || state == 't') remarkable.push_back(name(*rank) + " is stopped");
      if (state == 'R') remarkable.push_back(name(*rank) + " is busy");
      if (state == 'Z') remarkable.push_back(name(*rank) + " has ended");
    } catch (const std::exception&) {
      continue;  // the process has ended meanwhile
    }
  }
  std::string text;
  int absent = 0;
  for (const bool present : seen) absent += present ? 0 : 1;
  for (std::size_t i = 0; i < std::min<std::size_t>(remarkable.size(), 4); ++i) text += remarkable[i] + ", ";
  if (absent == static_cast<int>(seen.size())) return text + "no rank has started";
  if (absent > 0) return fmt::format("{}{} of {} ranks do not run", text, absent, seen.size());
  return fmt::format("{}{} ranks wait", text, seen.size() - remarkable.size());
}

std::string reason_of_failure(const std::string& output, const std::string& how_it_ended,
                              const std::vector<std::string>& host_of_rank) {
  // The worker writes its error in one line; otherwise Open MPI writes which rank ended, and how.
  std::istringstream lines(output);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("isthmus-worker: ")) return line.substr(16);
    if (first.empty() && line.find_first_not_of("- ") != std::string::npos) first = line;
  }
  std::string flat = output;
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  flat = std::regex_replace(flat, std::regex(" +"), " ");
  std::smatch match;
  const std::regex died("mpirun noticed that process rank (\\d+) with PID \\d+ on node \\S+ exited on (.*?)\\. ");
  const std::regex left("Process name: \\[\\[\\d+,\\d+\\],(\\d+)\\] Exit code: (\\d+)");
  const std::regex aborted("MPI_ABORT was invoked on rank (\\d+) .*? with errorcode (-?\\d+)");
  if (std::regex_search(flat, match, died)) {
    return fmt::format("{} died: {}", rank_name(std::stoi(match[1]), host_of_rank), match[2].str());
  }
  if (std::regex_search(flat, match, aborted)) {
    return fmt::format("{} gave up: MPI_Abort with {}", rank_name(std::stoi(match[1]), host_of_rank), match[2].str());
  }
  if (std::regex_search(flat, match, left)) {
    return fmt::format("{} ended too early: exit status {}", rank_name(std::stoi(match[1]), host_of_rank),
                       match[2].str());
  }
  return fmt::format("mpirun failed ({}): {}", how_it_ended, first.empty() ? "it said nothing" : first);
}

}  // namespace isthmus
