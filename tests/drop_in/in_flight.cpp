// Very many non-blocking collectives at once, in plain MPI: in_flight CALLS [KIND...]. A kind is the name of an MPI
// collective in lower case; without any, all are run. Each kind is started CALLS times and then waited for; then the
// kinds alternate; then on two communicators, of which some ranks start the one first, some the other. The last rank
// starts nothing before rank 0 has started everything, as MPI permits. Prints the calls with wrong results; exit status
// 1 if there are any.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr long nothing = -1;

struct Ranks {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int size = 1;
};

// Counts and displacements are the same in all calls: a block of one number for each rank, in order.
struct Lists {
  explicit Lists(int size) : ones(size, 1), places(size), byte_places(size), types(size, MPI_LONG) {
    std::iota(places.begin(), places.end(), 0);
    for (int rank = 0; rank < size; ++rank) byte_places[rank] = rank * static_cast<int>(sizeof(long));
  }
  std::vector<int> ones, places, byte_places;
  std::vector<MPI_Datatype> types;
};

// One call, with a number to send to and to receive from each rank; a collective may use only some of them.
struct Call {
  Call(const Ranks& ranks, long number) : root(static_cast<int>(number % ranks.size)) {
    for (int to = 0; to < ranks.size; ++to) send.push_back(sent(number, ranks.rank, to));
    receive.assign(ranks.size, nothing);
  }
  static long sent(long number, int from, int to) { return 1000000 * number + 1000 * from + to + 1; }

  int root;
  std::vector<long> send, receive;
};

long sum(long number, int ranks, int to) {
  long all = 0;
  for (int from = 0; from < ranks; ++from) all += Call::sent(number, from, to);
  return all;
}

struct Kind {
  const char* name;
  std::function<int(const Ranks&, const Lists&, Call&, MPI_Request*)> start;
  // The value expected at an index of the receive buffer.
  std::function<long(const Ranks&, long number, int root, int place)> right;
};

long of_every_rank(const Ranks&, long number, int, int place) { return Call::sent(number, place, 0); }
long at_root(const Ranks& r, long number, int root, int place) {
  return r.rank == root ? Call::sent(number, place, 0) : nothing;
}
long of_root(const Ranks& r, long number, int root, int place) {
  return place == 0 ? Call::sent(number, root, r.rank) : nothing;
}
long exchanged(const Ranks& r, long number, int, int place) { return Call::sent(number, place, r.rank); }
long own_sum(const Ranks& r, long number, int, int place) { return place == 0 ? sum(number, r.size, r.rank) : nothing; }

