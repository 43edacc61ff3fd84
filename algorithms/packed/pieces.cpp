#include "algorithms/packed/pieces.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>

#include "algorithms/errors.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {
namespace {

/// whole * part / parts, rounded down; part <= parts < 2^31.
std::int64_t scaled(std::int64_t whole, std::int64_t part, std::int64_t parts) {
  return whole / parts * part + whole % parts * part / parts;
}

/// The same for large numbers of parts, whose last digits do not count.
std::int64_t roughly_scaled(std::int64_t whole, std::int64_t part, std::int64_t parts) {
  while (parts >= std::int64_t{1} << 31) {
    part /= 2;
    parts /= 2;
  }
  return scaled(whole, std::min(part, parts), parts);
}

}  // namespace

std::vector<WayPart> divide(const Packing& packing, std::span<const int> ways, std::span<const std::int64_t> blocks) {
  std::vector<WayPart> parts;
  const std::int64_t elements = std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0});
  std::int64_t shares = 0;
  for (const int way : ways) shares += packing.ways[way].share;
  std::int64_t shares_before = 0, begin = 0;
  std::size_t block = 0;
  std::int64_t block_begin = 0;
  for (const int way : ways) {
    shares_before += packing.ways[way].share;
    const std::int64_t end = scaled(elements, shares_before, shares);
    for (std::int64_t at = begin; at < end;) {
      while (at >= block_begin + blocks[block]) block_begin += blocks[block++];
      const std::int64_t count = std::min(end, block_begin + blocks[block]) - at;
      parts.push_back({way, static_cast<int>(block), at - block_begin, count, end - begin});
      at += count;
    }
    begin = end;
  }
  return parts;
}

DueTimes due_times(const Packing& packing, int way, int hops) {
  constexpr std::int64_t whole = 1'000'000, least = 1000;
  const Way& of = packing.ways[way];
  if (of.last_due > 0) return {std::int64_t{1000} * of.first_due, std::int64_t{1000} * of.last_due};
  return {0, std::max(least, whole - std::int64_t{1000} * packing.lag * hops)};
}

void append_pieces(std::span<const WayPart> parts, std::span<const int> sender, std::int64_t segment, DueTimes due,
                   std::vector<WayPiece>& pieces) {
  const std::int64_t while_due = due.last - due.first;
  const std::size_t begin = pieces.size();
  std::map<int, std::int64_t> whole, before;  // elements by sender: in all, and so far
  for (const WayPart& part : parts) whole[sender[part.block]] += part.count;
  for (const WayPart& part : parts) {
    const std::int64_t number = segment > 0 ? (part.count + segment - 1) / segment : 1;
    if (number > static_cast<std::int64_t>(Program::max_operations - pieces.size()))
      throw BadInput("a way would have more than " + std::to_string(Program::max_operations) +
                     " pieces; larger segments make fewer");
    std::int64_t& sent = before[sender[part.block]];
    for (std::int64_t i = 0; i < number; ++i) {
      const std::int64_t first = scaled(part.count, i, number), end = scaled(part.count, i + 1, number);
      const std::int64_t turn = roughly_scaled(while_due, sent + first, whole[sender[part.block]]);
      pieces.push_back({turn, part.way, part.block, i, part.first + first, end - first});
    }
    sent += part.count;
  }
  const auto of_way = std::span(pieces).subspan(begin);
  std::ranges::stable_sort(of_way, {}, &WayPiece::due);
  std::int64_t out = 0;
  for (WayPiece& piece : of_way) {
    piece.due = due.first + roughly_scaled(while_due, out, parts.front().whole);
    out += piece.count;
  }
}

void sort_by_due(std::vector<WayPiece>& pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const WayPiece& a, const WayPiece& b) {
    return std::tie(a.due, a.way, a.block, a.number) < std::tie(b.due, b.way, b.block, b.number);
  });
}

}  // namespace isthmus
