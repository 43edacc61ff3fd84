// Every collective: roots, counts, in place, gaps and empty blocks.
#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

#include "conformance.hpp"

namespace {

constexpr int untouched = -7;
const int counts[] = {0, 1, 7, 1000, 20000};

CONFORMANCE_CASE("barrier", barrier_holds_until_all_have_come) {
  // Ranks of one machine share its clock.
  const auto now_s = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  for (int late = 0; late < r.size; ++late) {
    if (r.rank == late) std::this_thread::sleep_for(std::chrono::milliseconds(3));
    const double came_s = now_s();
    MPI_Barrier(r.comm);
    const double left_s = now_s();
    double last_s = 0;
    PMPI_Allreduce(&came_s, &last_s, 1, MPI_DOUBLE, MPI_MAX, r.comm);
    r.expect(left_s >= last_s, "left before the last had come");
  }
}

CONFORMANCE_CASE("broadcast", broadcast_from_every_root) {
  for (const int count : counts)
    for (int root = 0; root < r.size; ++root) {
      std::vector<int> buffer = r.rank == root ? block(root, count) : std::vector<int>(count, untouched);
      r.expect(MPI_Bcast(buffer.data(), count, MPI_INT, root, r.comm) == MPI_SUCCESS, "code");
      r.expect(buffer == block(root, count), "count " + std::to_string(count) + ", root " + std::to_string(root));
    }
}

std::vector<int> sum_of_blocks(int ranks, int count) {
  std::vector<int> sum(count, 0);
  for (int rank = 0; rank < ranks; ++rank)
    for (int i = 0; i < count; ++i) sum[i] += value(rank, i);
  return sum;
}

CONFORMANCE_CASE("reduce", reduce_to_every_root) {
  for (const int count : counts)
    for (int root = 0; root < r.size; ++root) {
      const std::vector<int> own = block(r.rank, count);
      std::vector<int> result(count, untouched);
      MPI_Reduce(own.data(), result.data(), count, MPI_INT, MPI_SUM, root, r.comm);
      r.expect(result == (r.rank == root ? sum_of_blocks(r.size, count) : std::vector<int>(count, untouched)),
               "root " + std::to_string(root));
      r.expect(own == block(r.rank, count), "the send buffer is left alone");
    }
}

CONFORMANCE_CASE("reduce-in-place", reduce_in_place_at_the_root) {
  for (int root = 0; root < r.size; ++root) {
    std::vector<int> own = block(r.rank, 100);
    if (r.rank == root)
      MPI_Reduce(MPI_IN_PLACE, own.data(), 100, MPI_INT, MPI_SUM, root, r.comm);
    else
      MPI_Reduce(own.data(), nullptr, 100, MPI_INT, MPI_SUM, root, r.comm);
    r.expect(own == (r.rank == root ? sum_of_blocks(r.size, 100) : block(r.rank, 100)), "root " + std::to_string(root));
  }
}

CONFORMANCE_CASE("allreduce", allreduce_gives_all_the_same) {
  for (const int count : counts) {
    const std::vector<int> own = block(r.rank, count);
    std::vector<int> result(count, untouched);
    MPI_Allreduce(own.data(), result.data(), count, MPI_INT, MPI_SUM, r.comm);
    r.expect(result == sum_of_blocks(r.size, count), "count " + std::to_string(count));
  }
}

CONFORMANCE_CASE("allreduce-in-place", allreduce_in_place) {
  for (const int count : counts) {
    std::vector<int> own = block(r.rank, count);
    MPI_Allreduce(MPI_IN_PLACE, own.data(), count, MPI_INT, MPI_SUM, r.comm);
    r.expect(own == sum_of_blocks(r.size, count), "count " + std::to_string(count));
  }
}

CONFORMANCE_CASE("allreduce-bits", allreduce_of_doubles_is_the_same_on_all_ranks) {
  std::vector<double> own(5000);
  for (int i = 0; i < 5000; ++i) own[i] = 1.0 / (1 + i + r.rank);
  std::vector<double> result(5000);
  MPI_Allreduce(own.data(), result.data(), 5000, MPI_DOUBLE, MPI_SUM, r.comm);
  std::vector<double> of_rank_0 = result;
  PMPI_Bcast(of_rank_0.data(), 5000, MPI_DOUBLE, 0, r.comm);
  r.expect(result == of_rank_0, "bits differ between ranks");
}

// Blocks of all ranks, one behind the other.
std::vector<int> all_blocks(int ranks, int count) {
  std::vector<int> all;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<int> one = block(rank, count);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

CONFORMANCE_CASE("gather", gather_to_every_root) {
  for (const int count : counts)
    for (int root = 0; root < r.size; ++root) {
      const std::vector<int> own = block(r.rank, count);
      std::vector<int> all(r.rank == root ? r.size * count : 0, untouched);
      MPI_Gather(own.data(), count, MPI_INT, all.data(), count, MPI_INT, root, r.comm);
      r.expect(r.rank != root || all == all_blocks(r.size, count), "root " + std::to_string(root));
    }
}

CONFORMANCE_CASE("gather-in-place", gather_in_place_at_the_root) {
  for (int root = 0; root < r.size; ++root) {
    std::vector<int> own = block(r.rank, 9);
    if (r.rank == root) {
      std::vector<int> all(r.size * 9, untouched);
      std::copy(own.begin(), own.end(), all.begin() + 9 * root);
      MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 9, MPI_INT, root, r.comm);
      r.expect(all == all_blocks(r.size, 9), "root " + std::to_string(root));
    } else {
      MPI_Gather(own.data(), 9, MPI_INT, nullptr, -1, MPI_DATATYPE_NULL, root, r.comm);
    }
  }
}

// Rank r has r % 3 * 4 elements; blocks lie apart, the last rank's first.
struct Uneven {
  explicit Uneven(int ranks) : counts(ranks), places(ranks) {
    for (int rank = ranks - 1; rank >= 0; --rank) {
      counts[rank] = rank % 3 * 4;
      places[rank] = length;
      length += counts[rank] + 2;
    }
  }
  std::vector<int> expected() const {
    std::vector<int> all(length, untouched);
    for (std::size_t rank = 0; rank < counts.size(); ++rank)
      for (int i = 0; i < counts[rank]; ++i) all[places[rank] + i] = value(static_cast<int>(rank), i);
    return all;
  }
  std::vector<int> counts, places;
  int length = 1;
};

CONFORMANCE_CASE("gatherv", gatherv_with_gaps_and_empty_blocks) {
  const Uneven uneven(r.size);
  for (int root = 0; root < r.size; ++root) {
    const std::vector<int> own = block(r.rank, uneven.counts[r.rank]);
    std::vector<int> all(uneven.length, untouched);
    if (r.rank == root)
      MPI_Gatherv(own.data(), uneven.counts[r.rank], MPI_INT, all.data(), uneven.counts.data(), uneven.places.data(),
                  MPI_INT, root, r.comm);
    else
      MPI_Gatherv(own.data(), uneven.counts[r.rank], MPI_INT, nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, root,
                  r.comm);
    r.expect(r.rank != root || all == uneven.expected(), "root " + std::to_string(root));
  }
}

CONFORMANCE_CASE("gatherv-in-place", gatherv_in_place_at_the_root) {
  const Uneven uneven(r.size);
  const int root = r.size - 1;
  const std::vector<int> own = block(r.rank, uneven.counts[r.rank]);
  std::vector<int> all(uneven.length, untouched);
  std::copy(own.begin(), own.end(), all.begin() + uneven.places[r.rank]);
  MPI_Gatherv(r.rank == root ? MPI_IN_PLACE : own.data(), uneven.counts[r.rank], MPI_INT, all.data(),
              uneven.counts.data(), uneven.places.data(), MPI_INT, root, r.comm);
  r.expect(r.rank != root || all == uneven.expected(), "all");
}

CONFORMANCE_CASE("scatter", scatter_from_every_root) {
  for (const int count : counts)
    for (int root = 0; root < r.size; ++root) {
      const std::vector<int> all = r.rank == root ? all_blocks(r.size, count) : std::vector<int>();
      std::vector<int> own(count, untouched);
      MPI_Scatter(all.data(), count, MPI_INT, own.data(), count, MPI_INT, root, r.comm);
      r.expect(own == block(r.rank, count), "root " + std::to_string(root));
    }
}

CONFORMANCE_CASE("scatter-in-place", scatter_in_place_at_the_root) {
  for (int root = 0; root < r.size; ++root) {
    std::vector<int> all = all_blocks(r.size, 5);
    std::vector<int> own(5, untouched);
    MPI_Scatter(all.data(), 5, MPI_INT, r.rank == root ? MPI_IN_PLACE : own.data(), 5, MPI_INT, root, r.comm);
    r.expect(r.rank == root || own == block(r.rank, 5), "own");
    r.expect(all == all_blocks(r.size, 5), "all");
  }
}

CONFORMANCE_CASE("scatterv", scatterv_with_gaps_and_empty_blocks) {
  const Uneven uneven(r.size);
  for (int root = 0; root < r.size; ++root) {
    const std::vector<int> all = r.rank == root ? uneven.expected() : std::vector<int>();
    std::vector<int> own(uneven.counts[r.rank], untouched);
    MPI_Scatterv(all.data(), uneven.counts.data(), uneven.places.data(), MPI_INT, own.data(), uneven.counts[r.rank],
                 MPI_INT, root, r.comm);
    r.expect(own == block(r.rank, uneven.counts[r.rank]), "root " + std::to_string(root));
  }
}

CONFORMANCE_CASE("allgather", allgather_brings_all_to_all) {
  for (const int count : counts) {
    const std::vector<int> own = block(r.rank, count);
    std::vector<int> all(r.size * count, untouched);
    MPI_Allgather(own.data(), count, MPI_INT, all.data(), count, MPI_INT, r.comm);
    r.expect(all == all_blocks(r.size, count), "count " + std::to_string(count));
  }
}

CONFORMANCE_CASE("allgather-in-place", allgather_in_place) {
  std::vector<int> all(r.size * 13, untouched);
  const std::vector<int> own = block(r.rank, 13);
  std::copy(own.begin(), own.end(), all.begin() + 13 * r.rank);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 13, MPI_INT, r.comm);
  r.expect(all == all_blocks(r.size, 13), "all");
}

