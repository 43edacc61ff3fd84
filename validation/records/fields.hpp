// The fields of a record: the one table from which its JSON, CSV, SQLite columns, keys and Python's columns are made.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "validation/records/record.hpp"

namespace isthmus {

using RecordMember =
    std::variant<Source Record::*, std::string Record::*, std::int64_t Record::*, std::optional<std::int64_t> Record::*,
                 int Record::*, double Record::*, nlohmann::json Record::*>;

/// Whether a field is part of the texts that identify a record: identity() and question().
enum class KeyPart : std::uint8_t {
  none,      ///< an answer, or what follows from other fields
  identity,  ///< identity() alone: chosen, not asked for
  question   ///< question() and identity()
};

struct RecordField {
  std::string_view name;  ///< key in JSON, head in CSV, column in Python
  RecordMember member;
  bool may_be_unknown = false;  ///< null in JSON, empty in CSV: a number that is not positive, or none
  KeyPart part = KeyPart::none;
  std::string_view key = {};  ///< in the texts of identity() and question(), where it is not the name
  bool has_column = false;    ///< of its own in the store, for people who ask in SQL
  bool in_csv = true;
};

/// In the order of Record, which is that of JSON and CSV.
std::span<const RecordField> record_fields();

/// Of what only some sources know (Record::extra), the numbers that CSV has behind the fields; empty where unknown.
inline constexpr std::string_view csv_extras[] = {"messages", "message_bytes"};

/// What a field holds, as JSON; null where it is unknown.
nlohmann::ordered_json value_of(const Record& record, const RecordField& field);

/// `text`, `integer`, `number` or `object`.
std::string_view type_of(const RecordField& field);

}  // namespace isthmus
