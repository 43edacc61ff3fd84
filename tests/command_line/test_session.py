"""isthmus run and shell: programs without isthmus on the emulated network."""

import json
import os
import re
import signal
import subprocess
import unittest

from isthmus_program import DAS_4X1, ISTHMUS, PLATFORMS, ProgramTest

VISITOR = os.path.join(os.environ["TEST_PROGRAMS"], "visitor")
STARTS_AND_WAITS = os.path.join(os.environ["TEST_PROGRAMS"], "drop_in", "start_and_wait")
ANY_SIZES_OF_MPICH = os.path.join(os.environ["TEST_PROGRAMS"], "drop_in", "any_sizes_mpich")
CONJUGATE_GRADIENT_OF_MPICH = os.path.join(os.environ["TEST_PROGRAMS"], "drop_in", "conjugate_gradient_mpich")
FORTRAN_SUM_OF_MPICH = os.path.join(os.environ["TEST_PROGRAMS"], "drop_in", "fortran_sum_mpich")
VIRTUAL = ("--substrate", "virtual")


class Run(ProgramTest):
    def run_with_input(self, text, *arguments):
        return subprocess.run(
            [ISTHMUS, *arguments],
            cwd=self.folder,
            input=text,
            capture_output=True,
            timeout=200,
            env={**os.environ, "TMPDIR": str(self.temporary)},
        )

    def leaves_nothing(self):
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertFalse(os.path.exists("/tmp/isthmus-visited.txt"))
        self.assertFalse(os.path.exists("/etc/isthmus-visited.txt"))

    def test_a_program_meets_what_it_would_meet_here(self):
        done = self.run_with_input(b"x" * 100000, "run", DAS_4X1, *VIRTUAL, "--record", "run.json", "--", VISITOR, "7")
        lines = done.stdout.decode().splitlines()
        self.assertIn("read 100000 bytes", lines)
        self.assertEqual(
            sorted(line for line in lines if line.startswith("rank")), [f"rank {i} of 4 on c{i}-0" for i in range(4)]
        )
        self.assertIn("here 1, elsewhere 0, scratch 1", lines)
        self.assertEqual((self.folder / "visited.txt").read_text(), "visited\n")
        complaints = done.stderr.decode().splitlines()
        self.assertEqual(
            sorted(line for line in complaints if line.startswith("complaint")), [f"complaint of {i}" for i in range(4)]
        )
        self.assertEqual(done.returncode, 7)
        record = json.loads((self.folder / "run.json").read_text())
        self.assertEqual((record["exit_status"], record["ranks"]), (7, 4))
        self.assertGreater(record["seconds"], 0.04)
        self.assertTrue(record["achieved"])
        self.assertEqual(record["provenance"]["substrate"], "virtual")
        self.leaves_nothing()

    def test_collectives_that_are_started_and_waited_for_take_no_longer_than_blocking_ones(self):
        done = self.run_program("run", DAS_4X1, *VIRTUAL, "--drop-in", "--", STARTS_AND_WAITS, "5")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        blocking, started = (float(ms) for ms in re.findall(r"([\d.]+) ms", done.stdout))
        self.assertLess(blocking, 12)
        self.assertLess(abs(started - blocking), 0.5)

    @unittest.skipUnless(os.path.exists(CONJUGATE_GRADIENT_OF_MPICH), "built without MPICH; `apt install libmpich-dev`")
    def test_a_program_linked_with_mpich_ends_and_is_faster_with_the_drop_in(self):
        seconds = []
        for drop_in in ([], ["--drop-in"]):
            shown = self.succeeds("run", DAS_4X1, *VIRTUAL, *drop_in, "--", CONJUGATE_GRADIENT_OF_MPICH)
            self.assertIn("sum 115.640637090 residual small", shown)
            seconds.append(float(re.search(r"seconds ([\d.]+)", shown).group(1)))
        self.assertGreater(seconds[0] / seconds[1], 1.3)

    @unittest.skipUnless(os.path.exists(ANY_SIZES_OF_MPICH), "built without MPICH; `apt install libmpich-dev`")
    def test_a_program_linked_with_mpich_ends_after_its_last_call(self):
        five_sites = str(PLATFORMS / "plain/five-sites.xml")
        command = ("run", five_sites, "--ranks", "4", *VIRTUAL, "--drop-in", "--timeout", "100")
        self.assertIn("all blocks right", self.succeeds(*command, "--", ANY_SIZES_OF_MPICH, "alltoallv", "4096", "2"))

    @unittest.skipUnless(
        os.path.exists(FORTRAN_SUM_OF_MPICH), "built without MPICH's Fortran; `apt install libmpich-dev`"
    )
    def test_a_program_whose_library_needs_mpich_is_one_of_mpich(self):
        for drop_in in ([], ["--drop-in"]):
            shown = self.succeeds("run", DAS_4X1, *VIRTUAL, *drop_in, "--", FORTRAN_SUM_OF_MPICH)
            self.assertEqual(shown, "sum 6\n")

    def test_signals_reach_it_and_it_ends_when_asked_to(self):
        program = subprocess.Popen(
            [ISTHMUS, "run", DAS_4X1, *VIRTUAL, "--", VISITOR, "wait"],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": str(self.temporary)},
        )
        self.addCleanup(program.kill)
        self.assertEqual([program.stdout.readline() for _ in range(4)], [b"waiting\n"] * 4)
        program.send_signal(signal.SIGUSR1)
        self.assertEqual(program.stdout.readline(), b"signalled\n")
        program.send_signal(signal.SIGTERM)
        program.stdout.read()
        program.stdout.close()
        self.assertNotEqual(program.wait(timeout=20), 0)
        self.leaves_nothing()

    def test_one_that_never_ends_is_ended_when_time_is_up(self):
        for timeout_s in (6, 30, 100):  # on a busy machine the ranks may not be waiting in the first
            done = self.run_program("run", DAS_4X1, *VIRTUAL, "--timeout", str(timeout_s), "--", VISITOR, "wait")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"isthmus: not done after {timeout_s} s", done.stderr)
            self.leaves_nothing()
            if "4 ranks wait" in done.stderr:
                break
        self.assertIn("4 ranks wait", done.stderr)

    def run_shell(self, script, *arguments, environment):
        """Runs a script of the shell as one rank under the drop-in."""
        shell = ("sh", "-c", script, *arguments)
        command = ("run", DAS_4X1, *VIRTUAL, "--ranks", "1", "--drop-in", "--", *shell)
        return self.run_program(*command, environment=environment)

    def test_one_that_floods_its_output_and_is_no_mpi_program_loses_nothing(self):
        flood = (
            r'head -c 3000000 /dev/zero | tr "\0" x; echo; test -r "$ISTHMUS_NETWORK" && echo "$(hostname) $MARK $1"'
        )
        done = self.run_shell(flood, "sh", "--", environment={"MARK": "kept"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "x" * 3000000 + "\nc0-0 kept --\n")

    def test_the_platform_replaces_a_network_of_the_environment_and_says_so(self):
        done = self.run_shell('grep -c das-4x1 "$ISTHMUS_NETWORK"', environment={"ISTHMUS_NETWORK": "mine.json"})
        self.assertEqual((done.returncode, done.stdout), (0, "1\n"))
        self.assertRegex(done.stderr, "^isthmus: note: ISTHMUS_NETWORK=mine.json is not used: .*das-4x1.xml; [^\n]*\n$")

    def test_what_cannot_be_started_is_said_before_anything_starts(self):
        self.is_refused(2, "run", DAS_4X1, "--", "./nothing-here", says=["`./nothing-here`", "PATH"])
        self.is_refused(2, "run", DAS_4X1, "--", str(self.folder), says=["no program"])
        self.is_refused(2, "run", DAS_4X1, says=["isthmus run PLATFORM -- PROGRAM"])
        self.is_refused(2, "run", DAS_4X1, "--substrate", "xen", "--", "true", says=["`xen`", "virtual"])
        self.is_refused(2, "run", DAS_4X1, "--writable", "nowhere", "--", "true", says=["`nowhere`"])
        self.is_refused(2, "shell", DAS_4X1, "c9-9", says=["`c9-9`", "c0-0"])


class Shell(ProgramTest):
    def test_it_is_on_the_host(self):
        done = subprocess.run(
            [ISTHMUS, "shell", DAS_4X1, "c1-0", *VIRTUAL],
            cwd=self.folder,
            capture_output=True,
            text=True,
            input="hostname\ngetent hosts c2-0 >&2\nexit 4\n",
            timeout=100,
        )
        self.assertEqual((done.returncode, done.stdout), (4, "c1-0\n"))
        self.assertIn("c2-0", done.stderr)

    def test_it_runs_one_command(self):
        self.assertEqual(self.succeeds("shell", DAS_4X1, "c3-0", *VIRTUAL, "--", "uname", "-n"), "c3-0\n")


if __name__ == "__main__":
    unittest.main()
