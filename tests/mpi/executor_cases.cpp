// The executor, on programs written here: broadcasts, reductions, copies, lanes.
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "algorithms/mpi/executor/executor.hpp"
#include "tests/mpi/cases.hpp"
#include "tests/mpi/element_cases.hpp"

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

// All receives first, then segment by segment to the children of a binomial tree.
Program binomial(int rank, int size, int root, Slice message, std::int64_t segment, Lane lane = {}) {
  Program program;
  program.set_lane(lane);
  const int self = (rank - root + size) % size;
  int bit = 1;
  while (bit < size && (self & bit) == 0) bit <<= 1;
  if (self != 0)
    for (const Slice part : split(message, segment)) program.receive(part, (self - bit + root) % size);
  for (const Slice part : split(message, segment))
    for (int child = bit >> 1; child > 0; child >>= 1)
      if (self + child < size) program.send(part, (self + child + root) % size);
  return program;
}

void broadcast(World& world, const ElementCase& element) {
  const TestComm comm(world.comm());
  for (const std::int64_t count : {0, 1, 7, 1000, 100003})
    for (const int root : {0, world.size() / 2, world.size() - 1})
      for (const std::int64_t segment : {0, 1, 97, 1009}) {
        if (segment > 0 && count / segment > 200) continue;
        Executor executor(binomial(world.rank(), world.size(), root, output(0, count), segment), comm);
        for (const std::uint64_t seed : {1, 2}) {
          const auto right = element.filled(count, seed);
          auto buffer = world.rank() == root ? right : element.blank(count);
          executor.run({.output = buffer.data(), .datatype = element.type()});
          world.expect(buffer == right, element.name() + ", count " + std::to_string(count) + ", root " +
                                            std::to_string(root) + ", segment " + std::to_string(segment));
        }
      }
}

MPI_CASE(BroadcastsInts) { broadcast(world, an_int()); }
MPI_CASE(BroadcastsDoubles) { broadcast(world, a_double()); }
MPI_CASE(BroadcastsVectors) { broadcast(world, a_vector()); }
MPI_CASE(BroadcastsStructsWithHoles) { broadcast(world, a_struct_with_holes()); }
MPI_CASE(BroadcastsTypesThatBeginBehindTheirAddress) { broadcast(world, a_shifted_type()); }

MPI_CASE(OneExecutorServesManyDatatypes) {
  const TestComm comm(world.comm());
  Executor executor(binomial(world.rank(), world.size(), 0, output(0, 50), 8), comm);
  const ElementCase doubles = a_double();
  const ElementCase vectors = a_vector();
  for (const ElementCase* element : {&vectors, &doubles, &vectors}) {
    const auto right = element->filled(50, 3);
    auto buffer = world.rank() == 0 ? right : element->blank(50);
    executor.run({.output = buffer.data(), .datatype = element->type()});
    world.expect(buffer == right, element->name());
  }
}

MPI_CASE(CopiesLeaveHolesAlone) {
  for (const std::int64_t count : {1, 7, 100003}) {
    Program program;
    const Slice kept = program.reserve(count);
    program.copy(kept, input(0, count));
    program.copy(output(0, count), kept);
    Executor executor(program, world.comm());
    const ElementCase types[] = {an_int(), a_vector(), a_struct_with_holes(), a_shifted_type()};
    for (const ElementCase& element : types) {
      const auto right = element.filled(count, 4);
      auto buffer = element.blank(count);
      executor.run({.input = right.data(), .output = buffer.data(), .datatype = element.type()});
      world.expect(buffer == right, element.name() + ", count " + std::to_string(count));
    }
  }
}

// Two by two matrices: their product does not commute.
using Matrix = std::array<std::uint64_t, 4>;
Matrix times(const Matrix& a, const Matrix& b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
}
void multiply(void* left, void* right, int* count, MPI_Datatype*) {
  auto* a = static_cast<Matrix*>(left);
  auto* b = static_cast<Matrix*>(right);
  for (int i = 0; i < *count; ++i) b[i] = times(a[i], b[i]);
}
Matrix matrix_of(int rank, std::int64_t element) {
  const auto r = static_cast<std::uint64_t>(rank);
  const auto e = static_cast<std::uint64_t>(element);
  return {r + 1, e + 2, 2 * r + 3, e + r + 5};
}

