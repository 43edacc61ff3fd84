// The rate that one TCP connection reaches over a long distance, and how many of them fill it.
//
// Symbols: W window in frames, p loss per frame, R round trip in seconds. A long transfer, one acknowledgement for each
// frame, independent losses; slow start and retransmission timeouts are left out, so a short transfer may be quicker
// and a path with p above a few percent is slower.
#pragma once

#include <cstdint>

#include "algorithms/network/conditions.hpp"

namespace isthmus {

enum class CongestionControl : std::uint8_t { reno, cubic };

struct TcpPath {
  double round_trip_s = 0;
  double bandwidth_Bps = 0;   ///< of payload
  double loss = 0;            ///< per frame, 0 to 1
  double frame_bytes = 1448;  ///< payload of a frame
  double window_bytes = 0;    ///< the limit of the buffers; 0: none
  CongestionControl congestion_control = CongestionControl::cubic;
};

/// The mean window in frames that losses allow. Reno: W = sqrt(3 / (2 p)) (Mathis, Semke, Mahdavi, Ott 1997, section
/// 2). CUBIC: W = (C (3 + b) / (4 (1 - b)))^(1/4) (R / p)^(3/4) with C = 0.4 and b = 0.7, but no less than Reno's (RFC
/// 9438, sections 4.3 and 5.1). Infinite without loss.
double loss_limited_window(const TcpPath& path);

/// Payload bytes per second: the least of the bandwidth, the window limit and W frames a round trip.
double tcp_throughput_Bps(const TcpPath& path);

/// The connections that together reach `share` of the bandwidth, 1 to max_streams. Losses hit each of them
/// alone, so their rates add.
int streams_to_fill(const TcpPath& path, double share = 0.9);

/// The most that any route between two endpoints needs under these conditions: their losses, buffers and congestion
/// control (the kernel's default is CUBIC; of others than `reno` and `cubic` nothing is known: 1). Throws BadInput for
/// a route that loses more than a tenth of its frames: there the model does not hold.
int streams_to_fill(const Network& network, const Conditions& conditions);

}  // namespace isthmus
