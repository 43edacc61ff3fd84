// Threads of a program in plain MPI that make communicators and call collectives at the same time, each on
// communicators of its own: thread_calls communicators|groups|idups|collectives|operators|handlers ROUNDS. Prints what
// is wrong; exit status 1 then, and 3 where the MPI has no such threads.
#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int threads = 4;

struct Thread {
  int number;
  int rounds;
  MPI_Comm comm;  // a duplicate of the world
  int rank, size;
};

std::mutex one_at_a_time;

// Communicators of all ranks by all threads at once, and of this rank alone by one thread at a time.
int make_communicators(const Thread& thread) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm_group(thread.comm, &group);
  int wrong = 0;
  for (int round = 0; round < thread.rounds; ++round) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_create_group(thread.comm, group, thread.number, &made);
    wrong += MPI_Barrier(made) == MPI_SUCCESS ? 0 : 1;
    MPI_Comm_free(&made);
    const std::lock_guard lock(one_at_a_time);
    MPI_Comm_dup(MPI_COMM_SELF, &made);
    wrong += MPI_Barrier(made) == MPI_SUCCESS ? 0 : 1;
    MPI_Comm_free(&made);
  }
  MPI_Group_free(&group);
  return wrong;
}

// Communicators of all ranks and of their first half, made from MPI_COMM_WORLD by all threads at once.
int make_groups(const Thread& thread) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group half = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  int range[1][3] = {{0, thread.size / 2, 1}};
  MPI_Group_range_incl(all, 1, range, &half);
  int wrong = 0;
  for (int round = 0; round < thread.rounds; ++round) {
    const bool of_all = (round + thread.number) % 2 == 0;
    if (!of_all && thread.rank > thread.size / 2) continue;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_create_group(MPI_COMM_WORLD, of_all ? all : half, thread.number, &made);
    wrong += MPI_Barrier(made) == MPI_SUCCESS ? 0 : 1;
    MPI_Comm_free(&made);
  }
  MPI_Group_free(&half);
  MPI_Group_free(&all);
  return wrong;
}

// Duplicates by all threads at once, by calls that do not wait, while a collective is in progress on what is
// duplicated.
int make_duplicates(const Thread& thread) {
  int wrong = 0;
  for (int round = 0; round < thread.rounds; ++round) {
    MPI_Comm made = MPI_COMM_NULL;
    std::array<MPI_Request, 2> requests;
    int sum = 0;
    MPI_Comm_idup(thread.comm, &made, requests.data());
    MPI_Iallreduce(&thread.rank, &sum, 1, MPI_INT, MPI_SUM, thread.comm, &requests[1]);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    wrong += sum == thread.size * (thread.size - 1) / 2 ? 0 : 1;
    MPI_Allreduce(&thread.rank, &sum, 1, MPI_INT, MPI_MAX, made);
    wrong += sum == thread.size - 1 ? 0 : 1;
    MPI_Comm_free(&made);
  }
  return wrong;
}

// Some non-blocking calls in progress, and a blocking one meanwhile.
int call_collectives(const Thread& thread) {
  constexpr int calls = 8;
  int wrong = 0;
  for (int round = 0; round < thread.rounds; ++round) {
    std::array<MPI_Request, 2 * calls> requests;
    std::array<long, calls> own, sum;
    std::vector<long> all(static_cast<std::size_t>(calls) * thread.size, -1);
    const auto value = [&](int rank, int call) { return 1000000L * thread.number + 1000L * rank + 10L * call + round; };
    for (int call = 0; call < calls; ++call) {
      own[call] = value(thread.rank, call);
      MPI_Iallreduce(&own[call], &sum[call], 1, MPI_LONG, MPI_SUM, thread.comm, &requests[2 * call]);
      MPI_Iallgather(&own[call], 1, MPI_LONG, &all[static_cast<std::size_t>(call) * thread.size], 1, MPI_LONG,
                     thread.comm, &requests[2 * call + 1]);
    }
    long largest = 0;
    MPI_Allreduce(own.data(), &largest, 1, MPI_LONG, MPI_MAX, thread.comm);
    MPI_Waitall(2 * calls, requests.data(), MPI_STATUSES_IGNORE);
    wrong += largest == value(thread.size - 1, 0) ? 0 : 1;
    for (int call = 0; call < calls; ++call) {
      long right = 0;
      for (int rank = 0; rank < thread.size; ++rank) {
        right += value(rank, call);
        wrong += all[static_cast<std::size_t>(call) * thread.size + rank] == value(rank, call) ? 0 : 1;
      }
      wrong += sum[call] == right ? 0 : 1;
    }
  }
  return wrong;
}

void add(void* left, void* right, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i) static_cast<int*>(right)[i] += static_cast<int*>(left)[i];
}

// Each operator is new, so that it has to be looked at. Errors go where they went before.
int use_operators(const Thread& thread) {
  int wrong = 0;
  std::vector<MPI_Op> ops(thread.rounds);
  for (MPI_Op& op : ops) {
    int sum = 0;
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(&thread.rank, &sum, 1, MPI_INT, op, thread.comm);
    wrong += sum == thread.size * (thread.size - 1) / 2 ? 0 : 1;
  }
  for (MPI_Op& op : ops) MPI_Op_free(&op);
  return wrong;
}

// Meanwhile the first thread sets error handlers of MPI_COMM_WORLD, which stay until it sets others.
int set_handlers(const Thread& thread) {
  if (thread.number > 0) return use_operators(thread);
  int wrong = 0;
  for (int round = 0; round < 100 * thread.rounds; ++round) {
    const MPI_Errhandler set = round % 2 == 0 ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, set);
    for (int looks = 0; looks < 10; ++looks) {
      MPI_Errhandler found = MPI_ERRHANDLER_NULL;
      MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
      wrong += found == set ? 0 : 1;
      MPI_Errhandler_free(&found);
    }
  }
  return wrong;
}

// Whether errors on MPI_COMM_WORLD still end the program.
bool errors_are_fatal() {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  const bool fatal = handler == MPI_ERRORS_ARE_FATAL;
  MPI_Errhandler_free(&handler);
  return fatal;
}

}  // namespace

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (level != MPI_THREAD_MULTIPLE || argc < 3) return 3;
  const std::string what = argv[1];
  const auto work = what == "communicators" ? make_communicators
                    : what == "groups"      ? make_groups
                    : what == "idups"       ? make_duplicates
                    : what == "operators"   ? use_operators
                    : what == "handlers"    ? set_handlers
                                            : call_collectives;
  std::vector<Thread> all;
  for (int number = 0; number < threads; ++number) {
    Thread thread{.number = number, .rounds = std::atoi(argv[2]), .comm = MPI_COMM_NULL, .rank = 0, .size = 1};
    MPI_Comm_dup(MPI_COMM_WORLD, &thread.comm);
    MPI_Comm_rank(thread.comm, &thread.rank);
    MPI_Comm_size(thread.comm, &thread.size);
    all.push_back(thread);
  }
  std::atomic<int> wrong = 0;
  std::vector<std::thread> running;
  for (const Thread& thread : all) running.emplace_back([&] { wrong += work(thread); });
  for (std::thread& each : running) each.join();
  int here = wrong + (errors_are_fatal() ? 0 : 1);
  int sum = 0;
  MPI_Allreduce(&here, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (all.front().rank == 0) std::printf("%s: %d wrong\n", argv[1], sum);
  for (Thread& thread : all) MPI_Comm_free(&thread.comm);
  MPI_Finalize();
  return sum == 0 ? 0 : 1;
}
