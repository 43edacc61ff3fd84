// Messages beyond what an int counts. Needs 9 GiB on two ranks.
#include <cstdlib>
#include <span>
#include <vector>

#include "algorithms/mpi/executor/executor.hpp"
#include "algorithms/mpi/job/byte_pattern.hpp"
#include "isthmus.h"
#include "tests/mpi/cases.hpp"

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

// With a plan set, the call is not passed to the MPI.
const int asked = setenv("ISTHMUS_BROADCAST", "binomial", 0) + setenv("ISTHMUS_GATHERV", "linear", 0);

constexpr std::int64_t beyond_int = (std::int64_t{1} << 31) + 13;

MPI_CASE(MoreElementsThanAnIntCounts) {
  std::vector<std::byte> buffer(beyond_int);
  if (world.rank() == 0) write_pattern(buffer, 1);
  world.expect_equal(isthmus_broadcast_c(buffer.data(), beyond_int, MPI_BYTE, 0, world.comm()), MPI_SUCCESS, "code");
  world.expect(has_pattern(buffer, 1), "bytes");
}

MPI_CASE(MoreBytesThanAnIntCounts) {
  constexpr int doubles = beyond_int / 8 + 1;
  std::vector<std::byte> buffer(std::size_t{doubles} * 8);
  if (world.rank() == 0) write_pattern(buffer, 2);
  world.expect_equal(isthmus_broadcast(buffer.data(), doubles, MPI_DOUBLE, 0, world.comm()), MPI_SUCCESS, "code");
  world.expect(has_pattern(buffer, 2), "bytes");
}

MPI_CASE(ReducesMoreElementsThanAnIntCounts) {
  if (world.rank() != 0) return;
  std::vector<unsigned char> values(beyond_int, 3);
  values.back() = 5;
  Program program;
  program.reduce(output(0, beyond_int), input(0, beyond_int), output(0, beyond_int));
  const std::vector<unsigned char> input(values);
  Executor(program, MPI_COMM_SELF)
      .run({.input = input.data(), .output = values.data(), .datatype = MPI_UNSIGNED_CHAR, .op = MPI_SUM});
  world.expect_equal(int{values.front()}, 6, "first");
  world.expect_equal(int{values[beyond_int - 2]}, 6, "last but one");
  world.expect_equal(int{values.back()}, 10, "last");
}

// One element of a type with a hole: packed before it is sent.
MPI_CASE(AnElementLargerThanAnIntCounts) {
  constexpr std::int64_t half = beyond_int / 2;
  constexpr std::int64_t hole = 64;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, half, half + hole, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  std::vector<std::byte> buffer(2 * half + hole, std::byte{0xa5});
  const std::span<std::byte> first(buffer.data(), half);
  const std::span<std::byte> second(buffer.data() + half + hole, half);
  if (world.rank() == 0) {
    write_pattern(first, 3);
    write_pattern(second, 4);
  }
  world.expect_equal(isthmus_broadcast(buffer.data(), 1, type, 0, world.comm()), MPI_SUCCESS, "code");
  world.expect(has_pattern(first, 3) && has_pattern(second, 4), "bytes");
  world.expect(buffer[half] == std::byte{0xa5} && buffer[half + hole - 1] == std::byte{0xa5}, "hole");
  MPI_Type_free(&type);
}

// Blocks whose displacement exceeds an int.
MPI_CASE(BlocksMayLieFurtherOffThanAnIntCounts) {
  constexpr std::int64_t block = beyond_int / 2 + 5;
  std::vector<std::byte> own(block);
  std::vector<std::byte> all(world.rank() == 1 ? block + 2 * block : 0);
  write_pattern(own, static_cast<std::uint64_t>(world.rank()));
  const MPI_Count counts[] = {block, block};
  const MPI_Aint places[] = {2 * block, 0};
  world.expect_equal(
      isthmus_gatherv_c(own.data(), block, MPI_BYTE, all.data(), counts, places, MPI_BYTE, 1, world.comm()),
      MPI_SUCCESS, "code");
  if (world.rank() != 1) return;
  const std::span<const std::byte> whole(all);
  world.expect(has_pattern(whole.subspan(2 * block, block), 0) && has_pattern(whole.first(block), 1), "bytes");
}

}  // namespace

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
