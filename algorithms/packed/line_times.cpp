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

Course course_of(const Trees& trees) {
  const int sites = (trees.in != nullptr ? trees.in : trees.out)->size();
  const auto of = [&](Trees::Edge edge, int site) { return trees.crossing(edge, site); };
  Course course(static_cast<std::size_t>(of(trees.out != nullptr ? Trees::Edge::out : Trees::Edge::in, sites)));
  const int summed = trees.in != nullptr ? static_cast<int>(trees.in->children(trees.root()).size()) : 0;
  for (int site = 0; site < sites; ++site) {
    if (site == trees.root()) continue;
    if (trees.in != nullptr) {
      const int parent = trees.in->parent(site);
      Crossing& edge = course[of(Trees::Edge::in, site)];
      edge = {site, parent, static_cast<int>(trees.in->children(site).size()), {}};
      if (parent != trees.root())
        edge.next.push_back(of(Trees::Edge::in, parent));
      else if (trees.out != nullptr)
        for (const int child : trees.out->children(parent)) edge.next.push_back(of(Trees::Edge::out, child));
    }
    if (trees.out != nullptr) {
      const int parent = trees.out->parent(site);
      Crossing& edge = course[of(Trees::Edge::out, site)];
      edge = {parent, site, parent == trees.root() ? summed : 1, {}};
      for (const int child : trees.out->children(site)) edge.next.push_back(of(Trees::Edge::out, child));
    }
  }
  return course;
}

Course course_of(const std::vector<int>& path) {
  const int hops = static_cast<int>(path.size()) - 1;
  Course course;
  for (int hop = 0; hop < hops; ++hop) {
    Crossing& line = course.emplace_back(path[hop], path[hop + 1], hop > 0 ? 1 : 0);
    if (hop + 1 < hops) line.next.push_back(hop + 1);
  }
  return course;
}

class LineTimes::Simulation {
 public:
  Simulation(const std::vector<WayLine>& lines, int sites, std::span<const Course> courses,
             std::span<const TravellingPiece> pieces, LineTimes& into)
      : sites_(static_cast<std::size_t>(sites)),
        pieces_(pieces),
        courses_(courses),
        into_(into),
        line_(sites_ * sites_),
        exit_(sites_),
        entrance_(sites_),
        line_free_ns_(sites_ * sites_),
        exit_free_ns_(sites_),
        entrance_free_ns_(sites_),
        waiting_(sites_ * sites_) {
    for (const Course& course : courses) tail_ns_.emplace_back(course.size(), -1);
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
    needs_.resize(into_.start_ns_.size());
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

  /// A piece that is to pass a line.
  struct Job {
    std::size_t piece;
    int crossing;
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
  const Crossing& crossing_of(const Job& job) const { return courses_[pieces_[job.piece].way][job.crossing]; }
  std::size_t line_of(const Job& job) const { return at(crossing_of(job).from, crossing_of(job).to); }
  /// Where a piece and a crossing are in the results.
  std::size_t index(const Job& job) const {
    return into_.first_of_[job.piece] + static_cast<std::size_t>(job.crossing);
  }

  /// What a piece of the way takes from the beginning of a line to the end of its way. Of all pieces of a way alike.
  std::int64_t tail_ns(const Job& job) {
    const std::int64_t known = tail_ns_[pieces_[job.piece].way][job.crossing];
    if (known >= 0) return known;
    const Speed& line = line_[line_of(job)];
    std::int64_t rest_ns = 0;
    for (const int next : crossing_of(job).next) rest_ns = std::max(rest_ns, tail_ns({job.piece, next}));
    return tail_ns_[pieces_[job.piece].way][job.crossing] =
               line.latency_ns + line.occupied_ns(pieces_[job.piece].bytes) + rest_ns;
  }

  void wait(const Job& job) {
    waiting_[line_of(job)].push({tail_ns(job), job});
    touched_.push_back(static_cast<std::size_t>(crossing_of(job).from));
  }
  void set_out(std::size_t piece) {
    const Course& course = courses_[pieces_[piece].way];
    for (int crossing = 0; crossing < static_cast<int>(course.size()); ++crossing) {
      const Job job{piece, crossing};
      needs_[index(job)] = course[crossing].needs;
      if (course[crossing].from >= 0 && course[crossing].needs == 0) wait(job);
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
    into_.start_ns_[index(job)] = into_.last_ns_ = now_ns;
    const auto site = static_cast<std::size_t>(crossing_of(job).from);
    const std::size_t line = line_of(job);
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
        const auto site = static_cast<std::size_t>(crossing_of(event.job).to);
        const std::int64_t bytes = pieces_[event.job.piece].bytes;
        std::int64_t& free_ns = entrance_free_ns_[site];
        free_ns = std::max(free_ns, event.ns) + entrance_[site].occupied_ns(bytes);
        const std::int64_t over_line_ns = event.ns + line_[line_of(event.job)].occupied_ns(bytes);
        add({std::max(free_ns, over_line_ns), 0, Kind::there, site, event.job});
        break;
      }
      case Kind::there:
        arrive(event.job);
        break;
    }
  }
  void arrive(const Job& job) {
    for (const int next : crossing_of(job).next) {
      const Job then{job.piece, next};
      if (--needs_[index(then)] == 0) wait(then);
    }
  }

  const std::size_t sites_;
  const std::span<const TravellingPiece> pieces_;
  const std::span<const Course> courses_;
  LineTimes& into_;
  std::vector<Speed> line_, exit_, entrance_;
  std::vector<std::int64_t> line_free_ns_, exit_free_ns_, entrance_free_ns_;
  std::vector<std::priority_queue<Waiting>> waiting_;  // by line
  std::vector<std::vector<std::int64_t>> tail_ns_;     // by way and crossing
  std::vector<int> needs_;                             // what has not arrived yet, by piece and crossing
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::size_t events_added_ = 0;
  std::vector<std::size_t> touched_;
};

LineTimes::LineTimes(const std::vector<WayLine>& lines, int sites, std::span<const Course> courses,
                     std::span<const TravellingPiece> pieces) {
  std::size_t all = 0;
  first_of_.reserve(pieces.size());
  for (const TravellingPiece& piece : pieces) {
    first_of_.push_back(all);
    all += courses[piece.way].size();
  }
  start_ns_.resize(all);
  Simulation(lines, sites, courses, pieces, *this).run();
}

}  // namespace isthmus