class Matrices {
 public:
  Matrices() {
    MPI_Type_contiguous(4, MPI_UINT64_T, &type_);
    MPI_Type_commit(&type_);
    MPI_Op_create(&multiply, 0, &op_);
  }
  ~Matrices() {
    MPI_Op_free(&op_);
    MPI_Type_free(&type_);
  }
  Matrices(const Matrices&) = delete;
  Matrices& operator=(const Matrices&) = delete;
  MPI_Datatype type() const { return type_; }
  MPI_Op op() const { return op_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
};

// Where the result of a reduction lies among its operands.
enum class Into { right, left, apart };

// Every rank's `output` becomes the product of all ranks' up to its own, in rank order.
Program prefix(int rank, int size, std::int64_t count, Into into) {
  Program program;
  const Slice own = output(0, count);
  if (rank > 0) {
    if (into == Into::left) {
      const Slice kept = program.reserve(count);
      program.copy(kept, own);
      program.receive(own, rank - 1);
      program.reduce(own, own, kept);
    } else {
      const Slice left = program.reserve(count);
      const Slice product = into == Into::right ? own : program.reserve(count);
      program.receive(left, rank - 1);
      program.reduce(product, left, own);
      if (into == Into::apart) program.copy(own, product);
    }
  }
  if (rank + 1 < size) program.send(own, rank + 1);
  return program;
}

MPI_CASE(ReductionsKeepTheOrderOfOperands) {
  const TestComm comm(world.comm());
  const Matrices matrices;
  for (const Into into : {Into::right, Into::left, Into::apart})
    for (const std::int64_t count : {1, 7, 1000}) {
      std::vector<Matrix> buffer;
      for (std::int64_t i = 0; i < count; ++i) buffer.push_back(matrix_of(world.rank(), i));
      Executor executor(prefix(world.rank(), world.size(), count, into), comm);
      executor.run({.output = buffer.data(), .datatype = matrices.type(), .op = matrices.op()});
      for (std::int64_t i = 0; i < count; ++i) {
        Matrix right = matrix_of(0, i);
        for (int rank = 1; rank <= world.rank(); ++rank) right = times(right, matrix_of(rank, i));
        world.expect(buffer[i] == right,
                     "case " + std::to_string(static_cast<int>(into)) + ", element " + std::to_string(i));
      }
    }
}

// The result may overlap its operands in part: they are read before it is written.
MPI_CASE(ReductionsMayOverlapInPart) {
  const Matrices matrices;
  constexpr int count = 9;
  struct Places {
    Slice to, left, right;
  };
  const Places all[] = {{output(1, 8), output(2, 8), output(0, 8)},
                        {output(0, 8), output(1, 8), output(0, 8)},
                        {output(0, 8), output(0, 8), output(0, 8)},
                        {output(1, 8), output(1, 8), output(2, 8)}};
  for (const Places& places : all) {
    std::vector<Matrix> buffer;
    for (int i = 0; i <= count; ++i) buffer.push_back(matrix_of(3, i));
    auto right = buffer;
    for (int i = 0; i < 8; ++i)
      right[places.to.offset + i] = times(buffer[places.left.offset + i], buffer[places.right.offset + i]);
    Program program;
    program.reduce(places.to, places.left, places.right);
    Executor(program, world.comm()).run({.output = buffer.data(), .datatype = matrices.type(), .op = matrices.op()});
    world.expect(buffer == right, "result at " + std::to_string(places.to.offset));
  }
}

MPI_CASE(LanesCarryBlocksSideBySide) {
  const TestComm comm(world.comm());
  constexpr int lanes = 4;
  const ElementCase element = an_int();
  for (const std::int64_t count : {1, 7, 1000, 100003}) {
    const Slice whole = output(0, count);
    Program program;
    for (int lane = 0; lane < lanes; ++lane) {
      if (lane > 0) program.add_lane();
      // Each lane has a tree of its own: rank numbers are shifted by the lane, so that inner ranks differ.
      const int root = 0;
      const Slice part = block(whole, lane, lanes);
      const int turn = lane % 2 == 0 ? 1 : -1;
      const int self = turn * (world.rank() - root + world.size()) % world.size();
      const int place = (self + world.size()) % world.size();
      const int left = (place - 1) * turn;
      const int right = (place + 1) * turn;
      for (const Slice segment : split(part, 64))
        if (place != 0) program.receive(segment, ((left % world.size()) + world.size()) % world.size());
      for (const Slice segment : split(part, 64))
        if (place + 1 < world.size()) program.send(segment, ((right % world.size()) + world.size()) % world.size());
    }
    Executor executor(program, comm);
    for (const std::uint64_t seed : {5, 6}) {
      const auto right = element.filled(count, seed);
      auto buffer = world.rank() == 0 ? right : element.blank(count);
      executor.run({.output = buffer.data(), .datatype = element.type()});
      world.expect(buffer == right, "count " + std::to_string(count));
    }
  }
}

// Rank 0's first lane waits for a message that rank 1 sends only after receiving one from rank 0's second lane.
MPI_CASE(AWaitingLaneDoesNotHoldUpAnother) {
  if (world.size() < 2) return;
  const TestComm comm(world.comm());
  Program program;
  if (world.rank() == 0) {
    program.receive(output(0, 1), 1);
    program.copy(output(1, 1), output(0, 1));
    program.add_lane();
    program.receive(output(2, 1), 1);
    program.send(output(2, 1), 1);
    program.use_lane(0);
    program.copy(output(3, 1), output(2, 1));
  } else if (world.rank() == 1) {
    program.add_lane();
    program.send(output(0, 1), 0);
    program.receive(output(1, 1), 0);
    program.use_lane(0);
    program.send(output(1, 1), 0);
  }
  std::vector<int> values = world.rank() == 1 ? std::vector{42, 0, 0, 0} : std::vector{0, 0, 0, 0};
  Executor(program, comm).run({.output = values.data(), .datatype = MPI_INT});
  if (world.rank() == 0) world.expect(values == std::vector{42, 42, 42, 42}, "values of rank 0");
}

MPI_CASE(LargeSendsAreAcknowledgedOneByOne) {
  const TestComm comm(world.comm());
  const ElementCase element = an_int();
  for (const std::int64_t count : {10, 25, 26, 5000}) {
    std::vector<int> acknowledged;
    const Program program = binomial(world.rank(), world.size(), 0, output(0, count), 0, {.one_send_at_a_time = true});
    std::vector<int> sends;
    for (int op = 0; op < static_cast<int>(program.ops().size()); ++op)
      if (program.ops()[op].kind == OpKind::send) sends.push_back(op);
    Executor executor(program, comm,
                      {.buffered_bytes = 100, .acknowledged = [&](int op) { acknowledged.push_back(op); }});
    const auto right = element.filled(count, 7);
    auto buffer = world.rank() == 0 ? right : element.blank(count);
    executor.run({.output = buffer.data(), .datatype = element.type()});
    world.expect(buffer == right, "bytes of count " + std::to_string(count));
    world.expect(acknowledged == (count * 4 > 100 ? sends : std::vector<int>{}),
                 "acknowledged of count " + std::to_string(count));
  }
}

// Rank 1 receives the first message only after rank 2 has checked that the second was not sent before it.
MPI_CASE(ALargeSendWaitsForTheOneBefore) {
  if (world.size() < 3) return;
  const TestComm comm(world.comm());
  if (world.rank() > 2) return;
  constexpr int tag = 5;
  const Slice message = output(0, 1000);
  std::vector<int> values(1000, world.rank() == 0 ? 42 : 0);
  Program program;
  if (world.rank() == 0) {
    program.set_lane({.one_send_at_a_time = true});
    program.send(message, 1);
    program.send(message, 2);
  } else {
    program.receive(message, 0);
  }
  if (world.rank() == 1) MPI_Recv(nullptr, 0, MPI_INT, 2, tag, world.comm(), MPI_STATUS_IGNORE);
  if (world.rank() == 2) {
    int arrived = 0;
    for (int probe = 0; probe < 1000 && arrived == 0; ++probe) MPI_Iprobe(0, 0, comm, &arrived, MPI_STATUS_IGNORE);
    world.expect(arrived == 0, "the second message came before the first was received");
    MPI_Send(nullptr, 0, MPI_INT, 1, tag, world.comm());
  }
  Executor(program, comm, {.buffered_bytes = 100}).run({.output = values.data(), .datatype = MPI_INT});
  world.expect(values == std::vector<int>(1000, 42), "values");
}

MPI_CASE(AnErrorNamesCallRankAndPeer) {
  const TestComm comm(world.comm());
  Program program;
  program.copy(output(1, 1), output(0, 1));
  program.send(output(0, 1), world.size() + 3);
  Executor executor(program, comm);
  std::vector<int> values(2, 0);
  try {
    executor.run({.output = values.data(), .datatype = MPI_INT});
    world.expect(false, "sent to a rank that does not exist");
  } catch (const MpiError& error) {
    const std::string right = "MPI_Isend on rank " + std::to_string(world.rank()) + ", peer " +
                              std::to_string(world.size() + 3) + ", operation 1: ";
    world.expect(std::string(error.what()).starts_with(right), error.what());
    int error_class = 0;
    MPI_Error_class(error.code(), &error_class);
    world.expect_equal(error_class, MPI_ERR_RANK, "class");
  }
}

}  // namespace

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
