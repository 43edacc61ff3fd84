#include "algorithms/mpi/drop_in/dispatch.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "algorithms/mpi/drop_in/report_entry.hpp"
#include "algorithms/mpi/drop_in/session.hpp"

namespace isthmus {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace drop_in {
namespace {

ReportEntry entry_of(Session& session, const CollectiveCall& call) {
  ReportEntry entry(session, name(call.collective), call.comm);
  if (!entry.counts()) return entry;
  int inter = 0;
  int size = 0;
  PMPI_Comm_test_inter(call.comm, &inter);
  PMPI_Comm_size(call.comm, &size);
  if (inter == 0 && check_arguments(call, 0, size) == MPI_SUCCESS) entry.set_bytes(bytes_of_call(call, 0, size));
  return entry;
}

// Why a call is left to the MPI beneath; null where isthmus is to answer it.
const char* pass_through_reason(const CollectiveCall& call, const CommAttributes& attributes) {
  if (attributes.failure != MPI_SUCCESS) return "its communicator could not be made ready";
  if (attributes.state == nullptr) return text(PassThroughReason::intercommunicator).data();
  const std::optional<PassThroughReason> why = attributes.state->left_to_mpi(call);
  return why ? text(*why).data() : nullptr;
}

// From here on the communicator's calls need not be looked at, where nobody wants to know of them either.
void pass_through_where_possible(const Session& session, const CommAttributes& attributes, MPI_Comm comm) {
  if (!session.world->settings.report.empty() || attributes.call_order_check != nullptr) return;
  if (attributes.state == nullptr || attributes.state->leaves_all_to_mpi()) pass_through.add(comm);
}

std::string pass_through_reason(const CallDecision& answer) {
  return std::string(text(*answer.pass_through_reason)) + ": " + answer.ready->refusal;
}

std::string words(const CollectiveCall& call, int rank, int size, bool blocks) {
  std::string text = (blocks ? "" : "non-blocking ") + std::string(name(call.collective));
  if (check_arguments(call, rank, size) != MPI_SUCCESS) return text;
  if (call.collective != Collective::barrier && !has_counts(call.collective))
    text += " of " + std::to_string(bytes_of_call(call, rank, size)) + " bytes";
  if (has_root(call.collective)) text += " with root " + std::to_string(call.root);
  return text;
}

// A line when a plan is used first.
void log(const Session& session, const CommState& state, const CollectiveCall& call, const CallDecision& answer) {
  const std::string& to = session.world->settings.log;
  if (to.empty() || answer.error != MPI_SUCCESS || answer.ready->told || state.rank() != 0) return;
  answer.ready->told = true;
  std::string text =
      "isthmus: " + words(call, 0, state.size(), true) + ", " + std::to_string(state.size()) + " ranks: ";
  text += answer.pass_through_reason ? "MPI: " + pass_through_reason(answer) : to_string(answer.ready->plan);
  if (!answer.pass_through_reason && answer.ready->predicted_s >= 0)
    text += ", predicted " + std::to_string(answer.ready->predicted_s) + " s";
  tell(text + "\n", to);
}

void agree(const CommAttributes& attributes, const CollectiveCall& call, bool blocks) {
  if (attributes.call_order_check != nullptr)
    attributes.call_order_check->join(words(call, attributes.state->rank(), attributes.state->size(), blocks), blocks);
}

// What is attached to a communicator, which may be nothing where nothing may be attached. Not even that where it is no
// communicator: the MPI beneath has errors of its own to tell of that.
std::optional<CommAttributes*> attachment(MPI_Comm comm, bool may_attach) {
  if (comm == MPI_COMM_NULL) return std::nullopt;
  try {
    CommAttributes* const before = attributes_before(comm);
    return before == nullptr && may_attach && !is_left_to_mpi(comm) ? &attributes_of(comm) : before;
  } catch (const MpiError&) {
    return std::nullopt;
  }
}

const char* why_nothing_is_attached(MPI_Comm comm) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter != 0) return text(PassThroughReason::intercommunicator).data();
  if (is_left_to_mpi(comm)) return text(PassThroughReason::group_among_threads).data();
  return may_be_served(comm) ? "the first call on its communicator, which should not wait for others"
                             : text(PassThroughReason::one_site).data();
}

int beneath(const CollectiveCall& call, const ReportEntry& entry, std::string_view why) {
  const int code = call_mpi(call);
  if (entry.counts()) entry.end("MPI: " + std::string(why));
  return code;
}
int beneath(const CollectiveCall& call, MPI_Request* request, const ReportEntry& entry, std::string_view why) {
  const int code = call_mpi(call, request);
  if (entry.counts()) entry.end("MPI: " + std::string(why));
  return code;
}

}  // namespace

