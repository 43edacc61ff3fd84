// The size from which the choice is another algorithm.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/tuning/select.hpp"

namespace isthmus {

/// From this size on the choice is another algorithm.
struct SwitchingPoint {
  std::int64_t bytes = 0;
  Plan plan;
};

/// Sizes are multiplied by 16 until they are 1024 times the problem's or more, or 16 MiB; where the choice is another
/// one, the size is narrowed to within 10 % or an element. Choices are made with little effort, which finds the same
/// algorithm but for few cases; the one at the size that is found is made with the whole search, so that no size is
/// named from which choose() takes the same algorithm.
class SwitchSearch {
 public:
  /// The arguments must outlive it.
  SwitchSearch(const PlacedNetwork& placed, const Problem& problem);

  /// The part that needs no choice for the problem itself. Call it before find().
  void look_ahead();
  /// The next switch from the choice for the problem, the first of the plans that were tried; none up to
  /// looked_up_to_bytes().
  std::optional<SwitchingPoint> find(const std::vector<Candidate>& tried);
  std::int64_t looked_up_to_bytes() const { return looked_up_to_bytes_; }

 private:
  /// What is chosen for so many elements.
  struct Chosen {
    std::int64_t count = 0;
    std::vector<Plan> plans;  ///< the choice, then the best of other algorithms that come near
    double seconds = 0;       ///< of the choice
    bool is_sure = false;     ///< by the whole search
  };

  Chosen likely(std::int64_t count) const;
  Chosen surely(std::int64_t count) const;
  bool differs(const Chosen& one) const { return one.plans.front().algorithm != now_; }
  static Chosen chosen(std::int64_t count, const std::vector<Candidate>& tried, bool is_sure);
  std::vector<Candidate> resized(const Chosen& one, std::int64_t count, double limit_s) const;
  Chosen confirmed(const Chosen& same, Chosen other) const;
  std::int64_t likely_switch(const Chosen& same, const Chosen& other) const;
  std::optional<Chosen> switch_between(Chosen same, Chosen other) const;

  const PlacedNetwork& placed_;
  const Problem& problem_;
  std::vector<std::int64_t> larger_;  // counts, ascending
  std::optional<Chosen> first_;       // at the first of them
  const Algorithm* now_ = nullptr;    // the choice for the problem, once it is known
  std::int64_t looked_up_to_bytes_;
};

}  // namespace isthmus
