#include "validation/records/store.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "algorithms/errors.hpp"
#include "validation/records/fields.hpp"

namespace isthmus {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Record record_of(std::int64_t bytes, double seconds) {
  Record record;
  record.source = Source::replay;
  record.platform = "das-4x1";
  record.collective = "broadcast";
  record.algorithm = record.plan = record.requested = "binomial";
  record.bytes = bytes;
  record.ranks = 4;
  record.seconds = seconds;
  record.statistic = "max_over_ranks";
  return record;
}

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "isthmus-store-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~StoreTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const char* name = "store.db") const { return (folder_ / name).string(); }
  void sql(const std::string& file, const char* text) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, text, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
    sqlite3_close(handle);
  }

  std::filesystem::path folder_;
};

/// Runs `body` in a child process; the child ends with what it returns. Nothing of the parent's test runs twice.
template <class Body>
pid_t in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    int status = 99;
    try {
      status = body();
    } catch (const std::exception& error) {
      fprintf(stderr, "child: %s\n", error.what());
    }
    _exit(status);
  }
  return child;
}

int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// People copy the file of a run that was interrupted, and not the log beside it.
TEST_F(StoreTest, TheFileAloneHoldsWhatWasStored) {
  Store store(path());
  store.put(record_of(64, 1e-3));
  const std::vector<Record> further = {record_of(128, 2e-3), record_of(256, 3e-3)};
  store.put(further);
  std::filesystem::copy_file(path(), path("copy.db"));
  EXPECT_EQ(Store(path("copy.db")).size(), 3);
}

TEST_F(StoreTest, KeepsRecordsFromOneOpeningToTheNext) {
  {
    Store store(path());
    store.put(record_of(1, 0.5));
    store.put(record_of(2, 0.75));
  }
  const Store store(path());
  ASSERT_EQ(store.size(), 2);
  EXPECT_EQ(store.all()[1].seconds, 0.75);
  EXPECT_EQ(store.find(identity(record_of(1, 0)))->seconds, 0.5);
  EXPECT_FALSE(store.find(identity(record_of(3, 0))));
}

