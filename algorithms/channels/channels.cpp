#include "algorithms/channels/channels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "algorithms/channels/config_text.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/near_matches.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

constexpr std::string_view default_name = "default";

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Number of the one with this name, or -1.
template <class Named>
int number_of(const std::vector<Named>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &Named::name);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

template <class Named>
std::string near_names(const std::string& name, const std::vector<Named>& all) {
  std::vector<std::string_view> known;
  for (const Named& one : all) known.push_back(one.name);
  return near_matches(name, known);
}

constexpr std::string_view right_file = "a file of networks or channels would be right";

/// One path for all the names of a file.
std::filesystem::path identity_of(const std::string& file) {
  std::error_code unresolved;
  std::filesystem::path path = std::filesystem::weakly_canonical(file, unresolved);
  return unresolved ? std::filesystem::path(file).lexically_normal() : path;
}

struct ConfigFile {
  std::string name;
  ConfigValue value;
};

class ChannelsReader {
 public:
  explicit ChannelsReader(const std::vector<std::string>& files) {
    for (const std::string& file : files)
      if (opened_.insert(identity_of(file)).second) add(file, read_whole_file(file, right_file));
  }

  Channels read() {
    for (const ConfigFile& file : files_) {
      const ConfigReader top(file.value, file.name);
      top.allow({"networks", "application"});
      if (top.has("networks")) read_networks(top.at("networks"));
      if (!top.has("application")) continue;
      if (application_) top.at("application").refuse("a second application; one would be right");
      application_.emplace(top.at("application"));
    }
    if (!application_)
      throw BadInput(fmt::format("{}: no member `application`; a file of channels would be right", first_file()));
    read_application(*application_);
    find_world();
    return std::move(channels_);
  }

 private:
  std::string first_file() const { return files_.empty() ? "channels" : files_.front().name; }

  void add(const std::string& file, const std::string& content) {
    files_.push_back({file, parse_config(content, file)});
    const ConfigReader top(files_.back().value, files_.back().name);
    if (!top.has("application") || !top.at("application").has("networks")) return;
    const ConfigReader networks = top.at("application").at("networks");
    if (!networks.has("include")) return;
    for (const ConfigReader& include : networks.at("include").words()) {
      const std::string path = (std::filesystem::path(file).parent_path() / include.word()).string();
      constexpr std::size_t max_files = 100;
      if (files_.size() > max_files) include.refuse("files that include each other; an end would be right");
      if (opened_.insert(identity_of(path)).second) add(path, content_of(path, include));
    }
  }

  static std::string content_of(const std::string& path, const ConfigReader& include) {
    try {
      return read_whole_file(path, right_file);
    } catch (const BadInput& error) {
      include.refuse(error.what());
    }
  }

  std::vector<std::string> hosts_of(const ConfigReader& list) const {
    std::vector<std::string> hosts;
    std::set<std::string> seen;
    for (const ConfigReader& host : list.words()) {
      if (!seen.insert(host.word()).second)
        host.refuse(fmt::format("host {} is given twice; once would be right", excerpt(host.word())));
      hosts.push_back(host.word());
    }
    return hosts;
  }

  void read_networks(const ConfigReader& list) {
    for (const ConfigReader& one : list.elements()) {
      one.allow({"name", "hosts", "dev", "mandatory_loader"});
      const std::string& name = one.at("name").word();
      if (number_of(channels_.networks, name) >= 0)
        one.at("name").refuse(fmt::format("a second network `{}`; another name would be right", excerpt(name)));
      channels_.networks.push_back({name, one.at("dev").word(), hosts_of(one.at("hosts"))});
    }
  }

  void read_application(const ConfigReader& application) {
    application.allow({"name", "flavor", "networks", "vchannels"});
    if (application.has("name")) channels_.application = application.at("name").word();
    if (application.has("flavor")) channels_.flavor = application.at("flavor").word();
    const ConfigReader networks = application.at("networks");
    networks.allow({"include", "channels"});
    for (const ConfigReader& one : networks.at("channels").elements()) read_physical(one);
    if (channels_.channels.empty()) networks.at("channels").refuse("no channel; at least one would be right");
    if (!application.has("vchannels")) return;
    for (const ConfigReader& one : application.at("vchannels").elements()) read_virtual(one);
  }

  std::string new_name(const ConfigReader& channel) const {
    const ConfigReader name = channel.at("name");
    if (number_of(channels_.channels, name.word()) >= 0)
      name.refuse(fmt::format("a second channel `{}`; another name would be right", excerpt(name.word())));
    return name.word();
  }

  void read_physical(const ConfigReader& one) {
    one.allow({"name", "net", "hosts"});
    Channel channel{.name = new_name(one), .hosts = {}};
    const ConfigReader net = one.at("net");
    channel.network = number_of(channels_.networks, net.word());
    if (channels_.networks.empty())
      net.refuse(
          fmt::format("no network `{}`, since no file has a member `networks`; an `include` of one that has, or "
                      "that file beside this one, would be right",
                      excerpt(net.word())));
    if (channel.network < 0)
      net.refuse(fmt::format("no network `{}`{}", excerpt(net.word()), near_names(net.word(), channels_.networks)));
    const ChannelNetwork& network = channels_.networks[channel.network];
    channel.hosts = one.has("hosts") ? hosts_of(one.at("hosts")) : network.hosts;
    if (one.has("hosts")) {
      for (const ConfigReader& host : one.at("hosts").words()) {
        if (contains(network.hosts, host.word())) continue;
        const std::vector<std::string_view> known(network.hosts.begin(), network.hosts.end());
        host.refuse(fmt::format("host {} is not in the network {}{}", excerpt(host.word()), network.name,
                                near_matches(host.word(), known)));
      }
    }
    channels_.channels.push_back(std::move(channel));
  }

