#include "algorithms/network/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "algorithms/errors.hpp"
#include "algorithms/network/link_names.hpp"
#include "algorithms/text/printable.hpp"

namespace isthmus {
namespace {

/// A frame that left before it came would take no time on the link either.
void check_jitter(const Network& network, const Conditions& conditions, const std::vector<Impairment>& impairments) {
  const std::vector<std::vector<LinkStep>> steps = link_steps(network, conditions);
  for (std::size_t i = 0; i < impairments.size(); ++i)
    for (const LinkStep& step : steps[i])
      if (impairments[i].jitter_s > step.latency_s)
        throw BadInput(
            fmt::format("conditions: link `{}`: a jitter of {:g} s; at most its latency, {:g} s, would be right",
                        excerpt(network.links[i].name), impairments[i].jitter_s, step.latency_s));
}

}  // namespace

std::vector<Impairment> impairments_of(const Network& network, const Conditions& conditions) {
  std::vector<Impairment> all(network.links.size());
  for (const LinkCondition& condition : conditions.links) {
    for (const int link : links_named(network, condition.links)) all[link] = both(all[link], condition.impairment);
  }
  check_jitter(network, conditions, all);
  return all;
}

Impairment both(const Impairment& a, const Impairment& b) {
  const auto either = [](double p, double q) { return 1 - (1 - p) * (1 - q); };
  Impairment sum{either(a.loss, b.loss), a.jitter_s + b.jitter_s, either(a.reorder, b.reorder),
                 either(a.duplicate, b.duplicate), std::max(a.queue_frames, b.queue_frames)};
  if (a.queue_frames > 0 && b.queue_frames > 0) sum.queue_frames = std::min(a.queue_frames, b.queue_frames);
  return sum;
}

std::vector<std::vector<LinkStep>> link_steps(const Network& network, const Conditions& conditions) {
  std::vector<std::map<double, const LinkChange*>> changes(network.links.size());
  for (const LinkChange& change : conditions.changes) {
    for (const int link : links_named(network, change.links)) changes[link][change.at_s] = &change;
  }
  std::vector<std::vector<LinkStep>> steps;
  for (std::size_t i = 0; i < network.links.size(); ++i) {
    const Link& link = network.links[i];
    std::set<double> instants;
    const std::span<const LinkStep> profile = network.profile_of(static_cast<int>(i));
    for (const LinkStep& step : profile) instants.insert(step.at_s);
    for (const auto& [at_s, change] : changes[i]) instants.insert(at_s);
    std::vector<LinkStep>& of_link = steps.emplace_back();
    of_link.push_back({0, link.bandwidth_Bps, link.latency_s});
    LinkStep platform = of_link.front();
    const LinkChange* latest = nullptr;
    std::size_t next = 0;
    for (const double at_s : instants) {
      while (next < profile.size() && profile[next].at_s <= at_s) platform = profile[next++];
      if (const auto change = changes[i].find(at_s); change != changes[i].end()) latest = change->second;
      LinkStep step{at_s, platform.bandwidth_Bps, platform.latency_s};
      if (latest != nullptr) {
        step.bandwidth_Bps *= latest->rate;
        step.latency_s = latest->latency_s.value_or(platform.latency_s);
      }
      if (step.bandwidth_Bps != of_link.back().bandwidth_Bps || step.latency_s != of_link.back().latency_s) {
        of_link.push_back(step);
      }
    }
  }
  return steps;
}

bool changes_with_time(const Network& network, const Conditions& conditions) {
  return !conditions.changes.empty() || !network.profiles.empty();
}

bool may_lose_frames(const Network& network, const Conditions& conditions) {
  const std::vector<Impairment> impairments = impairments_of(network, conditions);
  if (std::any_of(impairments.begin(), impairments.end(), [](const Impairment& i) { return i.any(); })) return true;
  if (!changes_with_time(network, conditions)) return false;
  for (const std::vector<LinkStep>& steps : link_steps(network, conditions)) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].bandwidth_Bps <= 0) return true;
      if (i > 0 && steps[i].latency_s < steps[i - 1].latency_s) return true;  // later frames may overtake
    }
  }
  return false;
}

Network fastest_state(const Network& network, const Conditions& conditions) {
  Network fastest = network;
  const std::vector<std::vector<LinkStep>> steps = link_steps(network, conditions);
  const std::vector<Impairment> impairments = impairments_of(network, conditions);
  for (std::size_t i = 0; i < fastest.links.size(); ++i) {
    Link& link = fastest.links[i];
    for (const LinkStep& step : steps[i]) {
      link.bandwidth_Bps = std::max(link.bandwidth_Bps, step.bandwidth_Bps);
      link.latency_s = std::min(link.latency_s, step.latency_s);
    }
    link.latency_s = impairments[i].reorder > 0 ? 0 : std::max(0.0, link.latency_s - impairments[i].jitter_s);
  }
  return fastest;
}

std::string cut_links(const Network& network, const Conditions& conditions, double at_s) {
  std::map<std::string, double> cut_since;
  for (const auto& [link, profile] : network.profiles) {
    const std::string name = network.links[link].name;
    for (const LinkStep& step : profile) {
      if (step.at_s > at_s) break;
      if (step.bandwidth_Bps > 0) {
        cut_since.erase(name);
      } else {
        cut_since.emplace(name, step.at_s);
      }
    }
  }
  for (const LinkChange& change : conditions.changes) {
    if (change.at_s > at_s) break;
    if (change.rate > 0) {
      cut_since.erase(change.links);
    } else {
      cut_since.emplace(change.links, change.at_s);
    }
  }
  std::string text;
  for (const auto& [links, since_s] : cut_since) {
    text +=
        fmt::format("{}link `{}` has been cut since {:g} s after the start", text.empty() ? "" : ", ", links, since_s);
  }
  return text;
}

}  // namespace isthmus
