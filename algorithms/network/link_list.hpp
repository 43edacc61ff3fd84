// The numbers of a host's own links in one direction: mostly one, which needs no memory beside it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace isthmus {

/// Link numbers in order, as a vector of them; up to two need no memory beside it.
class LinkList {
 public:
  using value_type = int;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = int&;
  using const_reference = const int&;
  using iterator = int*;
  using const_iterator = const int*;

  LinkList() = default;
  LinkList(std::initializer_list<int> links) : LinkList(links.begin(), links.size()) {}
  LinkList(const std::vector<int>& links) : LinkList(links.data(), links.size()) {}
  LinkList(const LinkList& other) : LinkList(other.data(), other.size()) {}
  LinkList(LinkList&& other) noexcept
      : count_(std::exchange(other.count_, 0)), links_(std::exchange(other.links_, {})) {}
  LinkList& operator=(LinkList other) noexcept {
    std::swap(count_, other.count_);
    std::swap(links_, other.links_);
    return *this;
  }
  ~LinkList() {
    if (is_long()) delete[] data();
  }

  operator std::vector<int>() const { return {begin(), end()}; }

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const int* data() const { return is_long() ? std::bit_cast<const int*>(links_) : links_.data(); }
  int* data() { return is_long() ? std::bit_cast<int*>(links_) : links_.data(); }
  const int* begin() const { return data(); }
  const int* end() const { return data() + count_; }
  int* begin() { return data(); }
  int* end() { return data() + count_; }
  auto rbegin() const { return std::reverse_iterator(end()); }
  auto rend() const { return std::reverse_iterator(begin()); }
  int operator[](std::size_t i) const { return data()[i]; }
  int front() const { return *begin(); }
  int back() const { return end()[-1]; }

  friend bool operator==(const LinkList& one, const LinkList& other) { return std::ranges::equal(one, other); }

 private:
  static constexpr std::size_t few = 2;

  LinkList(const int* links, std::size_t count) : count_(static_cast<unsigned>(count)) {
    if (is_long()) links_ = std::bit_cast<std::array<int, few>>(new int[count]);
    std::copy_n(links, count, data());
  }
  bool is_long() const { return count_ > few; }

  unsigned count_ = 0;
  std::array<int, few> links_{};  // the numbers, or a pointer to them
};

}  // namespace isthmus