  void read_virtual(const ConfigReader& one) {
    one.allow({"name", "channels"});
    Channel channel{.name = new_name(one), .hosts = {}};
    for (const ConfigReader& part : one.at("channels").words()) {
      const int number = number_of(channels_.channels, part.word());
      if (number < 0)
        part.refuse(
            fmt::format("no channel `{}`{}", excerpt(part.word()), near_names(part.word(), channels_.channels)));
      Channel& used = channels_.channels[number];
      if (used.is_virtual())
        part.refuse(fmt::format("{} is a virtual channel; a physical one would be right", excerpt(used.name)));
      if (std::exchange(used.used_up, true))
        part.refuse(fmt::format("the channel {} is used up already; another one over the network {} would be right",
                                excerpt(used.name), channels_.networks[used.network].name));
      channel.parts.push_back(number);
      for (const std::string& host : used.hosts) {
        if (!contains(channel.hosts, host))
          channel.hosts.push_back(host);
        else if (!contains(channel.gateways, host))
          channel.gateways.push_back(host);
      }
    }
    check_connected(channel, one.at("channels"));
    channels_.channels.push_back(std::move(channel));
  }

  void check_connected(const Channel& channel, const ConfigReader& at) const {
    std::vector<bool> reached(channel.parts.size());
    std::vector<std::size_t> to_visit{0};
    reached[0] = true;
    while (!to_visit.empty()) {
      const Channel& here = channels_.channels[channel.parts[to_visit.back()]];
      to_visit.pop_back();
      for (std::size_t other = 0; other < channel.parts.size(); ++other) {
        const std::vector<std::string>& there = channels_.channels[channel.parts[other]].hosts;
        if (reached[other] ||
            std::ranges::none_of(there, [&](const std::string& host) { return contains(here.hosts, host); }))
          continue;
        reached[other] = true;
        to_visit.push_back(other);
      }
    }
    const auto missing = std::ranges::find(reached, false);
    if (missing == reached.end()) return;
    at.refuse(
        fmt::format("the parts of the virtual channel {} do not connect: {} and {} have no host in common; a host "
                    "in both, which forwards, would be right",
                    excerpt(channel.name), channels_.channels[channel.parts.front()].name,
                    channels_.channels[channel.parts[missing - reached.begin()]].name));
  }

  void find_world() {
    const std::vector<std::string> everybody = channels_.hosts();
    const auto lacks = [&](const Channel& channel) {
      return std::ranges::find_if(everybody, [&](const std::string& host) { return !channel.has(host); });
    };
    int found = number_of(channels_.channels, std::string(default_name));
    if (found >= 0) {
      const Channel& named = channels_.channels[found];
      if (named.used_up)
        application_->refuse("the channel `default` is a part of a virtual one; one that programs see would be right");
      if (const auto missing = lacks(named); missing != everybody.end())
        application_->refuse(fmt::format(
            "the channel `default` lacks host {}; all hosts of all channels would be right", excerpt(*missing)));
    }
    for (int i = 0; found < 0 && i < static_cast<int>(channels_.channels.size()); ++i)
      if (!channels_.channels[i].used_up && lacks(channels_.channels[i]) == everybody.end()) found = i;
    if (found < 0)
      application_->refuse(
          "no channel has all hosts; one, which MPI_COMM_WORLD uses, would be right: a channel `default`");
    channels_.world = found;
  }

  std::list<ConfigFile> files_;             // whose addresses readers keep
  std::set<std::filesystem::path> opened_;  // given or included, each once
  std::optional<ConfigReader> application_;
  Channels channels_;
};

}  // namespace

bool Channel::has(const std::string& host) const { return contains(hosts, host); }

std::vector<std::string> Channels::hosts() const {
  std::vector<std::string> all;
  std::set<std::string> seen;
  for (const Channel& channel : channels)
    for (const std::string& host : channel.hosts)
      if (seen.insert(host).second) all.push_back(host);
  return all;
}

std::vector<int> Channels::seen_by(const std::string& host) const {
  std::vector<int> seen;
  for (int i = 0; i < static_cast<int>(channels.size()); ++i)
    if (!channels[i].used_up && channels[i].has(host)) seen.push_back(i);
  return seen;
}

Topology Channels::topology_of(int channel, const std::vector<std::string>& host_of_rank) const {
  const Channel& of = channels[channel];
  // Hosts in the same parts are one class.
  std::map<std::vector<int>, int> number_of_parts;
  std::vector<int> class_of_rank;
  std::vector<std::vector<std::string>> paths;
  for (const std::string& host : host_of_rank) {
    if (!of.has(host)) throw BadInput(fmt::format("host {} is not in the channel {}", excerpt(host), excerpt(of.name)));
    std::vector<int> parts;
    for (const int part : of.parts)
      if (channels[part].has(host)) parts.push_back(part);
    paths.emplace_back();
    if (parts.size() == 1) paths.back().push_back(channels[parts.front()].name);
    class_of_rank.push_back(number_of_parts.try_emplace(parts, static_cast<int>(number_of_parts.size())).first->second);
  }
  const std::size_t classes = number_of_parts.size();
  std::vector<char> direct(classes * classes);
  for (const auto& [parts, number] : number_of_parts)
    for (const auto& [others, other] : number_of_parts)
      direct[number * classes + other] =
          parts.empty() || std::ranges::find_first_of(parts, others) != parts.end() ? 1 : 0;
  return Topology::from_paths(paths).with_connectivity({std::move(class_of_rank), std::move(direct)});
}

Channels read_channels(const std::vector<std::string>& files) { return ChannelsReader(files).read(); }

}  // namespace isthmus
