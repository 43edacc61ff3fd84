#include "emulator/bundle.hpp"

#include <fmt/format.h>
#include <grp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
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

/// By number, as linux/capability.h has them.
std::optional<std::uint64_t> capabilities_of(const json& config, const std::string& file) {
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
  const json::json_pointer at("/process/capabilities");
  if (!config.contains(at)) return std::nullopt;
  std::uint64_t kept = 0;
  for (const json& entry : config.at(at).value("bounding", json::array())) {
    const std::string text = entry.is_string() ? entry.get<std::string>() : entry.dump();
    const auto name = std::find_if(std::begin(names), std::end(names),
                                   [&](const char* known) { return text == std::string("CAP_") + known; });
    if (name == std::end(names)) {
      throw BadInput(fmt::format("{}: /process/capabilities/bounding: `{}`: unknown; CAP_KILL would do", file, text));
    }
    kept |= std::uint64_t{1} << (name - std::begin(names));
  }
  return kept;
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
  return privileges;
}

}  // namespace

void take_on(const Privileges& privileges) {
  for (const auto& [resource, limit] : privileges.limits) {
    checked(setrlimit(static_cast<__rlimit_resource_t>(resource), &limit),
            "limit what a program of the bundle may use");
  }
  if (privileges.capabilities) {
    for (int number = 0; prctl(PR_CAPBSET_READ, number) >= 0; ++number) {
      if (number < 64 && (*privileges.capabilities >> number & 1) != 0) continue;
      checked(prctl(PR_CAPBSET_DROP, number), "drop a capability");
    }
  }
  if (privileges.user != 0 || privileges.group != 0 || !privileges.other_groups.empty()) {
    checked(setgroups(privileges.other_groups.size(), privileges.other_groups.data()), "take on the bundle's groups");
    checked(setgid(privileges.group), "take on the bundle's group");
    checked(setuid(privileges.user), "become the bundle's user");
  }
  if (privileges.no_new) checked(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "ask for no new privileges");
}

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
