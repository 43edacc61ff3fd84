// Conditions of links beyond their latency and rate: loss, jitter, changes over time, ambient
// traffic; and how TCP is set there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

/// Chances are of each frame, 0 to 1.
struct Impairment {
  double loss = 0;
  double jitter_s = 0;  ///< the latency varies evenly by as much to either side
  double reorder = 0;   ///< leaves at once, before those that wait
  double duplicate = 0;
  std::int64_t queue_frames = 0;  ///< more than these are dropped; 0: nothing is

  bool any() const { return loss > 0 || jitter_s > 0 || reorder > 0 || duplicate > 0 || queue_frames > 0; }
  bool operator==(const Impairment&) const = default;
};

/// `links`: names of links of the network, as a pattern with `*` and `?`; the name of a split-duplex link stands for
/// both of its directions.
struct LinkCondition {
  std::string links;
  Impairment impairment;
};

/// From `at_s` after the start of each repetition of a collective, or of a program, until another change of the same
/// link.
struct LinkChange {
  double at_s = 0;
  std::string links;
  double rate = 1;                       ///< of the platform's; 0: cut, nothing comes through
  std::optional<double> latency_s = {};  ///< the platform's when left out
};

/// UDP datagrams from one host to another while the ranks run, of `rate_Bps` of payload when it sends. It takes no
/// notice of repetitions: each meets another stretch of it.
struct AmbientTraffic {
  enum class Kind : std::uint8_t { constant, on_off, bursty };
  std::string from, to;  ///< hosts
  Kind kind = Kind::constant;
  double rate_Bps = 0;
  double on_s = 0, off_s = 0;  ///< on_off: how long each; bursty: the means of exponential distributions
};

/// How the hosts' TCP is set; what is empty or 0 stays as the emulation has it (emulator/README.md). A simulation has
/// no TCP.
struct TcpSettings {
  std::string congestion_control;  ///< `reno`, `cubic` ...
  int initial_window_frames = 0;   ///< what a connection may send before the first acknowledgement
  std::int64_t send_buffer_bytes = 0, receive_buffer_bytes = 0;  ///< the most; they bound the windows

  bool any() const {
    return !congestion_control.empty() || initial_window_frames > 0 || send_buffer_bytes > 0 ||
           receive_buffer_bytes > 0;
  }
  bool operator==(const TcpSettings&) const = default;
};

struct Conditions {
  std::uint64_t seed = 1;
  std::vector<LinkCondition> links;
  std::vector<LinkChange> changes;  ///< in the order of time
  std::vector<AmbientTraffic> traffic;
  TcpSettings tcp;

  bool any() const { return !links.empty() || !changes.empty() || !traffic.empty() || tcp.any(); }
};

/// The numbers of the links that a pattern names. Throws BadInput when there is none.
std::vector<int> links_named(const Network& network, const std::string& pattern);

/// Of a frame that meets one after the other.
Impairment both(const Impairment& a, const Impairment& b);

/// The impairment of each link, by its number; what two conditions say of one link adds up.
std::vector<Impairment> impairments_of(const Network& network, const Conditions& conditions);

/// How each link is over time, by its number, the platform's profile and the conditions together. The first step is the
/// link itself, as it is before the start; a bandwidth of 0 is a cut.
std::vector<std::vector<LinkStep>> link_steps(const Network& network, const Conditions& conditions);

/// The network with every link as fast as it ever is, by profiles and conditions: what no schedule beats there, none
/// beats while links change either. Jitter makes frames early too, and those that are reordered leave without delay.
Network fastest_state(const Network& network, const Conditions& conditions);

/// Whether the rate or latency of some link changes, by the platform's profiles or the conditions.
bool changes_with_time(const Network& network, const Conditions& conditions);

/// Whether frames may be lost or overtake each other.
bool may_lose_frames(const Network& network, const Conditions& conditions);

/// The links that are cut `at_s` after the start, with since when, as the conditions name them; empty: none.
std::string cut_links(const Network& network, const Conditions& conditions, double at_s);

}  // namespace isthmus
