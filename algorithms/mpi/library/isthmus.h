/* Collective operations for clusters of clusters, with the arguments of MPI's own. For C and C++; link libisthmus-mpi.
 *
 * All 17 collectives of MPI, each in the forms
 *   isthmus_NAME          blocking
 *   isthmus_iNAME         non-blocking: returns at once with a request, which isthmus_test() or isthmus_wait()
 *                         completes (below)
 *   isthmus_NAME_init     persistent: started by isthmus_start(), again and again
 * and each of these with _c at its end for counts of MPI_Count and displacements of MPI_Aint, as in MPI 4. What MPI
 * says of arguments, MPI_IN_PLACE, datatypes, operators and their order holds here. Like MPI's collectives they are
 * called by all ranks of a communicator in the same order, blocking and other forms alike, and initialisations as well;
 * persistent requests may be started in any order. They never meet messages or collectives of MPI's own on the same
 * communicator.
 *
 * gatherv, scatterv, alltoallv and alltoallw send every block straight to where it belongs, for which a rank's own
 * arguments are all that it has to know. To pass blocks on, ranks tell each other all counts first: in blocking calls,
 * where ISTHMUS_NETWORK is given and this saves a fifth of the time or more, up to 256 ranks (ISTHMUS_EFFORT messages,
 * one between any two). Whether it does shows at the second call of a collective on a communicator (of gatherv and
 * scatterv with a root in the same group), and again at the fourth, eighth ...: the counts are told in these calls in
 * any case. Where the network has ranks without a route to each other they are told in all calls, since others relay;
 * the persistent forms of these four then return when all ranks have called them.
 *
 * Results of reductions are the same to the last bit from call to call with the same plan and topology. Operators that
 * do not commute are applied in the order of ranks, whatever the groups are.
 *
 * Errors go to the communicator's error handler, as those of MPI calls do, and are returned if it returns:
 * MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ROOT, MPI_ERR_OP, MPI_ERR_BUFFER, MPI_ERR_ARG (MPI_IN_PLACE where
 * it must not be), MPI_ERR_TRUNCATE, MPI_ERR_REQUEST, what a failing MPI call gave, or a code of class MPI_ERR_OTHER
 * (over MPICH of an added class) whose MPI_Error_string() says what is wrong with the settings below, or why the plan
 * that they ask for cannot serve a call.
 *
 * Left to the MPI's own collectives: calls on intercommunicators; and, unless a plan is asked for, on communicators all
 * of whose ranks are in one group of the topology (one site, or one node where no network is given). _c forms are
 * served there all the same.
 *
 * Settings are environment variables of MPI_COMM_WORLD's rank 0 (of another rank 0 where a communicator has ranks of
 * another world), read when a collective is first called:
 *   ISTHMUS_NETWORK       a network JSON file (`isthmus platform --format json`, `isthmus calibrate`, `isthmus
 *                         discover`). Ranks are matched to its hosts by host name. Its object "settings" may hold the
 *                         other variables of this list in the form "broadcast": "magpie"; variables have precedence.
 *   ISTHMUS_CHANNELS      files of networks and channels, separated by colons: see isthmus_channel_comm().
 *   ISTHMUS_SITE_PATTERN  without a network: a regular expression whose first group is the site in a host's name. Left
 *                         out, the site is what follows the first dot of the name, else what comes before a number at
 *                         its end and the dash before that: delft of delft-07. Groups are the sites, and in them the
 *                         nodes, which are what shares memory; costs between sites are those of a wide area.
 *   ISTHMUS_TABLE         a decision table, as `isthmus tune -o` writes it.
 *   ISTHMUS_<COLLECTIVE>  the plan, as the command line writes it: ISTHMUS_BROADCAST=kielmann:segment=64Ki,
 *                         ISTHMUS_REDUCE_SCATTER_BLOCK=pairwise; or mpi, the MPI's own. A segment that is not a
 *                         multiple of a reduction's element is rounded down to one. Left out, the plan is that of the
 *                         table, else chosen by model for the network, when a size (to the nearest power of two) is
 *                         asked for first; see above for gatherv, scatterv, alltoallv and alltoallw. Where a plan is
 *                         asked for that passes on blocks, counts are told in each of their blocking calls.
 *   ISTHMUS_EFFORT        how many messages may be replayed to choose a plan; 64Ki if not set, less than a tenth of a
 *                         second; more than 64 ranks are chosen for on a small copy of the network, in about a
 *                         millisecond. 0: nothing is chosen, the multilevel algorithms serve.
 *   ISTHMUS_CHECK         seconds: ranks tell each other what they call, and the job ends with a line that names ranks
 *                         and calls when these differ or one does not come in that time.
 *   ISTHMUS_REORDER       of communicators with a topology that MPI lets be reordered: ranks; coordinates (ranks keep
 *                         their numbers and get other coordinates, under the drop-in); or no, left to the MPI.
 *   ISTHMUS_NEIGHBOURS    collectives among neighbours under the drop-in: chosen, mpi, direct or aggregated.
 *   ISTHMUS_TAG_LIMIT     the highest tag that calls may use, 1023 or more, where the MPI has more: for tests.
 * and of each process:
 *   ISTHMUS_HOST          the name of its host, where it is not the system's.
 * ISTHMUS_REPORT, ISTHMUS_LOG and ISTHMUS_DISCOVER (with _SECONDS and _CACHE: the network is measured when MPI is
 * initialised) are for programs under the drop-in.
 *
 * What is kept for a communicator is freed with it. Different threads may call on different communicators at the same
 * time.
 */
