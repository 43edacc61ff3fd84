#include "emulator/protocol/bundle.hpp"

#include <fmt/format.h>
#include <linux/capability.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/process/system.hpp"

namespace isthmus {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json config_of(const std::string& folder) {
  const std::string file = folder + "/config.json";
  const json config = read_json(file, "an OCI bundle's config.json would do");
  if (!config.is_object()) throw BadInput(fmt::format("{}: is not JSON; an OCI bundle's config.json would do", file));
  return config;
}

/// A text somewhere in the configuration; `otherwise` where there is none.
std::string text_at(const json& config, const char* pointer, const std::string& otherwise) {
  const json::json_pointer at(pointer);
  return config.contains(at) && config.at(at).is_string() ? config.at(at).get<std::string>() : otherwise;
}

/// A number somewhere in the configuration; `otherwise` where there is none.
std::uint64_t number_at(const json& config, const char* pointer, const std::string& file, std::uint64_t otherwise) {
  const json::json_pointer at(pointer);
  if (!config.contains(at)) return otherwise;
  if (!config.at(at).is_number_unsigned()) throw BadInput(fmt::format("{}: {}: not a whole number", file, pointer));
  return config.at(at).get<std::uint64_t>();
}

/// Throws for what an emulated host would not have although the bundle asks for it.
void check_nothing_is_left_out(const json& config, const std::string& file) {
  for (const char* pointer :
       {"/hooks", "/linux/seccomp", "/linux/sysctl", "/linux/intelRdt", "/linux/personality", "/linux/uidMappings",
        "/linux/gidMappings", "/linux/mountLabel", "/process/apparmorProfile", "/process/selinuxLabel",
        "/process/scheduler", "/process/ioPriority", "/process/oomScoreAdj", "/process/user/umask", "/vm"}) {
    const json::json_pointer at(pointer);
    if (config.contains(at) && !config.at(at).empty()) {
      throw BadInput(
          fmt::format("{}: {}: emulated hosts have nothing of the kind; without it it would do", file, pointer));
    }
  }
  const json resources = config.value("/linux/resources"_json_pointer, json::object());
  for (const auto& [name, value] : resources.items()) {
    if (name != "devices" && !value.empty()) {
      throw BadInput(fmt::format("{}: /linux/resources/{}: hosts share what the emulation has; without it it would do",
                                 file, name));
    }
  }
}

std::vector<std::pair<int, rlimit>> limits_of(const json& config, const std::string& file) {
  static constexpr std::pair<const char*, int> known[] = {{"RLIMIT_AS", RLIMIT_AS},
                                                          {"RLIMIT_CORE", RLIMIT_CORE},
                                                          {"RLIMIT_CPU", RLIMIT_CPU},
                                                          {"RLIMIT_DATA", RLIMIT_DATA},
                                                          {"RLIMIT_FSIZE", RLIMIT_FSIZE},
                                                          {"RLIMIT_LOCKS", RLIMIT_LOCKS},
                                                          {"RLIMIT_MEMLOCK", RLIMIT_MEMLOCK},
                                                          {"RLIMIT_MSGQUEUE", RLIMIT_MSGQUEUE},
                                                          {"RLIMIT_NICE", RLIMIT_NICE},
                                                          {"RLIMIT_NOFILE", RLIMIT_NOFILE},
                                                          {"RLIMIT_NPROC", RLIMIT_NPROC},
                                                          {"RLIMIT_RSS", RLIMIT_RSS},
                                                          {"RLIMIT_RTPRIO", RLIMIT_RTPRIO},
                                                          {"RLIMIT_RTTIME", RLIMIT_RTTIME},
                                                          {"RLIMIT_SIGPENDING", RLIMIT_SIGPENDING},
                                                          {"RLIMIT_STACK", RLIMIT_STACK}};
  std::vector<std::pair<int, rlimit>> limits;
  const json list = config.value("/process/rlimits"_json_pointer, json::array());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string type = text_at(list[i], "/type", "");
    const auto limit =
        std::find_if(std::begin(known), std::end(known), [&](const auto& name) { return name.first == type; });
    if (limit == std::end(known)) {
      throw BadInput(fmt::format("{}: /process/rlimits/{}: type `{}`: unknown; RLIMIT_NOFILE would do", file, i, type));
    }
    const rlim_t hard = number_at(list[i], "/hard", file, RLIM_INFINITY);
    limits.push_back({limit->second, {number_at(list[i], "/soft", file, hard), hard}});
  }
  return limits;
}

