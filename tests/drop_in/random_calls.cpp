// random_calls CALLS [SEED]: random calls of all collectives, each made twice: by its MPI_ name, which a drop-in
// library may serve, and by its PMPI_ name, which is the MPI's own. The buffers are then compared byte for byte, or
// within rounding if floating-point numbers were combined.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000
// MPICH 4.0 itself crashes in a reduction in place of more than 2 KiB to another root than rank 0.
constexpr bool reduces_in_place_to_any_root = false;
#else
constexpr bool reduces_in_place_to_any_root = true;
#endif

#ifdef OPEN_MPI
// MPI_Ialltoallv and MPI_Ialltoallw in place take no tag on a rank whose counts are all 0 (Open MPI 4.1.4), so that the
// next non-blocking collective of this communicator never ends if other ranks had something to send.
constexpr bool takes_tags_without_data = false;
#else
constexpr bool takes_tags_without_data = true;
#endif

using Bytes = std::vector<unsigned char>;

struct Type {
  const char* name;
  MPI_Datatype handle;
  std::size_t extent;
  enum class Kind { exact, real32, real64, none } kind;  // of numbers that operators combine; none: they do not
};

void product(void* left, void* right, int* length, MPI_Datatype*) {
  // 2x2 matrices of unsigned numbers: does not commute.
  for (int i = 0; i < *length; ++i) {
    const auto* a = static_cast<const unsigned*>(left) + 4 * i;
    auto* b = static_cast<unsigned*>(right) + 4 * i;
    const std::array<unsigned, 4> c = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                                       a[2] * b[1] + a[3] * b[3]};
    std::copy(c.begin(), c.end(), b);
  }
}

struct Call {
  int collective, count, root;
  bool in_place, non_blocking;
  const Type* type;
  MPI_Op op;
  MPI_Comm comm;
  int rank, size;
  std::vector<int> counts, places, other_counts, other_places;  // of the v forms; the latter of the receiving side
  std::size_t send_bytes, receive_bytes;
};

const char* const names[] = {"barrier",  "broadcast", "reduce",    "allreduce",      "gather",
                             "gatherv",  "scatter",   "scatterv",  "allgather",      "allgatherv",
                             "alltoall", "alltoallv", "alltoallw", "reduce_scatter", "reduce_scatter_block",
                             "scan",     "exscan"};
constexpr int collectives = 17;

bool reduces(int collective) { return collective == 2 || collective == 3 || collective >= 13; }