#ifndef ISTHMUS_H
#define ISTHMUS_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A call under way, or a persistent one.
 *
 * Any number may be under way on one communicator. They make progress in isthmus_test(), in isthmus_wait() and in the
 * blocking collectives that isthmus serves; not in calls of MPI, nor in collectives that are left to it: a rank that
 * others wait for should not stay long in those. Buffers, operators and the datatypes of reductions must stay until a
 * call has come to its end, or its persistent request is freed. Lists of counts, displacements and datatypes, other
 * datatypes, and the communicator may be freed when the call that starts it, or makes it persistent, has returned.
 *
 * The first call on a communicator waits for its other ranks, also to start a call or to make it persistent, where
 * nothing has prepared it: it was not made by one of MPI's blocking calls (but by MPI_Comm_idup), or it is the first _c
 * form on one whose other calls are left to the MPI. isthmus_comm_levels() prepares it for all but the last.
 *
 * Of the calls on a communicator at most 256 send and receive at a time, fewer where an MPI has few tags: a later one
 * begins when those so many before it have ended. Starting it does not wait for them. Persistent calls may be as many
 * as memory holds; each that is left to the MPI takes one of the MPI's communicators until it is freed.
 */
typedef struct isthmus_request_s* isthmus_request;
#define ISTHMUS_REQUEST_NULL ((isthmus_request)0)

/* Starts a persistent request that is not under way. */
int isthmus_start(isthmus_request* request);

/* Whether a call has come to its end (or nothing is under way): *flag is 1, and a request that is not persistent is
 * freed and becomes ISTHMUS_REQUEST_NULL. */
int isthmus_test(isthmus_request* request, int* flag);

/* Waits until the call has come to its end; then the request is freed as by isthmus_test(). */
int isthmus_wait(isthmus_request* request);

/* Frees a persistent request that is not under way; it becomes ISTHMUS_REQUEST_NULL. */
int isthmus_request_free(isthmus_request* request);

/* The topology of a communicator: level 0 is everybody, level 1 the sites, then machines, nodes ... Ranks may differ in
 * how deep they are.
 *
 * How many levels there are, at least 1. Collective where the communicator has not been used before. */
int isthmus_comm_levels(MPI_Comm comm, int* levels);

/* The ranks of the caller's group at a level, in their order; where it is not that deep, of its innermost group.
 * Collective; MPI_ERR_ARG for a level that there is not. */
int isthmus_comm_group(MPI_Comm comm, int level, MPI_Comm* group);

/* The ranks that speak for the groups of a level, in their order: of each group the lowest. MPI_COMM_NULL for the
 * others. Collective. */
int isthmus_comm_coordinators(MPI_Comm comm, int level, MPI_Comm* coordinators);

/* Channels (Aumage 2003): parts of the hosts that a program may treat as one network, from the files that
 * ISTHMUS_CHANNELS names (`isthmus channels FILE ...` shows them). Ranks are matched to hosts by host name. A channel's
 * communicator has the ranks on its hosts, in the order of MPI_COMM_WORLD; channels that are parts of a virtual one are
 * not seen. Where no network is given, collectives on a virtual channel send only inside its parts, and ranks on its
 * gateways relay.
 *
 * The first call of these three is collective over MPI_COMM_WORLD.
 *
 * The number of channels that the caller's host is in, or -1 after an error. Without ISTHMUS_CHANNELS there is one,
 * MPI_COMM_WORLD. */
int isthmus_channel_count(void);

/* The communicator of channel 0 ... count - 1, in the order of the file; an index may mean another channel on another
 * host. It belongs to isthmus and must not be freed. MPI_ERR_ARG for an index that there is not. */
