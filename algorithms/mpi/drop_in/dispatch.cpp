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

Entry entry_of(Session& session, const CollectiveCall& call) {
  Entry entry(session, name(call.collective), call.comm);
  if (!entry.counts()) return entry;
  int inter = 0;
  int size = 0;
  PMPI_Comm_test_inter(call.comm, &inter);
  PMPI_Comm_size(call.comm, &size);
  if (inter == 0 && check_arguments(call, 0, size) == MPI_SUCCESS) entry.set_bytes(bytes_of_call(call, 0, size));
  return entry;
}

// Why a call is left to the MPI beneath; null where isthmus is to answer it.
const char* left_because(const CollectiveCall& call, const Attached& attached) {
  if (attached.failure != MPI_SUCCESS) return "its communicator could not be made ready";
  if (attached.state == nullptr) return text(Unserved::intercommunicator).data();
  const std::optional<Unserved> why = attached.state->left_to_mpi(call);
  return why ? text(*why).data() : nullptr;
}

// From here on the communicator's calls need not be looked at, where nobody wants to know of them either.
void leave_alone_where_possible(const Session& session, const Attached& attached, MPI_Comm comm) {
  if (!session.world->settings.report.empty() || attached.agreement != nullptr) return;
  if (attached.state == nullptr || attached.state->leaves_all_to_mpi()) left_alone.add(comm);
}

std::string left_because(const Answer& answer) {
  return std::string(text(*answer.unserved)) + ": " + answer.ready->refusal;
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
void log(const Session& session, const CommState& state, const CollectiveCall& call, const Answer& answer) {
  const std::string& to = session.world->settings.log;
  if (to.empty() || answer.error != MPI_SUCCESS || answer.ready->told || state.rank() != 0) return;
  answer.ready->told = true;
  std::string text =
      "isthmus: " + words(call, 0, state.size(), true) + ", " + std::to_string(state.size()) + " ranks: ";
  text += answer.unserved ? "MPI: " + left_because(answer) : to_string(answer.ready->plan);
  if (!answer.unserved && answer.ready->predicted_s >= 0)
    text += ", predicted " + std::to_string(answer.ready->predicted_s) + " s";
  tell(text + "\n", to);
}

void agree(const Attached& attached, const CollectiveCall& call, bool blocks) {
  if (attached.agreement != nullptr)
    attached.agreement->join(words(call, attached.state->rank(), attached.state->size(), blocks), blocks);
}

// What is attached to a communicator, which may be nothing where nothing may be attached. Not even that where it is no
// communicator: the MPI beneath has errors of its own to tell of that.
std::optional<Attached*> attachment(MPI_Comm comm, bool may_attach) {
  if (comm == MPI_COMM_NULL) return std::nullopt;
  try {
    Attached* const before = attached_before(comm);
    return before == nullptr && may_attach && !is_left_to_mpi(comm) ? &attached_to(comm) : before;
  } catch (const MpiError&) {
    return std::nullopt;
  }
}

const char* why_nothing_is_attached(MPI_Comm comm) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter != 0) return text(Unserved::intercommunicator).data();
  if (is_left_to_mpi(comm)) return text(Unserved::group_among_threads).data();
  return may_be_served(comm) ? "the first call on its communicator, which should not wait for others"
                             : text(Unserved::one_site).data();
}

int beneath(const CollectiveCall& call, const Entry& entry, std::string_view why) {
  const int code = call_mpi(call);
  if (entry.counts()) entry.end("MPI: " + std::string(why));
  return code;
}
int beneath(const CollectiveCall& call, MPI_Request* request, const Entry& entry, std::string_view why) {
  const int code = call_mpi(call, request);
  if (entry.counts()) entry.end("MPI: " + std::string(why));
  return code;
}

}  // namespace

int blocking(const CollectiveCall& call) {
  if (left_alone.has(call.comm)) return call_mpi(call);
  Session* const here = session();
  if (here == nullptr) return call_mpi(call);
  const std::optional<Attached*> found = attachment(call.comm, true);
  if (!found) return call_mpi(call);
  Entry entry = entry_of(*here, call);
  const Attached* const attached = *found;
  if (attached == nullptr) return beneath(call, entry, entry.counts() ? why_nothing_is_attached(call.comm) : "");
  agree(*attached, call, true);
  if (const char* why = left_because(call, *attached); why != nullptr) {
    leave_alone_where_possible(*here, *attached, call.comm);
    return beneath(call, entry, why);
  }
  Answer answer;
  const int code = guarded(call.comm, [&] {
    answer = attached->state->answer(call);
    log(*here, *attached->state, call, answer);
    if (answer.error == MPI_SUCCESS && !answer.unserved) attached->state->run(call, answer);
    return answer.error;
  });
  if (answer.unserved) return beneath(call, entry, left_because(answer));
  if (entry.counts() && code == MPI_SUCCESS) {
    entry.predict(answer.ready->predicted_s);
    entry.end(to_string(answer.ready->plan));
  }
  return code;
}

int started(const CollectiveCall& call, MPI_Request* request) {
  if (left_alone.has(call.comm)) return call_mpi(call, request);
  Session* const here = session();
  if (here == nullptr || request == nullptr) return call_mpi(call, request);
  const std::optional<Attached*> found = attachment(call.comm, false);
  if (!found) return call_mpi(call, request);
  Entry entry = entry_of(*here, call);
  const Attached* const attached = *found;
  if (attached == nullptr)
    return beneath(call, request, entry, entry.counts() ? why_nothing_is_attached(call.comm) : "");
  agree(*attached, call, false);
  if (const char* why = left_because(call, *attached); why != nullptr) return beneath(call, request, entry, why);
  if (!here->under_way.possible())
    return beneath(call, request, entry, "this MPI lets no other non-blocking calls make progress");
  Answer answer;
  const int code = guarded(call.comm, [&] {
    answer = attached->state->answer(call);
    log(*here, *attached->state, call, answer);
    if (answer.error != MPI_SUCCESS || answer.unserved) return answer.error;
    std::function<void()> ended = [] {};
    if (entry.counts()) {
      entry.predict(answer.ready->predicted_s);
      ended = [entry, plan = to_string(answer.ready->plan)] { entry.end(plan); };
    }
    *request = here->under_way.start(attached->state, call, answer, std::move(ended));
    return MPI_SUCCESS;
  });
  if (answer.unserved) return beneath(call, request, entry, left_because(answer));
  return code;
}

int free_op(MPI_Op* op) {
  Session* const here = session();
  if (here == nullptr || op == nullptr || here->under_way.empty()) return PMPI_Op_free(op);
  here->under_way.when_these_have_ended([kept = *op]() mutable { PMPI_Op_free(&kept); });
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

int free_type(MPI_Datatype* datatype) {
  Session* const here = session();
  if (here == nullptr || datatype == nullptr || here->under_way.empty()) return PMPI_Type_free(datatype);
  here->under_way.when_these_have_ended([kept = *datatype]() mutable { PMPI_Type_free(&kept); });
  *datatype = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

}  // namespace drop_in
}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus
