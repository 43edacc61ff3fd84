#include "emulator/agent/containers/start_bundle.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "algorithms/process/system.hpp"
#include "emulator/agent/containers/container.hpp"
#include "emulator/agent/containers/furnish_files.hpp"

namespace isthmus {
namespace {

using nlohmann::json;

json bound(const std::string& source, const std::string& target, bool read_only) {
  return {{"destination", target},
          {"type", "bind"},
          {"source", source},
          {"options", {"rbind", "rprivate", read_only ? "ro" : "rw"}}};
}

/// The bundle's `config`, without what only the original machine has, and with what an emulated host needs.
json adapted(json config, const HostFiles& files, const std::string& name, const std::string& network,
             const std::string& root, const std::string& hosts_file) {
  config["root"] = {{"path", root}, {"readonly", config.value("/root/readonly"_json_pointer, false)}};
  config["hostname"] = name;
  json& process = config["process"];
  process["args"] = {fmt::format("{}/bin/enter", run_folder)};  // without arguments it only waits
  process["terminal"] = false;
  // The waiting process runs as root; programs get the bundle's privileges (see apply_privileges).
  for (const char* key : {"user", "capabilities", "noNewPrivileges", "rlimits"}) process.erase(key);
  process["user"] = {{"uid", 0}, {"gid", 0}};

  json mounts = json::array();
  for (const json& mount : config.value("mounts", json::array())) {
    const std::string type = mount.value("type", "");
    if (type != "cgroup" && type != "cgroup2") mounts.push_back(mount);
  }
  mounts.push_back({{"destination", "/tmp"}, {"type", "tmpfs"}, {"source", "tmpfs"}, {"options", {"mode=1777"}}});
  mounts.push_back(bound(run_folder, run_folder, false));
  mounts.push_back(bound(hosts_file, "/etc/hosts", true));
  for (const std::string& folder : files.writable) mounts.push_back(bound(folder, folder, false));
  config["mounts"] = mounts;

  json kept = json::object();
  for (const char* key : {"devices", "maskedPaths", "readonlyPaths", "rootfsPropagation"}) {
    if (config["linux"].contains(key)) kept[key] = config["linux"][key];
  }
  config["linux"] = {{"namespaces",
                      {{{"type", "network"}, {"path", network}},
                       {{"type", "pid"}},
                       {{"type", "mount"}},
                       {{"type", "uts"}},
                       {{"type", "ipc"}}}}};
  config["linux"].update(kept);
  return config;
}

}  // namespace

pid_t start_bundle(const HostFiles& files, const std::string& name, const std::string& network,
                   const std::string& hosts_file) {
  const std::string place = fmt::format("{}/bundles/{}", run_folder, name);
  const std::string root = layer_over(files.root, place);
  write_text(
      place + "/config.json",
      adapted(json::parse(read_text(files.bundle + "/config.json")), files, name, network, root, hosts_file).dump());
  const std::string process_file = place + "/process";
  run_program({program_path("crun"), "--root", fmt::format("{}/crun", run_folder), "--cgroup-manager=disabled", "run",
               "--detach", "--no-new-keyring", "--pid-file", process_file, "--bundle", place, name},
              "");
  return static_cast<pid_t>(std::stol(read_text(process_file)));
}

}  // namespace isthmus
