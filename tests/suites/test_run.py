"""The runner of MPI suites, on a tiny suite in MPICH's layout."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from runner.launching import hosts_of  # noqa: E402
from runner.mpi4py_suite import blame, joined  # noqa: E402
from runner.processes import Ended  # noqa: E402
from runner.timings import rows_of  # noqa: E402

TINY = HERE / "tiny"
NEEDED = ["--isthmus", os.environ["ISTHMUS_BUILD"]]


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = Path(folder.name)

    def run_suite(self, *arguments, needed=NEEDED):
        return subprocess.run(
            [HERE / "run", *arguments, *needed, "--work", self.work, "--set", "ISTHMUS_EFFORT=1Ki"],
            capture_output=True, text=True, timeout=800,
        )  # fmt: skip

    def programs(self):
        """All processes of this test's suite: launchers, ranks, and their descendants."""
        return subprocess.run(["pgrep", "-f", f"{self.work}/mpich"], capture_output=True, text=True).stdout.split()

    def refuses(self, status, says, *arguments, needed=NEEDED):
        done = self.run_suite(*arguments, needed=needed)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(says, done.stderr)

    def test_differences_are_found_and_nothing_is_left(self):
        before = {file: file.stat().st_mtime_ns for file in TINY.rglob("*")}
        done = self.run_suite("mpich", TINY, "--format", "json", "--timeout", "40")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        rows = {
            row["test"]: (row["plain"], row["drop_in"], row["differs"])
            for row in map(json.loads, done.stdout.splitlines())
        }
        self.assertEqual(rows, {
            "coll/passes 4": ("pass", "pass", False),
            "coll/passes 3 -count=7": ("pass", "pass", False),
            "coll/fails 2": ("pass", "fail", True),
            "coll/crashes 2": ("pass", "crash", True),
            "coll/hangs 2": ("pass", "hang", True),
            "coll/uncompiled 2": ("absent", "absent", False),
        })  # fmt: skip
        self.assertEqual({file: file.stat().st_mtime_ns for file in TINY.rglob("*")}, before)
        self.assertEqual(self.programs(), [], "processes were left behind")

    def test_a_runner_that_is_ended_leaves_nothing(self):
        argv = [HERE / "run", "mpich", TINY, "--select", "hangs", *NEEDED, "--work", self.work]
        runner = subprocess.Popen(argv, stdout=subprocess.DEVNULL, env=os.environ | {"TMPDIR": str(self.work)})
        self.addCleanup(runner.kill)
        # A launcher, two ranks, a child process of each rank: it hangs.
        while len(self.programs()) < 5:
            self.assertIsNone(runner.poll())
            time.sleep(0.05)
        runner.terminate()
        self.assertEqual(runner.wait(60), 128 + signal.SIGTERM)
        self.assertEqual(self.programs(), [])
        self.assertEqual([file.name for file in self.work.glob("isthmus-suite-*")], [])

    def test_no_difference_is_status_0_and_calls_are_seen_to_be_served(self):
        done = self.run_suite("mpich", TINY, "--select", "passes 4")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(
            done.stdout, r"1 tests: 1 pass both ways, 0 do not pass plain, 0 differ\ncalls served: allreduce 1\n"
        )

    def test_each_plan_is_forced_in_turn(self):
        done = self.run_suite("mpich", TINY, "--select", "passes", "--ranks", "3", "--forced", "--format", "json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        plans = [json.loads(line)["plans"] for line in done.stdout.splitlines()]
        self.assertTrue(any("allreduce=ring " in each and "alltoall=bruck " not in each for each in plans), plans)
        self.assertEqual(len(set(plans)), len(plans) / 2)

    def test_what_cannot_be_done_is_said_in_a_line(self):
        self.refuses(2, "no such folder", "mpich", self.work / "nowhere")
        self.refuses(2, "not MPICH's source", "mpich", self.work)
        self.refuses(2, "no test of mpich", "mpich", TINY, "--select", "nothing")
        self.refuses(2, "osu, imb and npb are", "mpich", TINY, "--emulated", "das.xml")
        self.refuses(3, "is not built", "mpich", TINY, needed=["--isthmus", str(self.work)])


class Parts(unittest.TestCase):
    def test_ranks_are_dealt_to_sites_and_hosts(self):
        self.assertEqual(hosts_of(5, 2), ["site0-0", "site0-0", "site0-1", "site1-0", "site1-0"])
        self.assertEqual(hosts_of(1, 2), ["site0-0"])

    def test_tables_of_benchmarks_are_read_until_the_last_rank_is_done(self):
        osu = "# OSU MPI Broadcast\n# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
        self.assertEqual(rows_of(osu + "8   5.5  1.0   10.5   20\n1024  7  6  9.0  20\n"), {8: 10.5e-6, 1024: 9e-6})
        barrier = "# OSU MPI Barrier Latency Test v5\n# Avg Latency(us)\n             20.25\n"
        self.assertEqual(rows_of(barrier), {0: 20.25e-6})
        imb = "# Benchmarking Ibcast_pure\n #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
        self.assertEqual(rows_of(imb + "  8  10  1.5  3.5  2.5\n"), {8: 3.5e-6})
        overlap = "    #bytes #repetitions t_ovrl[usec] t_pure[usec]  t_CPU[usec]   overlap[%]\n"
        self.assertEqual(rows_of(overlap + "  8  10  9.0  4.5  4.5  50.00\n"), {8: 4.5e-6})

    def test_a_test_of_mpi4py_passes_when_it_does_on_every_rank(self):
        ranks = [
            ["start\ta", "pass\ta", "start\tb", "pass\tb"],
            ["start\ta", "skip\ta", "start\tb", "fail\tb\twrong sum"],
        ]
        self.assertEqual({test: outcome.status for test, outcome in joined(ranks).items()}, {"a": "pass"})
        self.assertEqual(blame("b", Ended(1, ""), ranks).detail, "rank 1: wrong sum")
        self.assertEqual(blame("c", Ended(None, ""), ranks).status, "hang")


if __name__ == "__main__":
    unittest.main()