CONFORMANCE_CASE("allgatherv", allgatherv_with_gaps_and_empty_blocks) {
  const Uneven uneven(r.size);
  const std::vector<int> own = block(r.rank, uneven.counts[r.rank]);
  for (const bool in_place : {false, true}) {
    std::vector<int> all(uneven.length, untouched);
    if (in_place) std::copy(own.begin(), own.end(), all.begin() + uneven.places[r.rank]);
    MPI_Allgatherv(in_place ? MPI_IN_PLACE : own.data(), uneven.counts[r.rank], MPI_INT, all.data(),
                   uneven.counts.data(), uneven.places.data(), MPI_INT, r.comm);
    r.expect(all == uneven.expected(), in_place ? "in place" : "apart");
  }
}

// What `from` has for `to`.
int personal(int from, int to, int i) { return 100000 * (from + 1) + 1000 * (to + 1) + i; }

CONFORMANCE_CASE("alltoall", alltoall_gives_each_its_own) {
  for (const int count : {0, 1, 7, 300}) {
    std::vector<int> out(r.size * count), in(r.size * count, untouched), right(r.size * count);
    for (int other = 0; other < r.size; ++other)
      for (int i = 0; i < count; ++i) {
        out[other * count + i] = personal(r.rank, other, i);
        right[other * count + i] = personal(other, r.rank, i);
      }
    MPI_Alltoall(out.data(), count, MPI_INT, in.data(), count, MPI_INT, r.comm);
    r.expect(in == right, "count " + std::to_string(count));
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out.data(), count, MPI_INT, r.comm);
    r.expect(out == right, "in place, count " + std::to_string(count));
  }
}

