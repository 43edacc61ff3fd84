// The times of the plans that a search tries, each replayed once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "algorithms/network/placed_network.hpp"
#include "algorithms/tuning/trials/candidate.hpp"
#include "algorithms/tuning/trials/known_replays.hpp"

namespace isthmus {

inline constexpr std::int64_t few_messages = 2048;   // of a plan whose replay costs next to nothing
inline constexpr std::int64_t many_messages = 8192;  // of a plan whose replay takes some 10 ms

/// A part of an effort. Few messages are never too many for a part.
inline std::int64_t part_of(std::int64_t effort_messages, int parts) {
  return std::min(effort_messages, std::max(effort_messages / parts, few_messages));
}

/// The arguments must outlive it.
class PlanTimes {
 public:
  /// `replays`: of all searches for the problem on this network.
  PlanTimes(const PlacedNetwork& placed, const Problem& problem, Search search, KnownReplays& replays)
      : placed_(placed), problem_(problem), search_(search), replays_(replays) {}

  const PlacedNetwork& placed() const { return placed_; }
  const Topology& topology() const { return placed_.topology(); }
  const Problem& problem() const { return problem_; }
  Search search() const { return search_; }
  bool leaves_out_plans() const { return search_ <= Search::best_of_each; }

  /// The plans that follow are of another algorithm, and so many of their messages are replayed at most.
  void begin_algorithm(std::int64_t messages);
  std::int64_t messages_left() const { return messages_left_; }
  void set_messages_left(std::int64_t messages) { messages_left_ = messages; }

  /// How many messages a plan that serves the problem has, local ones included.
  std::int64_t messages_of(const Plan& plan) const { return replays_.sketched(plan).sketch.messages; }

  /// strict: the plan has more messages than one as good, so that it cannot be the choice if it takes longer.
  enum class Limit : std::uint8_t { of_this_search, strict };

  /// The seconds of a plan; infinity for a plan that does not serve the problem or has too many messages to be tried.
  /// The first plan is always tried. If the search leaves plans out, infinity for one that is not of interest and takes
  /// longer than `limit_s` too; if the limit is strict, for one that takes longer. A replay of the ways tells
  /// timed_ways_of() of them too.
  double seconds_of(const Plan& plan, double limit_s = infinite, Limit limit = Limit::of_this_search,
                    KnownReplays::Of what = KnownReplays::Of::plan);

  /// What seconds_of() may be asked next.
  struct Question {
    Plan plan;
    double limit_s = infinite;
    Limit limit = Limit::of_this_search;
    KnownReplays::Of what = KnownReplays::Of::plan;
  };
  double seconds_of(const Question& question) {
    return seconds_of(question.plan, question.limit_s, question.limit, question.what);
  }
  /// Makes the replays for these side by side, if no other branch needs the processors. It changes no answer.
  void prepare(const std::vector<Question>& next);

  struct TimedWays {
    double seconds = infinite;  ///< as of seconds_of()
    std::vector<double> end_s;  ///< by way: when its last piece comes; empty if that is not known
  };
  /// Of a plan along a packing. The plan is not added to tried().
  TimedWays timed_ways_of(const Plan& plan, double limit_s);

  /// All plans that were tried, and those of the current algorithm.
  const std::vector<Candidate>& tried() const { return tried_; }
  std::span<const Candidate> own() const { return std::span(tried_).subspan(first_); }
  bool has_tried() const { return !tried_.empty() || (trunk_ != nullptr && trunk_->has_tried()); }
  /// The quickest plan of all, of which there is one.
  const Candidate& quickest() const;
  /// What takes longer cannot be the choice.
  double enough_s() const;
  /// What a plan has to be as quick as to be of interest: of best_of_each the quickest plan of the current algorithm,
  /// else of all; null without any.
  const Candidate* rival() const;
  /// Whether one of the current algorithm's plans with these parameters, but a segment for which `is_one(segment,
  /// seconds, limit_s)`, was replayed; infinite seconds are more than the limit.
  bool has_known(const Parameters& parameters,
                 const std::function<bool(std::int64_t segment_bytes, double seconds, double limit_s)>& is_one) const;

  /// Runs tasks that do not depend on each other side by side. Each tries plans of the current algorithm, or of
  /// another that it begins, with times of its own, which know what was tried before but not what the others try: the
  /// results are the same on any number of processors. Each may replay as many messages as are left; those of the task
  /// with the most count.
  void in_branches(std::size_t tasks, const std::function<void(std::size_t, PlanTimes&)>& task);

  /// What was tried of the current algorithm.
  struct OfAlgorithm;
  OfAlgorithm of_algorithm() const;
  /// As if these plans had been tried last.
  void resume(const OfAlgorithm& tried);

 private:
  /// What is known of a plan of the current algorithm; infinite seconds are more than `limit_s`.
  struct Known {
    Parameters parameters;
    ReplayTotals replay;
    double limit_s = 0;
    bool is_candidate = false;

    bool tells(double other_limit_s) const { return replay.seconds < infinite || limit_s >= other_limit_s; }
  };

  template <typename Predicate>
  const Known* find_known(const Predicate& is_one) const;
  double as_candidate(Known& known, const Plan& plan);
  /// Whether a replay can tell when the plan's ways end.
  bool has_timed_ways(const Plan& plan) const;
  /// What a replay of the plan says; if one has to be made, it is of what is asked for.
  LimitedReplay replayed(const SketchedPlan& plan, KnownReplays::Of what, double limit_s);
  void join(PlanTimes&& branch);
  /// How long a plan may take to be of interest.
  double limit_of(double limit_s, Limit limit) const;

  const PlacedNetwork& placed_;
  const Problem& problem_;
  Search search_;
  KnownReplays& replays_;
  const PlanTimes* trunk_ = nullptr;     // of a branch; does not change meanwhile
  bool is_alone_ = true;                 // no other branch runs
  bool is_of_trunks_algorithm_ = false;  // the plans of the branch
  std::int64_t messages_left_ = 0;
  std::size_t first_ = 0;  // index in tried_ of the current algorithm's first plan
  std::vector<Candidate> tried_;
  std::vector<Known> known_;  // of the current algorithm
};

struct PlanTimes::OfAlgorithm {
  std::vector<Candidate> tried;
  std::vector<Known> known;
  std::int64_t messages_left = 0;
};

}  // namespace isthmus
