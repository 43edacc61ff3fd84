#include "validation/records/fields.hpp"

#include <cmath>
#include <type_traits>

namespace isthmus {
namespace {

constexpr RecordField field_table[] = {
    {.name = "source", .member = &Record::source, .part = KeyPart::question, .has_column = true},
    {.name = "platform", .member = &Record::platform, .part = KeyPart::question, .has_column = true},
    {.name = "collective", .member = &Record::collective, .part = KeyPart::question, .has_column = true},
    {.name = "algorithm", .member = &Record::algorithm, .has_column = true},
    {.name = "bytes", .member = &Record::bytes, .part = KeyPart::question, .has_column = true},
    {.name = "segment_bytes", .member = &Record::segment_bytes, .may_be_unknown = true},
    {.name = "ranks", .member = &Record::ranks, .part = KeyPart::question, .has_column = true},
    {.name = "root", .member = &Record::root, .part = KeyPart::question},
    {.name = "seconds", .member = &Record::seconds, .has_column = true},
    {.name = "bound_seconds", .member = &Record::bound_seconds, .may_be_unknown = true},
    {.name = "repetitions", .member = &Record::repetitions, .part = KeyPart::question},
    {.name = "statistic", .member = &Record::statistic},
    {.name = "plan", .member = &Record::plan, .part = KeyPart::identity},
    {.name = "requested", .member = &Record::requested, .part = KeyPart::question},
    {.name = "element_bytes", .member = &Record::element_bytes, .part = KeyPart::question},
    {.name = "placement", .member = &Record::placement, .part = KeyPart::question},
    {.name = "network_digest", .member = &Record::network_digest, .part = KeyPart::question, .key = "network"},
    {.name = "settings", .member = &Record::settings, .part = KeyPart::question, .in_csv = false},
};

}  // namespace

std::span<const RecordField> record_fields() { return field_table; }

nlohmann::ordered_json value_of(const Record& record, const RecordField& field) {
  return std::visit(
      [&](auto member) -> nlohmann::ordered_json {
        const auto& value = record.*member;
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, Source>) {
          return name(value);
        } else if constexpr (std::is_same_v<Value, std::optional<std::int64_t>>) {
          return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
        } else {
          if constexpr (std::is_same_v<Value, double>)
            if (field.may_be_unknown && !(std::isfinite(value) && value > 0)) return nullptr;
          return value;
        }
      },
      field.member);
}

std::string_view type_of(const RecordField& field) {
  return std::visit(
      [](auto member) -> std::string_view {
        using Value = std::decay_t<decltype(std::declval<Record>().*member)>;
        if constexpr (std::is_same_v<Value, double>) return "number";
        if constexpr (std::is_same_v<Value, nlohmann::json>) return "object";
        if constexpr (std::is_same_v<Value, std::string> || std::is_same_v<Value, Source>) return "text";
        return "integer";
      },
      field.member);
}

}  // namespace isthmus