int personal_count(int from, int to) { return (from + 2 * to) % 4 * 3; }

CONFORMANCE_CASE("alltoallv", alltoallv_with_gaps_and_empty_blocks) {
  std::vector<int> out_counts(r.size), in_counts(r.size), out_places(r.size), in_places(r.size);
  int out_length = 0;
  int in_length = 0;
  for (int other = r.size - 1; other >= 0; --other) {
    out_counts[other] = personal_count(r.rank, other);
    in_counts[other] = personal_count(other, r.rank);
    out_places[other] = out_length;
    in_places[other] = in_length + 1;
    out_length += out_counts[other] + 1;
    in_length += in_counts[other] + 2;
  }
  std::vector<int> out(out_length, untouched), in(in_length, untouched), right(in_length, untouched);
  for (int other = 0; other < r.size; ++other) {
    for (int i = 0; i < out_counts[other]; ++i) out[out_places[other] + i] = personal(r.rank, other, i);
    for (int i = 0; i < in_counts[other]; ++i) right[in_places[other] + i] = personal(other, r.rank, i);
  }
  MPI_Alltoallv(out.data(), out_counts.data(), out_places.data(), MPI_INT, in.data(), in_counts.data(),
                in_places.data(), MPI_INT, r.comm);
  r.expect(in == right, "received");
}

