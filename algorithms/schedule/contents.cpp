#include "algorithms/schedule/contents.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace isthmus {
namespace {

std::size_t mix(std::size_t hash, std::uint64_t value) {
  hash ^= value + 0x9E3779B97F4A7C15u + (hash << 6) + (hash >> 2);
  return hash * 0xBF58476D1CE4E5B9u;
}

// Appends and joins neighbours, so that equal sequences of ranks and shifts have one representation.
void append(std::vector<Contributors>& list, const Contributors& more) {
  if (!list.empty()) {
    Contributors& last = list.back();
    if (last.rank + last.ranks == more.rank && last.shift == more.shift) {
      last.ranks += more.ranks;
      return;
    }
  }
  list.push_back(more);
}

// As a multiset, or as a set.
std::vector<Contributors> in_order_of_rank(const std::vector<Contributors>& list, bool each_once) {
  std::vector<Contributors> single;
  for (const Contributors& some : list)
    for (int i = 0; i < some.ranks; ++i) single.push_back({some.rank + i, 1, some.shift});
  std::sort(single.begin(), single.end(), [](const Contributors& a, const Contributors& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.shift < b.shift;
  });
  if (each_once) single.erase(std::unique(single.begin(), single.end()), single.end());
  std::vector<Contributors> joined;
  for (const Contributors& one : single) append(joined, one);
  return joined;
}

}  // namespace

// ---- values

std::size_t Values::ListHash::operator()(const std::vector<Contributors>& list) const {
  std::size_t hash = list.size();
  for (const Contributors& some : list)
    hash = mix(mix(hash, std::uint64_t(some.rank) << 32 | std::uint32_t(some.ranks)), std::uint64_t(some.shift));
  return hash;
}

std::size_t Values::PairHash::operator()(const Pair& pair) const {
  return mix(mix(0, std::uint64_t(pair.left) << 32 | std::uint32_t(pair.right)), std::uint64_t(pair.shift));
}

void Values::reset(bool commutative, bool idempotent) {
  commutative_ = commutative;
  idempotent_ = idempotent;
  numbers_.clear();
  lists_.clear();
  sums_.clear();
}

Symbol Values::intern(std::vector<Contributors> list) {
  if (commutative_) list = in_order_of_rank(list, idempotent_);
  const std::int64_t shift = list.front().shift;
  for (Contributors& some : list) some.shift -= shift;
  const auto [found, is_new] = numbers_.try_emplace(std::move(list), static_cast<int>(lists_.size()));
  if (is_new) lists_.push_back(&found->first);
  return {found->second, shift};
}

Symbol Values::of(const std::vector<int>& ranks) {
  std::vector<Contributors> list;
  for (const int rank : ranks) append(list, {rank, 1, 0});
  return list.empty() ? Symbol{} : intern(std::move(list));
}

Symbol Values::reduce(Symbol left, Symbol right) {
  const Pair pair{left.value, right.value, right.shift - left.shift};
  const auto [found, is_new] = sums_.try_emplace(pair);
  if (is_new) {
    std::vector<Contributors> list = contributors(left.value);
    for (Contributors some : contributors(right.value)) {
      some.shift += pair.shift;
      append(list, some);
    }
    found->second = intern(std::move(list));
  }
  return {found->second.value, found->second.shift + left.shift};
}

std::string Values::describe(Symbol symbol, std::int64_t position) const {
  if (symbol.value == undefined) return "nothing defined";
  const auto& list = contributors(symbol.value);
  const auto all_of = [](const Contributors& some) {
    std::string text = fmt::format("{}", some.rank);
    if (some.ranks > 6) return text + fmt::format(" + ... + {}", some.rank + some.ranks - 1);
    for (int i = 1; i < some.ranks; ++i) text += fmt::format(" + {}", some.rank + i);
    return text;
  };
  if (std::all_of(list.begin(), list.end(), [](const Contributors& some) { return some.shift == 0; })) {
    std::string ranks;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i == 6) return fmt::format("element {} of ranks {} + ...", position + symbol.shift, ranks);
      ranks += (i == 0 ? "" : " + ") + all_of(list[i]);
    }
    const bool one = list.size() == 1 && list.front().ranks == 1;
    return fmt::format("element {} of {} {}", position + symbol.shift, one ? "rank" : "ranks", ranks);
  }
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i == 6) return text + " + ...";
    text += fmt::format("{}element {} of {} {}", i == 0 ? "" : " + ", position + symbol.shift + list[i].shift,
                        list[i].ranks == 1 ? "rank" : "ranks", all_of(list[i]));
  }
  return text;
}

// ---- contents

void Contents::reset(std::int64_t count) {
  count_ = count;
  stretches_.assign(1, Stretch{});
}

std::size_t Contents::at(std::int64_t position) const {
  if (stretches_.size() == 1) return 0;
  const auto beyond = std::upper_bound(stretches_.begin(), stretches_.end(), position,
                                       [](std::int64_t x, const Stretch& stretch) { return x < stretch.begin; });
  return static_cast<std::size_t>(beyond - stretches_.begin()) - 1;
}

void Contents::read(std::int64_t offset, std::int64_t count, std::vector<Stretch>& out) const {
  out.clear();
  std::size_t i = at(offset);
  out.push_back({offset, stretches_[i].symbol});
  for (++i; i < stretches_.size() && stretches_[i].begin < offset + count; ++i) out.push_back(stretches_[i]);
}

void Contents::write(std::int64_t offset, std::int64_t count, std::vector<Stretch>& stretches) {
  const std::int64_t end = offset + count;
  std::size_t first = at(offset);
  const std::size_t last = at(end - 1);
  const std::int64_t last_end = last + 1 < stretches_.size() ? stretches_[last + 1].begin : count_;
  if (end < last_end) {
    if (stretches.back().symbol != stretches_[last].symbol) stretches.push_back({end, stretches_[last].symbol});
  }
  std::size_t behind = last + 1;  // the stretches first..behind - 1 give way
  if (end == last_end && behind < stretches_.size() && stretches_[behind].symbol == stretches.back().symbol) ++behind;
  std::size_t skip = 0;  // new stretches that only continue the stretch before them
  if (stretches_[first].begin < offset) {
    if (stretches_[first].symbol == stretches.front().symbol) skip = 1;
    ++first;
  } else if (first > 0 && stretches_[first - 1].symbol == stretches.front().symbol) {
    skip = 1;
  }
  const auto from = stretches.begin() + static_cast<std::ptrdiff_t>(skip);
  const auto coming = static_cast<std::size_t>(stretches.end() - from);
  const std::size_t going = behind - first;
  const std::size_t both = std::min(coming, going);
  const auto to = stretches_.begin() + static_cast<std::ptrdiff_t>(first);
  std::copy_n(from, both, to);
  if (coming > going)
    stretches_.insert(to + static_cast<std::ptrdiff_t>(both), from + static_cast<std::ptrdiff_t>(both),
                      stretches.end());
  else if (going > coming)
    stretches_.erase(to + static_cast<std::ptrdiff_t>(both), to + static_cast<std::ptrdiff_t>(going));
}

}  // namespace isthmus
