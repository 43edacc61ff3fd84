#include "algorithms/mpi/executor/element_type.hpp"

#include <algorithm>
#include <cstring>

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

struct Envelope {
  explicit Envelope(MPI_Datatype datatype) {
    check_mpi(PMPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &combiner),
              {.call = "MPI_Type_get_envelope"});
  }
  // MPI_Type_create_f90_real() and its like give predefined datatypes without a name.
  bool predefined() const {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
  }
  int integers = 0, addresses = 0, datatypes = 0, combiner = 0;
};

// Only types whose extent equals their size: pairs like MPI_DOUBLE_INT have a hole.
bool is_plain(MPI_Datatype datatype) {
  const Envelope envelope(datatype);
  if (envelope.predefined()) return true;
  if (envelope.combiner != MPI_COMBINER_DUP && envelope.combiner != MPI_COMBINER_CONTIGUOUS) return false;
  int count = 0;
  MPI_Aint none = 0;
  MPI_Datatype of = MPI_DATATYPE_NULL;
  check_mpi(
      PMPI_Type_get_contents(datatype, envelope.integers, envelope.addresses, envelope.datatypes, &count, &none, &of),
      {.call = "MPI_Type_get_contents"});
  const bool plain = is_plain(of);
  if (!is_predefined(of)) PMPI_Type_free(&of);
  return plain;
}

std::int64_t elements_at_a_time(std::int64_t element_bytes) {
  constexpr std::int64_t bytes = 1 << 20;
  return std::max<std::int64_t>(1, bytes / std::max<std::int64_t>(1, element_bytes));
}

}  // namespace

bool is_predefined(MPI_Datatype datatype) { return Envelope(datatype).predefined(); }

void ElementBuffer::reserve(std::size_t bytes, std::ptrdiff_t before) {
  if (bytes > size_) {
    memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    size_ = bytes;
  }
  base_ = behind(memory_.get(), before);
}

void ElementBuffer::release_above(std::size_t bytes) {
  if (size_ > bytes) *this = {};
}

ElementType::ElementType(MPI_Datatype datatype, int rank) : datatype_(datatype), rank_(rank) {
  check_mpi(PMPI_Type_get_extent(datatype, &lower_, &extent_), {.call = "MPI_Type_get_extent", .rank = rank_});
  MPI_Count size = 0;
  check_mpi(PMPI_Type_size_x(datatype, &size), {.call = "MPI_Type_size_x", .rank = rank_});
  size_ = size;
}

ElementType::~ElementType() {
  for (auto& [count, datatype] : large_) PMPI_Type_free(&datatype);
}

MPI_Datatype ElementType::large_type(MPI_Datatype of, std::ptrdiff_t extent, std::int64_t count, int rank) {
  // Whole chunks, then the rest.
  constexpr std::int64_t chunk = std::int64_t{1} << 30;
  MPI_Datatype chunk_type = MPI_DATATYPE_NULL;
  check_mpi(PMPI_Type_contiguous(static_cast<int>(chunk), of, &chunk_type),
            {.call = "MPI_Type_contiguous", .rank = rank});
  const int lengths[2] = {static_cast<int>(count / chunk), static_cast<int>(count % chunk)};
  const MPI_Aint displacements[2] = {0, count / chunk * chunk * extent};
  const MPI_Datatype datatypes[2] = {chunk_type, of};
  MPI_Datatype whole = MPI_DATATYPE_NULL;
  const int created = PMPI_Type_create_struct(2, lengths, displacements, datatypes, &whole);
  PMPI_Type_free(&chunk_type);
  check_mpi(created, {.call = "MPI_Type_create_struct", .rank = rank});
  check_mpi(PMPI_Type_commit(&whole), {.call = "MPI_Type_commit", .rank = rank});
  return whole;
}

MessageArguments ElementType::large_message(std::int64_t count) {
  for (const auto& [known, datatype] : large_)
    if (known == count) return {1, datatype};
  large_.emplace_back(count, MPI_DATATYPE_NULL);
  large_.back().second = large_type(datatype_, extent_, count, rank_);
  return {1, large_.back().second};
}

void ElementType::find_true_extent() {
  if (true_extent_known_) return;
  check_mpi(PMPI_Type_get_true_extent(datatype_, &true_lower_, &true_extent_),
            {.call = "MPI_Type_get_true_extent", .rank = rank_});
  true_extent_known_ = true;
}

void ElementType::reserve(ElementBuffer& buffer, std::int64_t count) {
  if (count == 0) return;
  find_true_extent();
  // The data alone may be far from the element's address. User-defined operators on a whole struct also access the
  // padding around its data.
  std::ptrdiff_t lowest = true_lower_;
  std::ptrdiff_t highest = true_lower_ + true_extent_;
  if (lower_ <= lowest && highest <= lower_ + extent_) {
    lowest = lower_;
    highest = lower_ + extent_;
  }
  // With a negative extent each element is below the one before.
  const std::ptrdiff_t last = displacement(count - 1);
  lowest += std::min<std::ptrdiff_t>(0, last);
  highest += std::max<std::ptrdiff_t>(0, last);
  buffer.reserve(static_cast<std::size_t>(highest - lowest), -lowest);
}

