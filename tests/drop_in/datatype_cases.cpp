// Derived datatypes, different ones on both sides, and operators of all kinds.
#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "conformance.hpp"

namespace {

MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

// Every second int.
MPI_Datatype strided(int count) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(count, 1, 2, MPI_INT, &type);
  return committed(type);
}

CONFORMANCE_CASE("vector-to-numbers", broadcast_of_a_vector_reaches_plain_numbers) {
  for (int root = 0; root < r.size; ++root) {
    MPI_Datatype type = strided(50);
    std::vector<int> buffer(100, -1);
    if (r.rank == root)
      for (int i = 0; i < 50; ++i) buffer[2 * i] = value(root, i);
    if (r.rank == root || r.rank % 2 == 0)
      MPI_Bcast(buffer.data(), 1, type, root, r.comm);
    else
      MPI_Bcast(buffer.data(), 50, MPI_INT, root, r.comm);
    for (int i = 0; i < 50; ++i) {
      const bool spread = r.rank == root || r.rank % 2 == 0;
      r.expect(buffer[spread ? 2 * i : i] == value(root, i), "element " + std::to_string(i));
      if (spread) r.expect(buffer[2 * i + 1] == -1, "hole " + std::to_string(i));
    }
    MPI_Type_free(&type);
  }
}

// MPI_Type_create_f90_real() gives predefined datatypes without a name, which nobody may free.
CONFORMANCE_CASE("unnamed-predefined", datatypes_made_of_predefined_ones_without_a_name) {
  MPI_Datatype number = MPI_DATATYPE_NULL;
  MPI_Datatype four = MPI_DATATYPE_NULL;
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &number);
  MPI_Type_contiguous(4, number, &four);
  MPI_Type_commit(&four);
  for (int root = 0; root < r.size; ++root) {
    std::array<double, 4> numbers;
    for (int i = 0; i < 4; ++i) numbers[i] = r.rank == root ? value(root, i) : -1;
    MPI_Bcast(numbers.data(), 1, four, root, r.comm);
    for (int i = 0; i < 4; ++i) r.expect(numbers[i] == value(root, i), "number " + std::to_string(i));
  }
  MPI_Type_free(&four);
}

struct Padded {
  char letter;
  double number;
  short small;
};

MPI_Datatype padded_type() {
  const int lengths[] = {1, 1, 1};
  const MPI_Aint places[] = {offsetof(Padded, letter), offsetof(Padded, number), offsetof(Padded, small)};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Datatype resized = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(3, lengths, places, types, &type);
  MPI_Type_create_resized(type, 0, sizeof(Padded), &resized);
  MPI_Type_free(&type);
  return committed(resized);
}

CONFORMANCE_CASE("struct", structs_keep_their_padding) {
  MPI_Datatype type = padded_type();
  std::vector<Padded> all(r.size);
  std::memset(static_cast<void*>(all.data()), 0x5a, all.size() * sizeof(Padded));
  Padded own;
  std::memset(static_cast<void*>(&own), 0, sizeof own);
  own.letter = static_cast<char>('a' + r.rank);
  own.number = r.rank / 8.0;
  own.small = static_cast<short>(-r.rank);
  MPI_Allgather(&own, 1, type, all.data(), 1, type, r.comm);
  for (int rank = 0; rank < r.size; ++rank) {
    r.expect(all[rank].letter == 'a' + rank && all[rank].number == rank / 8.0 && all[rank].small == -rank,
             "block " + std::to_string(rank));
    unsigned char padding = 0;
    std::memcpy(&padding, reinterpret_cast<char*>(&all[rank]) + 1, 1);
    r.expect(padding == 0x5a, "padding");
  }
  MPI_Type_free(&type);
}