CONFORMANCE_CASE("alltoallv-in-place", alltoallv_in_place) {
  // Counts are the same in both directions there.
  std::vector<int> each(r.size), places(r.size);
  int length = 0;
  for (int other = 0; other < r.size; ++other) {
    each[other] = (r.rank + other) % 3 * 5;
    places[other] = length;
    length += each[other];
  }
  std::vector<int> buffer(length), right(length);
  for (int other = 0; other < r.size; ++other)
    for (int i = 0; i < each[other]; ++i) {
      buffer[places[other] + i] = personal(r.rank, other, i);
      right[places[other] + i] = personal(other, r.rank, i);
    }
  MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, buffer.data(), each.data(), places.data(), MPI_INT,
                r.comm);
  r.expect(buffer == right, "exchanged");
}

CONFORMANCE_CASE("reduce_scatter", reduce_scatter_with_empty_blocks) {
  std::vector<int> each(r.size);
  for (int rank = 0; rank < r.size; ++rank) each[rank] = rank % 3 * 4;
  const int all = std::accumulate(each.begin(), each.end(), 0);
  const int before = std::accumulate(each.begin(), each.begin() + r.rank, 0);
  const std::vector<int> sum = sum_of_blocks(r.size, all);
  const std::vector<int> right(sum.begin() + before, sum.begin() + before + each[r.rank]);
  std::vector<int> own = block(r.rank, all);
  std::vector<int> part(each[r.rank], untouched);
  MPI_Reduce_scatter(own.data(), part.data(), each.data(), MPI_INT, MPI_SUM, r.comm);
  r.expect(part == right, "apart");
  MPI_Reduce_scatter(MPI_IN_PLACE, own.data(), each.data(), MPI_INT, MPI_SUM, r.comm);
  r.expect(std::equal(right.begin(), right.end(), own.begin()), "in place");
}

CONFORMANCE_CASE("reduce_scatter_block", reduce_scatter_block_of_any_count) {
  for (const int count : {0, 1, 7, 300}) {
    const std::vector<int> sum = sum_of_blocks(r.size, r.size * count);
    const std::vector<int> right(sum.begin() + r.rank * count, sum.begin() + (r.rank + 1) * count);
    std::vector<int> own = block(r.rank, r.size * count);
    std::vector<int> part(count, untouched);
    MPI_Reduce_scatter_block(own.data(), part.data(), count, MPI_INT, MPI_SUM, r.comm);
    r.expect(part == right, "apart, count " + std::to_string(count));
    MPI_Reduce_scatter_block(MPI_IN_PLACE, own.data(), count, MPI_INT, MPI_SUM, r.comm);
    r.expect(std::equal(right.begin(), right.end(), own.begin()), "in place, count " + std::to_string(count));
  }
}

