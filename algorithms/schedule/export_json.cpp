#include "algorithms/schedule/export_json.hpp"

#include <nlohmann/json.hpp>

#include "algorithms/schedule/dependencies.hpp"
#include "algorithms/schedule/text.hpp"

namespace isthmus {
namespace {

using Json = nlohmann::ordered_json;

Json slice_json(const Slice& slice) {
  return {{"buffer", name(slice.buffer)}, {"offset", slice.offset}, {"count", slice.count}};
}

Json op_json(const Op& op, std::span<const int> after) {
  Json json{{"kind", name(op.kind)}, {"lane", op.lane}};
  if (op.kind == OpKind::send || op.kind == OpKind::receive) json["peer"] = op.peer;
  if (op.kind != OpKind::send && op.kind != OpKind::wait) json["to"] = slice_json(op.to);
  if (op.kind != OpKind::receive) json["from"] = slice_json(op.from);
  if (op.kind == OpKind::reduce) json["right"] = slice_json(op.right);
  json["after"] = Json(after);
  return json;
}

}  // namespace

std::string export_json(const Schedule& schedule) {
  Json programs = Json::array();
  Dependencies dependencies;
  for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
    const Program& program = schedule[rank];
    derive(program, dependencies);
    Json lanes = Json::array();
    for (const Lane& lane : program.lanes()) lanes.push_back({{"one_send_at_a_time", lane.one_send_at_a_time}});
    Json operations = Json::array();
    for (int op = 0; op < dependencies.size(); ++op)
      operations.push_back(op_json(program.ops()[op], dependencies.after(op)));
    programs.push_back({{"rank", rank},
                        {"scratch", program.scratch_count()},
                        {"lanes", std::move(lanes)},
                        {"operations", std::move(operations)}});
  }
  return Json{{"ranks", schedule.size()}, {"programs", std::move(programs)}}.dump() + "\n";
}

}  // namespace isthmus
