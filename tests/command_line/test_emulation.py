"""isthmus emulate and validate on the emulated network, as a user runs them."""

import json
import os
import signal
import sqlite3
import subprocess
import time
import unittest

from isthmus_program import DAS_4X1, DAS_4X4, EMULATE_8_BYTES, ISTHMUS, ProgramTest

EXPERIMENT = {
    "name": "small",
    "title": "Two broadcasts on four hosts",
    "platforms": [DAS_4X1],
    "algorithms": ["broadcast/kielmann", "broadcast/binomial"],
    "sizes": "1,64Ki",
    "sources": ["plogp", "replay", "smpi", "emulated"],
    "substrate": "virtual",
    "tolerances": [
        {"source": "replay", "against": "emulated", "bytes": "1..64Ki", "percent": 6},
        {"source": "smpi", "against": "emulated", "bytes": "1..64Ki", "percent": 6},
    ],
}


class Emulation(ProgramTest):
    def emulated(self, *arguments):
        shown = self.succeeds("emulate", *arguments, "--substrate", "virtual", "--format", "json")
        return [json.loads(line) for line in shown.splitlines()]

    def test_a_record_says_what_the_links_gave(self):
        record = self.emulated(DAS_4X1, "broadcast/binomial", "--bytes", "8")[0]
        self.assertEqual((record["source"], record["ranks"]), ("emulated", 4))
        self.assertTrue(record["achieved"])
        for link in record["achieved"]:
            self.assertAlmostEqual(link["latency_s"], link["asked_latency_s"], delta=0.01 * link["asked_latency_s"])
            self.assertAlmostEqual(
                link["bandwidth_Bps"], link["asked_bandwidth_Bps"], delta=0.01 * link["asked_bandwidth_Bps"]
            )
        for key in ("substrate", "kernel"):
            self.assertIn(key, record["provenance"])

    def test_a_barrier_has_no_size(self):
        self.assertEqual([record["bytes"] for record in self.emulated(DAS_4X1, "barrier")], [0])

    def test_two_runs_give_identical_seconds(self):
        one, other = (self.emulated(DAS_4X4, "broadcast/kielmann", "--bytes", "1,64Ki") for _ in range(2))
        self.assertEqual([r["seconds"] for r in one], [r["seconds"] for r in other])

    def test_a_time_out_is_an_answer_and_leaves_nothing(self):
        self.is_refused(
            1,
            "emulate",
            DAS_4X4,
            "broadcast/magpie",
            "--bytes",
            "4Mi",
            "--substrate",
            "virtual",
            "--timeout",
            "3",
            says=["3 s"],
        )

    def test_links_out_of_tolerance_are_refused(self):
        self.is_refused(
            1,
            *EMULATE_8_BYTES,
            "--substrate",
            "virtual",
            "--tolerance",
            "1e-9",
            says=["latency", "; --tolerance 0.01 would be right"],
        )


def idle_share(seconds):
    """The idle share of the processors' time."""

    def ticks():
        with open("/proc/stat") as file:
            return [int(word) for word in file.readline().split()[1:9]]

    before = ticks()
    time.sleep(seconds)
    passed = [after - earlier for earlier, after in zip(before, ticks())]
    return (passed[3] + passed[4]) / sum(passed)


class Starvation(ProgramTest):
    """Measured times are those of the network only if ranks get processors when they need them."""

    def waited_and_said(self, platform, substrate):
        done = self.run_program(
            "emulate",
            platform,
            "broadcast/kielmann",
            "--bytes",
            "64Ki",
            "--repetitions",
            "5",
            "--substrate",
            substrate,
            "--tolerance",
            "1",
            "--format",
            "json",
        )
        if done.returncode == 3:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout).get("processor_waited"), "waited for a processor" in done.stderr

    def test_is_said_in_real_time_and_only_there(self):
        loops = [
            subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"], start_new_session=True)
            for _ in range(2 * os.cpu_count())
        ]
        try:
            waited, said = self.waited_and_said(DAS_4X4, "delay-line")
            self.assertGreater(waited, 0.4)
            self.assertTrue(said)
            self.assertEqual(self.waited_and_said(DAS_4X1, "virtual"), (None, False))
        finally:
            for loop in loops:
                loop.kill()
                loop.wait()
        idle = idle_share(0.5)
        waited, said = self.waited_and_said(DAS_4X4, "delay-line")
        if (idle := min(idle, idle_share(0.5))) < 0.9:
            self.skipTest(
                "whether nothing is said on a quiet machine cannot be seen: "
                f"only {100 * idle:.0f} % of this one is idle"
            )
        self.assertLessEqual(waited, 0.4)
        self.assertFalse(said)


class Validation(ProgramTest):
    def rows(self):
        with sqlite3.connect(self.folder / "s.sqlite") as store:
            return store.execute("select count(*) from records").fetchone()[0]

    def test_a_validation_that_was_killed_goes_on_where_it_stopped(self):
        file = self.write("small.json", json.dumps(EXPERIMENT))
        arguments = ["validate", file, "--store", "s.sqlite", "--report", "report"]
        first = subprocess.Popen(
            [ISTHMUS, *arguments],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": str(self.temporary)},
        )
        store = self.folder / "s.sqlite"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (store.exists() and self.rows_or_none() >= 1):
            time.sleep(0.05)
        first.send_signal(signal.SIGKILL)
        first.wait()
        kept = self.rows()
        self.assertGreaterEqual(kept, 1)
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.rows(), 14)  # plogp answers one of the two algorithms
        self.assertIn("report: report/small.html", done.stdout)
        self.assertTrue((self.folder / "report/small.html").exists())
        again = self.run_program(*arguments)
        self.assertEqual(again.returncode, 0)
        self.assertEqual(self.rows(), 14)

    def rows_or_none(self):
        try:
            return self.rows()
        except sqlite3.OperationalError:  # not made yet
            return 0

    def test_a_tolerance_that_is_missed_is_the_answer_no(self):
        tight = {
            **EXPERIMENT,
            "sizes": "64Ki",
            "sources": ["replay", "emulated"],
            "tolerances": [{"source": "replay", "against": "emulated", "bytes": "64Ki", "percent": 0.0001}],
        }
        done = self.run_program("validate", self.write("tight.json", json.dumps(tight)), "--store", "s.sqlite")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("out of tolerance", done.stderr.splitlines()[-1])


if __name__ == "__main__":
    unittest.main()
