#include "algorithms/reduce_scatter/shares.hpp"

#include <algorithm>
#include <vector>

namespace isthmus {
namespace {

/// This rank among the clusters, and how regions are cut.
class Division {
 public:
  Division(const Clusters& clusters, const BlockOf& block_of) : clusters_(clusters), block_of_(block_of) {
    for (int cluster = 0; cluster < clusters.size(); ++cluster) {
      std::vector<std::int64_t>& begins = begins_.emplace_back(1, 0);
      for (int member = 0; member < members_of(cluster); ++member)
        begins.push_back(begins.back() + block_of(cluster, member).count);
    }
  }

  int home() const { return clusters_.self(); }
  int place() const { return clusters_.place(); }
  int members() const { return members_of(home()); }
  int members_of(int cluster) const { return static_cast<int>(clusters_.ranks(cluster).size()); }
  int rank(int cluster, int place) const { return clusters_.ranks(cluster)[place]; }
  int neighbour(int place) const { return rank(home(), place); }
  Slice own_block() const { return block_of_(home(), place()); }
  Slice block(int cluster, int place) const { return block_of_(cluster, place); }

  /// The other clusters, and the other members of this rank's cluster, each beginning behind this rank's own, so that
  /// not all turn to the same one at once.
  template <typename Visit>
  void for_each_other_cluster(Visit visit) const {
    for (int i = 1; i < clusters_.size(); ++i) visit((home() + i) % clusters_.size());
  }
  template <typename Visit>
  void for_each_neighbour(Visit visit) const {
    for (int i = 1; i < members(); ++i) visit((place() + i) % members());
  }

  /// The pieces of another cluster's region that are the share of this cluster's member `of`: visit(owner, slice), with
  /// the owner's place in that cluster.
  template <typename Visit>
  void for_each_piece(int cluster, int of, Visit visit) const {
    const Slice share = share_of(cluster, of, members());
    const std::vector<std::int64_t>& begins = begins_[cluster];
    auto owner = static_cast<int>(std::upper_bound(begins.begin(), begins.end(), share.offset) - begins.begin()) - 1;
    for (; owner < members_of(cluster) && begins[owner] < share.end(); ++owner) {
      const std::int64_t first = std::max(begins[owner], share.offset), end = std::min(begins[owner + 1], share.end());
      if (first < end) visit(owner, block_of_(cluster, owner).part(first - begins[owner], end - first));
    }
  }

  /// The pieces of this rank's own block as another cluster's members share them: visit(place, first, count), with the
  /// member's place in that cluster, and the elements within the block.
  template <typename Visit>
  void for_each_holder(int cluster, Visit visit) const {
    const std::int64_t begin = begins_[home()][place()], end = begins_[home()][place() + 1];
    for (int holder = 0; holder < members_of(cluster); ++holder) {
      const Slice share = share_of(home(), holder, members_of(cluster));
      const std::int64_t from = std::max(begin, share.offset), to = std::min(end, share.end());
      if (from < to) visit(holder, from - begin, to - from);
    }
  }

 private:
  /// One of so many shares of a cluster's region, as a range within it.
  Slice share_of(int cluster, int share, int shares) const {
    return isthmus::block({Buffer::output, 0, begins_[cluster].back()}, share, shares);
  }

  const Clusters& clusters_;
  const BlockOf& block_of_;
  std::vector<std::vector<std::int64_t>> begins_;  // by cluster: of its members' blocks in its region, and its end
};

/// Combines operands in order. All but the own one lie in scratch, and one of them takes the sum until the last step.
void combine_in_order(Program& program, const std::vector<Slice>& operands, int own, Slice into) {
  if (operands.size() == 1) {
    program.copy(into, operands.front());
    return;
  }
  Slice sum = operands.front();
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const Slice to = i + 1 == operands.size() ? into : operands[own == 0 ? 1 : 0];
    program.reduce(to, sum, operands[i]);
    sum = to;
  }
}

/// The operands of one slice from all members of a cluster: the own one, and room for the others.
struct Operands {
  Slice own;
  int owner = 0;                // place in the cluster that the sum is for
  std::vector<Slice> by_place;  // of members
};

}  // namespace