CONFORMANCE_CASE("columns", gather_into_columns) {
  // A matrix of 6 rows, a column a rank: columns interleave, so that the extent is one number.
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Datatype resized = MPI_DATATYPE_NULL;
  MPI_Type_vector(6, 1, r.size, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, sizeof(int), &resized);
  MPI_Type_commit(&resized);
  for (int root = 0; root < r.size; ++root) {
    const std::vector<int> own = block(r.rank, 6);
    std::vector<int> matrix(6 * r.size, -1);
    MPI_Gather(own.data(), 6, MPI_INT, matrix.data(), 1, resized, root, r.comm);
    for (int row = 0; r.rank == root && row < 6; ++row)
      for (int rank = 0; rank < r.size; ++rank) r.expect(matrix[row * r.size + rank] == value(rank, row), "gathered");
    std::vector<int> back(6, -1);
    MPI_Scatter(matrix.data(), 1, resized, back.data(), 6, MPI_INT, root, r.comm);
    r.expect(back == own, "scattered");
  }
  MPI_Type_free(&column);
  MPI_Type_free(&resized);
}

CONFORMANCE_CASE("transpose", alltoall_transposes_by_datatypes) {
  // Rank r has row r; afterwards column r.
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Datatype spread = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Type_create_resized(pair, 0, 3 * sizeof(int), &spread);
  MPI_Type_commit(&spread);
  std::vector<int> row(2 * r.size), column(3 * r.size, -1);
  for (int other = 0; other < r.size; ++other)
    for (int i = 0; i < 2; ++i) row[2 * other + i] = 100 * r.rank + 10 * other + i;
  MPI_Alltoall(row.data(), 2, MPI_INT, column.data(), 1, spread, r.comm);
  for (int other = 0; other < r.size; ++other) {
    r.expect(column[3 * other] == 100 * other + 10 * r.rank && column[3 * other + 1] == 100 * other + 10 * r.rank + 1,
             "column");
    r.expect(column[3 * other + 2] == -1, "gap");
  }
  MPI_Type_free(&pair);
  MPI_Type_free(&spread);
}

CONFORMANCE_CASE("alltoallw", alltoallw_with_a_datatype_a_rank) {
  // To even ranks doubles, to odd ones ints; what comes from odd ranks is spread.
  std::vector<int> out_counts(r.size), in_counts(r.size), out_places(r.size), in_places(r.size);
  std::vector<MPI_Datatype> out_types(r.size), in_types(r.size);
  MPI_Datatype spread_int = strided(3);
  MPI_Datatype spread_double = MPI_DATATYPE_NULL;
  MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &spread_double);
  MPI_Type_commit(&spread_double);
  const std::size_t room = 6 * sizeof(double);
  std::vector<std::byte> out(r.size * room), in(r.size * room);
  for (int other = 0; other < r.size; ++other) {
    out_places[other] = static_cast<int>(other * room);
    in_places[other] = static_cast<int>((r.size - 1 - other) * room);
    out_counts[other] = 3;
    const bool doubles_out = other % 2 == 0;
    out_types[other] = doubles_out ? MPI_DOUBLE : MPI_INT;
    const bool spread = other % 2 == 1;
    in_counts[other] = spread ? 1 : 3;
    in_types[other] = r.rank % 2 == 0 ? (spread ? spread_double : MPI_DOUBLE) : (spread ? spread_int : MPI_INT);
    for (int i = 0; i < 3; ++i) {
      const int number = 100 * r.rank + 10 * other + i;
      const double real = number;
      if (doubles_out)
        std::memcpy(out.data() + out_places[other] + i * sizeof real, &real, sizeof real);
      else
        std::memcpy(out.data() + out_places[other] + i * sizeof number, &number, sizeof number);
    }
  }
  MPI_Alltoallw(out.data(), out_counts.data(), out_places.data(), out_types.data(), in.data(), in_counts.data(),
                in_places.data(), in_types.data(), r.comm);
  for (int other = 0; other < r.size; ++other)
    for (int i = 0; i < 3; ++i) {
      const std::size_t step = other % 2 == 1 ? 2 * i : i;
      double real = -1;
      int number = -1;
      std::memcpy(&real, in.data() + in_places[other] + step * sizeof real, sizeof real);
      std::memcpy(&number, in.data() + in_places[other] + step * sizeof number, sizeof number);
      const int right = 100 * other + 10 * r.rank + i;
      r.expect(r.rank % 2 == 0 ? real == right : number == right, "from " + std::to_string(other));
    }
  MPI_Type_free(&spread_int);
  MPI_Type_free(&spread_double);
}

