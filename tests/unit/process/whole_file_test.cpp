#include "algorithms/process/whole_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class WholeFile : public testing::Test {
 protected:
  WholeFile() : folder_(std::filesystem::temp_directory_path() / ("isthmus-whole-file-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(folder_);
  }
  ~WholeFile() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator());
  }
  static std::string refusal(const std::string& file) {
    try {
      read_whole_file(file, "a thing is needed");
    } catch (const BadInput& error) {
      return error.what();
    }
    return "read";
  }

  std::filesystem::path folder_;
};

TEST_F(WholeFile, IsReadWithAllItsBytes) {
  const std::string bytes = std::string("\0\xff\n", 3) + std::string(200000, 'x');
  std::ofstream(path("f"), std::ios::binary) << bytes;
  EXPECT_EQ(read_whole_file(path("f"), "it"), bytes);
  EXPECT_FALSE(read_whole_file("/proc/self/stat", "it").empty());  // whose size is said to be 0
}

TEST_F(WholeFile, IsReadFromAPipeAsAShellMakesThem) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::thread writer([&] {
    const std::string text(100000, 'p');
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    close(ends[1]);
  });
  EXPECT_EQ(read_whole_file("/proc/self/fd/" + std::to_string(ends[0]), "it"), std::string(100000, 'p'));
  writer.join();
  close(ends[0]);
}

TEST_F(WholeFile, IsNoFolderNoDeviceAndHasToBeThere) {
  EXPECT_EQ(refusal(path("")), path("") + ": cannot be read: Is a directory; a thing is needed");
  EXPECT_EQ(refusal("/dev/zero"), "/dev/zero: cannot be read: it is a device; a thing is needed");
  EXPECT_THAT(refusal(path("none")), StartsWith(path("none") + ": cannot be read: No such file"));
}

TEST_F(WholeFile, OfMoreThanAGigabyteIsRefused) {
  std::ofstream(path("large")) << "";
  std::filesystem::resize_file(path("large"), std::uintmax_t{1} << 40);
  EXPECT_THAT(refusal(path("large")), HasSubstr("more than a gigabyte"));
}

TEST_F(WholeFile, TakesThePlaceOfTheOldOneWithItsModeAndThroughLinks) {
  std::ofstream(path("table")) << "old";
  std::filesystem::permissions(path("table"), std::filesystem::perms(0640));
  std::filesystem::create_symlink("table", path("link"));
  write_whole_file(path("link"), "new");
  EXPECT_EQ(content_of(path("table")), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(std::filesystem::status(path("table")).permissions(), std::filesystem::perms(0640));
  EXPECT_EQ(files(), 2);
}

TEST_F(WholeFile, LeavesTheOldOneUntilAllIsWritten) {
  std::ofstream(path("table")) << "old";
  {
    OutputFile out(path("table"));
    out.write("new, cut o");
  }
  EXPECT_EQ(content_of(path("table")), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, WritesStraightToWhatIsNoFile) {
  write_whole_file("/dev/null", "gone");
  EXPECT_THROW(write_whole_file("/dev/full", "lost"), Missing);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST_F(WholeFile, SaysWhatCannotBeWritten) {
  const auto refused = [](const std::string& file) {
    try {
      write_whole_file(file, "x");
    } catch (const BadInput& error) {
      return std::string(error.what());
    }
    return std::string("written");
  };
  EXPECT_THAT(refused(path("none/f")), StartsWith(path("none/f") + ": cannot be written: No such file"));
  EXPECT_THAT(refused(path("")), HasSubstr("cannot be written: Is a directory"));
  EXPECT_THAT(refused(""), HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace isthmus