// The same calls by MPI_ names and by PMPI_ names.
#define MAKE(function, P)                                                                                            \
  int function(const Call& c, Bytes& send, Bytes& receive) {                                                         \
    const MPI_Datatype t = c.type->handle;                                                                           \
    const bool root = c.rank == c.root;                                                                              \
    void* const s = c.in_place ? MPI_IN_PLACE : send.data();                                                         \
    void* const r = receive.data();                                                                                  \
    const std::vector<MPI_Datatype> types(c.size, t);                                                                \
    const int n = c.count;                                                                                           \
    const int* const co = c.counts.data();                                                                           \
    const int* const pl = c.places.data();                                                                           \
    const int* const rc = c.other_counts.data();                                                                     \
    const int* const rp = c.other_places.data();                                                                     \
    MPI_Request q = MPI_REQUEST_NULL;                                                                                \
    int code = MPI_SUCCESS;                                                                                          \
    const bool i = c.non_blocking;                                                                                   \
    std::vector<int> byte_places(c.places), byte_other_places(c.other_places);                                       \
    for (int& each : byte_places) each *= static_cast<int>(c.type->extent);                                          \
    for (int& each : byte_other_places) each *= static_cast<int>(c.type->extent);                                    \
    const int* const bp = byte_places.data();                                                                        \
    const int* const brp = byte_other_places.data();                                                                 \
    void* const sg = root ? s : send.data();                                                                         \
    void* const rs = root && c.in_place ? MPI_IN_PLACE : r;                                                          \
    switch (c.collective) {                                                                                          \
      case 0:                                                                                                        \
        code = i ? P##Ibarrier(c.comm, &q) : P##Barrier(c.comm);                                                     \
        break;                                                                                                       \
      case 1:                                                                                                        \
        code = i ? P##Ibcast(r, n, t, c.root, c.comm, &q) : P##Bcast(r, n, t, c.root, c.comm);                       \
        break;                                                                                                       \
      case 2:                                                                                                        \
        code = i ? P##Ireduce(sg, r, n, t, c.op, c.root, c.comm, &q) : P##Reduce(sg, r, n, t, c.op, c.root, c.comm); \
        break;                                                                                                       \
      case 3:                                                                                                        \
        code = i ? P##Iallreduce(s, r, n, t, c.op, c.comm, &q) : P##Allreduce(s, r, n, t, c.op, c.comm);             \
        break;                                                                                                       \
      case 4:                                                                                                        \
        code = i ? P##Igather(sg, n, t, r, n, t, c.root, c.comm, &q) : P##Gather(sg, n, t, r, n, t, c.root, c.comm); \
        break;                                                                                                       \
      case 5:                                                                                                        \
        code = i ? P##Igatherv(sg, co[c.rank], t, r, co, pl, t, c.root, c.comm, &q)                                  \
                 : P##Gatherv(sg, co[c.rank], t, r, co, pl, t, c.root, c.comm);                                      \
        break;                                                                                                       \
      case 6:                                                                                                        \
        code = i ? P##Iscatter(send.data(), n, t, rs, n, t, c.root, c.comm, &q)                                      \
                 : P##Scatter(send.data(), n, t, rs, n, t, c.root, c.comm);                                          \
        break;                                                                                                       \
      case 7:                                                                                                        \
        code = i ? P##Iscatterv(send.data(), co, pl, t, rs, co[c.rank], t, c.root, c.comm, &q)                       \
                 : P##Scatterv(send.data(), co, pl, t, rs, co[c.rank], t, c.root, c.comm);                           \
        break;                                                                                                       \
      case 8:                                                                                                        \
        code = i ? P##Iallgather(s, n, t, r, n, t, c.comm, &q) : P##Allgather(s, n, t, r, n, t, c.comm);             \
        break;                                                                                                       \
      case 9:                                                                                                        \
        code = i ? P##Iallgatherv(s, co[c.rank], t, r, co, pl, t, c.comm, &q)                                        \
                 : P##Allgatherv(s, co[c.rank], t, r, co, pl, t, c.comm);                                            \
        break;                                                                                                       \
      case 10:                                                                                                       \
        code = i ? P##Ialltoall(s, n, t, r, n, t, c.comm, &q) : P##Alltoall(s, n, t, r, n, t, c.comm);               \
        break;                                                                                                       \
      case 11:                                                                                                       \
        code = i ? P##Ialltoallv(s, co, pl, t, r, rc, rp, t, c.comm, &q)                                             \
                 : P##Alltoallv(s, co, pl, t, r, rc, rp, t, c.comm);                                                 \
        break;                                                                                                       \
      case 12:                                                                                                       \
        code = i ? P##Ialltoallw(s, co, bp, types.data(), r, rc, brp, types.data(), c.comm, &q)                      \
                 : P##Alltoallw(s, co, bp, types.data(), r, rc, brp, types.data(), c.comm);                          \
        break;                                                                                                       \
      case 13:                                                                                                       \
        code = i ? P##Ireduce_scatter(s, r, co, t, c.op, c.comm, &q) : P##Reduce_scatter(s, r, co, t, c.op, c.comm); \
        break;                                                                                                       \
      case 14:                                                                                                       \
        code = i ? P##Ireduce_scatter_block(s, r, n, t, c.op, c.comm, &q)                                            \
                 : P##Reduce_scatter_block(s, r, n, t, c.op, c.comm);                                                \
        break;                                                                                                       \
      case 15:                                                                                                       \
        code = i ? P##Iscan(s, r, n, t, c.op, c.comm, &q) : P##Scan(s, r, n, t, c.op, c.comm);                       \
        break;                                                                                                       \
      case 16:                                                                                                       \
        code = i ? P##Iexscan(s, r, n, t, c.op, c.comm, &q) : P##Exscan(s, r, n, t, c.op, c.comm);                   \
        break;                                                                                                       \
      default:                                                                                                       \
        break;                                                                                                       \
    }                                                                                                                \
    if (code == MPI_SUCCESS) code = P##Wait(&q, MPI_STATUS_IGNORE);                                                  \
    return code;                                                                                                     \
  }
// clang-format off
MAKE(by_mpi_names, MPI_)
MAKE(by_profiling_names, PMPI_)
// clang-format on

