#include "algorithms/packed/scan_along_paths.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/packed/site_tree.hpp"
#include "algorithms/packed/way_lanes.hpp"

namespace isthmus {
namespace {

/// The lowest or the highest rank of a site of consecutive ranks.
int first_of(const Sites& sites, int site) { return *std::ranges::min_element(sites.members(site)); }
int last_of(const Sites& sites, int site) { return first_of(sites, site) + sites.size(site) - 1; }

class ScanWriter {
 public:
  ScanWriter(Program& program, const Call& call, const Packing& packing)
      : program_(program),
        rank_(call.rank),
        problem_(call.problem),
        packing_(packing),
        sites_(call.topology),
        site_(sites_.of(call.rank)),
        first_(first_of(sites_, site_)),
        last_(last_of(sites_, site_)),
        lanes_(program, 1, static_cast<int>(packing.ways.size())),
        own_(input(0, call.problem.count)),
        into_(output(0, call.problem.count)) {
    cut(call.segment_elements());
    deal();
    const bool is_first = rank_ == first_, is_last = rank_ == last_;
    before_site_ = site_ == 0 ? Slice{} : is_first ? into_ : program_.reserve(own_.count);
    before_ = is_first ? Slice{} : site_ == 0 ? into_ : program_.reserve(own_.count);
    const bool passes_sum = is_last ? site_ + 1 < sites_.count() : true;
    sum_ = is_first || !passes_sum ? own_ : program_.reserve(own_.count);
    if (is_last && site_ > 0 && passes_sum) sum_so_far_ = program_.reserve(own_.count);
  }

  void write() {
    receive_inside();
    for_each_hop([&](std::size_t way, std::size_t piece, int before, int after) {
      if (before < 0) return;
      if (after >= 0) slots_.push_back(program_.reserve(pieces_[piece].count));
      lanes_.use(lanes_.way(static_cast<int>(way), 0));
      program_.receive(after >= 0 ? slots_.back() : part(before_site_, piece), before);
    });
    add_inside();
    std::size_t relayed = 0;
    for_each_hop([&](std::size_t way, std::size_t piece, int before, int after) {
      if (after < 0) return;
      lanes_.use(lanes_.way(static_cast<int>(way), 0));
      program_.send(before >= 0 ? slots_[relayed++] : sum_up_to_here(piece), after);
    });
    spread_inside();
    if (problem_.collective == Collective::scan) add_own();
  }

 private:
  /// Pieces as equal as can be, the same on all paths, so that a site can send on what it has just received.
  void cut(std::int64_t segment) {
    const std::int64_t count = own_.count;
    const std::int64_t number = segment > 0 ? std::max<std::int64_t>((count + segment - 1) / segment, 1) : 1;
    if (number > static_cast<std::int64_t>(Program::max_operations))
      throw BadInput("a vector would have more than " + std::to_string(Program::max_operations) +
                     " pieces; larger segments make fewer");
    std::int64_t begin = 0;
    for (std::int64_t i = 0; i < number; ++i) {
      const std::int64_t size = count / number + (i < count % number ? 1 : 0);
      pieces_.push_back({Buffer::input, begin, size});
      begin += size;
    }
  }

  /// Deals the pieces among the paths of each pair of sites by their shares, in order: a path gets the next piece when
  /// it would have carried it before any other.
  void deal() {
    dealt_.resize(packing_.ways.size());
    for (int from = 0; from + 1 < sites_.count(); ++from)
      for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
        std::size_t best = packing_.ways.size();
        for (std::size_t way = 0; way < packing_.ways.size(); ++way) {
          if (packing_.ways[way].sites.front() != from) continue;
          if (best == packing_.ways.size() || is_sooner(way, best)) best = way;
        }
        dealt_[best].push_back(piece);
      }
  }
  bool is_sooner(std::size_t way, std::size_t other) const {
    const auto next = [&](std::size_t number) { return static_cast<double>(dealt_[number].size() + 1); };
    return next(way) * static_cast<double>(packing_.ways[other].share) <
           next(other) * static_cast<double>(packing_.ways[way].share);
  }

  Slice part(const Slice& whole, std::size_t piece) const {
    return whole.part(pieces_[piece].offset, pieces_[piece].count);
  }

