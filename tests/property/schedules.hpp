// Small correct schedules and contracts on which the verifier is tested.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "algorithms/schedule/contract.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus::testing_schedules {

inline int wrap(int i, int size) { return ((i % size) + size) % size; }

// ---- contracts

inline Contract broadcast_contract(int size, int root, std::int64_t count) {
  Contract contract;
  contract.size = size;
  contract.input_count.assign(size, 0);
  contract.output_count.assign(size, count);
  contract.values = {{root}};
  contract.initial = {{root, output(0, count), 0, 0}};
  for (int rank = 0; rank < size; ++rank) contract.required.push_back({rank, output(0, count), 0, 0});
  return contract;
}

/// Every rank contributes its input; the sum in the order of ranks is required of `receivers`.
inline Contract reduction_contract(int size, std::int64_t count, bool commutative, const std::vector<int>& receivers) {
  Contract contract;
  contract.size = size;
  contract.commutative = commutative;
  contract.input_count.assign(size, count);
  contract.output_count.assign(size, count);
  for (int rank = 0; rank < size; ++rank) {
    contract.values.push_back({rank});
    contract.initial.push_back({rank, input(0, count), rank, 0});
  }
  std::vector<int> all(size);
  std::iota(all.begin(), all.end(), 0);
  contract.values.push_back(all);
  for (const int rank : receivers) contract.required.push_back({rank, output(0, count), size, 0});
  return contract;
}

inline Contract allreduce_contract(int size, std::int64_t count, bool commutative = true) {
  std::vector<int> all(size);
  std::iota(all.begin(), all.end(), 0);
  return reduction_contract(size, count, commutative, all);
}

/// Block b of rank r's input ends as block r of rank b's output.
inline Contract alltoall_contract(int size, std::int64_t count) {
  Contract contract;
  contract.size = size;
  contract.input_count.assign(size, size * count);
  contract.output_count.assign(size, size * count);
  for (int rank = 0; rank < size; ++rank) {
    contract.values.push_back({rank});
    contract.initial.push_back({rank, input(0, size * count), rank, 0});
    for (int other = 0; other < size; ++other)
      contract.required.push_back({rank, output(other * count, count), other, rank * count});
  }
  return contract;
}

// ---- schedules

/// Receives a message, and sends it on to two ranks.
inline Program forwarding_to_two(std::int64_t count) {
  Program program;
  program.receive(output(0, count), 0);
  program.send(output(0, count), 1);
  program.send(output(0, count), 2);
  return program;
}

inline Schedule binomial_broadcast(int size, int root, std::int64_t count) {
  return materialise(size, [=](int rank, Program& program) {
    const int self = wrap(rank - root, size);
    int mask = 1;
    while (mask < size && (self & mask) == 0) mask <<= 1;
    if (self != 0) program.receive(output(0, count), wrap(self - mask + root, size));
    for (mask >>= 1; mask > 0; mask >>= 1)
      if (self + mask < size) program.send(output(0, count), wrap(self + mask + root, size));
  });
}

/// The root sends to everybody, one message at a time.
inline Schedule blocking_linear_broadcast(int size, int root, std::int64_t count) {
  return materialise(size, [=](int rank, Program& program) {
    program.set_lane({.one_send_at_a_time = true});
    if (rank != root) program.receive(output(0, count), root);
    for (int i = 1; rank == root && i < size; ++i) program.send(output(0, count), wrap(root + i, size));
  });
}

/// A pipeline: receives posted ahead, then segment by segment.
inline Schedule chain_broadcast(int size, int root, std::int64_t count, std::int64_t segment) {
  return materialise(size, [=](int rank, Program& program) {
    const int self = wrap(rank - root, size);
    if (self > 0)
      for (const Slice slice : split(output(0, count), segment)) program.receive(slice, wrap(rank - 1, size));
    if (self + 1 < size)
      for (const Slice slice : split(output(0, count), segment)) program.send(slice, wrap(rank + 1, size));
  });
}

/// One half of the message runs around the ring to the right in lane 0, the other to the left in lane 1.
inline Schedule two_lane_broadcast(int size, int root, std::int64_t count) {
  return materialise(size, [=](int rank, Program& program) {
    const int self = wrap(rank - root, size);
    const int right = wrap(rank + 1, size);
    const int left = wrap(rank - 1, size);
    const Slice first = block(output(0, count), 0, 2);
    const Slice second = block(output(0, count), 1, 2);
    if (self != 0) program.receive(first, left);
    if (self + 1 < size) program.send(first, right);
    program.add_lane();
    if (self != 0) program.receive(second, right);
    if (self != 1 && size > 1) program.send(second, left);
  });
}

/// Patarasu and Yuan 2009: reduce-scatter around the ring, then allgather around the ring.
inline Schedule ring_allreduce(int size, std::int64_t count) {
  return materialise(size, [=](int rank, Program& program) {
    const int right = wrap(rank + 1, size);
    const int left = wrap(rank - 1, size);
    const auto part = [&](int i) { return block(output(0, count), wrap(i, size), size); };
    const Slice partial = program.reserve(block(output(0, count), 0, size).count);
    program.copy(output(0, count), input(0, count));
    for (int step = 0; step < size - 1; ++step) {
      const Slice own = part(rank - step - 1);
      program.send(part(rank - step), right);
      program.receive(partial.part(0, own.count), left);
      program.reduce(own, partial.part(0, own.count), own);
    }
    for (int step = 0; step < size - 1; ++step) {
      program.send(part(rank + 1 - step), right);
      program.receive(part(rank - step), left);
    }
  });
}

/// From the last rank to rank 0, operands in the order of ranks: right for operators that do not commute.
inline Schedule chain_reduce(int size, std::int64_t count, std::int64_t segment) {
  return materialise(size, [=](int rank, Program& program) {
    const Slice behind = program.reserve(count);
    const Slice sum = rank == 0 ? output(0, count) : program.reserve(count);
    if (rank == size - 1) {
      if (rank == 0)
        program.copy(sum, input(0, count));
      else
        for (const Slice slice : split(input(0, count), segment)) program.send(slice, rank - 1);
      return;
    }
    for (const Slice slice : split(behind, segment)) program.receive(slice, rank + 1);
    for (const Slice slice : split(Slice{Buffer::output, 0, count}, segment)) {
      program.reduce(sum.part(slice.offset, slice.count), input(slice.offset, slice.count),
                     behind.part(slice.offset, slice.count));
      if (rank > 0) program.send(sum.part(slice.offset, slice.count), rank - 1);
    }
  });
}

inline Schedule pairwise_alltoall(int size, std::int64_t count) {
  return materialise(size, [=](int rank, Program& program) {
    program.copy(output(rank * count, count), input(rank * count, count));
    for (int i = 1; i < size; ++i) program.receive(output(wrap(rank - i, size) * count, count), wrap(rank - i, size));
    for (int i = 1; i < size; ++i) program.send(input(wrap(rank + i, size) * count, count), wrap(rank + i, size));
  });
}

}  // namespace isthmus::testing_schedules