std::vector<Kind> movements() {
  return {
      {"ibarrier", [](const Ranks& r, const Lists&, Call&, MPI_Request* q) { return MPI_Ibarrier(r.comm, q); },
       [](const Ranks&, long, int, int) { return nothing; }},
      {"ibcast",
       [](const Ranks& r, const Lists&, Call& c, MPI_Request* q) {
         if (r.rank == c.root) c.receive = c.send;
         return MPI_Ibcast(c.receive.data(), r.size, MPI_LONG, c.root, r.comm, q);
       },
       [](const Ranks&, long number, int root, int place) { return Call::sent(number, root, place); }},
      {"igather",
       [](const Ranks& r, const Lists&, Call& c, MPI_Request* q) {
         return MPI_Igather(c.send.data(), 1, MPI_LONG, c.receive.data(), 1, MPI_LONG, c.root, r.comm, q);
       },
       at_root},
      {"igatherv",
       [](const Ranks& r, const Lists& l, Call& c, MPI_Request* q) {
         return MPI_Igatherv(c.send.data(), 1, MPI_LONG, c.receive.data(), l.ones.data(), l.places.data(), MPI_LONG,
                             c.root, r.comm, q);
       },
       at_root},
      {"iscatter",
       [](const Ranks& r, const Lists&, Call& c, MPI_Request* q) {
         return MPI_Iscatter(c.send.data(), 1, MPI_LONG, c.receive.data(), 1, MPI_LONG, c.root, r.comm, q);
       },
       of_root},
      {"iscatterv",
       [](const Ranks& r, const Lists& l, Call& c, MPI_Request* q) {
         return MPI_Iscatterv(c.send.data(), l.ones.data(), l.places.data(), MPI_LONG, c.receive.data(), 1, MPI_LONG,
                              c.root, r.comm, q);
       },
       of_root},
      {"iallgather",
       [](const Ranks& r, const Lists&, Call& c, MPI_Request* q) {
         return MPI_Iallgather(c.send.data(), 1, MPI_LONG, c.receive.data(), 1, MPI_LONG, r.comm, q);
       },
       of_every_rank},
      {"iallgatherv",
       [](const Ranks& r, const Lists& l, Call& c, MPI_Request* q) {
         return MPI_Iallgatherv(c.send.data(), 1, MPI_LONG, c.receive.data(), l.ones.data(), l.places.data(), MPI_LONG,
                                r.comm, q);
       },
       of_every_rank},
      {"ialltoall",
       [](const Ranks& r, const Lists&, Call& c, MPI_Request* q) {
         return MPI_Ialltoall(c.send.data(), 1, MPI_LONG, c.receive.data(), 1, MPI_LONG, r.comm, q);
       },
       exchanged},
      {"ialltoallv",
       [](const Ranks& r, const Lists& l, Call& c, MPI_Request* q) {
         return MPI_Ialltoallv(c.send.data(), l.ones.data(), l.places.data(), MPI_LONG, c.receive.data(), l.ones.data(),
                               l.places.data(), MPI_LONG, r.comm, q);
       },
       exchanged},
      {"ialltoallw",
       [](const Ranks& r, const Lists& l, Call& c, MPI_Request* q) {
         return MPI_Ialltoallw(c.send.data(), l.ones.data(), l.byte_places.data(), l.types.data(), c.receive.data(),
                               l.ones.data(), l.byte_places.data(), l.types.data(), r.comm, q);
       },
       exchanged},
  };
}

std::vector<Kind> reductions() {
  return {
      {"ireduce",
       [](const Ranks& r, const Lists&, Call& c, MPI_Request* q) {
         return MPI_Ireduce(c.send.data(), c.receive.data(), r.size, MPI_LONG, MPI_SUM, c.root, r.comm, q);
       },
       [](const Ranks& r, long number, int root, int place) {
         return r.rank == root ? sum(number, r.size, place) : nothing;
       }},
      {"iallreduce",
       [](const Ranks& r, const Lists&, Call& c, MPI_Request* q) {
         return MPI_Iallreduce(c.send.data(), c.receive.data(), r.size, MPI_LONG, MPI_SUM, r.comm, q);
       },
       [](const Ranks& r, long number, int, int place) { return sum(number, r.size, place); }},
      {"ireduce_scatter",
       [](const Ranks& r, const Lists& l, Call& c, MPI_Request* q) {
         return MPI_Ireduce_scatter(c.send.data(), c.receive.data(), l.ones.data(), MPI_LONG, MPI_SUM, r.comm, q);
       },
       own_sum},
      {"ireduce_scatter_block",
       [](const Ranks& r, const Lists&, Call& c, MPI_Request* q) {
         return MPI_Ireduce_scatter_block(c.send.data(), c.receive.data(), 1, MPI_LONG, MPI_SUM, r.comm, q);
       },
       own_sum},
      {"iscan",
       [](const Ranks& r, const Lists&, Call& c, MPI_Request* q) {
         return MPI_Iscan(c.send.data(), c.receive.data(), r.size, MPI_LONG, MPI_SUM, r.comm, q);
       },
       [](const Ranks& r, long number, int, int place) { return sum(number, r.rank + 1, place); }},
      {"iexscan",
       [](const Ranks& r, const Lists&, Call& c, MPI_Request* q) {
         return MPI_Iexscan(c.send.data(), c.receive.data(), r.size, MPI_LONG, MPI_SUM, r.comm, q);
       },
       [](const Ranks& r, long number, int, int place) { return r.rank > 0 ? sum(number, r.rank, place) : nothing; }},
  };
}

