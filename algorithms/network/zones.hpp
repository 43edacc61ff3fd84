// The zones around a host.
#pragma once

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace isthmus {

/// A zone that contains a host and is a group of the topology.
struct ZoneStep {
  std::string level;  ///< the platform's name of this level (`site`, `machine` ...)
  std::string name;
};

/// From the outermost inwards. Copies share them, as the hosts of a site do: a pointer each.
class Zones {
 public:
  using value_type = ZoneStep;
  using const_iterator = std::vector<ZoneStep>::const_iterator;

  Zones() = default;
  Zones(std::vector<ZoneStep> steps) : shared_(steps.empty() ? nullptr : new Shared{std::move(steps)}) {}
  Zones(std::initializer_list<ZoneStep> steps) : Zones(std::vector<ZoneStep>(steps)) {}
  Zones(const Zones& other) : shared_(other.shared_) {
    if (shared_ != nullptr) ++shared_->owners;
  }
  Zones(Zones&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  Zones& operator=(Zones other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~Zones() {
    if (shared_ != nullptr && --shared_->owners == 0) delete shared_;
  }

  /// All of them. Whoever wants to change them assigns a changed copy.
  const std::vector<ZoneStep>& steps() const {
    static const std::vector<ZoneStep> none;
    return shared_ == nullptr ? none : shared_->steps;
  }
  const_iterator begin() const { return steps().begin(); }
  const_iterator end() const { return steps().end(); }
  std::size_t size() const { return steps().size(); }
  bool empty() const { return shared_ == nullptr; }
  const ZoneStep& front() const { return steps().front(); }
  const ZoneStep& operator[](std::size_t i) const { return steps()[i]; }

 private:
  struct Shared {
    const std::vector<ZoneStep> steps;
    std::atomic<int> owners = 1;
  };

  Shared* shared_ = nullptr;  // null: none
};

}  // namespace isthmus
