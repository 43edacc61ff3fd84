#include "algorithms/mpi/drop_in/dispatch.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "algorithms/mpi/drop_in/lost_peers.hpp"
#include "algorithms/mpi/drop_in/report.hpp"
#include "algorithms/mpi/drop_in/session.hpp"
#include "algorithms/mpi/drop_in/session_alone.hpp"
#include "algorithms/mpi/executor/element_type.hpp"
#include "algorithms/mpi/library/coordinates.hpp"
#include "algorithms/mpi/library/dispatch.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {
namespace {

// Of a call that has been found right: handles that are none would raise an error on MPI_COMM_WORLD.
void enter_bytes(ReportEntry& entry, const CollectiveCall& call) {
  if (!entry.counts() || (call.among_neighbours && call.neighbours == nullptr)) return;
  int inter = 0;
  int size = 0;
  PMPI_Comm_test_inter(call.comm, &inter);
  PMPI_Comm_size(call.comm, &size);
  if (inter == 0 && check_arguments(call, 0, size) == MPI_SUCCESS) entry.set_bytes(bytes_of_call(call, 0, size));
}

// Whether the MPI beneath would exchange data with other neighbours than those that the program knows.
bool has_other_neighbours_beneath(const CollectiveCall& call) {
  return call.among_neighbours && permuted_grid(call.comm) != nullptr;
}

// From here on calls on the communicator pass through unchecked, if no report is asked for. Where messages are
// forwarded a call has to end when the last gateway is lost.
void pass_through_where_possible(const Session& session, const CommAttributes& attributes, MPI_Comm comm) {
  if (!session.world->settings.report.empty() || attributes.call_order_check != nullptr) return;
  if (permuted_grid(comm) != nullptr || forwarding() != nullptr) return;
  if (attributes.state == nullptr || attributes.state->leaves_all_to_mpi()) pass_through.add(comm);
}

std::string refusal_of_plan(const CallDecision& decision) {
  return std::string(text(PassThroughReason::plan)) + ": " + decision.ready->refusal;
}

std::string words(const CollectiveCall& call, int rank, int size, bool blocks) {
  std::string text = (blocks ? "" : "non-blocking ") + std::string(name_of(call));
  if (call.among_neighbours) return text;  // a rank without neighbours may give any size
  if (check_arguments(call, rank, size) != MPI_SUCCESS) return text;
  if (carries_data(call.collective) && !has_counts(call.collective))
    text += " of " + std::to_string(bytes_of_call(call, rank, size)) + " bytes";
  if (has_root(call.collective)) text += " with root " + std::to_string(call.root);
  return text;
}

// Writes a log line at the first use of a plan.
void log(const Session& session, const CommState& state, const CollectiveCall& call, const CallDecision& decision,
         bool blocks) {
  const std::string& to = session.world->settings.log;
  if (to.empty() || decision.ready == nullptr || decision.ready->logged || state.rank() != 0) return;
  decision.ready->logged = true;
  std::string text =
      "isthmus: " + words(call, 0, state.size(), true) + ", " + std::to_string(state.size()) + " ranks: ";
  text += decision.pass_through_reason ? "MPI: " + refusal_of_plan(decision) : plan_text(*decision.ready, blocks);
  if (!decision.pass_through_reason && decision.ready->predicted_s >= 0)
    text += ", predicted " + std::to_string(decision.ready->predicted_s) + " s";
  tell(text + "\n", to);
}

void agree(const CommAttributes& attributes, const CollectiveCall& call, bool blocks) {
  if (attributes.call_order_check != nullptr)
    attributes.call_order_check->join(words(call, attributes.state->rank(), attributes.state->size(), blocks), blocks);
}

// The attributes of a communicator; null if there are none and none may be attached, or if the handle is invalid, which
// the MPI beneath reports.
std::optional<CommAttributes*> attachment(const CollectiveCall& call, bool may_attach) {
  if (call.comm == MPI_COMM_NULL) return std::nullopt;
  try {
    CommAttributes* const before = attributes_before(call.comm);
    if (!may_attach || is_left_to_mpi(call.comm)) return before;
    if (before == nullptr && has_other_ranks(call.comm)) {
      leave_to_mpi(call.comm);
      return nullptr;
    }
    if (call.among_neighbours) return &attributes_with_neighbours(call.comm);
    return before == nullptr ? &attributes_of(call.comm) : before;
  } catch (const MpiError&) {
    return std::nullopt;
  }
}

const char* why_nothing_is_attached(MPI_Comm comm) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter != 0) return text(PassThroughReason::intercommunicator).data();
  if (has_other_ranks(comm)) return "has ranks outside MPI_COMM_WORLD";
  if (is_left_to_mpi(comm)) return text(PassThroughReason::group_among_threads).data();
  return may_be_served(comm) ? "the first call on its communicator, which should not wait for others"
                             : text(PassThroughReason::one_site).data();
}

