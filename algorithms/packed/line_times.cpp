#include "algorithms/packed/line_times.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

namespace isthmus {
namespace {

/// What happens inside sites has a time of its own, between those of two lines.
constexpr std::int64_t least_ns = 4;

}  // namespace

class LineTimes::Simulation {
 public:
  Simulation(const std::vector<WayLine>& lines, std::span<const Trees> trees, std::span<const TravellingPiece> pieces,
             LineTimes& into)
      : sites_(into.sites_),
        pieces_(pieces),
        trees_(trees),
        into_(into),
        line_(sites_ * sites_),
        exit_(sites_),
        entrance_(sites_),
        line_free_ns_(sites_ * sites_),
        exit_free_ns_(sites_),
        entrance_free_ns_(sites_),
        waiting_(sites_ * sites_),
        tail_ns_(2 * trees.size() * sites_, -1) {
    for (const WayLine& line : lines) {
      const Speed speed{std::max(line.latency_us * 1000, least_ns), line.kBps};
      if (line.from >= 0 && line.to >= 0)
        line_[at(line.from, line.to)] = speed;
      else if (line.from >= 0)
        exit_[line.from] = speed;
      else
        entrance_[line.to] = speed;
    }
  }

  void run() {
    operands_.resize(pieces_.size() * sites_);
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) set_out(piece);
    for (std::size_t site = 0; site < sites_; ++site) take(site, 0);
    while (!events_.empty()) {
      const std::int64_t now_ns = events_.top().ns;
      touched_.clear();
      for (; !events_.empty() && events_.top().ns == now_ns; events_.pop()) happen(Event(events_.top()));
      std::ranges::sort(touched_);
      touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
      for (const std::size_t site : touched_) take(site, now_ns);
    }
  }

 private:
  /// How fast a line is, or the exits and entrances of a site.
  struct Speed {
    std::int64_t latency_ns = least_ns;
    std::int64_t kBps = 0;  // 0: it takes no time

    /// At most some minutes, so that the times of all pieces of a program can be added up.
    std::int64_t occupied_ns(std::int64_t bytes) const {
      constexpr double longest_ns = std::int64_t{1} << 38;
      if (kBps <= 0) return 0;
      return static_cast<std::int64_t>(
          std::min(longest_ns, 1e6 * static_cast<double>(bytes) / static_cast<double>(kBps)));
    }
  };

  /// A piece that is to pass the edge of a site.
  struct Job {
    std::size_t piece;
    Edge edge;
    int site;
  };
  struct Waiting {
    std::int64_t tail_ns;
    Job job;
    /// The first to go is the greatest.
    bool operator<(const Waiting& other) const {
      return std::tuple(tail_ns, other.job.piece) < std::tuple(other.tail_ns, job.piece);
    }
  };
  enum class Kind : std::uint8_t { free, at_entrance, there };
  struct Event {
    std::int64_t ns;
    std::size_t number;
    Kind kind;
    std::size_t site;  // free: at which something became free
    Job job;
    bool operator>(const Event& other) const { return std::tuple(ns, number) > std::tuple(other.ns, other.number); }
  };

  std::size_t at(int from, int to) const {
    return static_cast<std::size_t>(from) * sites_ + static_cast<std::size_t>(to);
  }
  const Trees& trees_of(std::size_t piece) const { return trees_[pieces_[piece].way]; }
  const SiteTree& tree_of(const Job& job) const {
    const Trees& trees = trees_of(job.piece);
    return job.edge == Edge::in ? *trees.in : *trees.out;
  }
  int from(const Job& job) const { return job.edge == Edge::in ? job.site : tree_of(job).parent(job.site); }
  int to(const Job& job) const { return job.edge == Edge::in ? tree_of(job).parent(job.site) : job.site; }

  /// What a piece of the way takes from the beginning of an edge to the end of its way. Of all pieces of a way alike.
  std::int64_t tail_ns(const Job& job) {
    const int way = pieces_[job.piece].way;
    std::int64_t& known = tail_ns_[(2 * static_cast<std::size_t>(way) + static_cast<std::size_t>(job.edge)) * sites_ +
                                   static_cast<std::size_t>(job.site)];
    if (known >= 0) return known;
    const Speed& line = line_[at(from(job), to(job))];
    std::int64_t rest_ns = 0;
    const Trees& trees = trees_of(job.piece);
    if (job.edge == Edge::in && to(job) != trees.in->root()) {
      rest_ns = tail_ns({job.piece, Edge::in, to(job)});
    } else if (trees.out != nullptr) {
      for (const int child : trees.out->children(to(job)))
        rest_ns = std::max(rest_ns, tail_ns({job.piece, Edge::out, child}));
    }
    known = line.latency_ns + line.occupied_ns(pieces_[job.piece].bytes) + rest_ns;
    return known;
  }