#if defined(MPICH_VERSION)  // Open MPI takes no null datatypes
CONFORMANCE_CASE("alltoallw-null", alltoallw_needs_no_datatype_where_nothing_is_moved) {
  const int right = (r.rank + 1) % r.size;
  const int left = (r.rank + r.size - 1) % r.size;
  std::vector<int> out_counts(r.size), in_counts(r.size), places(r.size);
  std::vector<MPI_Datatype> out_types(r.size, MPI_DATATYPE_NULL), in_types(r.size, MPI_DATATYPE_NULL);
  out_counts[right] = in_counts[left] = 1;
  out_types[right] = in_types[left] = MPI_INT;
  int got = -1;
  MPI_Alltoallw(&r.rank, out_counts.data(), places.data(), out_types.data(), &got, in_counts.data(), places.data(),
                in_types.data(), r.comm);
  r.expect_equal(got, left, "block");
}
#endif

CONFORMANCE_CASE("lower-bound", datatypes_may_begin_below_their_address) {
  const int lengths[] = {1, 1};
  const MPI_Aint places[] = {-8, 4};
  const MPI_Datatype types[] = {MPI_INT, MPI_INT};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths, places, types, &type);
  MPI_Type_commit(&type);
  std::array<int, 6> buffer = {};
  if (r.rank == 0) buffer = {1, 2, 3, 4, 5, 6};
  MPI_Bcast(buffer.data() + 2, 1, type, 0, r.comm);
  r.expect(buffer[0] == 1 && buffer[3] == 4, "both numbers");
  r.expect(r.rank == 0 || (buffer[1] == 0 && buffer[2] == 0 && buffer[4] == 0), "the rest");
  MPI_Type_free(&type);
}

