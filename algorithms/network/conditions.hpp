// Conditions of links beyond their latency and rate: loss, jitter, changes over time, ambient traffic; and settings of
// TCP.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

/// Probabilities are per frame, 0 to 1.
struct Impairment {
  double loss = 0;
  double jitter_s = 0;  ///< uniform in +- jitter_s around the latency
  double reorder = 0;   ///< the frame leaves at once, before those that wait
  double duplicate = 0;
  std::int64_t queue_frames = 0;  ///< length of the queue; frames beyond it are dropped; 0: no limit

  bool any() const { return loss > 0 || jitter_s > 0 || reorder > 0 || duplicate > 0 || queue_frames > 0; }
  bool operator==(const Impairment&) const = default;
};

/// `links`: names of links of the network, as a pattern with `*` and `?`; the name of a split-duplex link stands for
/// both of its directions.
struct LinkCondition {
  std::string links;
  Impairment impairment;
};

/// Holds from `at_s` after the start of each repetition of a collective, or of a program, until the next change of the
/// same link.
struct LinkChange {
  double at_s = 0;
  std::string links;
  double rate = 1;                       ///< factor on the platform's bandwidth; 0: cut
  std::optional<double> latency_s = {};  ///< the platform's when left out
};

/// UDP datagrams from one host to another while the ranks run, with `rate_Bps` of payload while the source sends. The
/// traffic is independent of repetitions, so that each repetition sees another part of it.
struct AmbientTraffic {
  enum class Kind : std::uint8_t { constant, on_off, bursty };
  std::string from, to;  ///< hosts
  Kind kind = Kind::constant;
  double rate_Bps = 0;
  double on_s = 0, off_s = 0;  ///< on_off: the duration of each phase; bursty: the means of exponential distributions
};

inline constexpr int automatic_streams = 0;
inline constexpr int max_streams = 1024;

/// Settings of the hosts' TCP; empty or 0: the emulation's default (emulator/README.md). A simulation has no TCP.
struct TcpSettings {
  std::string congestion_control;  ///< `reno`, `cubic` ...
  int initial_window_frames = 0;   ///< frames that a connection may send before the first acknowledgement
  std::int64_t send_buffer_bytes = 0, receive_buffer_bytes = 0;  ///< maximum sizes; they bound the windows
  /// TCP connections in place of each one of Open MPI that leaves a local network; automatic_streams: as many as a
  /// model of TCP finds necessary (algorithms/models/tcp_throughput.hpp).
  int streams = 1;

  bool any() const {
    return !congestion_control.empty() || initial_window_frames > 0 || send_buffer_bytes > 0 ||
           receive_buffer_bytes > 0 || streams != 1;
  }
  bool operator==(const TcpSettings&) const = default;
};

struct Conditions {
  std::uint64_t seed = 1;
  std::vector<LinkCondition> links;
  std::vector<LinkChange> changes;  ///< in order of time
  std::vector<AmbientTraffic> traffic;
  TcpSettings tcp;

  bool any() const { return !links.empty() || !changes.empty() || !traffic.empty() || tcp.any(); }
};

/// The impairment of a frame that passes both in turn.
Impairment both(const Impairment& a, const Impairment& b);

/// The impairment of each link, by its number; several conditions of one link are combined. Throws BadInput for a name
/// that no link has, and for a jitter that is longer than its link's latency, at any time.
std::vector<Impairment> impairments_of(const Network& network, const Conditions& conditions);

/// The steps of each link over time, by its number, from the platform's profile and the conditions. The first step is
/// the link before the start; a bandwidth of 0 is a cut.
std::vector<std::vector<LinkStep>> link_steps(const Network& network, const Conditions& conditions);

/// The network with every link at its highest bandwidth and lowest latency under profiles and conditions. A lower bound
/// on this network is also a lower bound while links change. Jitter can shorten a latency, and reordered frames have
/// none.
Network fastest_state(const Network& network, const Conditions& conditions);

/// Whether the rate or latency of some link changes, by the platform's profiles or the conditions.
bool changes_with_time(const Network& network, const Conditions& conditions);

/// Whether frames may be lost or overtake each other.
bool may_lose_frames(const Network& network, const Conditions& conditions);

/// The links that are cut `at_s` after the start, by their names in the conditions, and since when; empty: none.
std::string cut_links(const Network& network, const Conditions& conditions, double at_s);

}  // namespace isthmus
