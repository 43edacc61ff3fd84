// A scatter along any tree, used by binomial and multilevel.
#include <algorithm>

#include "algorithms/patterns/block_tree.hpp"
#include "algorithms/patterns/packing.hpp"

namespace isthmus {
namespace {

/// The message to a child: the blocks of its subtree.
struct SubtreeMessage {
  int child;
  Slice blocks;
};

/// The farthest child first; in a binomial tree it has the largest subtree. With segments each child gets one segment
/// in turn, so that the links to all children are busy.
void send_in_turn(Program& program, std::span<const SubtreeMessage> messages, std::int64_t segment) {
  std::int64_t longest = 0;
  for (const SubtreeMessage& message : messages) longest = std::max(longest, message.blocks.count);
  const std::int64_t step = segment > 0 ? segment : std::max<std::int64_t>(longest, 1);
  for (std::int64_t first = 0; first < longest; first += step)
    for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
      const Slice& blocks = message->blocks;
      if (first < blocks.count) program.send(blocks.part(first, std::min(step, blocks.count - first)), message->child);
    }
}

std::vector<SubtreeMessage> messages_of_root(Program& program, std::span<const Branch> branches, const Blocks& all) {
  std::vector<SubtreeMessage> messages;
  for (const auto& [child, ranks] : branches) {
    if (consecutive(ranks)) {
      messages.push_back({child, all.range(ranks.front(), ranks.back() + 1)});
      continue;
    }
    messages.push_back({child, program.reserve(all.count_of(ranks))});
    pack(program, messages.back().blocks, ranks, all);
  }
  return messages;
}

}  // namespace

void scatter_along(Program& program, const PlaceOf& place_of, int rank, Slice own, const Blocks& all,
                   std::int64_t segment) {
  const std::vector<Branch> branches = branches_of(place_of, rank);
  const int parent = place_of(rank).parent;
  if (parent < 0) {
    send_in_turn(program, messages_of_root(program, branches, all), segment);
    program.copy(own, all.of(rank));
    return;
  }
  std::int64_t count = own.count;
  for (const Branch& branch : branches) count += all.count_of(branch.ranks);
  const Slice coming = branches.empty() ? own : program.reserve(count);
  for (const Slice part : split(coming, segment)) program.receive(part, parent);
  if (branches.empty()) return;

  std::vector<SubtreeMessage> messages;
  std::int64_t at = own.count;
  for (const auto& [child, ranks] : branches) {
    messages.push_back({child, coming.part(at, all.count_of(ranks))});
    at += messages.back().blocks.count;
  }
  // Segments are forwarded in the order of arrival.
  if (segment > 0)
    for (const SubtreeMessage& message : messages) send_in_turn(program, {&message, 1}, segment);
  else
    send_in_turn(program, messages, segment);
  program.copy(own, coming.part(0, own.count));
}

}  // namespace isthmus
