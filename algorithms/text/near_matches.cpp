#include "algorithms/text/near_matches.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

constexpr std::size_t enough_characters = 1500;  // of a list of names, which may come from a file
constexpr std::size_t max_nearest = 5;

/// The first names, as many as are enough, and how many more there are.
std::string quoted(std::span<const std::string_view> names, std::size_t max_listed, std::string_view between) {
  std::string text;
  std::size_t listed = 0;
  for (; listed < std::min(max_listed, names.size()) && text.size() < enough_characters; ++listed) {
    if (!text.empty()) text += between;
    text.append("`").append(excerpt(names[listed])).append("`");
  }
  if (listed < names.size()) text += " and " + std::to_string(names.size() - listed) + " more";
  return text;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  // Optimal string alignment; of the table's rows, one for each prefix of `a`, the last three are kept.
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string near_matches(std::string_view name, std::span<const std::string_view> known, std::size_t max_listed) {
  if (known.empty()) return " (none is known)";
  std::vector<std::string_view> nearest;
  // A name at a larger distance was hardly meant.
  int least = name.size() < 4 ? 1 : std::max<int>(2, static_cast<int>(name.size()) / 3);
  for (const std::string_view candidate : known) {
    // An abbreviation is near, whatever its distance.
    const bool begins = name.size() >= 2 && candidate.starts_with(name);
    const int distance = begins ? 1 : edit_distance(name, candidate);
    if (distance > least || distance >= static_cast<int>(candidate.size())) continue;
    if (distance < least) nearest.clear();
    least = distance;
    nearest.push_back(candidate);
  }
  const std::string meant = nearest.empty() ? "" : "; did you mean " + quoted(nearest, max_nearest, " or ") + "?";
  return meant + " (known: " + quoted(known, max_listed, ", ") + ")";
}

}  // namespace isthmus