// Calls `run` if isthmus serves the call, else `mpi`, the same call of the MPI beneath, which is counted with the
// reason.
template <typename Run, typename Mpi>
int carry_out(Session& session, CollectiveCall& call, bool blocks, Run run, Mpi mpi) {
  const std::optional<CommAttributes*> found = attachment(call, blocks);
  if (!found) return has_other_neighbours_beneath(call) ? refuse_permuted(call.comm) : mpi();
  if (call.among_neighbours && *found != nullptr && (*found)->state != nullptr)
    call.neighbours = (*found)->state->neighbours().get();
  ReportEntry entry(asked_report(), name_of(call), call.comm);
  const auto beneath = [&](std::string_view why) {
    if (has_other_neighbours_beneath(call)) return refuse_permuted(call.comm);
    const int code = mpi();
    if (code == MPI_SUCCESS) enter_bytes(entry, call);
    if (entry.counts()) entry.end_beneath(why);
    return code;
  };
  const CommAttributes* const attributes = *found;
  if (attributes == nullptr) return beneath(entry.counts() ? why_nothing_is_attached(call.comm) : "");
  agree(*attributes, call, blocks);
  if (!blocks && !session.generalized_requests.possible() && !pass_through_reason(call, *attributes))
    return beneath("this MPI lets no other non-blocking calls make progress");

  const DispatchResult result = dispatch(call, *attributes, [&](const auto& state, const CallDecision& decision) {
    log(session, *state, call, decision, blocks);
    enter_bytes(entry, call);
    if (decision.ready != nullptr) entry.predict(decision.ready->predicted_s);
    run(state, decision, entry);
  });
  if (!result.passed) return result.code;
  if (*result.passed == PassThroughReason::no_gain) return beneath(text(*result.passed));
  if (*result.passed == PassThroughReason::plan) {
    log(session, *attributes->state, call, result.decision, blocks);
    return beneath(refusal_of_plan(result.decision));
  }
  if (blocks) pass_through_where_possible(session, *attributes, call.comm);
  return beneath(text(*result.passed));
}

// Of a program that has not called MPI_Init.
template <typename Mpi>
int carry_out_alone(const CollectiveCall& call, Mpi mpi) {
  Report* const report = report_alone();
  if (report == nullptr || call.comm == MPI_COMM_NULL) return mpi();
  return contained(call.comm, [&] {
    ReportEntry entry(report, name_of(call), call.comm);
    const int code = mpi();
    if (code == MPI_SUCCESS) enter_bytes(entry, call);
    if (entry.counts()) entry.end_beneath("the program has not called MPI_Init");
    return code;
  });
}

// The MPI refuses to free one.
bool is_predefined_op(MPI_Op op) {
  const auto all = {MPI_MAX, MPI_MIN,  MPI_SUM,  MPI_PROD,   MPI_LAND,   MPI_BAND,    MPI_LOR,
                    MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP};
  return std::find(all.begin(), all.end(), op) != all.end();
}

}  // namespace

int dispatch_blocking(const CollectiveCall& asked) {
  const EndsWithLoss guard;
  CollectiveCall call = asked;
  call.blocking = true;
  const auto mpi = [&] { return call_mpi(call); };
  Session* const here = session();
  if (here == nullptr) return carry_out_alone(call, mpi);
  if (pass_through.has(call.comm)) return mpi();
  const auto run = [&](const auto& state, const CallDecision& decision, const ReportEntry& entry) {
    state->run(call, decision);
    if (entry.counts()) entry.end(plan_text(*decision.ready, true));
  };
  return contained(call.comm, [&] { return carry_out(*here, call, true, run, mpi); });
}

int dispatch_nonblocking(const CollectiveCall& asked, MPI_Request* request) {
  CollectiveCall call = asked;
  call.started = true;
  const auto mpi = [&] { return call_mpi(call, request); };
  Session* const here = session();
  if (here == nullptr) return carry_out_alone(call, mpi);
  if (pass_through.has(call.comm)) return mpi();
  if (request == nullptr) return guarded(call.comm, [] { return MPI_ERR_ARG; });
  const auto run = [&](const auto& state, const CallDecision& decision, const ReportEntry& entry) {
    std::function<void()> ended = [] {};
    if (entry.counts() && decision.ready != nullptr)
      ended = [entry, plan = plan_text(*decision.ready, false)] { entry.end(plan); };
    if (entry.counts() && decision.exchange != nullptr)
      ended = [entry, exchange = decision.exchange] {
        entry.end(exchange->ready != nullptr ? plan_text(*exchange->ready, false) : "counts that differ");
      };
    *request = here->generalized_requests.start(state, call, decision, std::move(ended));
  };
  return contained(call.comm, [&] { return carry_out(*here, call, false, run, mpi); });
}

int free_op(MPI_Op* op) {
  Session* const here = session();
  if (here == nullptr || op == nullptr || is_predefined_op(*op) || !here->generalized_requests.need_op(*op))
    return PMPI_Op_free(op);
  return contained(MPI_COMM_WORLD, [&] {
    here->generalized_requests.when_these_have_ended([kept = *op]() mutable { PMPI_Op_free(&kept); });
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
  });
}

int free_type(MPI_Datatype* datatype) {
  Session* const here = session();
  return contained(MPI_COMM_WORLD, [&] {
    if (here == nullptr || datatype == nullptr || !here->generalized_requests.need_type(*datatype) ||
        is_predefined(*datatype))
      return PMPI_Type_free(datatype);
    here->generalized_requests.when_these_have_ended([kept = *datatype]() mutable { PMPI_Type_free(&kept); });
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
  });
}

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
