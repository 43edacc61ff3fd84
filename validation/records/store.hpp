// The store: records in an SQLite file, each point once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validation/records/record.hpp"

namespace isthmus {

/// Each put() is one transaction: when it has returned, its records survive any end of the process. Several processes
/// may use one file at once; only one thread at a time may use an object.
class Store {
 public:
  /// Opens the file, or makes it. Throws BadInput naming the file when it cannot be opened, is no store of isthmus or
  /// was written by a newer one; Missing when the disk is full.
  explicit Store(const std::string& file);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  /// Stores a record; one of the same identity is replaced. Throws Missing (a full disk) or Refused, naming the file
  /// and what the system said, and loses nothing that was stored before.
  void put(const Record& record);
  /// Several at once, all or none: much quicker than one by one.
  void put(std::span<const Record> records);

  /// Takes out the record of this identity, where there is one.
  void remove(const std::string& identity);

  std::optional<Record> find(const std::string& identity) const;

  /// All records, oldest first.
  std::vector<Record> all() const;
  std::int64_t size() const;

  const std::string& file() const { return file_; }

 private:
  struct Connection;
  std::string file_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace isthmus
