#include "validation/records/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <thread>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "validation/records/fields.hpp"

namespace isthmus {
namespace {

constexpr int schema_version = 1;
constexpr int application_id = 0x69737468;  // "isth": marks an SQLite file as a store of isthmus
constexpr int busy_timeout_ms = 20000;

std::string_view sql_type(const RecordField& field) {
  const std::string_view type = type_of(field);
  return type == "integer" ? "INTEGER" : type == "number" ? "REAL" : "TEXT";
}

/// `part` of each field that has a column, each followed by a comma.
template <class Part>
std::string of_columns(Part part) {
  std::string text;
  for (const RecordField& field : record_fields())
    if (field.has_column) text += std::string(part(field)) + ", ";
  return text;
}

std::string schema() {
  return "CREATE TABLE records ("
         "id INTEGER PRIMARY KEY, "
         "identity TEXT NOT NULL UNIQUE, "
         "stored_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')), " +
         of_columns(
             [](const RecordField& field) { return fmt::format("{} {} NOT NULL", field.name, sql_type(field)); }) +
         "record TEXT NOT NULL)";  // the whole record as JSON; the columns before it are for people who ask in SQL
}

/// The values are those of the columns in order, then the identity, then the record. A row of the same identity is
/// replaced.
std::string insertion() {
  std::string updates;
  for (const RecordField& field : record_fields())
    if (field.has_column && field.part == KeyPart::none) updates += fmt::format("{0} = excluded.{0}, ", field.name);
  return fmt::format(
      "INSERT INTO records ({}identity, record) VALUES ({}?, ?) ON CONFLICT (identity) DO UPDATE SET {}"
      "record = excluded.record, stored_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')",
      of_columns([](const RecordField& field) { return field.name; }),
      of_columns([](const RecordField&) { return "?"; }), updates);
}

}  // namespace

struct Store::Connection {
  explicit Connection(std::string of) : file(std::move(of)) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { sqlite3_close(handle); }

  /// What went wrong, in the system's words where there is a system error behind it.
  std::string reason() const {
    const int system_error = sqlite3_system_errno(handle);
    const int code = sqlite3_errcode(handle);
    if (code == SQLITE_FULL && system_error == 0) return std::strerror(ENOSPC);
    // SQLite has tried to read the file after it could not write it.
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    if (code == SQLITE_CANTOPEN && system_error == ENOENT && std::filesystem::exists(folder) &&
        faccessat(AT_FDCWD, folder.c_str(), W_OK, AT_EACCESS) != 0)
      return std::strerror(errno);
    const bool from_system = code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_CANTOPEN;
    return from_system && system_error != 0 ? std::strerror(system_error) : sqlite3_errmsg(handle);
  }

  [[noreturn]] void fail(std::string_view attempted) const {
    const int code = sqlite3_errcode(handle);
    const std::string what = fmt::format("{}: cannot {}: {}", file, attempted, reason());
    switch (code) {
      case SQLITE_NOTADB:
        throw BadInput(fmt::format("{}: is not a store of isthmus; name another file", file));
      case SQLITE_CORRUPT:
        throw BadInput(what + "; a copy from before, or another file, would be right");
      case SQLITE_CANTOPEN:
      case SQLITE_READONLY:
      case SQLITE_PERM:
        throw BadInput(what + "; name a file in a folder that can be written");
      case SQLITE_FULL:
      case SQLITE_IOERR:
        throw Missing(what + "; what was stored before is kept: free some space and run again to go on");
      case SQLITE_BUSY:
        throw Refused(what + "; another process has held it for long: run again when that has ended");
      default:
        throw Refused(what);
    }
  }

