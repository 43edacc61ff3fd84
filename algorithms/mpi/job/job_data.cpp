#include "algorithms/mpi/job/job_data.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "algorithms/mpi/job/byte_pattern.hpp"

namespace isthmus {
namespace {

constexpr std::byte untouched{0xa5};

/// Calls visit(word), which returns the new one, for each word of a range; the range is a whole number of them.
template <typename Word, typename Visit>
void change_words(std::span<std::byte> bytes, const Visit& visit) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Word)) {
    Word word;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    word = visit(word);
    std::memcpy(bytes.data() + at, &word, sizeof word);
  }
}

/// Calls visit(Word{}) with the unsigned type of so many bytes.
template <typename Visit>
void with_word(int bytes, const Visit& visit) {
  switch (bytes) {
    case 1:
      return visit(std::uint8_t{});
    case 2:
      return visit(std::uint16_t{});
    case 4:
      return visit(std::uint32_t{});
    case 8:
      return visit(std::uint64_t{});
    default:
      throw std::logic_error("no word has " + std::to_string(bytes) + " bytes");
  }
}

template <typename Word>
struct Halves {
  static constexpr int bits = 4 * sizeof(Word);
  static constexpr Word lower_mask = static_cast<Word>((Word{1} << bits) - 1);

  static Word upper(Word word) { return static_cast<Word>(word >> bits); }
  static Word lower(Word word) { return static_cast<Word>(word & lower_mask); }
  static Word of(std::uint64_t upper, std::uint64_t lower) {
    return static_cast<Word>(static_cast<Word>(upper) << bits | static_cast<Word>(lower & lower_mask));
  }
};

/// Of the map that is `left` first and `right` then: right.c (left.c x + left.d) + right.d.
template <typename Word>
Word composed(Word left, Word right) {
  using Half = Halves<Word>;
  const std::uint64_t c = Half::upper(right);
  return Half::of(c * Half::upper(left), c * Half::lower(left) + Half::lower(right));
}

template <typename Word>
Word combined(Combining combining, Word left, Word right) {
  if (combining == Combining::sum) return static_cast<Word>(left + right);
  if (combining == Combining::composition) return composed(left, right);
  return static_cast<Word>(left | right);
}

/// The part of the data that depends on ranks and not on position.
struct Coefficients {
  std::uint64_t c, d;
};

Coefficients coefficients(std::uint64_t repetition, int rank) {
  const std::uint64_t seed = pattern_seed(repetition, rank);
  return {pattern_word(seed, 0) | 1, pattern_word(seed, 1) | 1};
}

Coefficients summed(std::uint64_t repetition, Run ranks) {
  Coefficients sum{0, 0};
  for (int rank = ranks.first; rank < ranks.end; ++rank) sum.c += coefficients(repetition, rank).c;
  return sum;
}

Coefficients composed(std::uint64_t repetition, Run ranks) {
  Coefficients map{1, 0};
  for (int rank = ranks.first; rank < ranks.end; ++rank) {
    const auto [c, d] = coefficients(repetition, rank);
    map = {c * map.c, c * map.d + d};
  }
  return map;
}

std::byte tokens(std::uint64_t repetition, int size, Run ranks) {
  unsigned bits = 0;
  for (int rank = ranks.first; rank < ranks.end; ++rank)
    bits |= static_cast<std::uint64_t>(rank) == repetition % size ? 1u : 2u << rank % 7;
  return static_cast<std::byte>(bits);
}

}  // namespace

Combining combining_of(const Problem& problem) {
  if (problem.collective == Collective::barrier) return Combining::either;
  if (!has_operator(problem.collective)) return Combining::none;
  return problem.commutative ? Combining::sum : Combining::composition;
}

int word_bytes(std::int64_t element_bytes) {
  const bool one_word = element_bytes == 2 || element_bytes == 4 || element_bytes == 8;
  return one_word ? static_cast<int>(element_bytes) : 1;
}

void combine_words(Combining combining, int word_bytes, std::span<const std::byte> left, std::byte* right) {
  with_word(word_bytes, [&]<typename Word>(Word) {
    const std::byte* from = left.data();
    change_words<Word>({right, left.size()}, [&](Word word) {
      Word other;
      std::memcpy(&other, from, sizeof other);
      from += sizeof other;
      return combined(combining, other, word);
    });
  });
}

JobData::JobData(const Problem& problem, int size, int rank)
    : problem_(problem), size_(size), rank_(rank), combining_(combining_of(problem)) {
  const BufferCounts counts = buffer_counts(problem, size, rank);
  input_bytes_ = static_cast<std::size_t>(counts.input * problem.element_bytes);
  output_bytes_ = static_cast<std::size_t>(counts.output * problem.element_bytes);
  add_pieces();
}

