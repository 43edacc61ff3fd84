#include "algorithms/packed/way_ends.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/packed/bundles.hpp"
#include "algorithms/packed/exchanged_sums.hpp"
#include "algorithms/packed/path_blocks.hpp"
#include "algorithms/packed/pieces.hpp"
#include "algorithms/packed/site_tree.hpp"
#include "algorithms/packed/sites.hpp"

namespace isthmus {

/// Which way each element of a rank's result takes.
class WayEnds::WaysOfResults {
 public:
  WaysOfResults(const Topology& topology, const Problem& problem, const Packing& packing)
      : problem_(problem), packing_(packing), sites_(topology), size_(topology.size()), runs_(topology.size()) {
    if (is_alltoall(problem.collective) || (has_root(problem.collective) && has_blocks(problem.collective)))
      add_paths();
    else if (has_blocks(problem.collective))
      add_trees_of_blocks();
    else
      add_trees();
    for (std::vector<Run>& of_rank : runs_) std::ranges::sort(of_rank, {}, &Run::begin);
  }

  /// By operation of a rank's program, for what it receives; -1 if it takes none. Operands are in scratch: their ways
  /// are those of the results that they become part of.
  std::vector<int> of_program(int rank, std::span<const Op> ops) const {
    std::vector<int> of_op(ops.size(), -1);
    std::unordered_map<std::int64_t, int> of_scratch;
    for (std::size_t i = ops.size(); i-- > 0;) {
      const Op& op = ops[i];
      if (op.kind != OpKind::receive && op.kind != OpKind::reduce) continue;
      int way = -1;
      if (op.to.buffer == Buffer::output)
        way = of_result(rank, op.to.offset);
      else if (const auto found = of_scratch.find(op.to.offset); found != of_scratch.end())
        way = found->second;
      if (op.kind == OpKind::receive) of_op[i] = way;
      if (op.kind == OpKind::receive || way < 0) continue;
      for (const Slice& operand : {op.from, op.right})
        if (operand.buffer == Buffer::scratch) of_scratch[operand.offset] = way;
    }
    return of_op;
  }

 private:
  int of_result(int rank, std::int64_t element) const {
    const std::vector<Run>& runs = is_same_everywhere_ ? runs_.front() : runs_[rank];
    const auto after = std::ranges::upper_bound(runs, element, {}, &Run::begin);
    return after == runs.begin() || std::prev(after)->end <= element ? -1 : std::prev(after)->way;
  }

  struct Run {
    std::int64_t begin, end;
    int way;
  };

  void add(int rank, std::int64_t begin, const WayPart& part) {
    runs_[rank].push_back({begin + part.first, begin + part.first + part.count, part.way});
  }

  void add_trees() {
    is_same_everywhere_ = true;
    std::vector<int> ways;
    for (std::size_t way = 0; way < packing_.ways.size(); ++way) ways.push_back(static_cast<int>(way));
    for (const WayPart& part : divide(packing_, ways, std::vector<std::int64_t>{problem_.count})) add(0, 0, part);
  }

  void add_trees_of_blocks() {
    is_same_everywhere_ = !has_operator(problem_.collective);
    const Blocks blocks(problem_, size_, Buffer::output);
    std::vector<std::vector<int>> ways(sites_.count());  // by site of the root
    for (std::size_t way = 0; way < packing_.ways.size(); ++way)
      ways[SiteTree(packing_.ways[way].sites).root()].push_back(static_cast<int>(way));
    for (int site = 0; site < sites_.count(); ++site) {
      const auto owners = sites_.members(site);
      std::vector<std::int64_t> counts;
      for (const int owner : owners) counts.push_back(blocks.of(owner).count);
      for (const WayPart& part : divide(packing_, ways[site], counts))
        if (is_same_everywhere_)
          add(0, blocks.of(owners[part.block]).offset, part);
        else
          add(owners[part.block], 0, part);
    }
  }

  void add_paths() {
    const PathBlocks blocks(problem_, sites_, size_);
    std::map<int, OwnBlocks> own_blocks;  // by rank
    std::map<PathBlocks::Ends, std::vector<int>> ways;
    for (std::size_t way = 0; way < packing_.ways.size(); ++way)
      ways[{packing_.ways[way].sites.front(), packing_.ways[way].sites.back()}].push_back(static_cast<int>(way));
    for (const auto& [ends, of_ends] : ways) {
      std::vector<std::int64_t> counts;
      for (int block = 0; block < blocks.count(ends); ++block) {
        const auto [from, to] = blocks.ranks(ends, block);
        counts.push_back(blocks.elements(from, to));
      }
      for (const WayPart& part : divide(packing_, of_ends, counts)) {
        const auto [from, to] = blocks.ranks(ends, part.block);
        const OwnBlocks& own = own_blocks.try_emplace(to, problem_, size_, to).first->second;
        add(to, own.from(from).offset, part);
      }
    }
  }

  const Problem& problem_;
  const Packing& packing_;
  const Sites sites_;
  const int size_;
  bool is_same_everywhere_ = false;
  std::vector<std::vector<Run>> runs_;  // by rank, in order
};

bool has_way_ends(Collective collective, const Packing& packing) {
  return !is_scan(collective) && !exchanges_sums(collective, packing) && !has_bundles(packing);
}

WayEnds::WayEnds(const Topology& topology, const Problem& problem, const Packing& packing)
    : ways_(std::make_unique<WaysOfResults>(topology, problem, packing)),
      receives_{packing.ways.size(), std::vector<std::vector<int>>(topology.size())} {}

WayEnds::~WayEnds() = default;

ProgramSource WayEnds::observed(ProgramSource programs) {
  return [this, programs = std::move(programs)](int rank, Program& program) {
    programs(rank, program);
    receives_.of_op[rank] = ways_->of_program(rank, program.ops());
  };
}

}  // namespace isthmus
