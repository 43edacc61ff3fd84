#include "algorithms/tuning/table_exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace isthmus {
namespace {

struct Rule {
  std::int64_t from_bytes;  ///< up to the next rule
  Plan plan;
  const Counterpart* there;
};

/// The message size as the other library counts it: the whole buffer if blocks are exchanged.
bool counts_whole_buffers(Collective collective) {
  switch (collective) {
    case Collective::gather:
    case Collective::scatter:
    case Collective::allgather:
    case Collective::alltoall:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return true;
    default:
      return false;
  }
}

/// By collective, ascending; equal neighbours merged. The border between two sizes is their geometric mean.
template <class Has>
std::map<Collective, std::vector<Rule>> rules_of(const DecisionTable& table, Has has) {
  std::map<Collective, std::map<std::int64_t, std::pair<Plan, const Counterpart*>>> found;
  for (const Decision& decision : table.decisions) {
    if (decision.root != 0) continue;
    for (const Candidate& candidate : decision.candidates) {
      const Counterpart& there = candidate.plan.algorithm->counterpart;
      if (!has(there)) continue;
      found[decision.collective][decision.bytes] = {candidate.plan, &there};
      break;
    }
  }
  std::map<Collective, std::vector<Rule>> rules;
  for (const auto& [collective, sizes] : found) {
    const std::int64_t scale = counts_whole_buffers(collective) ? table.ranks : 1;
    std::vector<Rule>& of_collective = rules[collective];
    std::int64_t before = 0;
    for (const auto& [bytes, choice] : sizes) {
      const double border = std::sqrt(static_cast<double>(before) * static_cast<double>(bytes));
      const auto from = of_collective.empty() ? 0 : static_cast<std::int64_t>(std::ceil(border)) * scale;
      before = bytes;
      if (!of_collective.empty()) {
        const Rule& last = of_collective.back();
        if (*last.there == *choice.second && last.plan.parameters == choice.first.parameters) continue;
      }
      of_collective.push_back({from, choice.first, choice.second});
    }
  }
  return rules;
}

/// Open MPI's numbers of collectives (coll_base_functions.h).
int openmpi_number(Collective collective) {
  switch (collective) {
    case Collective::allgather:
      return 0;
    case Collective::allreduce:
      return 2;
    case Collective::alltoall:
      return 3;
    case Collective::barrier:
      return 6;
    case Collective::broadcast:
      return 7;
    case Collective::gather:
      return 9;
    case Collective::reduce:
      return 11;
    case Collective::reduce_scatter:
      return 12;
    case Collective::reduce_scatter_block:
      return 13;
    case Collective::scan:
      return 14;
    case Collective::scatter:
      return 15;
    default:
      return -1;
  }
}

std::string_view short_name(Collective collective) {
  return collective == Collective::broadcast ? "bcast" : name(collective);
}

/// Chains of a k-chain, requests of linear-sync: 0 is the library's default.
int fan_out(const Plan& plan) { return plan.algorithm->counterpart.degree_is_fan_out ? plan.parameters.degree : 0; }

}  // namespace

bool is_in_openmpi(const Counterpart& there) { return there.openmpi > 0; }
bool is_in_mpich(const Counterpart& there) { return !there.mpich.empty(); }
bool is_in_nccl(const Counterpart& there) { return !there.nccl.empty(); }

std::vector<const Decision*> left_out(const DecisionTable& table, bool (*is_there)(const Counterpart&)) {
  std::vector<const Decision*> decisions;
  for (const Decision& decision : table.decisions)
    if (decision.root != 0 || std::ranges::none_of(decision.candidates, [&](const Candidate& candidate) {
          return is_there(candidate.plan.algorithm->counterpart);
        }))
      decisions.push_back(&decision);
  return decisions;
}

std::string openmpi_rules(const DecisionTable& table) {
  const auto rules = rules_of(table, is_in_openmpi);
  std::string text = fmt::format("{} # collectives\n", rules.size());
  for (const auto& [collective, of_collective] : rules) {
    text += fmt::format("{} # {}\n1 # communicator size\n{} # ranks\n{} # message sizes\n", openmpi_number(collective),
                        short_name(collective), table.ranks, of_collective.size());
    for (const auto& [from_bytes, plan, there] : of_collective) {
      text += fmt::format("{} {} {} {} # from bytes, {}, fan-out, segment\n", from_bytes, there->openmpi, fan_out(plan),
                          plan.parameters.segment_bytes, there->openmpi_name);
    }
  }
  return text;
}

std::string openmpi_rules_json(const DecisionTable& table) {
  using nlohmann::ordered_json;
  ordered_json collectives = ordered_json::object();
  for (const auto& [collective, of_collective] : rules_of(table, is_in_openmpi)) {
    ordered_json rules = ordered_json::array();
    for (std::size_t i = 0; i < of_collective.size(); ++i) {
      const auto& [from_bytes, plan, there] = of_collective[i];
      ordered_json rule = {{"msg_size_min", from_bytes}};
      if (i + 1 < of_collective.size()) rule["msg_size_max"] = of_collective[i + 1].from_bytes - 1;
      rule["alg"] = there->openmpi;  // names differ from version to version, and a rule with an unknown one is ignored
      if (fan_out(plan) > 0) rule["faninout"] = fan_out(plan);
      if (plan.parameters.segment_bytes > 0) rule["seg_size"] = plan.parameters.segment_bytes;
      rules.push_back(std::move(rule));
    }
    collectives[std::string(short_name(collective))] = ordered_json::array(
        {{{"comm_size_min", table.ranks}, {"comm_size_max", table.ranks}, {"rules", std::move(rules)}}});
  }
  return ordered_json{{"rule_file_version", 3}, {"module", "tuned"}, {"collectives", std::move(collectives)}}.dump(1) +
         "\n";
}