  void wait(const Job& job) {
    const auto site = static_cast<std::size_t>(from(job));
    waiting_[at(from(job), to(job))].push({tail_ns(job), job});
    touched_.push_back(site);
  }
  void set_out(std::size_t piece) {
    const Trees& trees = trees_of(piece);
    if (trees.in == nullptr) {
      for (const int child : trees.out->children(trees.root())) wait({piece, Edge::out, child});
      return;
    }
    for (int site = 0; site < static_cast<int>(sites_); ++site) {
      operands_[piece * sites_ + static_cast<std::size_t>(site)] = static_cast<int>(trees.in->children(site).size());
      if (trees.in->is_leaf(site) && site != trees.root()) wait({piece, Edge::in, site});
    }
  }

  /// Starts what can start at a site, the longest tail first.
  void take(std::size_t site, std::int64_t now_ns) {
    while (exit_free_ns_[site] <= now_ns) {
      std::priority_queue<Waiting>* first = nullptr;
      for (std::size_t to = 0; to < sites_; ++to) {
        std::priority_queue<Waiting>& waiting = waiting_[site * sites_ + to];
        if (waiting.empty() || line_free_ns_[site * sites_ + to] > now_ns) continue;
        if (first == nullptr || first->top() < waiting.top()) first = &waiting;
      }
      if (first == nullptr) return;
      const Job job = first->top().job;
      first->pop();
      start(job, now_ns);
    }
  }
  void start(const Job& job, std::int64_t now_ns) {
    into_
        .start_ns_[(2 * job.piece + static_cast<std::size_t>(job.edge)) * sites_ + static_cast<std::size_t>(job.site)] =
        now_ns;
    const auto site = static_cast<std::size_t>(from(job));
    const std::size_t line = at(from(job), to(job));
    const std::int64_t bytes = pieces_[job.piece].bytes;
    line_free_ns_[line] = now_ns + line_[line].occupied_ns(bytes);
    exit_free_ns_[site] = now_ns + exit_[site].occupied_ns(bytes);
    add({line_free_ns_[line], 0, Kind::free, site, job});
    if (exit_free_ns_[site] > now_ns) add({exit_free_ns_[site], 0, Kind::free, site, job});
    add({now_ns + line_[line].latency_ns, 0, Kind::at_entrance, site, job});
  }
  void add(Event event) {
    event.number = events_added_++;
    events_.push(event);
  }

  void happen(const Event& event) {
    switch (event.kind) {
      case Kind::free:
        touched_.push_back(event.site);
        break;
      case Kind::at_entrance: {
        const auto site = static_cast<std::size_t>(to(event.job));
        const std::int64_t bytes = pieces_[event.job.piece].bytes;
        std::int64_t& free_ns = entrance_free_ns_[site];
        free_ns = std::max(free_ns, event.ns) + entrance_[site].occupied_ns(bytes);
        const std::int64_t over_line_ns = event.ns + line_[at(from(event.job), to(event.job))].occupied_ns(bytes);
        add({std::max(free_ns, over_line_ns), 0, Kind::there, site, event.job});
        break;
      }
      case Kind::there:
        arrive(event.job);
        break;
    }
  }
  void arrive(const Job& job) {
    const Trees& trees = trees_of(job.piece);
    const int here = to(job);
    if (job.edge == Edge::in) {
      if (--operands_[job.piece * sites_ + static_cast<std::size_t>(here)] > 0) return;
      if (here != trees.root()) {
        wait({job.piece, Edge::in, here});
        return;
      }
    }
    if (trees.out == nullptr) return;
    for (const int child : trees.out->children(here)) wait({job.piece, Edge::out, child});
  }

  const std::size_t sites_;
  const std::span<const TravellingPiece> pieces_;
  const std::span<const Trees> trees_;
  LineTimes& into_;
  std::vector<Speed> line_, exit_, entrance_;
  std::vector<std::int64_t> line_free_ns_, exit_free_ns_, entrance_free_ns_;
  std::vector<std::priority_queue<Waiting>> waiting_;  // by line
  std::vector<std::int64_t> tail_ns_;                  // by way, tree and site
  std::vector<int> operands_;                          // that are not there yet, by piece and site
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::size_t events_added_ = 0;
  std::vector<std::size_t> touched_;
};

LineTimes::LineTimes(const std::vector<WayLine>& lines, int sites, std::span<const Trees> trees,
                     std::span<const TravellingPiece> pieces)
    : sites_(static_cast<std::size_t>(sites)), start_ns_(2 * pieces.size() * sites_) {
  Simulation(lines, trees, pieces, *this).run();
}

}  // namespace isthmus
