// Preloaded into the ranks of a job: rank STOPPED_RANK is stopped STOPPED_AFTER_MS milliseconds after MPI_Init, by a
// SIGSTOP. It neither ends nor answers; its connections stay open.
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void stop_after(int milliseconds) {
  const pid_t self = getpid();
  if (milliseconds > 0 && fork() != 0) return;
  if (milliseconds > 0) usleep(1000U * (unsigned)milliseconds);
  kill(self, SIGSTOP);
  if (milliseconds > 0) _exit(0);
}

int MPI_Init(int* argc, char*** argv) {
  const int status = PMPI_Init(argc, argv);
  const char* const stopped = getenv("STOPPED_RANK");
  const char* const after_ms = getenv("STOPPED_AFTER_MS");
  int rank = -1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (stopped != NULL && after_ms != NULL && rank == atoi(stopped)) stop_after(atoi(after_ms));
  return status;
}
