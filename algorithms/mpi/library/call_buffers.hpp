// The buffers of a call while its program runs.
//
// Collectives that move data work on bytes, in the order of the type signature: one rank may send a vector that another
// receives as numbers, and all ranks still have the same program. If a caller's blocks are contiguous plain numbers,
// the program works on them directly; else the blocks are packed into memory of our own before and unpacked afterwards.
// An in-place operand is copied first, since a program may write its output before it has read all of its input.
// Collectives that reduce work on elements of the caller's datatype.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "algorithms/mpi/executor/element_type.hpp"
#include "algorithms/mpi/executor/executor.hpp"
#include "algorithms/mpi/library/collective_call.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Memory of our own for a call; reused by the next call, or by the next start of a persistent call.
struct Staging {
  ElementBuffer input, output;
};

/// Some blocks of one side, in the order of ranks.
class SideBlocks {
 public:
  struct Part {
    std::byte* address;
    std::int64_t count;
    MPI_Datatype datatype;
  };

  /// The blocks first ... end - 1.
  SideBlocks(const CallSide& side, int first, int end);

  /// Blocks of one size form one part.
  int parts() const { return side_->counts.given() ? end_ - first_ : 1; }
  Part part(int index) const;
  std::int64_t bytes() const;
  /// Whether all blocks are plain and contiguous, starting at `base`. Throws MpiError of MPI_ERR_BUFFER if they have no
  /// address.
  bool lie_together(std::byte*& base) const;

 private:
  const CallSide* side_;
  int first_, end_;
  MPI_Aint extent_ = 1;  // the unit of displacements
};

/// The bytes of `count` elements.
std::int64_t bytes_of(std::int64_t count, MPI_Datatype datatype);

/// The buffers of one call on this rank; call and staging must outlive it.
class CallBuffers {
 public:
  /// Throws MpiError.
  CallBuffers(const CollectiveCall& call, int rank, int size, Staging& staging);

  /// Before the program runs: fills the memory that is not the caller's.
  void bring();
  /// After the program: copies results to the caller's memory.
  void deliver();
  /// `first_tag` as in Arguments.
  Arguments arguments(int first_tag) const;

 private:
  void place_elements(Staging& staging);
  void place_bytes(Staging& staging);

  const CollectiveCall& call_;
  int rank_, size_;
  std::byte* input_ = nullptr;
  std::byte* output_ = nullptr;
  std::int64_t copied_elements_ = 0;           // for a reduction in place
  std::optional<SideBlocks> packed_input_;     // to be packed before
  std::optional<SideBlocks> packed_output_;    // also packed: the root's message of a broadcast, blocks that stay
  std::optional<SideBlocks> unpacked_output_;  // to be unpacked afterwards
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