/// All cells of a query, a row a line, as SQLite's own text.
std::string answer_of(const std::string& file, const std::string& query) {
  sqlite3* handle = nullptr;
  EXPECT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
  std::string text;
  const auto add = [](void* to, int count, char** cells, char**) {
    for (int i = 0; i < count; ++i)
      *static_cast<std::string*>(to) += std::string(cells[i] == nullptr ? "" : cells[i]) + (i + 1 < count ? "|" : "\n");
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(handle, query.c_str(), add, &text, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
  sqlite3_close(handle);
  return text;
}

TEST_F(StoreTest, HasTheColumnsThatTheTableOfFieldsSays) {
  const Record record = record_of(7, 0.5);
  Store(path()).put(record);
  std::string columns = "id:INTEGER\nidentity:TEXT\nstored_at:TEXT\n";
  for (const RecordField& field : record_fields()) {
    if (!field.has_column) continue;
    const std::string_view type = type_of(field);
    columns += std::string(field.name) + (type == "integer" ? ":INTEGER\n" : type == "number" ? ":REAL\n" : ":TEXT\n");
    const nlohmann::ordered_json value = value_of(record, field);
    EXPECT_EQ(answer_of(path(), "SELECT " + std::string(field.name) + " FROM records"),
              (value.is_string() ? value.get<std::string>() : value.dump()) + "\n");
  }
  EXPECT_EQ(answer_of(path(), "SELECT name || ':' || type FROM pragma_table_info('records')"),
            columns + "record:TEXT\n");
}

TEST_F(StoreTest, OpensAStoreOfTheFirstVersionAndAddsToIt) {
  sql(path(),
      "CREATE TABLE records (  id INTEGER PRIMARY KEY,  identity TEXT NOT NULL UNIQUE,"
      "  stored_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),"
      "  source TEXT NOT NULL, platform TEXT NOT NULL, collective TEXT NOT NULL, algorithm TEXT NOT NULL,"
      "  bytes INTEGER NOT NULL, ranks INTEGER NOT NULL, seconds REAL NOT NULL,  record TEXT NOT NULL);"
      "PRAGMA application_id=1769174120; PRAGMA user_version=1;"
      "INSERT INTO records (identity, source, platform, collective, algorithm, bytes, ranks, seconds, record) VALUES ("
      R"('{"bytes":1,"collective":"broadcast","element_bytes":1,"network":"","placement":"","plan":"binomial",)"
      R"("platform":"das-4x1","ranks":4,"repetitions":1,"requested":"binomial","root":0,"settings":{},)"
      R"("source":"replay"}', 'replay', 'das-4x1', 'broadcast', 'binomial', 1, 4, 0.5, )"
      R"('{"source":"replay","platform":"das-4x1","collective":"broadcast","algorithm":"binomial","bytes":1,)"
      R"("segment_bytes":null,"ranks":4,"root":0,"seconds":0.5,"bound_seconds":null,"repetitions":1,)"
      R"("statistic":"max_over_ranks","plan":"binomial","requested":"binomial","element_bytes":1,"placement":"",)"
      R"("network_digest":"","settings":{}}');)");
  Store store(path());
  EXPECT_EQ(store.find(identity(record_of(1, 0)))->seconds, 0.5);
  store.put(record_of(1, 0.25));
  store.put(record_of(2, 0.75));
  EXPECT_EQ(store.size(), 2);
  EXPECT_EQ(answer_of(path(), "SELECT bytes, seconds FROM records ORDER BY id"), "1|0.25\n2|0.75\n");
}

TEST_F(StoreTest, HoldsEachPointOnce) {
  Store store(path());
  store.put(record_of(1, 0.5));
  store.put(record_of(1, 0.25));
  ASSERT_EQ(store.size(), 1);
  EXPECT_EQ(store.all()[0].seconds, 0.25);
}

TEST_F(StoreTest, ServesTwoProcessesThatWriteAtOnce) {
  constexpr int rows = 100;
  const auto writer = [&](int first) {
    return in_child([&, first] {
      Store store(path());  // the two make the file at the same time
      for (int i = 0; i < rows; ++i) store.put(record_of(first + i, 1));
      return 0;
    });
  };
  const pid_t one = writer(0), other = writer(rows / 2);  // half of the points are both's
  EXPECT_EQ(status_of(one), 0);
  EXPECT_EQ(status_of(other), 0);
  EXPECT_EQ(Store(path()).size(), rows + rows / 2);
}

TEST_F(StoreTest, KeepsWhatWasStoredWhenTheProcessIsKilled) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = in_child([&] {
    Store store(path());
    for (std::int64_t i = 0;; ++i) {
      store.put(record_of(i, 1));
      if (write(pipe_ends[1], &i, sizeof i) != sizeof i) return 1;
    }
  });
  std::int64_t stored = 0;
  while (stored < 20) ASSERT_EQ(read(pipe_ends[0], &stored, sizeof stored), static_cast<ssize_t>(sizeof stored));
  kill(child, SIGKILL);
  EXPECT_EQ(status_of(child), 128 + SIGKILL);
  EXPECT_GE(Store(path()).size(), stored + 1);
}

TEST_F(StoreTest, RefusesAFullDiskInOneLineAndKeepsWhatWasStored) {
  const pid_t child = in_child([&]() -> int {
    if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return 77;
    mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
    if (mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=400k") != 0) return 77;
    std::int64_t stored = 0;
    std::string message;
    {
      Store store(path());
      try {
        while (stored < 100000) {
          store.put(record_of(stored, 1));
          ++stored;
        }
        return 1;
      } catch (const Missing& missing) {
        message = missing.what();
      }
      if (store.size() != stored) return 2;
    }
    if (Store(path()).size() != stored || stored < 10) return 3;
    fprintf(stderr, "%s\n", message.c_str());
    const bool told = message.find(path()) != std::string::npos &&
                      message.find("No space left on device") != std::string::npos &&
                      message.find('\n') == std::string::npos;
    return told ? 0 : 4;
  });
  const int status = status_of(child);
  if (status == 77) GTEST_SKIP() << "this user may not mount a small file system";
  EXPECT_EQ(status, 0);
}

TEST_F(StoreTest, RefusesAStoreOfANewerIsthmus) {
  { Store store(path()); }
  sql(path(), "PRAGMA user_version=99");
  EXPECT_THAT([&] { Store store(path()); }, ThrowsMessage<BadInput>(AllOf(HasSubstr(path()), HasSubstr("newer"))));
}

TEST_F(StoreTest, RefusesAFileThatHasBeenCutOff) {
  { Store store(path()); }
  std::filesystem::resize_file(path(), std::filesystem::file_size(path()) / 2);
  EXPECT_THAT(
      [&] { Store(path()).all(); },
      ThrowsMessage<BadInput>(AllOf(HasSubstr(path()), HasSubstr("; a copy from before, or another file, would "))));
}

TEST_F(StoreTest, LeavesOtherFilesAlone) {
  const auto content = [&] {
    std::ifstream in(path());
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  std::ofstream(path()) << "a diary, not a database; it is long enough to be looked at as one of them";
  const std::string diary = content();
  EXPECT_THAT([&] { Store store(path()); }, ThrowsMessage<BadInput>(HasSubstr("is not a store")));
  EXPECT_EQ(content(), diary);

  std::filesystem::remove(path());
  sql(path(), "CREATE TABLE bookmarks (url TEXT)");
  const std::string bookmarks = content();
  EXPECT_THAT([&] { Store store(path()); }, ThrowsMessage<BadInput>(HasSubstr("another program")));
  EXPECT_EQ(content(), bookmarks);
}

TEST_F(StoreTest, SaysThatAFolderMayNotBeWritten) {
  const uid_t before = geteuid(), nobody = 65534;
  std::filesystem::permissions(folder_, std::filesystem::perms(0555));
  if (before == 0) {
    ASSERT_EQ(seteuid(nobody), 0);
  }
  EXPECT_THAT([&] { Store store(path()); }, ThrowsMessage<BadInput>(HasSubstr("Permission denied")));
  ASSERT_EQ(seteuid(before), 0);
  std::filesystem::permissions(folder_, std::filesystem::perms(0755));
}

TEST_F(StoreTest, NamesAFileThatCannotBeOpened) {
  const std::string nowhere = (folder_ / "no" / "such" / "store.db").string();
  EXPECT_THAT([&] { Store store(nowhere); },
              ThrowsMessage<BadInput>(AllOf(HasSubstr(nowhere), HasSubstr("No such file or directory"))));
  EXPECT_THAT([&] { Store store(folder_.string()); }, ThrowsMessage<BadInput>(HasSubstr(folder_.string())));
}

}  // namespace
}  // namespace isthmus
