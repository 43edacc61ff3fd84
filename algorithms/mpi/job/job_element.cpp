#include "algorithms/mpi/job/job_element.hpp"

#include "algorithms/mpi/job/job_data.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

MPI_Datatype unsigned_integer(std::int64_t bytes) {
  switch (bytes) {
    case 1:
      return MPI_UINT8_T;
    case 2:
      return MPI_UINT16_T;
    case 4:
      return MPI_UINT32_T;
    case 8:
      return MPI_UINT64_T;
    default:
      return MPI_DATATYPE_NULL;
  }
}

/// Open MPI 4.1 adds unsigned bytes and shorts with saturation in whole vectors and modulo 2^8 or 2^16 at the end of an
/// array where the processor has AVX (`--mca op ^avx` avoids it; 200 + 200 is 255 or 144).
bool sums_modulo_its_size(MPI_Datatype datatype) { return datatype == MPI_UINT32_T || datatype == MPI_UINT64_T; }

template <Combining combining>
void user_function(void* left, void* right, int* count, MPI_Datatype* datatype) {
  int element_bytes = 0;
  MPI_Type_size(*datatype, &element_bytes);
  const std::size_t bytes = static_cast<std::size_t>(*count) * static_cast<std::size_t>(element_bytes);
  combine_words(combining, word_bytes(element_bytes), {static_cast<const std::byte*>(left), bytes},
                static_cast<std::byte*>(right));
}

MPI_User_function* user_function_of(Combining combining) {
  if (combining == Combining::sum) return &user_function<Combining::sum>;
  if (combining == Combining::composition) return &user_function<Combining::composition>;
  return &user_function<Combining::either>;
}

}  // namespace

JobElement::JobElement(const Problem& problem) : datatype_(unsigned_integer(problem.element_bytes)) {
  if (datatype_ == MPI_DATATYPE_NULL) {
    check_mpi(MPI_Type_contiguous(static_cast<int>(problem.element_bytes), MPI_BYTE, &made_datatype_),
              {.call = "MPI_Type_contiguous"});
    check_mpi(MPI_Type_commit(&made_datatype_), {.call = "MPI_Type_commit"});
    datatype_ = made_datatype_;
  }
  const Combining combining = combining_of(problem);
  if (combining == Combining::none) return;
  if (combining == Combining::sum && sums_modulo_its_size(datatype_)) {
    op_ = MPI_SUM;
    return;
  }
  check_mpi(MPI_Op_create(user_function_of(combining), combining == Combining::composition ? 0 : 1, &made_op_),
            {.call = "MPI_Op_create"});
  op_ = made_op_;
}

JobElement::~JobElement() {
  if (made_op_ != MPI_OP_NULL) MPI_Op_free(&made_op_);
  if (made_datatype_ != MPI_DATATYPE_NULL) MPI_Type_free(&made_datatype_);
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
