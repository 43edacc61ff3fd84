#include "algorithms/schedule/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "algorithms/schedule/access.hpp"
#include "algorithms/schedule/conflicts.hpp"
#include "algorithms/schedule/contents.hpp"
#include "algorithms/schedule/execution.hpp"
#include "algorithms/schedule/matching.hpp"
#include "algorithms/schedule/text.hpp"

namespace isthmus {

class Verifier::Proof {
 public:
  Verdict run(const Schedule& schedule, const Contract& contract, std::span<const Dependencies> dependencies);

 private:
  void check_contract() const;
  // Each step returns true when it found no fault; else `fault_` describes the fault.
  bool well_formed();
  bool well_formed(int rank, int op);
  bool matched();
  bool conflicts_ordered(std::span<const Dependencies> dependencies);
  bool executes();
  bool keeps_contract();

  bool within(int rank, int op, const Slice& slice);
  std::int64_t count_of(int rank, Buffer buffer) const;
  void place_initial_contents();
  bool compute(int rank, int op);
  bool deliver(int source, int send, int destination, int receive);
  bool defined(const std::vector<Stretch>& read, const Slice& slice, int rank, int op);
  Contents& contents(int rank, Buffer buffer) { return contents_[3 * rank + static_cast<int>(buffer)]; }

  const Op& op_of(int rank, int op) const { return (*schedule_)[rank].ops()[op]; }
  std::string words(int rank, int op) const {
    return fmt::format("rank {}, operation {} ({})", rank, op, to_string(op_of(rank, op)));
  }
  bool fail(std::string fault) {
    fault_ = std::move(fault);
    return false;
  }