// The same on all ranks, except what is drawn from `own`.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : common_(seed) {
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank_);
    own_.seed(seed * 1000003 + static_cast<std::uint64_t>(world_rank_));
    comms_ = {MPI_COMM_WORLD, MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_SELF};
    MPI_Comm_split(MPI_COMM_WORLD, world_rank_ % 2, -world_rank_, &comms_[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, (world_rank_ * 5) % 7, &comms_[2]);
    MPI_Datatype strided = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 1, 2, MPI_INT, &strided);
    MPI_Type_create_resized(strided, 0, 7 * sizeof(int), &strided_);
    MPI_Type_commit(&strided_);
    MPI_Type_free(&strided);
    MPI_Type_contiguous(4, MPI_UNSIGNED, &matrix_);
    MPI_Type_commit(&matrix_);
    MPI_Op_create(product, 0, &product_);
    types_ = {{"int", MPI_INT, sizeof(int), Type::Kind::exact},
              {"unsigned char", MPI_UNSIGNED_CHAR, 1, Type::Kind::exact},
              {"int64", MPI_INT64_T, 8, Type::Kind::exact},
              {"float", MPI_FLOAT, sizeof(float), Type::Kind::real32},
              {"double", MPI_DOUBLE, sizeof(double), Type::Kind::real64},
              {"strided ints", strided_, 7 * sizeof(int), Type::Kind::none},
              {"matrices", matrix_, 4 * sizeof(unsigned), Type::Kind::none}};
  }
  ~Generator() {
    MPI_Op_free(&product_);
    MPI_Type_free(&matrix_);
    MPI_Type_free(&strided_);
    MPI_Comm_free(&comms_[2]);
    MPI_Comm_free(&comms_[1]);
  }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  Call call() {
    Call c = {};
    c.collective = below(collectives);
    c.comm = comms_[std::array{0, 0, 0, 0, 1, 2, 2, 3}[below(8)]];
    MPI_Comm_rank(c.comm, &c.rank);
    MPI_Comm_size(c.comm, &c.size);
    const int root = below(1000);  // halves differ in size
    c.root = root % c.size;
    c.non_blocking = below(3) == 0;
    const bool wants_in_place = below(3) == 0;
    c.count = std::array{0, 1, 2, 7, 64, 500, 3000}[below(7)];
    c.type = &types_[below(static_cast<int>(types_.size()))];
    const int op = below(5);
    if (reduces(c.collective)) {
      if (c.type->kind == Type::Kind::none) {
        c.type = &types_.back();
        c.op = product_;
      } else {
        c.op = std::array{MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_SUM}[op];
        if ((c.type->kind != Type::Kind::exact || c.type->extent == 1) && c.op == MPI_PROD) c.op = MPI_SUM;
      }
    }
    lay_out(c, wants_in_place);
    return c;
  }

  /// Small numbers: sums of floats stay near to each other, and those of bytes below 256, where Open MPI 4.1 stops
  /// adding.
  void fill(Bytes& bytes, const Type& type) {
    for (std::size_t at = 0; at < bytes.size(); at += 4) {
      const auto number = static_cast<unsigned>(own_() % (type.extent == 1 ? 9 : 100));
      std::memcpy(bytes.data() + at, &number, std::min<std::size_t>(4, bytes.size() - at));
    }
    const auto as = [&]<typename Real>(Real) {
      for (std::size_t at = 0; at + sizeof(Real) <= bytes.size(); at += sizeof(Real)) {
        const Real real = static_cast<Real>(own_() % 1000) / 7;
        std::memcpy(bytes.data() + at, &real, sizeof real);
      }
    };
    if (type.kind == Type::Kind::real32) as(float{});
    if (type.kind == Type::Kind::real64) as(double{});
  }

 private:
  int below(int end) { return static_cast<int>(common_() % static_cast<unsigned>(end)); }

  template <typename Counts>
  static bool any_rank_has_nothing(int size, Counts counts) {
    for (int rank = 0; rank < size; ++rank) {
      int all = 0;
      for (int other = 0; other < size; ++other) all += counts(rank, other);
      if (all == 0) return true;
    }
    return false;
  }

  // Counts of all blocks, with gaps between them; both sides of an alltoallv have to agree, and know it by a formula.
  void lay_out(Call& c, bool wants_in_place) {
    const int gap = below(3);
    const int factor = below(1000);
    const bool pairs = c.collective == 11 || c.collective == 12;
    c.in_place = wants_in_place && c.collective > 1;
    if (c.collective == 2 && c.root != 0) c.in_place = c.in_place && reduces_in_place_to_any_root;
    const auto counts = [&](int from, int to) {
      if (c.in_place && from > to) std::swap(from, to);
      return (factor + 3 * from + 5 * to) % 7 == 0 ? 0 : (factor + from * to) % 5 * std::min(c.count, 50);
    };
    if (!takes_tags_without_data && pairs && c.in_place && any_rank_has_nothing(c.size, counts)) c.non_blocking = false;
    int place = 0;
    int other_place = 0;
    for (int rank = 0; rank < c.size; ++rank) {
      c.counts.push_back(pairs ? counts(c.rank, rank) : counts(rank, 0));
      c.other_counts.push_back(pairs ? counts(rank, c.rank) : c.counts.back());
      c.places.push_back(place);
      c.other_places.push_back(other_place);
      place += c.counts.back() + gap;
      other_place += c.other_counts.back() + gap;
    }
    std::size_t all = std::max(place, other_place);
    if (c.collective == 13) {
      all = 0;
      for (const int each : c.counts) all += each;
    }
    const bool blocks =
        c.collective == 4 || c.collective == 6 || c.collective == 8 || c.collective == 10 || c.collective == 14;
    if (blocks) all = static_cast<std::size_t>(c.count) * c.size;
    const bool v = c.collective == 5 || c.collective == 7 || c.collective == 9 || pairs || c.collective == 13;
    if (!blocks && !v) all = c.count;
    c.send_bytes = c.receive_bytes = std::max<std::size_t>(1, all) * c.type->extent;
  }

  int world_rank_ = 0;
  std::mt19937_64 common_, own_;
  std::array<MPI_Comm, 4> comms_;
  MPI_Datatype strided_ = MPI_DATATYPE_NULL, matrix_ = MPI_DATATYPE_NULL;
  MPI_Op product_ = MPI_OP_NULL;
  std::vector<Type> types_;
};