  /// Calls visit(way, piece, rank before, rank after) for each piece that comes by this rank on a path; -1: none.
  template <typename Visit>
  void for_each_hop(Visit visit) {
    for (std::size_t way = 0; way < packing_.ways.size(); ++way) {
      const std::vector<int>& sites = packing_.ways[way].sites;
      const auto own = std::ranges::find(sites, site_);
      if (own == sites.end()) continue;
      const auto index = static_cast<std::size_t>(own - sites.begin());
      for (const std::size_t piece : dealt_[way]) {
        if (rank_at(sites, index, piece) != rank_) continue;
        visit(way, piece, index > 0 ? rank_at(sites, index - 1, piece) : -1,
              index + 1 < sites.size() ? rank_at(sites, index + 1, piece) : -1);
      }
    }
  }
  int rank_at(const std::vector<int>& sites, std::size_t index, std::size_t piece) const {
    const int site = sites[index];
    if (index == 0 || index + 1 == sites.size()) return last_of(sites_, site);
    const int drivers = packing_.drivers.empty() ? 0 : packing_.drivers[site];
    return sites_.driver(site, static_cast<std::int64_t>(piece), drivers);
  }

  // ---- inside the site: the sum of the ranks before goes up, that of the sites before comes down

  void receive_inside() {
    lanes_.use(WayLanes::start());
    if (rank_ > first_)
      for (std::size_t piece = 0; piece < pieces_.size(); ++piece) program_.receive(part(before_, piece), rank_ - 1);
    lanes_.use(lanes_.own(0));
    if (site_ > 0 && rank_ < last_)
      for (std::size_t piece = 0; piece < pieces_.size(); ++piece)
        program_.receive(part(before_site_, piece), last_ - parent_of(last_ - rank_, piece));
  }

  void add_inside() {
    if (rank_ == last_ && site_ + 1 == sites_.count()) return;
    lanes_.use(WayLanes::start());
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
      if (rank_ > first_) program_.reduce(part(sum_, piece), part(before_, piece), part(own_, piece));
      if (rank_ < last_) program_.send(part(sum_, piece), rank_ + 1);
    }
  }

  Slice sum_up_to_here(std::size_t piece) {
    if (site_ == 0) return part(sum_, piece);
    program_.reduce(part(sum_so_far_, piece), part(before_site_, piece), part(sum_, piece));
    return part(sum_so_far_, piece);
  }

  void spread_inside() {
    if (site_ == 0) return;
    lanes_.use(lanes_.own(0));
    const int place = last_ - rank_;  // in the tree, whose root is the last rank
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
      const int degree = degree_of(piece);
      for (int child = degree * place + 1; child <= degree * place + degree && child < sites_.size(site_); ++child)
        program_.send(part(before_site_, piece), last_ - child);
      if (rank_ > first_) program_.reduce(part(into_, piece), part(before_site_, piece), part(before_, piece));
    }
  }
  void add_own() {
    lanes_.use(WayLanes::start());
    if (rank_ == 0)
      program_.copy(into_, own_);
    else
      program_.reduce(into_, into_, own_);
  }

  int degree_of(std::size_t piece) const {
    return pieces_[piece].count * problem_.element_bytes > longest_in_binary_bytes ? 1 : 2;
  }
  int parent_of(int place, std::size_t piece) const { return (place - 1) / degree_of(piece); }

  Program& program_;
  const int rank_;
  const Problem& problem_;
  const Packing& packing_;
  const Sites sites_;
  const int site_, first_, last_;
  WayLanes lanes_;
  const Slice own_, into_;
  Slice before_;       ///< the sum of the ranks of the site before this one
  Slice before_site_;  ///< that of all sites before
  Slice sum_;          ///< that of the ranks of the site up to this one
  Slice sum_so_far_;   ///< that of all ranks up to this one, at the last rank of a site
  std::vector<Slice> pieces_;
  std::vector<std::vector<std::size_t>> dealt_;  // pieces, by way
  std::vector<Slice> slots_;                     // of the pieces that this rank relays
};

}  // namespace

void check_sites_in_order(const Sites& sites) {
  for (int site = 0; site < sites.count(); ++site)
    if (*std::ranges::max_element(sites.members(site)) != last_of(sites, site))
      throw BadInput("prefixes follow the order of ranks; sites of consecutive ranks would be right");
}

void write_scan_along_paths(Program& program, const Call& call, const Packing& packing) {
  ScanWriter(program, call, packing).write();
}

}  // namespace isthmus
