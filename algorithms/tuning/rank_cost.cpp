#include "algorithms/tuning/rank_cost.hpp"

#include <algorithm>
#include <optional>

#include "algorithms/schedule/access.hpp"
#include "algorithms/topology/common_level.hpp"

namespace isthmus {
namespace {

/// The functions of one level, with their last values cached.
struct Layer {
  explicit Layer(const PLogP& costs)
      : latency_s(costs.latency_s), send_overhead(costs.send_overhead), receive_overhead(costs.receive_overhead) {}

  double latency_s;
  LastValueCache send_overhead, receive_overhead;
};

}  // namespace

LevelCosts::LevelCosts(const PlacedNetwork& placed) {
  const Topology& topology = placed.topology();
  std::vector<std::optional<PLogP>> found(topology.levels() + 1);
  for (int rank = 0; rank < topology.size(); ++rank) {
    for (int other = rank + 1; other < topology.size(); ++other) {
      std::optional<PLogP>& layer = found[common_level(topology, rank, other)];
      if (!layer) layer = plogp_of(placed.network(), placed.host_of(rank), placed.host_of(other));
    }
  }
  const auto first = std::find_if(found.begin(), found.end(), [](const auto& layer) { return layer.has_value(); });
  const PLogP* outer = &**first;
  for (const std::optional<PLogP>& layer : found) {
    if (layer) outer = &*layer;
    layers_.push_back(*outer);
  }
}

namespace {

class Clock {
 public:
  Clock(int rank, const Topology& topology, const LevelCosts& costs, std::int64_t element_bytes)
      : rank_(rank), topology_(topology), element_bytes_(element_bytes), own_gap_(costs.innermost().gap) {
    for (int level = 0; level < costs.levels(); ++level) layers_.emplace_back(costs.between(level));
  }

  void send(const Op& op) {
    const auto bytes = static_cast<double>(op.from.count * element_bytes_);
    sent_s_ = std::max(now_s_, out_free_s_);
    out_free_s_ = sent_s_ + own_gap_(bytes);
    now_s_ += layer_of(op.peer).send_overhead(bytes);
  }

  /// Posts a receive without waiting. When too many are posted, waits for the oldest.
  void receive(const Op& op) {
    constexpr std::size_t max_posted = 8;
    if (posted_.size() == max_posted) wait_for_first(1);
    posted_.push_back(&op);
  }

  /// Waits for this message and for those posted before it.
  void wait_for_what_is_read_by(const Op& op) {
    for (const Slice& slice : read_by(op)) {
      std::size_t number = posted_.size();
      while (number > 0 && !overlap(posted_[number - 1]->to, slice)) --number;
      wait_for_first(number);
    }
  }

  void wait_for_all() { wait_for_first(posted_.size()); }

  void work(double seconds) { now_s_ += seconds; }

  RankCost result() const { return {std::max(now_s_, out_free_s_), messages_, messages_outside_}; }

 private:
  const Layer& layer_of(int peer) {
    const std::size_t level = common_level(topology_, rank_, peer);
    ++messages_;
    messages_outside_ += level == 0 ? 1 : 0;
    return layers_[std::min(level, layers_.size() - 1)];
  }

  void wait_for_first(std::size_t number) {
    for (std::size_t i = 0; i < number; ++i) {
      const auto bytes = static_cast<double>(posted_[i]->to.count * element_bytes_);
      const Layer& layer = layer_of(posted_[i]->peer);
      in_free_s_ = std::max(sent_s_ + layer.latency_s, in_free_s_) + own_gap_(bytes);
      now_s_ = std::max(in_free_s_, now_s_ + layer.receive_overhead(bytes));
    }
    posted_.erase(posted_.begin(), posted_.begin() + static_cast<std::ptrdiff_t>(number));
  }

  const int rank_;
  const Topology& topology_;
  const std::int64_t element_bytes_;
  const LastValueCache own_gap_;
  std::vector<Layer> layers_;
  std::vector<const Op*> posted_;
  double now_s_ = 0, sent_s_ = 0, out_free_s_ = 0, in_free_s_ = 0;
  std::int64_t messages_ = 0, messages_outside_ = 0;
};

}  // namespace

RankCost rank_cost(const Program& program, int rank, const Topology& topology, const LevelCosts& costs,
                   std::int64_t element_bytes, double reduction_s_per_byte) {
  Clock clock(rank, topology, costs, element_bytes);
  for (const Op& op : program.ops()) {
    clock.wait_for_what_is_read_by(op);
    if (op.kind == OpKind::send) clock.send(op);
    if (op.kind == OpKind::receive) clock.receive(op);
    if (op.kind == OpKind::reduce) clock.work(reduction_s_per_byte * static_cast<double>(op.to.count * element_bytes));
  }
  clock.wait_for_all();
  return clock.result();
}

}  // namespace isthmus