  const Schedule* schedule_ = nullptr;
  const Contract* contract_ = nullptr;
  std::string fault_;
  Matching matching_;
  Dependencies derived_;
  ConflictSearch conflicts_;
  Execution execution_;
  Values values_;
  std::vector<Symbol> contract_values_;
  std::vector<Contents> contents_;  // by rank and buffer
  std::vector<Stretch> left_, right_, result_;
};

Verdict Verifier::Proof::run(const Schedule& schedule, const Contract& contract,
                             std::span<const Dependencies> dependencies) {
  schedule_ = &schedule;
  contract_ = &contract;
  fault_.clear();
  check_contract();
  const auto size = static_cast<std::size_t>(contract.size);
  if (schedule.size() != size)
    return Verdict(
        fmt::format("the schedule has programs for {} ranks, the contract is over {}", schedule.size(), size));
  if (!dependencies.empty() && dependencies.size() != size)
    throw std::invalid_argument(fmt::format("dependencies of {} ranks for {}", dependencies.size(), size));
  const bool fine = well_formed() && matched() && conflicts_ordered(dependencies) && executes() && keeps_contract();
  return fine ? Verdict() : Verdict(std::move(fault_));
}

// ---- form

std::int64_t Verifier::Proof::count_of(int rank, Buffer buffer) const {
  switch (buffer) {
    case Buffer::input:
      return contract_->input_count[rank];
    case Buffer::output:
      return contract_->output_count[rank];
    case Buffer::scratch:
      break;
  }
  return (*schedule_)[rank].scratch_count();
}

bool Verifier::Proof::within(int rank, int op, const Slice& slice) {
  const std::int64_t count = count_of(rank, slice.buffer);
  if (slice.count > 0 && slice.offset >= 0 && slice.count <= count && slice.offset <= count - slice.count) return true;
  if (slice.count <= 0) return fail(fmt::format("{}: {} has no elements", words(rank, op), to_string(slice)));
  return fail(fmt::format("{}: {} is out of bounds, {} has {} elements", words(rank, op), to_string(slice),
                          name(slice.buffer), count));
}

void Verifier::Proof::check_contract() const {
  const auto size = static_cast<std::size_t>(contract_->size);
  if (contract_->input_count.size() != size || contract_->output_count.size() != size)
    throw std::invalid_argument(fmt::format("a contract over {} ranks has buffer sizes for {} and {}", size,
                                            contract_->input_count.size(), contract_->output_count.size()));
  if (contract_->idempotent && !contract_->commutative)
    throw std::invalid_argument("a contract with an idempotent operator that does not commute");
  for (const auto* pieces : {&contract_->initial, &contract_->required})
    for (const Piece& piece : *pieces) {
      if (piece.rank < 0 || piece.rank >= contract_->size || piece.value < 0 ||
          piece.value >= static_cast<int>(contract_->values.size()))
        throw std::invalid_argument(
            fmt::format("a contract over {} ranks with {} values speaks of rank {} and value {}", size,
                        contract_->values.size(), piece.rank, piece.value));
      const std::int64_t count = piece.slice.buffer == Buffer::input    ? contract_->input_count[piece.rank]
                                 : piece.slice.buffer == Buffer::output ? contract_->output_count[piece.rank]
                                                                        : 0;
      if (piece.slice.offset < 0 || piece.slice.count < 0 || piece.slice.end() > count)
        throw std::invalid_argument(fmt::format("a contract speaks of {} of rank {}, which has {} elements there",
                                                to_string(piece.slice), piece.rank, count));
    }
}

bool Verifier::Proof::well_formed() {
  for (int rank = 0; rank < contract_->size; ++rank)
    for (int op = 0; op < static_cast<int>((*schedule_)[rank].ops().size()); ++op)
      if (!well_formed(rank, op)) return false;
  return true;
}

bool Verifier::Proof::well_formed(int rank, int number) {
  const Op& op = op_of(rank, number);
  if (op.lane >= (*schedule_)[rank].lanes().size())
    return fail(fmt::format("{}: there is no lane {}, the program has {}", words(rank, number), op.lane,
                            (*schedule_)[rank].lanes().size()));
  if (op.kind == OpKind::send || op.kind == OpKind::receive) {
    if (op.peer < 0 || op.peer >= contract_->size)
      return fail(fmt::format("{}: peer {} is out of range, ranks are 0..{}", words(rank, number), op.peer,
                              contract_->size - 1));
    if (op.peer == rank) return fail(fmt::format("{}: a message to oneself", words(rank, number)));
  }
  if (op.kind == OpKind::send || op.kind == OpKind::wait) return within(rank, number, op.from);
  if (op.to.buffer == Buffer::input) return fail(fmt::format("{}: writes to input", words(rank, number)));
  if (!within(rank, number, op.to)) return false;
  if (op.kind == OpKind::receive) return true;
  const bool reduces = op.kind == OpKind::reduce;
  for (const Slice& slice : {op.from, reduces ? op.right : op.from}) {
    if (slice.count != op.to.count)
      return fail(fmt::format("{}: writes {} elements but reads {}", words(rank, number), op.to.count, slice.count));
    if (!within(rank, number, slice)) return false;
    if (overlap(slice, op.to) && !(reduces && slice == op.to))
      return fail(
          fmt::format("{}: {} overlaps {}, which it reads", words(rank, number), to_string(op.to), to_string(slice)));
  }
  return true;
}

// ---- messages

bool Verifier::Proof::matched() {
  matching_.match(*schedule_);
  // A receive without a message is reported first: it explains more than a message without a receive.
  int left_over = -1;
  int number = 0;
  for (int rank = 0; rank < contract_->size; ++rank)
    for (const Op& op : (*schedule_)[rank].ops()) {
      const int self = number++;
      if (op.kind != OpKind::send && op.kind != OpKind::receive) continue;
      const int partner = matching_.partner(self);
      if (partner < 0) {
        if (op.kind == OpKind::receive)
          return fail(fmt::format("{}: no message for this receive, rank {} sends too few to rank {} in lane {}",
                                  words(rank, self - matching_.first(rank)), op.peer, rank, op.lane));
        if (left_over < 0) left_over = self;
      } else if (op.kind == OpKind::receive) {
        const int sent_by = partner - matching_.first(op.peer);
        const Op& sent = op_of(op.peer, sent_by);
        if (sent.from.count != op.to.count)
          return fail(fmt::format("{}: receives {} elements, but the message, {}, has {}",
                                  words(rank, self - matching_.first(rank)), op.to.count, words(op.peer, sent_by),
                                  sent.from.count));
      }
    }
  if (left_over < 0) return true;
  const int rank = matching_.rank_of(left_over);
  const int op = left_over - matching_.first(rank);
  return fail(fmt::format("{}: this message is never received, rank {} has too few receives from rank {} in lane {}",
                          words(rank, op), op_of(rank, op).peer, rank, op_of(rank, op).lane));
}

// ---- order

bool Verifier::Proof::conflicts_ordered(std::span<const Dependencies> dependencies) {
  execution_.prepare(*schedule_, matching_);
  for (int rank = 0; rank < contract_->size; ++rank) {
    const Program& program = (*schedule_)[rank];
    if (dependencies.empty()) derive(program, derived_);
    const Dependencies& given = dependencies.empty() ? derived_ : dependencies[rank];
    if (given.size() != static_cast<int>(program.ops().size()))
      throw std::invalid_argument(fmt::format("rank {}: dependencies of {} operations for a program of {}", rank,
                                              given.size(), program.ops().size()));
    if (const auto conflict = conflicts_.find(program, given))
      return fail(fmt::format("{} and operation {} ({}) both use {}, one writes it, and nothing orders them",
                              words(rank, conflict->earlier), conflict->later,
                              to_string(program.ops()[conflict->later]), to_string(conflict->slice)));
    execution_.add(rank, given);
  }
  return true;
}

bool Verifier::Proof::executes() {
  place_initial_contents();
  const bool ended = execution_.run(
      Sends::synchronous, [this](int rank, int op) { return compute(rank, op); },
      [this](int source, int send, int destination, int receive) {
        return deliver(source, send, destination, receive);
      });
  if (ended || !fault_.empty()) return ended;
  const auto cycle = execution_.cycle();
  std::string chain;
  for (std::size_t i = 0; i < cycle.size() && i < 4; ++i)
    chain +=
        fmt::format("{}{} waits for its operation {} ({})", i == 0 ? "" : "; ", words(cycle[i].rank, cycle[i].blocked),
                    cycle[i].awaited, to_string(op_of(cycle[i].rank, cycle[i].awaited)));
  if (cycle.size() > 4) chain += fmt::format("; ... a cycle of {}", cycle.size());
  const auto go_on = [](auto...) { return true; };
  const bool buffered = execution_.run(Sends::buffered, go_on, go_on);
  return fail(fmt::format("deadlock{}: {}", buffered ? " when sends are synchronous" : "", chain));
}

// ---- contents

void Verifier::Proof::place_initial_contents() {
  values_.reset(contract_->commutative, contract_->idempotent);
  contract_values_.clear();
  for (const auto& ranks : contract_->values) contract_values_.push_back(values_.of(ranks));
  const std::size_t buffers = 3 * static_cast<std::size_t>(contract_->size);
  if (contents_.size() < buffers) contents_.resize(buffers);
  for (int rank = 0; rank < contract_->size; ++rank)
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch})
      contents(rank, buffer).reset(count_of(rank, buffer));
  for (const Piece& piece : contract_->initial) {
    if (piece.slice.empty()) continue;
    Symbol symbol = contract_values_[piece.value];
    symbol.shift += piece.first - piece.slice.offset;
    result_.assign(1, {piece.slice.offset, symbol});
    contents(piece.rank, piece.slice.buffer).write(piece.slice.offset, piece.slice.count, result_);
  }
}

