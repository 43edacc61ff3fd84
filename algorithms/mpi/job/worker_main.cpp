// isthmus-worker JOB.json RESULTS.jsonl [REST [CONDITIONS]]: runs a job on the ranks that mpirun started. Rank 0 reads
// the job and writes one line a point, `{"point":0,"correct":true,"repetitions":[...]}`, as soon as it is done. A rank
// that has done its part of a repetition sleeps for REST seconds. CONDITIONS is a socket to which rank 0 tells each
// start.
#include <mpi.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/mpi/job/run_job.hpp"
#include "algorithms/process/whole_file.hpp"

namespace {

using isthmus::check_mpi;

// Rank 0 reads, so that the file need not be on every machine.
std::string read_everywhere(const char* file, int rank) {
  std::string text;
  if (rank == 0) {
    text = isthmus::read_whole_file(file, "a job in JSON would be right");
  }
  int size = static_cast<int>(text.size());
  check_mpi(MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD), {.call = "MPI_Bcast", .rank = rank});
  text.resize(size);
  check_mpi(MPI_Bcast(text.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD), {.call = "MPI_Bcast", .rank = rank});
  return text;
}

isthmus::Job parse(const std::string& text, const char* file) {
  try {
    return isthmus::job_from_json(isthmus::parse_json(text, "the job", "a job in JSON would be right"));
  } catch (const isthmus::BadInput& error) {
    throw isthmus::BadInput(std::string(file) + ": " + error.what());
  }
}

double seconds_of(const char* text) {
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(seconds >= 0 && seconds <= 1))
    throw isthmus::BadInput(std::string(text) + ": seconds from 0 to 1 would be right");
  return seconds;
}

// Sends each start, in nanoseconds, and waits until it comes back: then the links are as they are at a start.
std::function<void(double)> teller_of_starts(const char* path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  const int conditions = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (conditions < 0 || connect(conditions, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw isthmus::Refused(std::string(path) + ": " + std::strerror(errno));
  return [conditions](double start_s) {
    std::int64_t start_ns = std::llround(start_s * 1e9);
    if (send(conditions, &start_ns, sizeof start_ns, MSG_NOSIGNAL) != sizeof start_ns ||
        recv(conditions, &start_ns, sizeof start_ns, 0) != sizeof start_ns)
      throw isthmus::Refused("the driver of the conditions does not answer any more");
  };
}

void work(const char* job_file, const char* results_file, double rest_s, const char* conditions, int rank) {
  const isthmus::Job job = parse(read_everywhere(job_file, rank), job_file);
  std::ofstream results;
  const auto check_results = [&] {
    if (!results) throw isthmus::Refused(std::string(results_file) + ": cannot be written");
  };
  if (rank == 0) {
    results.open(results_file, std::ios::trunc);
    check_results();
  }
  isthmus::RankEnvironment environment = isthmus::real_time();
  environment.timing.rest_s = rest_s;
  if (conditions != nullptr && rank == 0) environment.announced = teller_of_starts(conditions);
  isthmus::run_job(job, MPI_COMM_WORLD, environment, [&](int point, const isthmus::PointResult& result) {
    nlohmann::json line = to_json(result);
    line["point"] = point;
    results << line << std::endl;  // each line reaches the reader when it is true
    check_results();
  });
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int status = 0;
  std::string problem;
  try {
    if (argc < 3 || argc > 5)
      throw isthmus::BadInput("usage: isthmus-worker JOB.json RESULTS.jsonl [REST [CONDITIONS]]");
    work(argv[1], argv[2], argc > 3 ? seconds_of(argv[3]) : 0, argc > 4 ? argv[4] : nullptr, rank);
  } catch (const isthmus::BadInput& error) {
    // The same on every rank that sees it: rank 0 speaks for all, and the others wait to be ended.
    if (rank != 0) MPI_Barrier(MPI_COMM_WORLD);
    problem = error.what();
    status = error.exit_status();
  } catch (const isthmus::Error& error) {
    problem = error.what();
    status = error.exit_status();
  } catch (const std::exception& error) {
    problem = error.what();
    status = 1;
  }
  if (status != 0) {
    std::fprintf(stderr, "isthmus-worker: rank %d: %s\n", rank, problem.c_str());
    MPI_Abort(MPI_COMM_WORLD, status);
  }
  MPI_Finalize();
  return status;
}
