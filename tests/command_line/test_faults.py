"""kill -9 of the tool, mpirun, a rank or the substrate at random moments: nothing is left, and the run can continue.

ISTHMUS_KILLS is how many there are, 200 when left out; ISTHMUS_SUBSTRATES those on which they happen in turn,
ISTHMUS_SEED what decides the moments.
"""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest
from pathlib import Path

from isthmus_program import ISTHMUS, PLATFORMS, ProgramTest

KILLS = int(os.environ.get("ISTHMUS_KILLS", "200"))
SUBSTRATES = os.environ.get("ISTHMUS_SUBSTRATES", "virtual,delay-line").split(",")
SEED = int(os.environ.get("ISTHMUS_SEED", time.time_ns() % 1000000))
HELPERS = Path(os.environ.get("HELPER_PROGRAMS", Path(ISTHMUS).parent.parent / "libexec/isthmus"))
VICTIMS = ("tool", "mpirun", "rank", "substrate")
RANKS = 4
LONGEST_S = {"virtual": 12, "delay-line": 6}  # by then the ranks run
PATIENCE_S = 60  # beyond the time-out of the run, at which one ends whose kernel no longer answers

EXPERIMENT = {
    "name": "faults",
    "title": "Faults",
    "platforms": [str(PLATFORMS / "kielmann2000/das-4x1.xml")],
    "algorithms": ["broadcast/binomial", "broadcast/magpie", "broadcast/kielmann:segment=16Ki"],
    "sizes": "1Ki,64Ki,256Ki,1Mi",
    "sources": ["emulated"],
    "repetitions": 3,
    "timeout_s": 100,
}

# A worker that kills a process of its own emulation while it works.
WORKER = """#!/bin/sh
if [ "$OMPI_COMM_WORLD_RANK" = {rank} ]; then
  (sleep {delay_s}
   for process in /proc/[0-9]*; do
     read -r name < $process/comm 2>/dev/null || continue
     [ "$name" = "{victim}" ] && kill -9 ${{process#/proc/}}
   done) &
fi
exec {worker} "$@"
"""


def processes_with(mark):
    """Processes with the mark in their environment: command lines by process number."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found[int(folder.name)] = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            pass
    return found


def text_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Faults(ProgramTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)
        self.experiment = self.write("faults.json", json.dumps(EXPERIMENT))

    def helpers_that_lose(self, victim, delay_s):
        """The helper programs with a worker that kills mpirun or a rank."""
        folder = self.folder / "helpers"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for program in HELPERS.iterdir():
            if program.name != "isthmus-worker":
                (folder / program.name).symlink_to(program.resolve())
        # A process sees those of its own host: rank 0's is that of mpirun.
        rank = 0 if victim == "mpirun" else self.random.randrange(RANKS)
        worker = folder / "isthmus-worker"
        name = "mpirun" if victim == "mpirun" else "isthmus-worker"
        worker.write_text(
            WORKER.format(rank=rank, delay_s=delay_s, victim=name, worker=(HELPERS / "isthmus-worker").resolve())
        )
        worker.chmod(0o755)
        return folder

    def start(self, substrate, store, mark, helpers=None):
        environment = {**os.environ, "TMPDIR": str(self.temporary), "ISTHMUS_FAULT": mark}
        if helpers:
            environment["ISTHMUS_LIBEXEC"] = str(helpers)
        return subprocess.Popen(
            [ISTHMUS, "validate", self.experiment, "--store", store, "--substrate", substrate],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def kill_from_outside(self, run, victim, mark, moment_s):
        time.sleep(moment_s)
        if victim == "tool":
            run.kill()
            return
        # What the run stands on: one of the supervising processes, the kernel, or the program inside.
        stands_on = [
            number
            for number, command in processes_with(mark).items()
            if number != run.pid and ("isthmus-emulator" in command[0] or command[0].endswith(("/linux", "inside")))
        ]
        if stands_on:
            os.kill(self.random.choice(stands_on), signal.SIGKILL)

    def nothing_is_left_of(self, mark, mounts, devices):
        end = time.monotonic() + 5
        while processes_with(mark) and time.monotonic() < end:  # freeing its memory takes a moment
            time.sleep(0.1)
        self.assertEqual(processes_with(mark), {})
        self.assertEqual(text_of("cat", "/proc/self/mountinfo"), mounts)
        self.assertEqual(text_of("ip", "-o", "link").count("\n"), devices)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def rows_of(self, store):
        if not os.path.exists(store):
            return []
        connection = sqlite3.connect(store)
        try:
            self.assertEqual(connection.execute("PRAGMA integrity_check").fetchone(), ("ok",))
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            rows = [json.loads(row[0]) for row in connection.execute("SELECT record FROM records")] if tables else []
        finally:
            connection.close()
        for row in rows:
            self.assertEqual(len(row["repetition_seconds"]), EXPERIMENT["repetitions"])
            self.assertGreater(row["seconds"], 0)
        return rows

    def test_nothing_is_left_and_the_run_goes_on(self):
        mounts = text_of("cat", "/proc/self/mountinfo")
        devices = text_of("ip", "-o", "link").count("\n")
        hits, unhit, refused = {victim: 0 for victim in VICTIMS}, 0, 0
        stores = {substrate: str(self.folder / f"{substrate}.sqlite") for substrate in SUBSTRATES}
        for number in range(KILLS):
            victim = VICTIMS[number % len(VICTIMS)]
            substrate = SUBSTRATES[number // len(VICTIMS) % len(SUBSTRATES)]
            mark = f"fault-{os.getpid()}-{number}"
            outside = victim in ("tool", "substrate")
            moment_s = self.random.uniform(0, LONGEST_S[substrate]) if outside else self.random.uniform(0, 1)
            with self.subTest(number=number, victim=victim, substrate=substrate, moment_s=moment_s, seed=SEED):
                helpers = None if outside else self.helpers_that_lose(victim, moment_s)
                run = self.start(substrate, stores[substrate], mark, helpers)
                if outside:
                    self.kill_from_outside(run, victim, mark, moment_s)
                try:
                    _, errors = run.communicate(timeout=EXPERIMENT["timeout_s"] + PATIENCE_S)
                finally:
                    run.kill()
                if run.returncode == 0:
                    unhit += 1  # it was done before
                    os.unlink(stores[substrate])
                elif run.returncode == 1 and "isthmus: the emulated " in errors:
                    refused += 1  # by the probe: other work had the processors that real time takes
                    self.assertEqual(substrate, "delay-line", errors)
                else:
                    hits[victim] += 1
                    if victim != "tool":
                        lines = [line for line in errors.splitlines() if line.startswith("isthmus: ")]
                        self.assertEqual((run.returncode, len(lines)), (1, 1), errors)
                        if "waited for a processor" not in errors:  # else it may take its time
                            self.assertNotIn("not done after", errors)
                self.nothing_is_left_of(mark, mounts, devices)
                self.rows_of(stores[substrate])
        print(f"seed {SEED}: killed {hits}, done before {unhit}, refused by the probe {refused}", flush=True)
        if KILLS >= 6 * len(VICTIMS):
            self.assertTrue(all(hits.values()), hits)
        for substrate, store in stores.items():
            before = len(self.rows_of(store))
            done = self.run_program(
                "validate", self.experiment, "--store", store, "--substrate", substrate, timeout=600
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = self.rows_of(store)
            self.assertEqual(len(rows), 12, f"{substrate}: {before} before")


if __name__ == "__main__":
    unittest.main()
