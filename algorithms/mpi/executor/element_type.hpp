// The MPI datatype of one call's elements: addresses of elements, and how to send, copy and reduce them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/mpi/executor/mpi_error.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// Whether it is a predefined datatype, which is never freed. Throws MpiError.
bool is_predefined(MPI_Datatype datatype);

/// The arguments of MPI_Isend and similar calls: MPI 3.1 counts in int.
struct MessageArguments {
  int count;
  MPI_Datatype datatype;
};

/// The address so many bytes behind another. Where datatypes have absolute addresses (MPI_BOTTOM) neither is that of an
/// object.
template <typename Byte>
Byte* behind(Byte* address, std::ptrdiff_t distance) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<Byte*>(reinterpret_cast<std::uintptr_t>(address) + static_cast<std::uintptr_t>(distance));
}

/// Memory for elements of a type whose bytes may begin before or after an element's own address.
class ElementBuffer {
 public:
  /// Makes room for at least `bytes`; the contents are lost when the memory grows. `before`: the distance of the first
  /// byte below element 0.
  void reserve(std::size_t bytes, std::ptrdiff_t before);
  /// Frees the memory if it is more than `bytes`.
  void release_above(std::size_t bytes);
  /// The address of element 0, which need not lie in the memory.
  std::byte* base() const { return base_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t size_ = 0;
  std::byte* base_ = nullptr;
};

/// Any committed datatype: basic or derived, with holes, resized, with a lower bound other than 0. Made for one call,
/// cheaply; must not outlive the datatype.
class ElementType {
 public:
  /// Throws MpiError, with the rank in it.
  ElementType(MPI_Datatype datatype, int rank);
  ~ElementType();
  ElementType(const ElementType&) = delete;
  ElementType& operator=(const ElementType&) = delete;

  MPI_Datatype datatype() const { return datatype_; }
  /// Bytes of data in one element, holes not counted.
  std::int64_t size() const { return size_; }
  std::ptrdiff_t displacement(std::int64_t elements) const { return elements * extent_; }

  /// `count` elements as one message; beyond the range of int, as one element of a type made for it.
  MessageArguments message(std::int64_t count) {
    if (count <= max_) return {static_cast<int>(count), datatype_};
    return large_message(count);
  }

  /// Whether the elements are contiguous bytes in order, without holes: true for numbers and for datatypes made of them
  /// by MPI_Type_contiguous and MPI_Type_dup.
  bool is_plain() const;
  /// Packs and unpacks `count` elements: count * size() contiguous bytes in the order of the type's signature, so that
  /// a datatype can unpack what another of equal signature has packed.
  void pack(std::byte* to, const std::byte* from, std::int64_t count) const;
  void unpack(std::byte* to, const std::byte* from, std::int64_t count) const;

  /// Copies elements that do not overlap. Bytes in holes are left alone.
  void copy(std::byte* to, const std::byte* from, std::int64_t count);
  /// Element by element: `right` = `left` (op) `right`.
  void reduce(const std::byte* left, std::byte* right, std::int64_t count, MPI_Op op) const;
  /// Room for `count` elements.
  void reserve(ElementBuffer& buffer, std::int64_t count);

 private:
  static constexpr std::int64_t max_ = 0x7fffffff;

  MessageArguments large_message(std::int64_t count);
  static MPI_Datatype large_type(MPI_Datatype of, std::ptrdiff_t extent, std::int64_t count, int rank);
  void find_true_extent();
  void send_to_self(const std::byte* from, MessageArguments sent, std::byte* to, MessageArguments received,
                    std::int64_t count) const;
  void copy_packed(std::byte* to, const std::byte* from, std::int64_t count) const;

  MPI_Datatype datatype_;
  int rank_;
  std::int64_t size_ = 0;
  MPI_Aint lower_ = 0;
  MPI_Aint extent_ = 0;
  bool true_extent_known_ = false;
  MPI_Aint true_lower_ = 0;
  MPI_Aint true_extent_ = 0;
  std::vector<std::pair<std::int64_t, MPI_Datatype>> large_;  // types made for large messages, by count
};

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
