#include "algorithms/packed/bundles.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/patterns/packing.hpp"

namespace isthmus {
namespace {

/// The bundle of one way holds the blocks source by source.
class BundleWriter {
 public:
  BundleWriter(Program& program, const Call& call, const Packing& packing, const Sites& sites, WayLanes& lanes)
      : program_(program),
        rank_(call.rank),
        count_(call.problem.count),
        packing_(packing),
        sites_(sites),
        own_(sites.of(call.rank)),
        lanes_(lanes) {}

  void write() {
    bundles_.resize(packing_.ways.size());
    for (int way = 0; way < ways(); ++way) receive(way);
    lanes_.use(WayLanes::start());
    for (int way = 0; way < ways(); ++way) send_to_collector(way);
    for (int way = 0; way < ways(); ++way) pass_on(way);
    for (int way = 0; way < ways(); ++way) hand_out(way);
  }

 private:
  int ways() const { return static_cast<int>(packing_.ways.size()); }
  int first(int way) const { return packing_.ways[way].sites.front(); }
  int last(int way) const { return packing_.ways[way].sites.back(); }
  std::int64_t bundle_count(int way) const {
    return std::int64_t{sites_.size(first(way))} * sites_.size(last(way)) * count_;
  }

  /// The member of the site at this place of the path that handles the bundle.
  int handler(int way, std::size_t place) const {
    const std::vector<int>& sites = packing_.ways[way].sites;
    const int site = sites[place];
    const int drivers = packing_.drivers.empty() ? sites_.size(site) : packing_.drivers[site];
    const int turn = place == 0 ? last(way) : place + 1 == sites.size() ? first(way) : first(way) + last(way);
    return sites_.driver(site, turn, drivers);
  }
  int collector(int way) const { return handler(way, 0); }
  int distributor(int way) const { return handler(way, packing_.ways[way].sites.size() - 1); }

  /// This rank's place on the path of a way; none is as far as the path is long.
  std::size_t place_of(int way) const {
    const std::vector<int>& sites = packing_.ways[way].sites;
    const auto place = static_cast<std::size_t>(std::ranges::find(sites, own_) - sites.begin());
    return place < sites.size() && handler(way, place) == rank_ ? place : sites.size();
  }

  Slice blocks_of(int way, int source) const {
    const std::int64_t blocks = sites_.size(last(way)) * count_;
    return bundles_[way].part(source * blocks, blocks);
  }

  void receive(int way) {
    const std::vector<int>& sites = packing_.ways[way].sites;
    const std::size_t place = place_of(way);
    if (place < sites.size()) {
      bundles_[way] = program_.reserve(bundle_count(way));
      if (place > 0) {
        lanes_.use(lanes_.way(way, 0));
        program_.receive(bundles_[way], handler(way, place - 1));
      } else {
        lanes_.use(WayLanes::start());
        for (const int member : sites_.members(own_))
          if (member != rank_) program_.receive(blocks_of(way, sites_.position(member)), member);
      }
    } else if (last(way) == own_) {
      lanes_.use(lanes_.way(way, 0));
      const std::span<const int> sources = sites_.members(first(way));
      bundles_[way] = consecutive(sources) ? output(sources.front() * count_, std::ssize(sources) * count_)
                                           : program_.reserve(std::ssize(sources) * count_);
      program_.receive(bundles_[way], distributor(way));
    }
  }

  /// This rank's blocks for the last site of a way, in the order of its members.
  std::vector<Slice> own_blocks(int way) const {
    std::vector<Slice> blocks;
    for_each_run(sites_.members(last(way)),
                 [&](Run run) { blocks.push_back(input(run.first * count_, run.size() * count_)); });
    return blocks;
  }

  void send_to_collector(int way) {
    if (first(way) == own_ && collector(way) != rank_) program_.send(as_one(program_, own_blocks(way)), collector(way));
  }

  void pass_on(int way) {
    const std::size_t place = place_of(way), places = packing_.ways[way].sites.size();
    if (place + 1 >= places) return;
    lanes_.use(lanes_.way(way, 0));
    if (place == 0) {
      Slice to = blocks_of(way, sites_.position(rank_));
      for (const Slice& from : own_blocks(way)) {
        program_.copy(to.part(0, from.count), from);
        to = to.part(from.count, to.count - from.count);
      }
    }
    program_.send(bundles_[way], handler(way, place + 1));
  }

  void hand_out(int way) {
    if (last(way) != own_) return;
    lanes_.use(lanes_.way(way, 0));
    const std::span<const int> sources = sites_.members(first(way));
    if (distributor(way) == rank_) {
      const auto targets = sites_.members(own_);
      const auto block = [&](int source, int target) { return blocks_of(way, source).part(target * count_, count_); };
      for (int target = 0; target < std::ssize(targets); ++target) {
        std::vector<Slice> blocks;
        for (int source = 0; source < std::ssize(sources); ++source) blocks.push_back(block(source, target));
        if (targets[target] != rank_) {
          program_.send(as_one(program_, blocks), targets[target]);
          continue;
        }
        for (int source = 0; source < std::ssize(sources); ++source)
          program_.copy(output(sources[source] * count_, count_), blocks[source]);
      }
    } else if (bundles_[way].buffer == Buffer::scratch) {
      Slice from = bundles_[way];
      for_each_run(sources, [&](Run run) {
        const std::int64_t part = run.size() * count_;
        program_.copy(output(run.first * count_, part), from.part(0, part));
        from = from.part(part, from.count - part);
      });
    }
  }

  Program& program_;
  const int rank_;
  const std::int64_t count_;
  const Packing& packing_;
  const Sites& sites_;
  const int own_;  // site
  WayLanes& lanes_;
  std::vector<Slice> bundles_;  // by way: what this rank receives of it
};

}  // namespace

bool has_bundles(const Packing& packing) { return !packing.ways.empty() && packing.ways.front().bundled; }

void check_bundles(Collective collective, const Packing& packing) {
  std::set<std::pair<int, int>> pairs;
  for (const Way& way : packing.ways) {
    if (way.bundled != packing.ways.front().bundled)
      throw BadInput("packing: some paths are bundled (*) and some are not; all or none would be right");
    if (!way.bundled) continue;
    if (collective != Collective::alltoall) throw BadInput("packing: bundles (*) are for alltoall alone");
    if (!pairs.emplace(way.sites.front(), way.sites.back()).second)
      throw BadInput("packing: a bundle (*) takes one path; there are several for two sites");
  }
}

void write_bundles(Program& program, const Call& call, const Packing& packing, const Sites& sites, WayLanes& lanes) {
  BundleWriter(program, call, packing, sites, lanes).write();
}

}  // namespace isthmus
