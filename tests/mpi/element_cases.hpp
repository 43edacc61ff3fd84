// Datatypes to test with: for each, which bytes of an element are data.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/mpi/job/byte_pattern.hpp"

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {

/// A committed datatype; freed at the end if it was made here.
class ElementCase {
 public:
  static constexpr std::byte untouched{0xa5};

  ElementCase(std::string name, MPI_Datatype type, bool made, std::ptrdiff_t extent, std::vector<int> data)
      : name_(std::move(name)), type_(type), made_(made), extent_(extent), data_(std::move(data)) {
    if (made_) MPI_Type_commit(&type_);
  }
  ~ElementCase() {
    if (made_) MPI_Type_free(&type_);
  }
  ElementCase(const ElementCase&) = delete;
  ElementCase& operator=(const ElementCase&) = delete;

  const std::string& name() const { return name_; }
  MPI_Datatype type() const { return type_; }
  std::int64_t size() const { return static_cast<std::int64_t>(data_.size()); }

  /// A buffer of `count` elements in which nothing has been written.
  std::vector<std::byte> blank(std::int64_t count) const {
    return std::vector<std::byte>(static_cast<std::size_t>((count + 1) * extent_ + 16), untouched);
  }
  /// ... with bytes that depend on their position; gaps between the data stay untouched.
  std::vector<std::byte> filled(std::int64_t count, std::uint64_t seed) const {
    auto bytes = blank(count);
    for (std::int64_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < data_.size(); ++k)
        bytes[i * extent_ + data_[k]] =
            static_cast<std::byte>(pattern_word(seed, static_cast<std::uint64_t>(i * size() + static_cast<int>(k))));
    return bytes;
  }

 private:
  std::string name_;
  MPI_Datatype type_;
  bool made_;
  std::ptrdiff_t extent_;
  std::vector<int> data_;  // displacements of an element's bytes of data
};

inline ElementCase an_int() { return {"int", MPI_INT, false, 4, {0, 1, 2, 3}}; }
inline ElementCase a_double() { return {"double", MPI_DOUBLE, false, 8, {0, 1, 2, 3, 4, 5, 6, 7}}; }

/// Three pairs of shorts with a pair left out between them.
inline ElementCase a_vector() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(3, 2, 4, MPI_SHORT, &type);
  return {"vector", type, true, 20, {0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19}};
}

/// A char, a double and an int as a compiler lays them out.
inline ElementCase a_struct_with_holes() {
  const int lengths[] = {1, 1, 1};
  const MPI_Aint displacements[] = {0, 8, 16};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Datatype packed = MPI_DATATYPE_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(3, lengths, displacements, types, &packed);
  MPI_Type_create_resized(packed, 0, 24, &type);
  MPI_Type_free(&packed);
  return {"struct", type, true, 24, {0, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}};
}

/// Four bytes that begin eight bytes behind the element's address, every twelve bytes.
inline ElementCase a_shifted_type() {
  const int length = 4;
  const MPI_Aint displacement = 8;
  MPI_Datatype bytes = MPI_DATATYPE_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(1, &length, &displacement, MPI_BYTE, &bytes);
  MPI_Type_create_resized(bytes, 0, 12, &type);
  MPI_Type_free(&bytes);
  return {"shifted", type, true, 12, {8, 9, 10, 11}};
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