template <typename Real>
bool near(const Bytes& a, const Bytes& b, Real tolerance) {
  for (std::size_t at = 0; at + sizeof(Real) <= a.size(); at += sizeof(Real)) {
    Real x = 0;
    Real y = 0;
    std::memcpy(&x, a.data() + at, sizeof x);
    std::memcpy(&y, b.data() + at, sizeof y);
    if (!(std::fabs(x - y) <= tolerance * std::max(std::fabs(x), std::fabs(y)))) return false;
  }
  return true;
}

bool agree(const Call& c, const Bytes& a, const Bytes& b) {
  const bool rounds = reduces(c.collective) && c.op == MPI_SUM;
  if (rounds && c.type->kind == Type::Kind::real32) return near<float>(a, b, 1e-5f);
  if (rounds && c.type->kind == Type::Kind::real64) return near<double>(a, b, 1e-13);
  return a == b;
}

// What MPI leaves open is made equal: the result of exscan on rank 0, what lies beyond a block of reduce_scatter in
// place, and the receive buffer of a reduction's other ranks.
void leave_out(const Call& c, Bytes& receive, const Bytes& before) {
  const std::size_t extent = c.type->extent;
  if (c.collective == 16 && c.rank == 0) receive = before;
  if (c.collective == 13 || c.collective == 14) {
    const std::size_t kept = (c.collective == 13 ? c.counts[c.rank] : c.count) * extent;
    std::copy(before.begin() + kept, before.end(), receive.begin() + kept);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int calls = argc > 1 ? std::atoi(argv[1]) : 300;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : std::random_device()();
  std::uint64_t common_seed = seed;
  PMPI_Bcast(&common_seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  int world_rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  if (world_rank == 0) std::printf("%d calls, seed %llu\n", calls, static_cast<unsigned long long>(common_seed));
  int failures = 0;
  {
    Generator generator(common_seed);
    for (int number = 0; number < calls && failures < 10; ++number) {
      const Call c = generator.call();
      Bytes send(c.send_bytes), receive(c.receive_bytes);
      generator.fill(send, *c.type);
      generator.fill(receive, *c.type);
      const Bytes before = receive;
      Bytes send_2 = send;
      Bytes receive_2 = receive;
      Call reference = c;
      reference.non_blocking = false;
      const int code_2 = by_profiling_names(reference, send_2, receive_2);
      const int code = by_mpi_names(c, send, receive);
      leave_out(c, receive, before);
      leave_out(c, receive_2, before);
      if (code == code_2 && send == send_2 && agree(c, receive, receive_2)) continue;
      ++failures;
      std::printf("call %d, rank %d: %s%s of %d %s, root %d, %d ranks%s: codes %d and %d, %s\n", number, c.rank,
                  c.non_blocking ? "non-blocking " : "", names[c.collective], c.count, c.type->name, c.root, c.size,
                  c.in_place ? ", in place" : "", code, code_2,
                  send == send_2 ? "results differ" : "send buffers differ");
    }
  }
  int all = 0;
  PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (world_rank == 0) std::printf("%d failures\n", all);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