CONFORMANCE_CASE("scan", scan_includes_the_rank) {
  for (const int count : counts) {
    std::vector<int> own = block(r.rank, count);
    std::vector<int> result(count, untouched);
    MPI_Scan(own.data(), result.data(), count, MPI_INT, MPI_SUM, r.comm);
    r.expect(result == sum_of_blocks(r.rank + 1, count), "apart, count " + std::to_string(count));
    MPI_Scan(MPI_IN_PLACE, own.data(), count, MPI_INT, MPI_SUM, r.comm);
    r.expect(own == sum_of_blocks(r.rank + 1, count), "in place, count " + std::to_string(count));
  }
}

CONFORMANCE_CASE("exscan", exscan_leaves_the_rank_out) {
  for (const int count : counts) {
    std::vector<int> own = block(r.rank, count);
    std::vector<int> result(count, untouched);
    MPI_Exscan(own.data(), result.data(), count, MPI_INT, MPI_SUM, r.comm);
    r.expect(r.rank == 0 || result == sum_of_blocks(r.rank, count), "apart, count " + std::to_string(count));
    MPI_Exscan(MPI_IN_PLACE, own.data(), count, MPI_INT, MPI_SUM, r.comm);
    r.expect(r.rank == 0 || own == sum_of_blocks(r.rank, count), "in place, count " + std::to_string(count));
  }
}

CONFORMANCE_CASE("nothing", nothing_may_be_communicated) {
  const std::vector<int> none(r.size, 0);
  r.expect(MPI_Bcast(nullptr, 0, MPI_INT, 0, r.comm) == MPI_SUCCESS, "broadcast");
  r.expect(MPI_Gather(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, 0, r.comm) == MPI_SUCCESS, "gather");
  r.expect(MPI_Scatter(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, 0, r.comm) == MPI_SUCCESS, "scatter");
  r.expect(MPI_Allgather(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, r.comm) == MPI_SUCCESS, "allgather");
  r.expect(MPI_Alltoall(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, r.comm) == MPI_SUCCESS, "alltoall");
  r.expect(MPI_Allgatherv(nullptr, 0, MPI_INT, nullptr, none.data(), none.data(), MPI_INT, r.comm) == MPI_SUCCESS,
           "allgatherv");
  // Without addresses both buffers would be the same one, which not every MPI overlooks.
  int sent = 0;
  int received = 0;
  r.expect(MPI_Alltoallv(&sent, none.data(), none.data(), MPI_INT, &received, none.data(), none.data(), MPI_INT,
                         r.comm) == MPI_SUCCESS,
           "alltoallv");
}

CONFORMANCE_CASE("large", large_messages) {
  const int count = 300000;
  std::vector<double> own(count, r.rank + 1.0);
  std::vector<double> sum(count);
  MPI_Allreduce(own.data(), sum.data(), count, MPI_DOUBLE, MPI_SUM, r.comm);
  r.expect(sum == std::vector<double>(count, r.size * (r.size + 1) / 2.0), "sum");
  std::vector<double> message(count, r.rank == r.size - 1 ? 3.5 : 0.0);
  MPI_Bcast(message.data(), count, MPI_DOUBLE, r.size - 1, r.comm);
  r.expect(message == std::vector<double>(count, 3.5), "message");
}

}  // namespace

void every_collective(Ranks& ranks) {
  int broadcast = ranks.rank == ranks.size - 1 ? 77 : 0;
  MPI_Bcast(&broadcast, 1, MPI_INT, ranks.size - 1, ranks.comm);
  ranks.expect(broadcast == 77, "broadcast");
  reduce_in_place_at_the_root(ranks);
  allreduce_in_place(ranks);
  gather_in_place_at_the_root(ranks);
  gatherv_with_gaps_and_empty_blocks(ranks);
  scatter_in_place_at_the_root(ranks);
  scatterv_with_gaps_and_empty_blocks(ranks);
  allgather_in_place(ranks);
  allgatherv_with_gaps_and_empty_blocks(ranks);
  alltoall_gives_each_its_own(ranks);
  alltoallv_with_gaps_and_empty_blocks(ranks);
  reduce_scatter_with_empty_blocks(ranks);
  reduce_scatter_block_of_any_count(ranks);
  scan_includes_the_rank(ranks);
  exscan_leaves_the_rank_out(ranks);
  MPI_Barrier(ranks.comm);
}