bool Verifier::Proof::defined(const std::vector<Stretch>& read, const Slice& slice, int rank, int op) {
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (read[i].symbol.value != undefined) continue;
    const std::int64_t end = i + 1 < read.size() ? read[i + 1].begin : slice.end();
    return fail(fmt::format("{}: reads {}, which is undefined", words(rank, op),
                            to_string(Slice{slice.buffer, read[i].begin, end - read[i].begin})));
  }
  return true;
}

// Contents that move to another offset keep their elements.
static void move_by(std::vector<Stretch>& stretches, std::int64_t distance) {
  for (Stretch& stretch : stretches) {
    stretch.begin += distance;
    stretch.symbol.shift -= distance;
  }
}

bool Verifier::Proof::deliver(int source, int send, int destination, int receive) {
  const Slice& from = op_of(source, send).from;
  const Slice& to = op_of(destination, receive).to;
  contents(source, from.buffer).read(from.offset, from.count, left_);
  if (!defined(left_, from, source, send)) return false;
  move_by(left_, to.offset - from.offset);
  contents(destination, to.buffer).write(to.offset, to.count, left_);
  return true;
}

bool Verifier::Proof::compute(int rank, int number) {
  const Op& op = op_of(rank, number);
  contents(rank, op.from.buffer).read(op.from.offset, op.from.count, left_);
  if (!defined(left_, op.from, rank, number)) return false;
  if (op.kind == OpKind::wait) return true;
  move_by(left_, op.to.offset - op.from.offset);
  if (op.kind == OpKind::copy) {
    contents(rank, op.to.buffer).write(op.to.offset, op.to.count, left_);
    return true;
  }
  contents(rank, op.right.buffer).read(op.right.offset, op.right.count, right_);
  if (!defined(right_, op.right, rank, number)) return false;
  move_by(right_, op.to.offset - op.right.offset);
  result_.clear();
  for (std::size_t l = 0, r = 0; l < left_.size() && r < right_.size();) {
    const Symbol sum = values_.reduce(left_[l].symbol, right_[r].symbol);
    const std::int64_t begin = std::max(left_[l].begin, right_[r].begin);
    if (result_.empty() || result_.back().symbol != sum) result_.push_back({begin, sum});
    const std::int64_t left_end = l + 1 < left_.size() ? left_[l + 1].begin : op.to.end();
    const std::int64_t right_end = r + 1 < right_.size() ? right_[r + 1].begin : op.to.end();
    if (left_end <= right_end) ++l;
    if (right_end <= left_end) ++r;
  }
  contents(rank, op.to.buffer).write(op.to.offset, op.to.count, result_);
  return true;
}