CONFORMANCE_CASE("bottom", absolute_addresses) {
  int own[2] = {r.rank == 0 ? 5 : 0, r.rank == 0 ? 6 : 0};
  const int length = 2;
  MPI_Aint place = 0;
  MPI_Get_address(own, &place);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(1, &length, &place, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Bcast(MPI_BOTTOM, 1, type, 0, r.comm);
  r.expect(own[0] == 5 && own[1] == 6, "by MPI_BOTTOM");
  MPI_Type_free(&type);
}

template <typename T>
void check_operator(Ranks& r, MPI_Datatype type, MPI_Op op, T (*combine)(T, T), const std::string& what) {
  std::vector<T> own(40), result(40), right(40);
  const auto of = [](int rank, int i) { return static_cast<T>((rank * 7 + i * 3) % 5); };
  for (int i = 0; i < 40; ++i) {
    own[i] = of(r.rank, i);
    right[i] = of(0, i);
    for (int rank = 1; rank < r.size; ++rank) right[i] = combine(right[i], of(rank, i));
  }
  MPI_Allreduce(own.data(), result.data(), 40, type, op, r.comm);
  r.expect(result == right, what);
}

template <typename T>
void check_integers(Ranks& r, MPI_Datatype type, const std::string& what) {
  check_operator<T>(
      r, type, MPI_SUM, [](T a, T b) { return static_cast<T>(a + b); }, what + " sum");
  check_operator<T>(
      r, type, MPI_PROD, [](T a, T b) { return static_cast<T>(a * b); }, what + " product");
  check_operator<T>(
      r, type, MPI_MAX, [](T a, T b) { return a < b ? b : a; }, what + " max");
  check_operator<T>(
      r, type, MPI_MIN, [](T a, T b) { return a < b ? a : b; }, what + " min");
  check_operator<T>(
      r, type, MPI_LAND, [](T a, T b) { return static_cast<T>(a != 0 && b != 0); }, what + " land");
  check_operator<T>(
      r, type, MPI_LOR, [](T a, T b) { return static_cast<T>(a != 0 || b != 0); }, what + " lor");
  check_operator<T>(
      r, type, MPI_LXOR, [](T a, T b) { return static_cast<T>((a != 0) != (b != 0)); }, what + " lxor");
  check_operator<T>(
      r, type, MPI_BAND, [](T a, T b) { return static_cast<T>(a & b); }, what + " band");
  check_operator<T>(
      r, type, MPI_BOR, [](T a, T b) { return static_cast<T>(a | b); }, what + " bor");
  check_operator<T>(
      r, type, MPI_BXOR, [](T a, T b) { return static_cast<T>(a ^ b); }, what + " bxor");
}

CONFORMANCE_CASE("integer-operators", operators_of_integers) {
  check_integers<int>(r, MPI_INT, "int");
  check_integers<std::uint8_t>(r, MPI_UNSIGNED_CHAR, "unsigned char");
  check_integers<std::int64_t>(r, MPI_INT64_T, "int64");
  check_operator<std::uint16_t>(
      r, MPI_UINT16_T, MPI_MAX, [](std::uint16_t a, std::uint16_t b) { return a < b ? b : a; }, "uint16 max");
}

CONFORMANCE_CASE("other-operators", operators_of_other_types) {
  check_operator<float>(
      r, MPI_FLOAT, MPI_MAX, [](float a, float b) { return a < b ? b : a; }, "float max");
  check_operator<double>(
      r, MPI_DOUBLE, MPI_SUM, [](double a, double b) { return a + b; }, "double sum");
  check_operator<long double>(
      r, MPI_LONG_DOUBLE, MPI_SUM, [](long double a, long double b) { return a + b; }, "long double sum");
  check_operator<std::uint8_t>(
      r, MPI_BYTE, MPI_BOR, [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a | b); }, "byte");
  const std::complex<double> own(r.rank, 1);
  std::complex<double> sum;
  MPI_Allreduce(&own, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, r.comm);
  r.expect(sum == std::complex<double>(r.size * (r.size - 1) / 2.0, r.size), "complex sum");
}

template <typename T>
void check_location(Ranks& r, MPI_Datatype type, const std::string& what) {
  struct Pair {
    T key;
    int place;
  };
  const Pair own = {static_cast<T>(r.rank % 3), r.rank};
  Pair least = {};
  Pair most = {};
  MPI_Allreduce(&own, &least, 1, type, MPI_MINLOC, r.comm);
  MPI_Reduce(&own, &most, 1, type, MPI_MAXLOC, r.size - 1, r.comm);
  r.expect(least.key == 0 && least.place == 0, what + " minloc");
  const int highest = r.size > 2 ? 2 : r.size - 1;
  const T highest_key = static_cast<T>(highest);
  if (r.rank == r.size - 1) r.expect(most.key == highest_key && most.place == highest, what + " maxloc");
}

CONFORMANCE_CASE("minloc-maxloc", locations_of_the_least_and_the_most) {
  check_location<int>(r, MPI_2INT, "2int");
  check_location<float>(r, MPI_FLOAT_INT, "float_int");
  check_location<double>(r, MPI_DOUBLE_INT, "double_int");
  check_location<long>(r, MPI_LONG_INT, "long_int");
  check_location<short>(r, MPI_SHORT_INT, "short_int");
  check_location<long double>(r, MPI_LONG_DOUBLE_INT, "long_double_int");
}

