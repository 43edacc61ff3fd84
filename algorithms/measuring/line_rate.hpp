// The rate of a line, by trains of frames: how far apart they arrive, whatever a connection of TCP makes of the line.
#pragma once

#include <functional>

namespace isthmus {

/// Frames that left one after the other as fast as their sender was able to.
struct FrameTrain {
  int sent = 0, arrived = 0;
  double span_s = 0;  ///< from the first arrival to the last
};

struct LineRate {
  double rate_Bps = 0;     ///< of TCP's payload; 0: no frames arrived
  double sender_Bps = 0;   ///< at which the sender handed its frames over; the line may be faster if this is not
  int sent = 0, lost = 0;  ///< frames
};

/// `send_train`: sends so many frames. `frame_bytes`: what a frame carries of a message. `message_Bps`: what one
/// message gets, or 0.
///
/// The narrowest link of a route spaces the frames of a train (Dovrolis, Ramanathan, Moore 2001: What do packet
/// dispersion techniques measure?). Other traffic that comes in between makes it longer, lost frames do not. Trains
/// grow until they take some milliseconds. The highest rate that a second train confirms counts: of two trains, if a
/// message gets as much, else of twelve or more.
LineRate line_rate(const std::function<FrameTrain(int frames)>& send_train, double frame_bytes, double message_Bps);

/// The rate that counts for a line: what a message gets if trains hardly differ from it, or did not arrive; the higher
/// of both where the sender was no faster than the line; else that of the trains.
double rate_of_line(const LineRate& line, double message_Bps);

}  // namespace isthmus