bool Verifier::Proof::keeps_contract() {
  for (const Piece& piece : contract_->required) {
    if (piece.slice.empty()) continue;
    Symbol wanted = contract_values_[piece.value];
    wanted.shift += piece.first - piece.slice.offset;
    contents(piece.rank, piece.slice.buffer).read(piece.slice.offset, piece.slice.count, left_);
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (left_[i].symbol == wanted) continue;
      const std::int64_t begin = left_[i].begin;
      const std::int64_t end = i + 1 < left_.size() ? left_[i + 1].begin : piece.slice.end();
      return fail(fmt::format("rank {} ends with the wrong {}: its first element holds {} instead of {}", piece.rank,
                              to_string(Slice{piece.slice.buffer, begin, end - begin}),
                              values_.describe(left_[i].symbol, begin), values_.describe(wanted, begin)));
    }
  }
  return true;
}

// ---- the public side

Verifier::Verifier() : proof_(std::make_unique<Proof>()) {}
Verifier::~Verifier() = default;
Verifier::Verifier(Verifier&&) noexcept = default;
Verifier& Verifier::operator=(Verifier&&) noexcept = default;

Verdict Verifier::verify(const Schedule& schedule, const Contract& contract) {
  return proof_->run(schedule, contract, {});
}

Verdict Verifier::verify(const Schedule& schedule, const Contract& contract,
                         std::span<const Dependencies> dependencies) {
  return proof_->run(schedule, contract, dependencies);
}

Verdict verify(const Schedule& schedule, const Contract& contract) { return Verifier().verify(schedule, contract); }

}  // namespace isthmus
