#include "algorithms/mpi/element_type.hpp"

#include <algorithm>
#include <cstring>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {

void ElementBuffer::reserve(std::size_t bytes, std::ptrdiff_t before) {
  if (bytes > size_) {
    memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    size_ = bytes;
  }
  base_ = memory_.get() + before;
}

ElementType::ElementType(MPI_Datatype datatype, int rank) : datatype_(datatype), rank_(rank) {
  MPI_Aint lower = 0;
  check_mpi(MPI_Type_get_extent(datatype, &lower, &extent_), {.call = "MPI_Type_get_extent", .rank = rank_});
  MPI_Count size = 0;
  check_mpi(MPI_Type_size_x(datatype, &size), {.call = "MPI_Type_size_x", .rank = rank_});
  size_ = size;
}

ElementType::~ElementType() {
  for (auto& [count, datatype] : large_) MPI_Type_free(&datatype);
}

Message ElementType::large_message(std::int64_t count) {
  for (const auto& [known, datatype] : large_)
    if (known == count) return {1, datatype};
  // As many whole chunks as there are, then the rest.
  constexpr std::int64_t chunk = std::int64_t{1} << 30;
  MPI_Datatype chunk_type = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(static_cast<int>(chunk), datatype_, &chunk_type),
            {.call = "MPI_Type_contiguous", .rank = rank_});
  const int lengths[2] = {static_cast<int>(count / chunk), static_cast<int>(count % chunk)};
  const MPI_Aint displacements[2] = {0, displacement(count / chunk * chunk)};
  const MPI_Datatype datatypes[2] = {chunk_type, datatype_};
  MPI_Datatype whole = MPI_DATATYPE_NULL;
  const int created = MPI_Type_create_struct(2, lengths, displacements, datatypes, &whole);
  MPI_Type_free(&chunk_type);
  check_mpi(created, {.call = "MPI_Type_create_struct", .rank = rank_});
  large_.emplace_back(count, whole);
  check_mpi(MPI_Type_commit(&large_.back().second), {.call = "MPI_Type_commit", .rank = rank_});
  return {1, large_.back().second};
}

void ElementType::find_true_extent() {
  if (true_extent_known_) return;
  check_mpi(MPI_Type_get_true_extent(datatype_, &true_lower_, &true_extent_),
            {.call = "MPI_Type_get_true_extent", .rank = rank_});
  true_extent_known_ = true;
}

void ElementType::reserve(ElementBuffer& buffer, std::int64_t count) {
  if (count == 0) return;
  find_true_extent();
  // An extent may be negative: elements then lie one below the other.
  const std::ptrdiff_t last = displacement(count - 1);
  const std::ptrdiff_t lowest = std::min<std::ptrdiff_t>(0, last) + true_lower_;
  const std::ptrdiff_t highest = std::max<std::ptrdiff_t>(0, last) + true_lower_ + true_extent_;
  buffer.reserve(static_cast<std::size_t>(highest - lowest), -lowest);
}

void ElementType::copy(std::byte* to, const std::byte* from, std::int64_t count) {
  find_true_extent();
  const bool contiguous = size_ == extent_ && size_ == true_extent_;
  if (contiguous)
    std::memcpy(to + true_lower_, from + true_lower_, static_cast<std::size_t>(count * size_));
  else
    copy_packed(to, from, count);
}

void ElementType::copy_packed(std::byte* to, const std::byte* from, std::int64_t count) const {
  constexpr std::int64_t piece_bytes = 1 << 20;
  const std::int64_t piece = std::clamp<std::int64_t>(piece_bytes / std::max<std::int64_t>(size_, 1), 1, count);
  int room = 0;
  check_mpi(MPI_Pack_size(static_cast<int>(piece), datatype_, MPI_COMM_SELF, &room),
            {.call = "MPI_Pack_size", .rank = rank_});
  std::vector<std::byte> packed(room);
  for (std::int64_t first = 0; first < count; first += piece) {
    const int now = static_cast<int>(std::min(piece, count - first));
    int end = 0;
    check_mpi(MPI_Pack(from + displacement(first), now, datatype_, packed.data(), room, &end, MPI_COMM_SELF),
              {.call = "MPI_Pack", .rank = rank_});
    int position = 0;
    check_mpi(MPI_Unpack(packed.data(), end, &position, to + displacement(first), now, datatype_, MPI_COMM_SELF),
              {.call = "MPI_Unpack", .rank = rank_});
  }
}

void ElementType::reduce(const std::byte* left, std::byte* right, std::int64_t count, MPI_Op op) const {
  for (std::int64_t first = 0; first < count; first += most_)
    check_mpi(MPI_Reduce_local(left + displacement(first), right + displacement(first),
                               static_cast<int>(std::min(most_, count - first)), datatype_, op),
              {.call = "MPI_Reduce_local", .rank = rank_});
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