int isthmus_channel_comm(int index, MPI_Comm* comm);

/* The index of MPI_COMM_WORLD's channel, or -1 after an error. */
int isthmus_channel_world(void);

/* MPI_Cart_create. With reorder the ranks are placed on the grid so that the fewest edges between neighbours cross
 * between sites, then between groups inside them. The result is a Cartesian communicator of the MPI beneath, whose
 * ranks MPI_Cart_rank, MPI_Cart_coords, MPI_Cart_shift and MPI_Cart_sub know; ISTHMUS_REORDER=coordinates has no effect
 * here. */
int isthmus_cart_create(MPI_Comm comm, int dimensions, const int sizes[], const int periodic[], int reorder,
                        MPI_Comm* cart);

/* MPI_Bcast */
int isthmus_broadcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int isthmus_broadcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm);
int isthmus_ibroadcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                       isthmus_request* request);
int isthmus_ibroadcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
                         isthmus_request* request);
int isthmus_broadcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                           isthmus_request* request);
int isthmus_broadcast_init_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
                             isthmus_request* request);

/* MPI_Reduce */
int isthmus_reduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, int root,
                   MPI_Comm comm);
int isthmus_reduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                     MPI_Comm comm);
int isthmus_ireduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, int root,
                    MPI_Comm comm, isthmus_request* request);
int isthmus_ireduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                      MPI_Comm comm, isthmus_request* request);
int isthmus_reduce_init(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, int root,
                        MPI_Comm comm, isthmus_request* request);
int isthmus_reduce_init_c(const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                          MPI_Comm comm, isthmus_request* request);

/* MPI_Allreduce */
int isthmus_allreduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int isthmus_allreduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm);
int isthmus_iallreduce(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                       isthmus_request* request);
int isthmus_iallreduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm, isthmus_request* request);
int isthmus_allreduce_init(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                           isthmus_request* request);
int isthmus_allreduce_init_c(const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm, isthmus_request* request);

/* MPI_Gather */
int isthmus_gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                   MPI_Datatype receive_type, int root, MPI_Comm comm);
int isthmus_gather_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                     MPI_Count receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm);
int isthmus_igather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                    MPI_Datatype receive_type, int root, MPI_Comm comm, isthmus_request* request);
int isthmus_igather_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                      MPI_Count receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                      isthmus_request* request);
int isthmus_gather_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                        MPI_Datatype receive_type, int root, MPI_Comm comm, isthmus_request* request);
int isthmus_gather_init_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                          MPI_Count receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                          isthmus_request* request);

/* MPI_Gatherv */
int isthmus_gatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive, const int receive_counts[],
                    const int displacements[], MPI_Datatype receive_type, int root, MPI_Comm comm);
int isthmus_gatherv_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                      const MPI_Count receive_counts[], const MPI_Aint displacements[], MPI_Datatype receive_type,
                      int root, MPI_Comm comm);
int isthmus_igatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                     const int receive_counts[], const int displacements[], MPI_Datatype receive_type, int root,
                     MPI_Comm comm, isthmus_request* request);
int isthmus_igatherv_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                       const MPI_Count receive_counts[], const MPI_Aint displacements[], MPI_Datatype receive_type,
                       int root, MPI_Comm comm, isthmus_request* request);
int isthmus_gatherv_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                         const int receive_counts[], const int displacements[], MPI_Datatype receive_type, int root,
                         MPI_Comm comm, isthmus_request* request);
int isthmus_gatherv_init_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                           const MPI_Count receive_counts[], const MPI_Aint displacements[], MPI_Datatype receive_type,
                           int root, MPI_Comm comm, isthmus_request* request);

/* MPI_Scatter */
int isthmus_scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                    MPI_Datatype receive_type, int root, MPI_Comm comm);
int isthmus_scatter_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                      MPI_Count receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm);
int isthmus_iscatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                     MPI_Datatype receive_type, int root, MPI_Comm comm, isthmus_request* request);
int isthmus_iscatter_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                       MPI_Count receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                       isthmus_request* request);
int isthmus_scatter_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                         MPI_Datatype receive_type, int root, MPI_Comm comm, isthmus_request* request);
int isthmus_scatter_init_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                           MPI_Count receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                           isthmus_request* request);

/* MPI_Scatterv */
int isthmus_scatterv(const void* send, const int send_counts[], const int displacements[], MPI_Datatype send_type,
                     void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm);