int dispatch_blocking(const CollectiveCall& call) {
  if (pass_through.has(call.comm)) return call_mpi(call);
  Session* const here = session();
  if (here == nullptr) return call_mpi(call);
  const std::optional<CommAttributes*> found = attachment(call.comm, true);
  if (!found) return call_mpi(call);
  ReportEntry entry = entry_of(*here, call);
  const CommAttributes* const attributes = *found;
  if (attributes == nullptr) return beneath(call, entry, entry.counts() ? why_nothing_is_attached(call.comm) : "");
  agree(*attributes, call, true);
  if (const char* why = pass_through_reason(call, *attributes); why != nullptr) {
    pass_through_where_possible(*here, *attributes, call.comm);
    return beneath(call, entry, why);
  }
  CallDecision answer;
  const int code = guarded(call.comm, [&] {
    answer = attributes->state->answer(call);
    log(*here, *attributes->state, call, answer);
    if (answer.error == MPI_SUCCESS && !answer.pass_through_reason) attributes->state->run(call, answer);
    return answer.error;
  });
  if (answer.pass_through_reason) return beneath(call, entry, pass_through_reason(answer));
  if (entry.counts() && code == MPI_SUCCESS) {
    entry.predict(answer.ready->predicted_s);
    entry.end(to_string(answer.ready->plan));
  }
  return code;
}

int dispatch_nonblocking(const CollectiveCall& call, MPI_Request* request) {
  if (pass_through.has(call.comm)) return call_mpi(call, request);
  Session* const here = session();
  if (here == nullptr || request == nullptr) return call_mpi(call, request);
  const std::optional<CommAttributes*> found = attachment(call.comm, false);
  if (!found) return call_mpi(call, request);
  ReportEntry entry = entry_of(*here, call);
  const CommAttributes* const attributes = *found;
  if (attributes == nullptr)
    return beneath(call, request, entry, entry.counts() ? why_nothing_is_attached(call.comm) : "");
  agree(*attributes, call, false);
  if (const char* why = pass_through_reason(call, *attributes); why != nullptr)
    return beneath(call, request, entry, why);
  if (!here->generalized_requests.possible())
    return beneath(call, request, entry, "this MPI lets no other non-blocking calls make progress");
  CallDecision answer;
  const int code = guarded(call.comm, [&] {
    answer = attributes->state->answer(call);
    log(*here, *attributes->state, call, answer);
    if (answer.error != MPI_SUCCESS || answer.pass_through_reason) return answer.error;
    std::function<void()> ended = [] {};
    if (entry.counts()) {
      entry.predict(answer.ready->predicted_s);
      ended = [entry, plan = to_string(answer.ready->plan)] { entry.end(plan); };
    }
    *request = here->generalized_requests.start(attributes->state, call, answer, std::move(ended));
    return MPI_SUCCESS;
  });
  if (answer.pass_through_reason) return beneath(call, request, entry, pass_through_reason(answer));
  return code;
}

int free_op(MPI_Op* op) {
  Session* const here = session();
  if (here == nullptr || op == nullptr || here->generalized_requests.empty()) return PMPI_Op_free(op);
  here->generalized_requests.when_these_have_ended([kept = *op]() mutable { PMPI_Op_free(&kept); });
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

int free_type(MPI_Datatype* datatype) {
  Session* const here = session();
  if (here == nullptr || datatype == nullptr || here->generalized_requests.empty()) return PMPI_Type_free(datatype);
  here->generalized_requests.when_these_have_ended([kept = *datatype]() mutable { PMPI_Type_free(&kept); });
  *datatype = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
