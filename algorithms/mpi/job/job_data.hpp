// The inputs of the ranks of a job, and the check of every byte of the results.
//
// Moved blocks carry a pattern of the rank that they come from. Operands are made so that every rank knows the result
// without the others' operands, whatever the number of ranks: with w(i) an odd word that depends on position and
// repetition, and c(r), d(r) odd words that depend on rank and repetition, the element i of rank r is
//
//   sum             c(r) w(i)                       of words modulo their size: any order of operands is right
//   composition     the map x -> c(r) x + d(r) w(i) of integers modulo half a word: no order but that of ranks is
//
// and what the ranks a ... b combine to is the same with the combination of c and d alone, so that an operand that is
// missing, doubled, out of place or out of order shows. The token of a barrier has a bit that one rank alone brings, a
// different one in each repetition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/collective/problem.hpp"
#include "algorithms/topology/clusters.hpp"

namespace isthmus {

/// How two elements are combined. An element is one word where it has 1, 2, 4 or 8 bytes, else as many words of a byte.
enum class Combining : std::uint8_t {
  none,
  sum,          ///< of words
  composition,  ///< of maps x -> c x + d: c is the upper half of a word and d the lower; associative, does not commute
  either,       ///< or, bit by bit
};

/// That of a collective: none for those that move blocks alone.
Combining combining_of(const Problem& problem);
/// The size of an element's words, in bytes.
int word_bytes(std::int64_t element_bytes);
/// Word by word: `right` = `left` combined with `right`.
void combine_words(Combining combining, int word_bytes, std::span<const std::byte> left, std::byte* right);

/// The data of one rank in one collective of a job.
class JobData {
 public:
  /// For a problem that check_problem() has accepted.
  JobData(const Problem& problem, int size, int rank);

  std::size_t input_bytes() const { return input_bytes_; }
  std::size_t output_bytes() const { return output_bytes_; }

  /// Writes the rank's buffers at the start of a repetition.
  void write(std::uint64_t repetition, std::span<std::byte> input, std::span<std::byte> output) const;
  /// Whether every byte of the output is right and the input is unchanged. Undefined bytes (exscan on rank 0) are not
  /// checked.
  bool is_right(std::uint64_t repetition, std::span<const std::byte> input, std::span<const std::byte> output) const;

 private:
  /// `count` elements of output from `at` on: what the elements `first` ... of the ranks' data combine to.
  struct Piece {
    std::int64_t at = 0;
    std::int64_t count = 0;
    Run ranks;
    std::int64_t first = 0;
  };

  void add_piece(std::int64_t count, Run ranks, std::int64_t first = 0);
  void add_pieces();
  void write_value(std::uint64_t repetition, Run ranks, std::int64_t first_byte, std::span<std::byte> bytes) const;
  bool has_value(std::uint64_t repetition, Run ranks, std::int64_t first_byte, std::span<const std::byte> bytes) const;

  const Problem& problem_;
  int size_, rank_;
  Combining combining_;
  std::size_t input_bytes_, output_bytes_;
  std::vector<Piece> pieces_;  // of the output, in order
};

}  // namespace isthmus
