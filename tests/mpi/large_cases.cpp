// Messages beyond what an int counts. Needs 5 GiB on two ranks.
#include <vector>

#include "algorithms/mpi/executor.hpp"
#include "algorithms/mpi/pattern.hpp"
#include "isthmus.h"
#include "tests/mpi/cases.hpp"

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr std::int64_t beyond_int = (std::int64_t{1} << 31) + 13;

void more_elements_than_an_int_counts(World& world) {
  std::vector<std::byte> buffer(beyond_int);
  if (world.rank() == 0) write_pattern(buffer, 1);
  world.expect_equal(isthmus_broadcast_c(buffer.data(), beyond_int, MPI_BYTE, 0, world.comm()), MPI_SUCCESS, "code");
  world.expect(has_pattern(buffer, 1), "bytes");
}

void more_bytes_than_an_int_counts(World& world) {
  constexpr int doubles = beyond_int / 8 + 1;
  std::vector<std::byte> buffer(std::size_t{doubles} * 8);
  if (world.rank() == 0) write_pattern(buffer, 2);
  world.expect_equal(isthmus_broadcast(buffer.data(), doubles, MPI_DOUBLE, 0, world.comm()), MPI_SUCCESS, "code");
  world.expect(has_pattern(buffer, 2), "bytes");
}

void reduces_more_elements_than_an_int_counts(World& world) {
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

}  // namespace

std::vector<Case> cases() {
  return {{"MoreElementsThanAnIntCounts", more_elements_than_an_int_counts},
          {"MoreBytesThanAnIntCounts", more_bytes_than_an_int_counts},
          {"ReducesMoreElementsThanAnIntCounts", reduces_more_elements_than_an_int_counts}};
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