// 2x2 matrices of unsigned numbers: their product does not commute and never overflows into undefined behaviour.
using Matrix = std::array<unsigned, 4>;
Matrix product(const Matrix& a, const Matrix& b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
}
Matrix matrix(int rank, int i) {
  return {static_cast<unsigned>(rank + 1), static_cast<unsigned>(i + 2), 3u, static_cast<unsigned>(rank * i + 1)};
}
void multiply(void* left, void* right, int* length, MPI_Datatype*) {
  auto* a = static_cast<Matrix*>(left);
  auto* b = static_cast<Matrix*>(right);
  for (int i = 0; i < *length; ++i) b[i] = product(a[i], b[i]);
}

CONFORMANCE_CASE("order-of-operands", operators_that_do_not_commute_keep_the_order_of_ranks) {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(multiply, 0, &op);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(4, MPI_UNSIGNED, &type);
  MPI_Type_commit(&type);
  for (const int count : {1, 5, 200}) {
    const int all = count * r.size;
    std::vector<Matrix> own(all), result(all), right(all), until(all), before(all);
    for (int i = 0; i < all; ++i) {
      own[i] = matrix(r.rank, i);
      right[i] = matrix(0, i);
      for (int rank = 1; rank < r.size; ++rank) {
        if (rank == r.rank) before[i] = right[i];
        right[i] = product(right[i], matrix(rank, i));
        if (rank == r.rank) until[i] = right[i];
      }
      if (r.rank == 0) until[i] = matrix(0, i);
    }
    for (int root = 0; root < r.size; ++root) {
      MPI_Reduce(own.data(), result.data(), all, type, op, root, r.comm);
      r.expect(r.rank != root || result == right, "reduce to " + std::to_string(root));
    }
    MPI_Allreduce(own.data(), result.data(), all, type, op, r.comm);
    r.expect(result == right, "allreduce");
    MPI_Scan(own.data(), result.data(), all, type, op, r.comm);
    r.expect(result == until, "scan");
    MPI_Exscan(own.data(), result.data(), all, type, op, r.comm);
    r.expect(r.rank == 0 || result == before, "exscan");
    std::vector<Matrix> part(count);
    MPI_Reduce_scatter_block(own.data(), part.data(), count, type, op, r.comm);
    r.expect(part == std::vector<Matrix>(right.begin() + r.rank * count, right.begin() + (r.rank + 1) * count),
             "reduce_scatter_block");
  }
  MPI_Type_free(&type);
  MPI_Op_free(&op);
}

// |a| + |b| over the numbers of a strided datatype.
void add_strided(void* left, void* right, int* length, MPI_Datatype* type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(*type, &lower, &extent);
  for (int i = 0; i < *length; ++i) {
    auto* a = reinterpret_cast<int*>(static_cast<char*>(left) + i * extent);
    auto* b = reinterpret_cast<int*>(static_cast<char*>(right) + i * extent);
    b[0] += a[0];
    b[2] += a[2];
  }
}

CONFORMANCE_CASE("user-operators", user_operators_on_derived_datatypes) {
  MPI_Datatype two = strided(2);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(two, 0, 4 * sizeof(int), &type);
  MPI_Type_commit(&type);
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(add_strided, 1, &op);
  for (const int count : {1, 9, 500}) {
    std::vector<int> own(4 * count, -1), result(4 * count, -2);
    for (int i = 0; i < 4 * count; i += 2) own[i] = value(r.rank, i);
    MPI_Allreduce(own.data(), result.data(), count, type, op, r.comm);
    for (int i = 0; i < 4 * count; ++i) {
      int right = -2;
      if (i % 2 == 0) {
        right = 0;
        for (int rank = 0; rank < r.size; ++rank) right += value(rank, i);
      }
      r.expect(result[i] == right, "element " + std::to_string(i));
    }
  }
  MPI_Op_free(&op);
  MPI_Type_free(&two);
  MPI_Type_free(&type);
}

// Where a number and a location lie, from the address of an element: far from it where these are absolute addresses.
std::array<MPI_Aint, 2> field_places;