/// A list of names as bits by number, as linux/capability.h has them.
std::uint64_t capability_set(const json& names_of_set, const std::string& set, const std::string& file) {
  static constexpr const char* names[] = {"CHOWN",
                                          "DAC_OVERRIDE",
                                          "DAC_READ_SEARCH",
                                          "FOWNER",
                                          "FSETID",
                                          "KILL",
                                          "SETGID",
                                          "SETUID",
                                          "SETPCAP",
                                          "LINUX_IMMUTABLE",
                                          "NET_BIND_SERVICE",
                                          "NET_BROADCAST",
                                          "NET_ADMIN",
                                          "NET_RAW",
                                          "IPC_LOCK",
                                          "IPC_OWNER",
                                          "SYS_MODULE",
                                          "SYS_RAWIO",
                                          "SYS_CHROOT",
                                          "SYS_PTRACE",
                                          "SYS_PACCT",
                                          "SYS_ADMIN",
                                          "SYS_BOOT",
                                          "SYS_NICE",
                                          "SYS_RESOURCE",
                                          "SYS_TIME",
                                          "SYS_TTY_CONFIG",
                                          "MKNOD",
                                          "LEASE",
                                          "AUDIT_WRITE",
                                          "AUDIT_CONTROL",
                                          "SETFCAP",
                                          "MAC_OVERRIDE",
                                          "MAC_ADMIN",
                                          "SYSLOG",
                                          "WAKE_ALARM",
                                          "BLOCK_SUSPEND",
                                          "AUDIT_READ",
                                          "PERFMON",
                                          "BPF",
                                          "CHECKPOINT_RESTORE"};
  std::uint64_t bits = 0;
  for (const json& entry : names_of_set) {
    const std::string text = entry.is_string() ? entry.get<std::string>() : excerpt_of(entry);
    const auto name = std::find_if(std::begin(names), std::end(names),
                                   [&](const char* known) { return text == std::string("CAP_") + known; });
    if (name == std::end(names)) {
      throw BadInput(fmt::format("{}: /process/capabilities/{}: `{}`: unknown; CAP_KILL would do", file, set, text));
    }
    bits |= std::uint64_t{1} << (name - std::begin(names));
  }
  return bits;
}

std::optional<Capabilities> capabilities_of(const json& config, const std::string& file) {
  const json::json_pointer at("/process/capabilities");
  if (!config.contains(at)) return std::nullopt;
  Capabilities sets;
  const std::pair<const char*, std::uint64_t&> known[] = {{"bounding", sets.bounding},
                                                          {"permitted", sets.permitted},
                                                          {"effective", sets.effective},
                                                          {"inheritable", sets.inheritable},
                                                          {"ambient", sets.ambient}};
  for (const auto& [name, list] : config.at(at).items()) {
    const auto set = std::find_if(std::begin(known), std::end(known),
                                  [&wanted = name](const auto& candidate) { return wanted == candidate.first; });
    if (set == std::end(known)) {
      throw BadInput(fmt::format("{}: /process/capabilities/{}: no such set; bounding would do", file, name));
    }
    set->second = capability_set(list, name, file);
  }
  // What the kernel would not give.
  const auto check_within = [&](const char* name, std::uint64_t part, const char* whole, std::uint64_t limit) {
    if ((part & ~limit) == 0) return;
    throw BadInput(
        fmt::format("{}: /process/capabilities/{}: more than {}; what is in both would do", file, name, whole));
  };
  check_within("effective", sets.effective, "permitted", sets.permitted);
  check_within("inheritable", sets.inheritable, "bounding", sets.bounding);
  check_within("ambient", sets.ambient, "permitted and inheritable", sets.permitted & sets.inheritable);
  return sets;
}

