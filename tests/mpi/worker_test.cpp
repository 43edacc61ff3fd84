// isthmus-worker as the emulator starts it: by mpirun, with a job and a file for the results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/mpi/job/job.hpp"
#include "algorithms/process/child.hpp"

namespace isthmus {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// A folder that is removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "isthmus-worker-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

Job job_of(int ranks) {
  Job job;
  job.network.name = "one";
  job.network.links.push_back({"lan", 50e6, 10e-6, Sharing::shared});
  job.network.trunks[{0, 0}] = {{0}};
  Host host;
  host.name = "a";
  host.cores = ranks;
  job.network.hosts.push_back(host);
  job.placement.host_of_rank.assign(ranks, 0);
  for (const char* plan : {"binomial", "chain:segment=1Ki", "magpie"}) {
    Point point;
    point.problem.count = 100000;
    point.problem.root = 1;
    point.plan = parse_plan(Collective::broadcast, plan);
    job.points.push_back(point);
  }
  job.repetitions = 4;
  job.warm_up = 1;
  return job;
}

ChildResult work(int ranks, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {ISTHMUS_MPIRUN,        "--oversubscribe", "--allow-run-as-root", "--mca", "btl",
                                      "self,vader,tcp",      "--mca",           "mpi_yield_when_idle", "1",     "-n",
                                      std::to_string(ranks), ISTHMUS_WORKER};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ChildOptions options;
  options.timeout_s = 60;
  options.environment = {
      {"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}, {"ASAN_OPTIONS", "detect_leaks=0"}};
  return run_child(command, options);
}

TEST(Worker, WritesALineForEachPoint) {
  const Folder folder;
  std::ofstream(folder.file("job.json")) << to_json(job_of(3));
  const ChildResult result = work(3, {folder.file("job.json"), folder.file("results.jsonl")});
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  std::ifstream results(folder.file("results.jsonl"));
  int points = 0;
  for (std::string line; std::getline(results, line); ++points) {
    const json parsed = json::parse(line);
    EXPECT_EQ(parsed.at("point"), points);
    const PointResult point = point_result_from_json(parsed);
    EXPECT_TRUE(point.correct);
    ASSERT_EQ(point.repetitions.size(), 4u);
    for (const Repetition& repetition : point.repetitions) {
      EXPECT_GT(repetition.seconds, 0);
      EXPECT_EQ(repetition.rank_end_s.size(), 3u);
    }
  }
  EXPECT_EQ(points, 3);
}

// Open MPI says more than we do when a rank ends the program; our own line stands among its.
TEST(Worker, TellsOnceWhatIsWrongWithAJob) {
  const Folder folder;
  json job = to_json(job_of(3));
  job["points"][2]["root"] = 7;
  std::ofstream(folder.file("job.json")) << job;
  const ChildResult result = work(3, {folder.file("job.json"), folder.file("results.jsonl")});
  EXPECT_EQ(result.exit_status, 2);
  const std::string told = "isthmus-worker: rank 0: " + folder.file("job.json") + ": job: /points/2/root: is 7";
  EXPECT_THAT(result.errors, HasSubstr(told));
  EXPECT_EQ(result.errors.find("isthmus-worker:"), result.errors.rfind("isthmus-worker:"));
}

TEST(Worker, RefusesAnotherNumberOfRanks) {
  const Folder folder;
  std::ofstream(folder.file("job.json")) << to_json(job_of(3));
  const ChildResult result = work(2, {folder.file("job.json"), folder.file("results.jsonl")});
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_THAT(result.errors, HasSubstr("a job for 3 ranks was started on 2"));
}

TEST(Worker, TellsThatAFileIsMissingOrNoJson) {
  const Folder folder;
  EXPECT_THAT(work(2, {folder.file("none.json"), folder.file("r")}).errors, HasSubstr("none.json: cannot be read"));
  std::ofstream(folder.file("job.json")) << "{";
  EXPECT_THAT(work(2, {folder.file("job.json"), folder.file("r")}).errors, HasSubstr("job.json: "));
  EXPECT_EQ(work(1, {}).exit_status, 2);
}

TEST(Worker, TellsThatTheDiskIsFull) {
  const Folder folder;
  std::ofstream(folder.file("job.json")) << to_json(job_of(2));
  const ChildResult result = work(2, {folder.file("job.json"), "/dev/full"});
  EXPECT_EQ(result.exit_status, 1);
  EXPECT_THAT(result.errors, HasSubstr("/dev/full: cannot be written"));
}

}  // namespace
}  // namespace isthmus
