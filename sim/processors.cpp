#include "sim/processors.hpp"

#include <algorithm>

namespace isthmus {

Processors::Processors(const Network& network) : costs_(network) {
  for (std::size_t host = 0; host < network.hosts.size(); ++host) {
    number_of_.emplace(network.hosts[host].name, static_cast<int>(host));
  }
}

/// After all messages that arrived before have been handled.
Processors::Processor& Processors::of(std::int64_t rank, double now_s) {
  Processor& processor = processors_[rank];
  while (!processor.arrivals.empty() && std::get<0>(*processor.arrivals.begin()) <= now_s) {
    SimulatedMessage& message = *std::get<MessagePointer>(*processor.arrivals.begin());
    if (message.taken_in_s < 0) take_in(processor, message);
    processor.arrivals.erase(processor.arrivals.begin());
  }
  return processor;
}

void Processors::take_in(Processor& processor, SimulatedMessage& message) {
  const double overhead_s = costs_.receive_overhead_s(host(message.from), host(message.to), message.bytes);
  processor.free_s = std::max(message.tail_s, std::max(processor.free_s, message.head_s) + overhead_s);
  message.taken_in_s = processor.free_s;
}

Processors::Work Processors::send(std::int64_t rank, double now_s, const SimulatedMessage& message) {
  Processor& processor = of(rank, now_s);
  const double begin_s = std::max(now_s, processor.free_s);
  processor.free_s = begin_s + costs_.send_overhead_s(host(message.from), host(message.to), message.bytes);
  return {begin_s, processor.free_s};
}

Processors::Work Processors::reduce(std::int64_t rank, double now_s, double bytes) {
  Processor& processor = of(rank, now_s);
  const double begin_s = std::max(now_s, processor.free_s);
  processor.free_s = begin_s + costs_.reduction_s(bytes);
  return {begin_s, processor.free_s};
}

void Processors::leave_until(std::int64_t rank, double now_s, double instant_s) {
  double& free_s = of(rank, now_s).free_s;
  free_s = std::max(free_s, instant_s);
}

void Processors::expect(std::int64_t rank, const MessagePointer& message) {
  processors_[rank].arrivals.insert(arrival(message));
}

void Processors::expect_no_longer(std::int64_t rank, const MessagePointer& message) {
  processors_[rank].arrivals.erase(arrival(message));
}

double Processors::receive(std::int64_t rank, double now_s, const MessagePointer& message) {
  Processor& processor = of(rank, now_s);
  if (message->taken_in_s < 0) take_in(processor, *message);
  return message->taken_in_s;
}

double Processors::taken_in_s(std::int64_t rank, double now_s, const SimulatedMessage& message) {
  of(rank, now_s);
  return std::max(message.tail_s, message.taken_in_s);
}

}  // namespace isthmus
