#include "emulator/protocol/bundle.hpp"

#include <fmt/format.h>
#include <linux/capability.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "algorithms/json/json_reader.hpp"

namespace isthmus {
namespace {

namespace fs = std::filesystem;

/// The number at `pointer` in the configuration; `otherwise` when there is none.
std::uint64_t number_at(const JsonReader& config, std::string_view pointer, std::uint64_t otherwise) {
  const auto number = config.find_below(pointer);
  return number ? number->unsigned_integer() : otherwise;
}

std::vector<JsonReader> elements_at(const JsonReader& config, std::string_view pointer) {
  const auto list = config.find_below(pointer);
  return list && !list->value().is_null() ? list->elements() : std::vector<JsonReader>();
}

std::string text_at(const JsonReader& config, std::string_view key, const char* otherwise) {
  return config.has(key) ? config.at(key).text() : otherwise;
}

/// Throws for settings of the bundle that emulated hosts do not have.
void check_nothing_is_left_out(const JsonReader& config) {
  for (const char* pointer :
       {"/hooks", "/linux/seccomp", "/linux/sysctl", "/linux/intelRdt", "/linux/personality", "/linux/uidMappings",
        "/linux/gidMappings", "/linux/mountLabel", "/process/apparmorProfile", "/process/selinuxLabel",
        "/process/scheduler", "/process/ioPriority", "/process/oomScoreAdj", "/process/user/umask", "/vm"}) {
    const auto asked = config.find_below(pointer);
    if (asked && !asked->value().empty())
      asked->fail("is nothing that emulated hosts have; a bundle without it would be right");
  }
  const auto resources = config.find_below("/linux/resources");
  if (!resources) return;
  for (const auto& [name, value] : resources->value().items()) {
    if (name != "devices" && !value.empty())
      resources->at(name).fail("is shared by all hosts of an emulation; a bundle without it would be right");
  }
}

std::vector<std::pair<int, rlimit>> limits_of(const JsonReader& config) {
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
  for (const JsonReader& entry : elements_at(config, "/process/rlimits")) {
    const JsonReader type = entry.at("type");
    const auto limit =
        std::find_if(std::begin(known), std::end(known), [&](const auto& name) { return name.first == type.text(); });
    if (limit == std::end(known)) type.refuse("the name of a limit, as \"RLIMIT_NOFILE\",");
    const rlim_t hard = number_at(entry, "/hard", RLIM_INFINITY);
    limits.push_back({limit->second, {number_at(entry, "/soft", hard), hard}});
  }
  return limits;
}

/// A list of names as bits, with the numbers of linux/capability.h.
std::uint64_t capability_set(const JsonReader& names_of_set) {
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
  for (const JsonReader& entry : names_of_set.elements()) {
    const std::string text = entry.text();
    const auto name = std::find_if(std::begin(names), std::end(names),
                                   [&](const char* known) { return text == std::string("CAP_") + known; });
    if (name == std::end(names)) entry.refuse("the name of a capability, as \"CAP_KILL\",");
    bits |= std::uint64_t{1} << (name - std::begin(names));
  }
  return bits;
}

std::optional<Capabilities> capabilities_of(const JsonReader& config) {
  const auto asked = config.find_below("/process/capabilities");
  if (!asked) return std::nullopt;
  asked->expect_keys({"bounding", "permitted", "effective", "inheritable", "ambient"});
  const auto set = [&](const char* name) { return asked->has(name) ? capability_set(asked->at(name)) : 0; };
  const Capabilities sets{set("bounding"), set("permitted"), set("effective"), set("inheritable"), set("ambient")};
  // The kernel refuses sets beyond these limits.
  const auto check_within = [&](const char* name, std::uint64_t part, const char* whole, std::uint64_t limit) {
    if ((part & ~limit) == 0) return;
    asked->at(name).fail(fmt::format("is more than {}; what is in both would be right", whole));
  };
  check_within("effective", sets.effective, "permitted", sets.permitted);
  check_within("inheritable", sets.inheritable, "bounding", sets.bounding);
  check_within("ambient", sets.ambient, "permitted and inheritable", sets.permitted & sets.inheritable);
  return sets;
}

/// Whether a rule of /linux/resources/devices matches a device, or all devices (`device` is null).
bool rule_matches(const JsonReader& rule, const JsonReader* device) {
  const std::string type = text_at(rule, "type", "a");
  if (type != "a" && (device == nullptr || type != text_at(*device, "type", ""))) return false;
  const auto number_of = [](const JsonReader& of, const char* key) { return of.integer_or(key, -1, -1, INT64_MAX); };
  for (const char* number : {"major", "minor"}) {
    const std::int64_t wanted = number_of(rule, number);
    if (wanted >= 0 && (device == nullptr || wanted != number_of(*device, number))) return false;
  }
  return true;
}

/// Whether programs may make devices. A host has the devices of its bundle, open to everybody with the rights to them.
/// A list that denies all other devices is kept when programs make none. Throws for a list that denies a device of the
/// bundle.
bool may_make_devices(const JsonReader& config) {
  const std::vector<JsonReader> devices = elements_at(config, "/linux/devices");
  std::vector<bool> denied(devices.size(), false);
  bool may = true;
  for (const JsonReader& rule : elements_at(config, "/linux/resources/devices")) {
    const bool allow = rule.at("allow").boolean();
    const std::string access = text_at(rule, "access", "rwm");
    const bool opens = access.find_first_of("rw") != std::string::npos;
    const bool all = rule_matches(rule, nullptr);
    if (!allow && opens && (!all || access.find('r') == std::string::npos || access.find('w') == std::string::npos))
      rule.fail("denies a part of the devices, which hosts cannot; one that denies all would be right");
    if (all) may = allow;
    for (std::size_t d = 0; d < devices.size(); ++d) {
      if (opens && rule_matches(rule, &devices[d])) denied[d] = !allow;
    }
  }
  const auto first = std::find(denied.begin(), denied.end(), true);
  if (first != denied.end()) {
    devices[static_cast<std::size_t>(first - denied.begin())].fail(
        "is denied by /linux/resources/devices; a bundle without it would be right");
  }
  return may;
}

Privileges privileges_of(const JsonReader& config) {
  Privileges privileges;
  privileges.user = static_cast<uid_t>(number_at(config, "/process/user/uid", 0));
  privileges.group = static_cast<gid_t>(number_at(config, "/process/user/gid", 0));
  for (const JsonReader& group : elements_at(config, "/process/user/additionalGids"))
    privileges.other_groups.push_back(static_cast<gid_t>(group.unsigned_integer()));
  privileges.limits = limits_of(config);
  const auto no_new = config.find_below("/process/noNewPrivileges");
  privileges.no_new = no_new && no_new->boolean();
  privileges.capabilities = capabilities_of(config);
  privileges.makes_devices = may_make_devices(config);
  return privileges;
}

}  // namespace

Bundle read_bundle(const std::string& folder) {
  const JsonDocument document =
      JsonDocument::of_file(folder + "/config.json", "an OCI bundle's config.json would be right");
  const JsonReader config = document.whole();
  if (!config.value().is_object()) config.refuse("an OCI bundle's config.json");
  const auto path = config.find_below("/root/path");
  const fs::path root = fs::path(folder) / (path ? path->text() : "rootfs");  // an absolute path replaces the folder
  std::error_code problem;
  Bundle bundle;
  bundle.root = fs::canonical(root, problem).string();
  if (problem || !fs::is_directory(bundle.root, problem)) {
    (path ? *path : config).fail(fmt::format("its root `{}` is no folder", root.string()));
  }
  check_nothing_is_left_out(config);
  bundle.privileges = privileges_of(config);
  for (const JsonReader& entry : elements_at(config, "/process/env")) {
    const std::string text = entry.text();
    const std::size_t end = text.find('=');
    if (end != std::string::npos) bundle.environment.emplace_back(text.substr(0, end), text.substr(end + 1));
  }
  return bundle;
}

}  // namespace isthmus