void add_and_take_greater(void* left, void* right, int* length, MPI_Datatype* type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(*type, &lower, &extent);
  const auto field = [&](void* of, int i, int which) {
    return reinterpret_cast<char*>(reinterpret_cast<std::intptr_t>(of) + i * extent + field_places[which]);
  };
  for (int i = 0; i < *length; ++i) {
    *reinterpret_cast<double*>(field(right, i, 0)) += *reinterpret_cast<double*>(field(left, i, 0));
    auto* const location = reinterpret_cast<int*>(field(right, i, 1));
    *location = std::max(*location, *reinterpret_cast<int*>(field(left, i, 1)));
  }
}

struct Located {
  double number;
  int hole;
  int location;
};

// Elements whose data lie away from their address: by absolute addresses, below it, and behind it by more than there
// is memory. Reductions in place keep some of them aside. Open MPI 4.1.4 itself loses the operand of a root that is not
// rank 0 and reduces in place by MPI_BOTTOM.
CONFORMANCE_CASE("far-operands", operands_far_from_their_address, true) {
  const std::array<const char*, 3> names = {"absolute", "below", "behind"};
  for (std::size_t kind = 0; kind < names.size(); ++kind) {
    std::array<Located, 4> elements;
    const std::array<MPI_Aint, 3> distances = {0, 2 * sizeof(Located), -(MPI_Aint{1} << 44)};
    void* const address = reinterpret_cast<void*>(  // MPI_BOTTOM is null
        kind == 0 ? 0 : reinterpret_cast<std::intptr_t>(elements.data()) + distances[kind]);
    MPI_Get_address(&elements[0].number, &field_places[0]);
    MPI_Get_address(&elements[0].location, &field_places[1]);
    for (MPI_Aint& each : field_places) each -= reinterpret_cast<std::intptr_t>(address);
    const std::array<int, 2> lengths = {1, 1};
    const std::array<MPI_Datatype, 2> types = {MPI_DOUBLE, MPI_INT};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths.data(), field_places.data(), types.data(), &type);
    MPI_Type_commit(&type);
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(add_and_take_greater, 1, &op);
    const auto fill = [&] {
      for (int i = 0; i < 4; ++i) elements[i] = {value(r.rank, i) + 0.5, -7, r.rank * 3 + i};
    };
    const auto expect = [&](int code, int last, int count, const std::string& what) {
      const std::string words = std::string(names[kind]) + ", " + what + ": ";
      r.expect_equal(code, MPI_SUCCESS, words + "the code");
      for (int i = 0; i < count; ++i) {
        double sum = 0;
        for (int rank = 0; rank <= last; ++rank) sum += value(rank, i) + 0.5;
        r.expect(elements[i].number == sum && elements[i].location == last * 3 + i, words + std::to_string(i));
        r.expect_equal(elements[i].hole, -7, words + "the hole of " + std::to_string(i));
      }
    };
    for (const int count : {1, 4}) {
      fill();
      expect(MPI_Allreduce(MPI_IN_PLACE, address, count, type, op, r.comm), r.size - 1, count, "allreduce");
      fill();
      MPI_Request request = MPI_REQUEST_NULL;
      int code = MPI_Iallreduce(MPI_IN_PLACE, address, count, type, op, r.comm, &request);
      if (code == MPI_SUCCESS) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
      expect(code, r.size - 1, count, "iallreduce");
      fill();
      const bool is_root = r.rank == r.size - 1;
      code = MPI_Reduce(is_root ? MPI_IN_PLACE : address, is_root ? address : nullptr, count, type, op, r.size - 1,
                        r.comm);
      if (is_root) expect(code, r.size - 1, count, "reduce");
      fill();
      expect(MPI_Scan(MPI_IN_PLACE, address, count, type, op, r.comm), r.rank, count, "scan");
    }
    MPI_Op_free(&op);
    MPI_Type_free(&type);
  }
}

}  // namespace