void ElementType::copy(std::byte* to, const std::byte* from, std::int64_t count) {
  find_true_extent();
  if (to == from) return;
  const bool contiguous = size_ == extent_ && size_ == true_extent_;
  if (contiguous)
    std::memcpy(behind(to, true_lower_), behind(from, true_lower_), static_cast<std::size_t>(count * size_));
  else
    copy_packed(to, from, count);
}

bool ElementType::is_plain() const { return size_ == extent_ && isthmus::is_plain(datatype_); }

void ElementType::pack(std::byte* to, const std::byte* from, std::int64_t count) const {
  // MPI_BOTTOM is a null pointer, and MPICH packs from none.
  if (size_ > max_ || from == nullptr) return send_to_self(from, {1, datatype_}, to, {0, MPI_BYTE}, count);
  const std::int64_t piece = elements_at_a_time(size_);
  for (std::int64_t first = 0; first < count; first += piece) {
    const std::int64_t now = std::min(piece, count - first);
    const int bytes = static_cast<int>(now * size_);
    int end = 0;
    check_mpi(PMPI_Pack(behind(from, displacement(first)), static_cast<int>(now), datatype_, to + first * size_, bytes,
                        &end, MPI_COMM_SELF),
              {.call = "MPI_Pack", .rank = rank_});
  }
}

void ElementType::unpack(std::byte* to, const std::byte* from, std::int64_t count) const {
  if (size_ > max_ || to == nullptr) return send_to_self(from, {0, MPI_BYTE}, to, {1, datatype_}, count);
  const std::int64_t piece = elements_at_a_time(size_);
  for (std::int64_t first = 0; first < count; first += piece) {
    const std::int64_t now = std::min(piece, count - first);
    const int bytes = static_cast<int>(now * size_);
    int position = 0;
    check_mpi(PMPI_Unpack(from + first * size_, bytes, &position, behind(to, displacement(first)),
                          static_cast<int>(now), datatype_, MPI_COMM_SELF),
              {.call = "MPI_Unpack", .rank = rank_});
  }
}

void ElementType::copy_packed(std::byte* to, const std::byte* from, std::int64_t count) const {
  if (size_ > max_) return send_to_self(from, {1, datatype_}, to, {1, datatype_}, count);
  const std::int64_t piece = std::min(elements_at_a_time(size_), count);
  std::vector<std::byte> packed(static_cast<std::size_t>(piece * size_));
  for (std::int64_t first = 0; first < count; first += piece) {
    const std::int64_t now = std::min(piece, count - first);
    pack(packed.data(), behind(from, displacement(first)), now);
    unpack(behind(to, displacement(first)), packed.data(), now);
  }
}

// For sizes beyond MPI_Pack's int: sends each element to this rank itself. A count of 0 stands for the element's bytes.
void ElementType::send_to_self(const std::byte* from, MessageArguments sent, std::byte* to, MessageArguments received,
                               std::int64_t count) const {
  const auto step = [&](const MessageArguments& message) { return message.count == 0 ? size_ : extent_; };
  const std::ptrdiff_t from_step = step(sent);
  const std::ptrdiff_t to_step = step(received);
  MPI_Datatype bytes = large_type(MPI_BYTE, 1, size_, rank_);
  if (sent.count == 0) sent = {1, bytes};
  if (received.count == 0) received = {1, bytes};
  MPI_Comm self = MPI_COMM_NULL;
  int code = PMPI_Comm_split(MPI_COMM_SELF, 0, 0, &self);  // a duplicate would copy attributes of the program
  for (std::int64_t i = 0; i < count && code == MPI_SUCCESS; ++i)
    code = PMPI_Sendrecv(behind(from, i * from_step), sent.count, sent.datatype, 0, 0, behind(to, i * to_step),
                         received.count, received.datatype, 0, 0, self, MPI_STATUS_IGNORE);
  if (self != MPI_COMM_NULL) PMPI_Comm_free(&self);
  PMPI_Type_free(&bytes);
  check_mpi(code, {.call = "MPI_Sendrecv", .rank = rank_});
}

void ElementType::reduce(const std::byte* left, std::byte* right, std::int64_t count, MPI_Op op) const {
  for (std::int64_t first = 0; first < count; first += max_)
    check_mpi(PMPI_Reduce_local(behind(left, displacement(first)), behind(right, displacement(first)),
                                static_cast<int>(std::min(max_, count - first)), datatype_, op),
              {.call = "MPI_Reduce_local", .rank = rank_});
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
