// A tree of a packing over the sites, and the tree over the ranks that one piece takes along it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/collective/packing.hpp"
#include "algorithms/packed/sites.hpp"

namespace isthmus {

/// The tree over sites given by the parent of each site; the root is its own parent.
class SiteTree {
 public:
  /// `parents` must have been checked (check_tree()).
  explicit SiteTree(std::span<const int> parents);

  int size() const { return static_cast<int>(parents_.size()); }
  int root() const { return root_; }
  int parent(int site) const { return parents_[site]; }
  /// Those with the deepest subtrees first.
  std::span<const int> children(int site) const { return children_[site]; }
  bool is_leaf(int site) const { return children_[site].empty(); }
  /// Hops from the root to a site, and from a site to the deepest site below it.
  int depth(int site) const { return depth_[site]; }
  int height(int site) const { return height_[site]; }
  int height() const { return height_[root_]; }

 private:
  std::vector<int> parents_, depth_, height_;
  std::vector<std::vector<int>> children_;
  int root_ = 0;
};

/// Throws BadInput that names the parents unless they are those of one tree over `sites` sites.
void check_tree(std::span<const int> parents, int sites);

/// A rank's place in the tree of one piece. `far` means across sites.
struct PiecePlace {
  struct Neighbour {
    int rank = -1;
    /// Whether there is another site on its side of the edge: below it for a child, above it for the parent.
    bool far = false;
    int site = 0;  ///< of that rank
    int head = 0;  ///< the position in its site of the member that drives the edges of that site, for this piece
    bool is_leaf = false;  ///< of a child: nobody is below it
  };
  Neighbour parent;                 ///< rank -1 at the origin
  std::vector<Neighbour> children;  ///< those in other sites first
  bool far_above = false;           ///< the piece comes from another site, or (in a tree in) goes to one
  bool far_below = false;           ///< there is another site below this rank
  int head = 0;                     ///< as above, of the own site
};

/// The order in which a piece visits the members of a site behind the one that drives the site's edges. `fixed`: one
/// order for all pieces, so that pieces that enter at different members follow each other without waiting. `rotated`:
/// from that member on, so that each is last as often, which matters where hosts send as much as they can.
enum class MemberOrder : std::uint8_t { fixed, rotated };

/// rotated if all members of a site drive its edges, of three or more, or pieces go straight inside it.
MemberOrder member_order(const Sites& sites, const Packing& packing);

/// The shape of a tree inside a site, below the member at which a piece enters. `straight`: all others are its
/// children.
enum class InsideSite : std::uint8_t { chain, binary, straight };

/// Longer pieces go along chains inside sites, which use every link once at a time; shorter ones along binary trees.
inline constexpr std::int64_t longest_in_binary_bytes = 16384;

/// Who drives the edges at the root of a tree: the rank where its data begin or end; the other members of its site, in
/// turn; or those which drive the edges of the site in other trees.
enum class RootEdges : std::uint8_t { origin, others, drivers };

/// One rank's places in the trees of the pieces of a way.
class PieceTrees {
 public:
  /// `apart`: sites whose members each have an edge of their own to the site above.
  PieceTrees(const Sites& sites, const Packing& packing, const SiteTree& tree, const std::vector<int>& apart,
             RootEdges root_edges, MemberOrder order, int rank)
      : sites_(sites),
        packing_(packing),
        tree_(tree),
        apart_(apart),
        root_edges_(root_edges),
        order_(order),
        rank_(rank),
        site_(sites.of(rank)) {}

  /// The place for piece number `turn` of the way, whose data begin (in a tree in: end) at the rank `origin`.
  void place(int origin, std::int64_t turn, InsideSite inside, PiecePlace& place) const;

 private:
  bool is_apart(int site) const { return std::binary_search(apart_.begin(), apart_.end(), site); }
  /// The member of a site that drives its edges.
  int head(int site, int origin, std::int64_t turn) const;
  /// Where the edges of this site lead.
  PiecePlace::Neighbour above(int origin, std::int64_t turn) const;

  const Sites& sites_;
  const Packing& packing_;
  const SiteTree& tree_;
  const std::vector<int>& apart_;
  RootEdges root_edges_;
  MemberOrder order_;
  int rank_, site_;
};

}  // namespace isthmus