  void execute(const char* sql, std::string_view attempted) const {
    if (sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(attempted);
  }

  int pragma(const char* sql) const;
  void insert(const Record& record) const;

  std::string file;
  sqlite3* handle = nullptr;
};

namespace {

class Statement {
 public:
  Statement(sqlite3* handle, const char* sql) {
    if (sqlite3_prepare_v2(handle, sql, -1, &statement_, nullptr) != SQLITE_OK) statement_ = nullptr;
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  void bind(int at, std::string_view text) {
    sqlite3_bind_text(statement_, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  void bind(int at, const nlohmann::ordered_json& value) {
    if (value.is_string()) {
      bind(at, std::string_view(value.get_ref<const std::string&>()));
    } else if (value.is_number_integer()) {
      sqlite3_bind_int64(statement_, at, value.get<std::int64_t>());
    } else if (value.is_number()) {
      sqlite3_bind_double(statement_, at, value.get<double>());
    }
  }

  /// SQLITE_ROW, SQLITE_DONE or an error; preparing may have failed as well.
  int step() { return statement_ == nullptr ? SQLITE_ERROR : sqlite3_step(statement_); }
  std::string text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return bytes == nullptr ? std::string() : std::string(bytes, sqlite3_column_bytes(statement_, column));
  }
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

Record parse(const std::string& file, const std::string& text) {
  return record_from_json(parse_json(text, file + ": a row", "name another file"));
}

}  // namespace

int Store::Connection::pragma(const char* sql) const {
  Statement statement(handle, sql);
  if (statement.step() != SQLITE_ROW) fail("read its version");
  return static_cast<int>(statement.integer(0));
}

Store::Store(const std::string& file) : file_(file), connection_(std::make_unique<Connection>(file)) {
  Connection& connection = *connection_;
  // By the C interface a name such as `file:x?mode=memory` is a file name like any other: URIs are off.
  if (sqlite3_open_v2(file.c_str(), &connection.handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) !=
      SQLITE_OK)
    connection.fail("open the store");
  sqlite3_extended_result_codes(connection.handle, 0);
  sqlite3_busy_timeout(connection.handle, busy_timeout_ms);

  const bool fresh = connection.pragma("SELECT count(*) FROM sqlite_master") == 0;
  if (!fresh && connection.pragma("PRAGMA application_id") != application_id)
    throw BadInput(fmt::format("{}: is a database of another program; name another file", file));
  const int version = connection.pragma("PRAGMA user_version");
  if (version > schema_version)
    throw BadInput(
        fmt::format("{}: was written by a newer isthmus (store version {}, this one knows {}); name another file", file,
                    version, schema_version));

  // Two processes may turn a new file to write-ahead logging at once; SQLite answers one of them `busy` without
  // waiting.
  for (int attempt = 0;
       sqlite3_exec(connection.handle, "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr) != SQLITE_OK; ++attempt) {
    if (sqlite3_errcode(connection.handle) != SQLITE_BUSY || attempt == 200) connection.fail("set up the store");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  // Each commit is copied into the file at once: people copy the file alone, also after an interrupt.
  connection.execute("PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=1", "set up the store");

  connection.execute("BEGIN IMMEDIATE", "set up the store");
  if (connection.pragma("SELECT count(*) FROM sqlite_master") == 0) {  // another process may have been quicker
    connection.execute(schema().c_str(), "set up the store");
    connection.execute(
        fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", application_id, schema_version).c_str(),
        "set up the store");
  }
  connection.execute("COMMIT", "set up the store");
}

Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

void Store::Connection::insert(const Record& record) const {
  static const std::string sql = insertion();
  Statement insert(handle, sql.c_str());
  int at = 0;
  for (const RecordField& field : record_fields())
    if (field.has_column) insert.bind(++at, value_of(record, field));
  insert.bind(++at, std::string_view(identity(record)));
  insert.bind(++at, std::string_view(to_json(record).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
  if (insert.step() != SQLITE_DONE) fail("store a record");
}

void Store::put(const Record& record) { connection_->insert(record); }

void Store::put(std::span<const Record> records) {
  const Connection& connection = *connection_;
  connection.execute("BEGIN IMMEDIATE", "store records");
  try {
    for (const Record& record : records) connection.insert(record);
    connection.execute("COMMIT", "store records");
  } catch (...) {
    sqlite3_exec(connection.handle, "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

void Store::remove(const std::string& identity) {
  Statement remove(connection_->handle, "DELETE FROM records WHERE identity = ?1");
  remove.bind(1, std::string_view(identity));
  if (remove.step() != SQLITE_DONE) connection_->fail("take out a record");
}

std::optional<Record> Store::find(const std::string& identity) const {
  Statement select(connection_->handle, "SELECT record FROM records WHERE identity = ?1");
  select.bind(1, std::string_view(identity));
  const int result = select.step();
  if (result == SQLITE_DONE) return std::nullopt;
  if (result != SQLITE_ROW) connection_->fail("read a record");
  return parse(file_, select.text(0));
}

std::vector<Record> Store::all() const {
  Statement select(connection_->handle, "SELECT record FROM records ORDER BY id");
  std::vector<Record> records;
  int result = 0;
  while ((result = select.step()) == SQLITE_ROW) records.push_back(parse(file_, select.text(0)));
  if (result != SQLITE_DONE) connection_->fail("read the records");
  return records;
}

std::int64_t Store::size() const {
  Statement select(connection_->handle, "SELECT count(*) FROM records");
  if (select.step() != SQLITE_ROW) connection_->fail("count the records");
  return select.integer(0);
}

}  // namespace isthmus
