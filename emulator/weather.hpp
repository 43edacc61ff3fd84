// The conditions of an emulated network while ranks run on it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "emulator/conditions.hpp"
#include "emulator/container.hpp"
#include "emulator/delay_line.hpp"
#include "emulator/plan.hpp"

namespace isthmus {

class Weather {
 public:
  /// Impairs the links, starts the ambient traffic, and has the links change when it is time, counted from here on.
  Weather(const EmulationPlan& plan, const Network& network, const Conditions& conditions,
          const std::vector<RunningContainer>& containers, HopTable& hops);
  Weather(const Weather&) = delete;
  Weather& operator=(const Weather&) = delete;
  /// Ends the traffic, and leaves the links as the plan has them.
  ~Weather();

  /// Which links are cut at the moment, for a message; empty: none.
  std::string cut_now() const;

 private:
  void apply(const QueueChange& change, std::size_t number) const;

  const EmulationPlan& plan_;
  const Conditions& conditions_;
  const std::vector<RunningContainer>& containers_;
  HopTable& hops_;
  std::vector<QueueChange> changes_;
  std::vector<pid_t> processes_;
  std::int64_t start_ns_;
};

}  // namespace isthmus