// Calls of alternating kinds on some communicators, in the order in which this rank starts them.
class Round {
 public:
  Round(const std::vector<const Kind*>& kinds, long calls, std::vector<Ranks> comms)
      : kinds_(kinds), comms_(std::move(comms)), lists_(comms_.front().size) {
    for (const Ranks& ranks : comms_)
      for (long number = 0; number < calls; ++number) calls_.emplace_back(Call(ranks, number));
    requests_.assign(calls_.size(), MPI_REQUEST_NULL);
    calls_of_each_ = calls;
  }

  int run() {
    const auto [comm, rank, size] = comms_.front();
    int token = 0;
    if (rank == size - 1 && size > 1) MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < calls_.size(); ++i) kind(i).start(comms_[comm_of(i)], lists_, calls_[i], &requests_[i]);
    if (rank == 0 && size > 1) MPI_Send(&token, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD);
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    int wrong = 0;
    for (std::size_t i = 0; i < calls_.size(); ++i) wrong += is_right(i) ? 0 : 1;
    return wrong;
  }

 private:
  long number_of(std::size_t i) const { return static_cast<long>(i) % calls_of_each_; }
  std::size_t comm_of(std::size_t i) const { return i / static_cast<std::size_t>(calls_of_each_); }
  const Kind& kind(std::size_t i) const { return *kinds_[static_cast<std::size_t>(number_of(i)) % kinds_.size()]; }
  bool is_right(std::size_t i) const {
    const Ranks& ranks = comms_[comm_of(i)];
    for (int place = 0; place < ranks.size; ++place)
      if (calls_[i].receive[place] != kind(i).right(ranks, number_of(i), calls_[i].root, place)) return false;
    return true;
  }

  const std::vector<const Kind*>& kinds_;
  std::vector<Ranks> comms_;
  Lists lists_;
  std::vector<Call> calls_;
  std::vector<MPI_Request> requests_;
  long calls_of_each_ = 0;
};

int report(const std::string& what, Round round) {
  const double begin = MPI_Wtime();
  const int here = round.run();
  int wrong = 0;
  int rank = 0;
  PMPI_Allreduce(&here, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::printf("%s: %d wrong, %.2f s\n", what.c_str(), wrong, MPI_Wtime() - begin);
  std::fflush(stdout);
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const long calls = argc > 1 ? std::atol(argv[1]) : 1000;
  Ranks world{.comm = MPI_COMM_WORLD};
  MPI_Comm_rank(world.comm, &world.rank);
  MPI_Comm_size(world.comm, &world.size);
  std::vector<Kind> all = movements();
  for (Kind& each : reductions()) all.push_back(std::move(each));
  std::vector<const Kind*> asked;
  for (const Kind& each : all)
    for (int i = 2; i < argc || (argc <= 2 && i == 2); ++i)
      if (argc <= 2 || argv[i] == std::string(each.name)) asked.push_back(&each);
  int wrong = asked.empty() ? 1 : 0;
  for (const Kind* const each : asked) {
    const std::vector<const Kind*> alone = {each};
    wrong += report(each->name, Round(alone, calls, {world}));
  }
  if (!asked.empty()) {
    wrong += report("by turns", Round(asked, calls, {world}));
    Ranks other = world;
    MPI_Comm_dup(MPI_COMM_WORLD, &other.comm);
    const bool even = world.rank % 2 == 0;
    wrong += report("on two communicators", Round(asked, calls / 2, {even ? world : other, even ? other : world}));
    MPI_Comm_free(&other.comm);
  }
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