int isthmus_scatterv_c(const void* send, const MPI_Count send_counts[], const MPI_Aint displacements[],
                       MPI_Datatype send_type, void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                       int root, MPI_Comm comm);
int isthmus_iscatterv(const void* send, const int send_counts[], const int displacements[], MPI_Datatype send_type,
                      void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                      isthmus_request* request);
int isthmus_iscatterv_c(const void* send, const MPI_Count send_counts[], const MPI_Aint displacements[],
                        MPI_Datatype send_type, void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                        int root, MPI_Comm comm, isthmus_request* request);
int isthmus_scatterv_init(const void* send, const int send_counts[], const int displacements[], MPI_Datatype send_type,
                          void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                          isthmus_request* request);
int isthmus_scatterv_init_c(const void* send, const MPI_Count send_counts[], const MPI_Aint displacements[],
                            MPI_Datatype send_type, void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                            int root, MPI_Comm comm, isthmus_request* request);

/* MPI_Allgather */
int isthmus_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                      MPI_Datatype receive_type, MPI_Comm comm);
int isthmus_allgather_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                        MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm);
int isthmus_iallgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                       MPI_Datatype receive_type, MPI_Comm comm, isthmus_request* request);
int isthmus_iallgather_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                         MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm, isthmus_request* request);
int isthmus_allgather_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                           MPI_Datatype receive_type, MPI_Comm comm, isthmus_request* request);
int isthmus_allgather_init_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                             MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                             isthmus_request* request);

/* MPI_Allgatherv */
int isthmus_allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                       const int receive_counts[], const int displacements[], MPI_Datatype receive_type, MPI_Comm comm);
int isthmus_allgatherv_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                         const MPI_Count receive_counts[], const MPI_Aint displacements[], MPI_Datatype receive_type,
                         MPI_Comm comm);
int isthmus_iallgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        const int receive_counts[], const int displacements[], MPI_Datatype receive_type, MPI_Comm comm,
                        isthmus_request* request);
int isthmus_iallgatherv_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                          const MPI_Count receive_counts[], const MPI_Aint displacements[], MPI_Datatype receive_type,
                          MPI_Comm comm, isthmus_request* request);
int isthmus_allgatherv_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                            const int receive_counts[], const int displacements[], MPI_Datatype receive_type,
                            MPI_Comm comm, isthmus_request* request);
int isthmus_allgatherv_init_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                              const MPI_Count receive_counts[], const MPI_Aint displacements[],
                              MPI_Datatype receive_type, MPI_Comm comm, isthmus_request* request);

/* MPI_Alltoall */
int isthmus_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                     MPI_Datatype receive_type, MPI_Comm comm);
int isthmus_alltoall_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                       MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm);
int isthmus_ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                      MPI_Datatype receive_type, MPI_Comm comm, isthmus_request* request);
int isthmus_ialltoall_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                        MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm, isthmus_request* request);
int isthmus_alltoall_init(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                          MPI_Datatype receive_type, MPI_Comm comm, isthmus_request* request);
int isthmus_alltoall_init_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                            MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                            isthmus_request* request);

/* MPI_Alltoallv */
int isthmus_alltoallv(const void* send, const int send_counts[], const int send_displacements[], MPI_Datatype send_type,
                      void* receive, const int receive_counts[], const int receive_displacements[],
                      MPI_Datatype receive_type, MPI_Comm comm);
int isthmus_alltoallv_c(const void* send, const MPI_Count send_counts[], const MPI_Aint send_displacements[],
                        MPI_Datatype send_type, void* receive, const MPI_Count receive_counts[],
                        const MPI_Aint receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm);
int isthmus_ialltoallv(const void* send, const int send_counts[], const int send_displacements[],
                       MPI_Datatype send_type, void* receive, const int receive_counts[],
                       const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm,
                       isthmus_request* request);
int isthmus_ialltoallv_c(const void* send, const MPI_Count send_counts[], const MPI_Aint send_displacements[],
                         MPI_Datatype send_type, void* receive, const MPI_Count receive_counts[],
                         const MPI_Aint receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm,
                         isthmus_request* request);
int isthmus_alltoallv_init(const void* send, const int send_counts[], const int send_displacements[],
                           MPI_Datatype send_type, void* receive, const int receive_counts[],
                           const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm,
                           isthmus_request* request);
int isthmus_alltoallv_init_c(const void* send, const MPI_Count send_counts[], const MPI_Aint send_displacements[],
                             MPI_Datatype send_type, void* receive, const MPI_Count receive_counts[],
                             const MPI_Aint receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm,
                             isthmus_request* request);