std::string mpich_selection(const DecisionTable& table) {
  using nlohmann::ordered_json;
  const auto leaf = [](const std::string& function) {
    return ordered_json{{"algorithm=" + function, ordered_json::object()}};
  };
  // Algorithms that serve every call: collective, algorithm for intracommunicators, algorithm for intercommunicators.
  struct Fallback {
    const char *collective, *intra, *inter;
  };
  constexpr Fallback fallbacks[] = {
      {"bcast", "Bcast_intra_binomial", "Bcast_inter_remote_send_local_bcast"},
      {"barrier", "Barrier_intra_dissemination", "Barrier_inter_bcast"},
      {"reduce", "Reduce_intra_binomial", "Reduce_inter_local_reduce_remote_send"},
      {"allreduce", "Allreduce_intra_recursive_doubling", "Allreduce_inter_reduce_exchange_bcast"},
      {"gather", "Gather_intra_binomial", "Gather_inter_linear"},
      {"gatherv", "Gatherv_allcomm_linear", "Gatherv_allcomm_linear"},
      {"scatter", "Scatter_intra_binomial", "Scatter_inter_linear"},
      {"scatterv", "Scatterv_allcomm_linear", "Scatterv_allcomm_linear"},
      {"allgather", "Allgather_intra_ring", "Allgather_inter_local_gather_remote_bcast"},
      {"allgatherv", "Allgatherv_intra_ring", "Allgatherv_inter_remote_gather_local_bcast"},
      {"alltoall", "Alltoall_intra_scattered", "Alltoall_inter_pairwise_exchange"},
      {"alltoallv", "Alltoallv_intra_scattered", "Alltoallv_inter_pairwise_exchange"},
      {"alltoallw", "Alltoallw_intra_scattered", "Alltoallw_inter_pairwise_exchange"},
      {"reduce_scatter", "Reduce_scatter_intra_recursive_doubling", "Reduce_scatter_inter_remote_reduce_local_scatter"},
      {"reduce_scatter_block", "Reduce_scatter_block_intra_recursive_doubling",
       "Reduce_scatter_block_inter_remote_reduce_local_scatter"},
      {"scan", "Scan_intra_recursive_doubling", "Scan_intra_recursive_doubling"},
      {"exscan", "Exscan_intra_recursive_doubling", "Exscan_intra_recursive_doubling"},
  };
  const auto rules = rules_of(table, is_in_mpich);
  ordered_json all = ordered_json::object();
  for (const auto& [collective, intra, inter] : fallbacks) {
    const ordered_json safe = leaf(std::string("MPIR_") + intra);
    ordered_json by_size = ordered_json::object();
    for (const auto& [of, of_collective] : rules) {
      if (short_name(of) != collective || of == Collective::scan) continue;
      const char* size = counts_whole_buffers(of) && of != Collective::alltoall ? "total_msg_size" : "avg_msg_size";
      const std::int64_t scale = of == Collective::alltoall ? table.ranks : 1;
      for (std::size_t i = 0; i < of_collective.size(); ++i) {
        const std::string_view there = of_collective[i].there->mpich;
        std::string function = fmt::format("MPIR_{}_intra_{}", collective, there);
        function[5] = static_cast<char>(std::toupper(function[5]));
        ordered_json chosen = leaf(function);
        // These need a predefined operator and at least as many elements as the largest power of two of ranks.
        if (there == "reduce_scatter_gather" || there == "reduce_scatter_allgather") {
          chosen = {{"is_op_built_in=yes", {{"count<pow2", safe}, {"count=any", chosen}}}, {"is_op_built_in=no", safe}};
        } else if (of == Collective::reduce_scatter || of == Collective::reduce_scatter_block) {
          chosen = {{"is_commutative=yes", chosen}, {"is_commutative=no", safe}};
        } else if (of == Collective::alltoall) {
          chosen = {{"is_sendbuf_inplace=yes", leaf("MPIR_Alltoall_intra_pairwise_sendrecv_replace")},
                    {"is_sendbuf_inplace=no", chosen}};
        } else if (of == Collective::allgather && there == "recursive_doubling") {
          chosen = {{"comm_size=pow2", chosen}, {"comm_size=any", safe}};
        }
        const bool is_last = i + 1 == of_collective.size();
        by_size[of == Collective::barrier ? std::string("comm_size=any")
                : is_last                 ? fmt::format("{}=any", size)
                          : fmt::format("{}<{}", size, of_collective[i + 1].from_bytes / scale)] = chosen;
      }
    }
    all[std::string("collective=") + collective] = {{"comm_type=intra", by_size.empty() ? safe : by_size},
                                                    {"comm_type=inter", leaf(std::string("MPIR_") + inter)}};
  }
  return all.dump(1) + "\n";
}

std::string nccl_tuner_csv(const DecisionTable& table) {
  std::string text =
      "# collective_type,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,regBuff\n";
  for (const auto& [collective, of_collective] : rules_of(table, is_in_nccl)) {
    const std::string called =
        collective == Collective::reduce_scatter_block || collective == Collective::reduce_scatter
            ? "reducescatter"
            : std::string(name(collective));
    for (std::size_t i = 0; i < of_collective.size(); ++i) {
      const bool is_last = i + 1 == of_collective.size();
      text += fmt::format("{},{},{},{},simple,-1,-1,{},-1,-1\n", called, of_collective[i].from_bytes,
                          is_last ? 4294967295 : of_collective[i + 1].from_bytes - 1, of_collective[i].there->nccl,
                          table.ranks);
    }
  }
  return text;
}

}  // namespace isthmus
