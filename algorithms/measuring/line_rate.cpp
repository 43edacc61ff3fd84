#include "algorithms/measuring/line_rate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace isthmus {
namespace {

constexpr int first_frames = 16, max_frames = 2048;
constexpr double min_span_s = 0.004, margin = 1.25;
constexpr std::size_t enough_trains = 12, max_trains = 18;  // bursts that fill half of the time hit six at times
constexpr int max_failures = 3;
constexpr double confirmed = 0.02;             // relative difference of two trains
constexpr double confirmed_by_message = 0.05;  // of trains and a message

}  // namespace

LineRate line_rate(const std::function<FrameTrain(int frames)>& send_train, double frame_bytes, double message_Bps) {
  LineRate line;
  std::vector<double> rates;
  int frames = first_frames, failures = 0;
  while (rates.size() < max_trains && failures < max_failures) {
    const FrameTrain train = send_train(frames);
    line.sent += train.sent;
    line.lost += train.sent - train.arrived;
    if (train.arrived < 2 || train.span_s <= 0) {
      ++failures;
      continue;
    }
    if (train.span_s < min_span_s && frames < max_frames) {
      const double longer = std::clamp(margin * min_span_s / train.span_s, 2.0, double{max_frames});
      frames = std::min(max_frames, static_cast<int>(std::ceil(frames * longer)));
      continue;
    }
    rates.push_back((train.arrived - 1) * frame_bytes / train.span_s);
    std::ranges::sort(rates, std::greater<>());
    if (rates.size() < 2 || rates[0] - rates[1] > confirmed * rates[0]) continue;
    if (rates.size() == 2 && std::abs(message_Bps / rates[0] - 1) <= confirmed_by_message) break;
    if (rates.size() >= enough_trains) break;
  }
  if (!rates.empty()) line.rate_Bps = rates[std::min<std::size_t>(1, rates.size() - 1)];
  return line;
}

double rate_of_line(const LineRate& line, double message_Bps) {
  constexpr double same = 0.02;
  constexpr double faster = 1.2;
  if (line.rate_Bps == 0 || std::abs(message_Bps / line.rate_Bps - 1) <= same) return message_Bps;
  return line.sender_Bps < faster * line.rate_Bps ? std::max(line.rate_Bps, message_Bps) : line.rate_Bps;
}

}  // namespace isthmus
