#include "tests/reference/plain_mpi.hpp"

#include <algorithm>

namespace isthmus::reference {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

constexpr int tag = 7;

// Receives all segments from the parent, if there is one, and passes each on to the children as it arrives.
void pipeline(void* buffer, int count, MPI_Datatype datatype, int segment, int parent, const std::vector<int>& children,
              MPI_Comm comm) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(datatype, &lower, &extent);
  const int segments = (count + segment - 1) / segment;
  const auto address = [&](int i) { return static_cast<char*>(buffer) + MPI_Aint{i} * segment * extent; };
  const auto elements = [&](int i) { return std::min(segment, count - i * segment); };

  std::vector<MPI_Request> receives(parent < 0 ? 0 : segments);
  std::vector<MPI_Request> sends;
  sends.reserve(segments * children.size());
  for (int i = 0; i < static_cast<int>(receives.size()); ++i)
    MPI_Irecv(address(i), elements(i), datatype, parent, tag, comm, &receives[i]);
  for (int i = 0; i < segments; ++i) {
    if (parent >= 0) MPI_Wait(&receives[i], MPI_STATUS_IGNORE);
    for (const int child : children) {
      sends.emplace_back();
      MPI_Isend(address(i), elements(i), datatype, child, tag, comm, &sends.back());
    }
  }
  MPI_Waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE);
}

}  // namespace

void binomial(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int self = (rank - root + size) % size;
  int mask = 1;
  for (; mask < size; mask <<= 1)
    if ((self & mask) != 0) {
      MPI_Recv(buffer, count, datatype, (self - mask + root) % size, tag, comm, MPI_STATUS_IGNORE);
      break;
    }
  MPI_Request sends[32];
  int posted = 0;
  for (mask >>= 1; mask > 0; mask >>= 1)
    if (self + mask < size)
      MPI_Isend(buffer, count, datatype, (self + mask + root) % size, tag, comm, &sends[posted++]);
  MPI_Waitall(posted, sends, MPI_STATUSES_IGNORE);
}

void chain(void* buffer, int count, MPI_Datatype datatype, int root, int segment, MPI_Comm comm) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int self = (rank - root + size) % size;
  std::vector<int> children;
  if (self + 1 < size) children.push_back((rank + 1) % size);
  pipeline(buffer, count, datatype, segment, self == 0 ? -1 : (rank - 1 + size) % size, children, comm);
}

void two_layers(void* buffer, int count, MPI_Datatype datatype, int root, int segment,
                const std::vector<int>& cluster_of_rank, MPI_Comm comm) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int clusters = *std::max_element(cluster_of_rank.begin(), cluster_of_rank.end()) + 1;
  std::vector<std::vector<int>> members(clusters);
  for (int each = 0; each < size; ++each) members[cluster_of_rank[each]].push_back(each);
  const int own = cluster_of_rank[rank];
  const int roots = cluster_of_rank[root];

  // The index in the own cluster, relative to its coordinator.
  const std::vector<int>& cluster = members[own];
  const int in_cluster = static_cast<int>(cluster.size());
  const int first =
      own == roots ? static_cast<int>(std::find(cluster.begin(), cluster.end(), root) - cluster.begin()) : 0;
  const int position = static_cast<int>(std::find(cluster.begin(), cluster.end(), rank) - cluster.begin());
  const int self = (position - first + in_cluster) % in_cluster;

  int parent = -1;
  std::vector<int> children;
  if (rank == root) {
    for (int i = 1; i < clusters; ++i) children.push_back(members[(roots + i) % clusters].front());
  } else if (self == 0) {
    parent = root;
  } else {
    parent = cluster[((self - 1) / 2 + first) % in_cluster];
  }
  for (const int child : {2 * self + 1, 2 * self + 2})
    if (child < in_cluster) children.push_back(cluster[(child + first) % in_cluster]);
  pipeline(buffer, count, datatype, segment, parent, children, comm);
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::reference
