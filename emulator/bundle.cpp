#include "emulator/bundle.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "emulator/system.hpp"

namespace isthmus {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json config_of(const std::string& folder) {
  const std::string file = folder + "/config.json";
  const json config = json::parse(read_text(file), nullptr, false);
  if (!config.is_object()) throw BadInput(fmt::format("{}: is not JSON; an OCI bundle's config.json would do", file));
  return config;
}

/// A text somewhere in the configuration; `otherwise` where there is none.
std::string text_at(const json& config, const char* pointer, const std::string& otherwise) {
  const json::json_pointer at(pointer);
  return config.contains(at) && config.at(at).is_string() ? config.at(at).get<std::string>() : otherwise;
}

}  // namespace

Bundle read_bundle(const std::string& folder) {
  const json config = config_of(folder);
  const fs::path root = fs::path(folder) / text_at(config, "/root/path", "rootfs");  // an absolute one is itself
  std::error_code problem;
  Bundle bundle;
  bundle.root = fs::canonical(root, problem).string();
  if (problem || !fs::is_directory(bundle.root, problem)) {
    throw BadInput(fmt::format("{}/config.json: its root `{}` is no folder", folder, root.string()));
  }
  const json::json_pointer variables("/process/env");
  if (config.contains(variables)) {
    for (const json& entry : config.at(variables)) {
      const std::string text = entry.is_string() ? entry.get<std::string>() : "";
      const std::size_t end = text.find('=');
      if (end != std::string::npos) bundle.environment.emplace_back(text.substr(0, end), text.substr(end + 1));
    }
  }
  return bundle;
}

}  // namespace isthmus
