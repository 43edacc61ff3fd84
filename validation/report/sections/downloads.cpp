#include "validation/report/sections/downloads.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <string>

#include "algorithms/errors.hpp"
#include "algorithms/process/whole_file.hpp"
#include "validation/text/tables.hpp"

namespace isthmus {
namespace {

constexpr std::size_t max_source_bytes = 256 << 10;

/// The text as a part of a URI.
std::string percent_encoded(const std::string& text) {
  std::string encoded;
  encoded.reserve(text.size() + text.size() / 8);
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) != 0 || std::string_view("-_.~,:;=/()").find(letter) != std::string_view::npos) {
      encoded += letter;
    } else {
      encoded += fmt::format("%{:02X}", byte);
    }
  }
  return encoded;
}

}  // namespace

Element csv_download(const Experiment& experiment, const Outcome& outcome) {
  return text_element("a", "all results as CSV")
      .set("download", experiment.name + ".csv")
      .set("href", "data:text/csv;charset=utf-8," + percent_encoded(record_csv(outcome.records)));
}

Element platform_source(const Scene& scene) {
  Element details("details");
  const std::string file = std::filesystem::path(scene.platform_file).filename().string();
  details.add(text_element("summary", "the platform: " + file));
  std::string text;
  try {
    text = read_whole_file(scene.platform_file, "a platform file would be right");
  } catch (const Error&) {
    text = "The file is not there any more.";
  }
  if (text.size() > max_source_bytes)
    text = text.substr(0, max_source_bytes) + fmt::format("\n... {} bytes more", text.size() - max_source_bytes);
  return details.add(text_element("pre", text));
}

}  // namespace isthmus