/// Whether a rule of /linux/resources/devices is about a device, or about all (`device` is null).
bool rule_matches(const json& rule, const json& device) {
  const std::string type = text_at(rule, "/type", "a");
  if (type != "a" && (device.is_null() || type != text_at(device, "/type", ""))) return false;
  for (const char* number : {"major", "minor"}) {
    const std::int64_t wanted = rule.value(number, std::int64_t{-1});
    if (wanted >= 0 && (device.is_null() || wanted != device.value(number, std::int64_t{-1}))) return false;
  }
  return true;
}

/// Whether programs may make devices. A host has the devices of its bundle, each for everybody with the rights to it:
/// a list that denies all others is kept by making none. Throws for a list that denies one which is there.
bool may_make_devices(const json& config, const std::string& file) {
  const json rules = config.value("/linux/resources/devices"_json_pointer, json::array());
  const json devices = config.value("/linux/devices"_json_pointer, json::array());
  std::vector<bool> denied(devices.size(), false);
  bool may = true;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const bool allow = rules[i].at("allow").get<bool>();
    const std::string access = text_at(rules[i], "/access", "rwm");
    const bool opens = access.find_first_of("rw") != std::string::npos;
    const bool all = rule_matches(rules[i], nullptr);
    if (!allow && opens && (!all || access.find('r') == std::string::npos || access.find('w') == std::string::npos)) {
      throw BadInput(fmt::format(
          "{}: /linux/resources/devices/{}: hosts cannot deny a part of the devices; one that denies all would do",
          file, i));
    }
    if (all) may = allow;
    for (std::size_t d = 0; d < devices.size(); ++d) {
      if (opens && rule_matches(rules[i], devices[d])) denied[d] = !allow;
    }
  }
  const auto first = std::find(denied.begin(), denied.end(), true);
  if (first != denied.end()) {
    throw BadInput(fmt::format("{}: /linux/devices/{}: /linux/resources/devices denies it; without it it would do",
                               file, first - denied.begin()));
  }
  return may;
}

Privileges privileges_of(const json& config, const std::string& file) {
  Privileges privileges;
  privileges.user = static_cast<uid_t>(number_at(config, "/process/user/uid", file, 0));
  privileges.group = static_cast<gid_t>(number_at(config, "/process/user/gid", file, 0));
  const json groups = config.value("/process/user/additionalGids"_json_pointer, json::array());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::string pointer = fmt::format("/process/user/additionalGids/{}", i);
    privileges.other_groups.push_back(static_cast<gid_t>(number_at(config, pointer.c_str(), file, 0)));
  }
  privileges.limits = limits_of(config, file);
  privileges.no_new = config.value("/process/noNewPrivileges"_json_pointer, false);
  privileges.capabilities = capabilities_of(config, file);
  privileges.makes_devices = may_make_devices(config, file);
  return privileges;
}

}  // namespace

Bundle read_bundle(const std::string& folder) {
  const json config = config_of(folder);
  const std::string file = folder + "/config.json";
  const fs::path root = fs::path(folder) / text_at(config, "/root/path", "rootfs");  // an absolute one is itself
  std::error_code problem;
  Bundle bundle;
  bundle.root = fs::canonical(root, problem).string();
  if (problem || !fs::is_directory(bundle.root, problem)) {
    throw BadInput(fmt::format("{}: its root `{}` is no folder", file, root.string()));
  }
  try {
    check_nothing_is_left_out(config, file);
    bundle.privileges = privileges_of(config, file);
  } catch (const json::exception& error) {
    throw BadInput(fmt::format("{}: not as the OCI's specification has it: {}", file, error.what()));
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