void JobData::add_piece(std::int64_t count, Run ranks, std::int64_t first) {
  const std::int64_t at = pieces_.empty() ? 0 : pieces_.back().at + pieces_.back().count;
  pieces_.push_back({at, count, ranks, first});
}

void JobData::add_pieces() {
  const auto block_of = [&](int rank) { return Run{rank, rank + 1}; };
  const Run all{0, size_};
  const std::int64_t count = problem_.count;
  const auto first_of_block = [&] {
    std::int64_t first = 0;
    for (int rank = 0; rank < rank_; ++rank) first += block_count(problem_, rank);
    return first;
  };
  const bool is_root = rank_ == problem_.root;
  switch (problem_.collective) {
    case Collective::broadcast:
      return add_piece(count, block_of(problem_.root));
    case Collective::barrier:
      return add_piece(1, all);
    case Collective::reduce:
      if (is_root) add_piece(count, all);
      return;
    case Collective::allreduce:
      return add_piece(count, all);
    case Collective::scan:
      return add_piece(count, {0, rank_ + 1});
    case Collective::exscan:
      if (rank_ > 0) add_piece(count, {0, rank_});
      return;
    case Collective::gather:
    case Collective::gatherv:
      if (!is_root) return;
      [[fallthrough]];
    case Collective::allgather:
    case Collective::allgatherv:
      for (int from = 0; from < size_; ++from) add_piece(block_count(problem_, from), block_of(from));
      return;
    case Collective::scatter:
    case Collective::scatterv:
      return add_piece(block_count(problem_, rank_), block_of(problem_.root), first_of_block());
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      for (int from = 0; from < size_; ++from) {
        std::int64_t first = 0;
        for (int to = 0; to < rank_; ++to) first += block_count(problem_, size_, from, to);
        add_piece(block_count(problem_, size_, from, rank_), block_of(from), first);
      }
      return;
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return add_piece(block_count(problem_, rank_), all, first_of_block());
  }
}

void JobData::write_value(std::uint64_t repetition, Run ranks, std::int64_t first_byte,
                          std::span<std::byte> bytes) const {
  if (combining_ == Combining::either) return std::fill(bytes.begin(), bytes.end(), tokens(repetition, size_, ranks));
  const int whose = combining_ == Combining::none ? ranks.first : size_;
  write_pattern(bytes, pattern_seed(repetition, whose), static_cast<std::uint64_t>(first_byte));
  if (combining_ == Combining::none) return;
  with_word(word_bytes(problem_.element_bytes), [&]<typename Word>(Word) {
    if (combining_ == Combining::sum) {
      const std::uint64_t c = summed(repetition, ranks).c;
      change_words<Word>(bytes, [&](Word word) { return static_cast<Word>(c * (word | 1u)); });
    } else {
      const Coefficients of = composed(repetition, ranks);
      change_words<Word>(bytes, [&](Word word) { return Halves<Word>::of(of.c, of.d * (word | 1u)); });
    }
  });
}

bool JobData::has_value(std::uint64_t repetition, Run ranks, std::int64_t first_byte,
                        std::span<const std::byte> bytes) const {
  std::array<std::byte, 16384> right;  // a whole number of words
  for (std::size_t at = 0; at < bytes.size(); at += right.size()) {
    const std::size_t count = std::min(right.size(), bytes.size() - at);
    write_value(repetition, ranks, first_byte + static_cast<std::int64_t>(at), {right.data(), count});
    if (std::memcmp(bytes.data() + at, right.data(), count) != 0) return false;
  }
  return true;
}

void JobData::write(std::uint64_t repetition, std::span<std::byte> input, std::span<std::byte> output) const {
  write_value(repetition, {rank_, rank_ + 1}, 0, input);
  std::fill(output.begin(), output.end(), untouched);
  if (problem_.collective == Collective::broadcast && rank_ == problem_.root)
    write_value(repetition, {rank_, rank_ + 1}, 0, output);
}

bool JobData::is_right(std::uint64_t repetition, std::span<const std::byte> input,
                       std::span<const std::byte> output) const {
  const std::int64_t element = problem_.element_bytes;
  return has_value(repetition, {rank_, rank_ + 1}, 0, input) &&
         std::all_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
           return has_value(repetition, piece.ranks, piece.first * element,
                            output.subspan(static_cast<std::size_t>(piece.at * element),
                                           static_cast<std::size_t>(piece.count * element)));
         });
}

}  // namespace isthmus