void reduce_scatter_shared(Program& program, const Clusters& clusters, const BlockOf& block_of, Slice into) {
  const Division division(clusters, block_of);
  const auto operands_of = [&](Slice own, int owner) {
    Operands operands{own, owner, {}};
    for (int member = 0; member < division.members(); ++member)
      operands.by_place.push_back(member == division.place() ? own : program.reserve(own.count));
    return operands;
  };

  // Within the cluster: everybody's operands of this rank's shares, and of its own block.
  std::vector<std::vector<Operands>> shares;  // of the other clusters' regions, in turn
  division.for_each_other_cluster([&](int cluster) {
    std::vector<Operands>& pieces = shares.emplace_back();
    division.for_each_piece(cluster, division.place(),
                            [&](int owner, Slice piece) { pieces.push_back(operands_of(piece, owner)); });
  });
  const Operands home = operands_of(division.own_block(), division.place());
  division.for_each_neighbour([&](int member) {
    for (const auto& pieces : shares)
      for (const Operands& piece : pieces) program.receive(piece.by_place[member], division.neighbour(member));
    program.receive(home.by_place[member], division.neighbour(member));
  });
  // Between clusters: the sums of the others for this rank's own block.
  std::vector<Slice> sums(clusters.size());
  division.for_each_other_cluster([&](int cluster) {
    sums[cluster] = program.reserve(into.count);
    division.for_each_holder(cluster, [&](int holder, std::int64_t first, std::int64_t count) {
      program.receive(sums[cluster].part(first, count), division.rank(cluster, holder));
    });
  });

  division.for_each_neighbour([&](int member) {
    division.for_each_other_cluster([&](int cluster) {
      division.for_each_piece(cluster, member,
                              [&](int, Slice piece) { program.send(piece, division.neighbour(member)); });
    });
    program.send(division.block(division.home(), member), division.neighbour(member));
  });
  auto pieces = shares.begin();
  division.for_each_other_cluster([&](int cluster) {
    for (const Operands& piece : *pieces++) {
      Slice sum = piece.own;
      if (division.members() > 1) {
        sum = program.reserve(piece.own.count);
        combine_in_order(program, piece.by_place, division.place(), sum);
      }
      program.send(sum, division.rank(cluster, piece.owner));
    }
  });
  sums[division.home()] = home.own;
  if (clusters.size() == 1) {
    combine_in_order(program, home.by_place, division.place(), into);
    return;
  }
  if (division.members() > 1) {
    sums[division.home()] = program.reserve(into.count);
    combine_in_order(program, home.by_place, division.place(), sums[division.home()]);
  }
  combine_in_order(program, sums, division.home(), into);
}

void allgather_shared(Program& program, const Clusters& clusters, const BlockOf& block_of) {
  const Division division(clusters, block_of);
  const auto for_each_piece_of = [&](int member, auto visit) {
    division.for_each_other_cluster([&](int cluster) {
      division.for_each_piece(cluster, member, [&](int owner, Slice piece) { visit(cluster, owner, piece); });
    });
  };

  for_each_piece_of(division.place(), [&](int cluster, int owner, Slice piece) {
    program.receive(piece, division.rank(cluster, owner));
  });
  division.for_each_neighbour([&](int member) {
    const int from = division.neighbour(member);
    program.receive(division.block(division.home(), member), from);
    for_each_piece_of(member, [&](int, int, Slice piece) { program.receive(piece, from); });
  });

  division.for_each_other_cluster([&](int cluster) {
    division.for_each_holder(cluster, [&](int holder, std::int64_t first, std::int64_t count) {
      program.send(division.own_block().part(first, count), division.rank(cluster, holder));
    });
  });
  division.for_each_neighbour([&](int member) { program.send(division.own_block(), division.neighbour(member)); });
  for_each_piece_of(division.place(), [&](int, int, Slice piece) {
    division.for_each_neighbour([&](int member) { program.send(piece, division.neighbour(member)); });
  });
}

}  // namespace isthmus