/* MPI_Alltoallw */
int isthmus_alltoallw(const void* send, const int send_counts[], const int send_displacements[],
                      const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                      const int receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm);
int isthmus_alltoallw_c(const void* send, const MPI_Count send_counts[], const MPI_Aint send_displacements[],
                        const MPI_Datatype send_types[], void* receive, const MPI_Count receive_counts[],
                        const MPI_Aint receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm);
int isthmus_ialltoallw(const void* send, const int send_counts[], const int send_displacements[],
                       const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                       const int receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm,
                       isthmus_request* request);
int isthmus_ialltoallw_c(const void* send, const MPI_Count send_counts[], const MPI_Aint send_displacements[],
                         const MPI_Datatype send_types[], void* receive, const MPI_Count receive_counts[],
                         const MPI_Aint receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm,
                         isthmus_request* request);
int isthmus_alltoallw_init(const void* send, const int send_counts[], const int send_displacements[],
                           const MPI_Datatype send_types[], void* receive, const int receive_counts[],
                           const int receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm,
                           isthmus_request* request);
int isthmus_alltoallw_init_c(const void* send, const MPI_Count send_counts[], const MPI_Aint send_displacements[],
                             const MPI_Datatype send_types[], void* receive, const MPI_Count receive_counts[],
                             const MPI_Aint receive_displacements[], const MPI_Datatype receive_types[], MPI_Comm comm,
                             isthmus_request* request);

/* MPI_Reduce_scatter */
int isthmus_reduce_scatter(const void* send, void* receive, const int receive_counts[], MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm);
int isthmus_reduce_scatter_c(const void* send, void* receive, const MPI_Count receive_counts[], MPI_Datatype datatype,
                             MPI_Op op, MPI_Comm comm);
int isthmus_ireduce_scatter(const void* send, void* receive, const int receive_counts[], MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm, isthmus_request* request);
int isthmus_ireduce_scatter_c(const void* send, void* receive, const MPI_Count receive_counts[], MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm, isthmus_request* request);
int isthmus_reduce_scatter_init(const void* send, void* receive, const int receive_counts[], MPI_Datatype datatype,
                                MPI_Op op, MPI_Comm comm, isthmus_request* request);
int isthmus_reduce_scatter_init_c(const void* send, void* receive, const MPI_Count receive_counts[],
                                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, isthmus_request* request);

/* MPI_Reduce_scatter_block */
int isthmus_reduce_scatter_block(const void* send, void* receive, int receive_count, MPI_Datatype datatype, MPI_Op op,
                                 MPI_Comm comm);
int isthmus_reduce_scatter_block_c(const void* send, void* receive, MPI_Count receive_count, MPI_Datatype datatype,
                                   MPI_Op op, MPI_Comm comm);
int isthmus_ireduce_scatter_block(const void* send, void* receive, int receive_count, MPI_Datatype datatype, MPI_Op op,
                                  MPI_Comm comm, isthmus_request* request);
int isthmus_ireduce_scatter_block_c(const void* send, void* receive, MPI_Count receive_count, MPI_Datatype datatype,
                                    MPI_Op op, MPI_Comm comm, isthmus_request* request);
int isthmus_reduce_scatter_block_init(const void* send, void* receive, int receive_count, MPI_Datatype datatype,
                                      MPI_Op op, MPI_Comm comm, isthmus_request* request);
int isthmus_reduce_scatter_block_init_c(const void* send, void* receive, MPI_Count receive_count, MPI_Datatype datatype,
                                        MPI_Op op, MPI_Comm comm, isthmus_request* request);

/* MPI_Scan */
int isthmus_scan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int isthmus_scan_c(const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int isthmus_iscan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                  isthmus_request* request);
int isthmus_iscan_c(const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    isthmus_request* request);
int isthmus_scan_init(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                      isthmus_request* request);
int isthmus_scan_init_c(const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm, isthmus_request* request);

/* MPI_Exscan */
int isthmus_exscan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int isthmus_exscan_c(const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int isthmus_iexscan(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    isthmus_request* request);
int isthmus_iexscan_c(const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                      isthmus_request* request);
int isthmus_exscan_init(const void* send, void* receive, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                        isthmus_request* request);
int isthmus_exscan_init_c(const void* send, void* receive, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                          MPI_Comm comm, isthmus_request* request);

/* MPI_Barrier */
int isthmus_barrier(MPI_Comm comm);
int isthmus_ibarrier(MPI_Comm comm, isthmus_request* request);
int isthmus_barrier_init(MPI_Comm comm, isthmus_request* request);

#ifdef __cplusplus
}
#endif

#endif
