// Ranks that fail: emulate() names them and comes back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "algorithms/errors.hpp"
#include "tests/emulator/jobs.hpp"

namespace isthmus {
namespace {

using testing::HasSubstr;

/// The helper programs, with the failing worker instead of the real one.
class FailingRanks : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "isthmus-failing-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    for (const char* name : {"isthmus-emulator", "isthmus-enter", "libisthmus-idle.so", "libisthmus-daemons.so",
                             "libisthmus-registers.so"}) {
      std::filesystem::create_symlink(std::filesystem::path(HELPER_PROGRAMS) / name, folder_ / name);
    }
    std::filesystem::create_symlink(std::filesystem::path(TEST_PROGRAMS) / "failing_worker",
                                    folder_ / "isthmus-worker");
    setenv("ISTHMUS_LIBEXEC", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("ISTHMUS_LIBEXEC");
    std::filesystem::remove_all(folder_);
  }

  static std::string refusal(int failure, double timeout_s) {
    const Job job = test::broadcasts({.clusters = 2, .hosts = 2}, {"linear"}, {failure});
    try {
      emulate(job, test::on("virtual", timeout_s));
    } catch (const Refused& refused) {
      return refused.what();
    }
    return "accepted";
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(FailingRanks, AreNamedWhenASignalKillsThem) {
  NEEDS_SUBSTRATE(virtual_substrate());
  const std::string message = refusal(1, 120);
  EXPECT_THAT(message, HasSubstr("rank 3 on c1-1 died: signal 9 (Killed)"));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST_F(FailingRanks, AreNamedWhenTheyLeaveEarly) {
  NEEDS_SUBSTRATE(virtual_substrate());
  EXPECT_THAT(refusal(2, 120), HasSubstr("rank 3 on c1-1 ended too early: exit status 5"));
}

TEST_F(FailingRanks, AreNamedWhenTheyHang) {
  NEEDS_SUBSTRATE(virtual_substrate());
  std::string message;
  for (const int timeout_s : {6, 30, 100}) {  // on a busy machine the ranks may not come so far in the first
    message = refusal(3, timeout_s);
    EXPECT_THAT(message, HasSubstr("not done after " + std::to_string(timeout_s) + " s"));
    if (message.find("is stopped") != std::string::npos) break;
  }
  EXPECT_THAT(message, HasSubstr(" s, in point 1 of 1"));
  EXPECT_THAT(message, HasSubstr("rank 3 on c1-1 is stopped"));
}

TEST_F(FailingRanks, AreNamedWhenTheyGiveUp) {
  NEEDS_SUBSTRATE(virtual_substrate());
  EXPECT_THAT(refusal(4, 120), HasSubstr("rank 3 on c1-1 gave up: MPI_Abort with 7"));
}

TEST_F(FailingRanks, DoNotPassForDoneWhenTheyWroteNothing) {
  NEEDS_SUBSTRATE(virtual_substrate());
  EXPECT_THAT(refusal(5, 120), HasSubstr("the ranks ended after 0 of 1 points"));
}

}  // namespace
}  // namespace isthmus
