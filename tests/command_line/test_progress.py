"""Progress with the time that is left, for a person at a terminal."""

import json
import os
import pty
import subprocess

from isthmus_program import DAS_4X4, ISTHMUS, PLATFORMS, ProgramTest

DAS_8X8 = str(PLATFORMS / "kielmann2000/das-8x8.xml")

# Each takes well over two seconds, in several steps.
VERIFY = ("verify", "broadcast", "--ranks", "48,96,144")
EXPLAIN = ("explain", DAS_8X8, "allgather", "--bytes", "1Ki..4Mi")
SIMULATE = ("simulate", DAS_4X4, "allreduce/all", "--bytes", "8,64,512,4Ki,32Ki,64Ki,128Ki,256Ki")


class OnATerminal(ProgramTest):
    def shown(self, *arguments, rows=False, **variables):
        """What the program writes to a terminal as its standard error, and with `rows` as its standard output too."""
        environment = {**os.environ, **variables}
        mine, its = pty.openpty()
        output = its if rows else subprocess.DEVNULL
        with subprocess.Popen(
            [ISTHMUS, *arguments], stdout=output, stderr=its, cwd=self.folder, env=environment
        ) as program:
            os.close(its)
            text = b""
            try:
                while part := os.read(mine, 4096):
                    text += part
            except OSError:  # the other end is closed
                pass
        os.close(mine)
        self.assertEqual(program.returncode, 0, text)
        return text.decode()

    def test_long_commands_say_how_long_they_will_still_take(self):
        for arguments in (EXPLAIN, SIMULATE):
            shown = self.shown(*arguments)
            self.assertIn(" s left", shown, arguments)
            self.assertTrue(shown.endswith("\r\x1b[K"), "the line is not cleared at the end")
            self.assertLess(max(map(len, shown.replace("\x1b[K", "").split("\r"))), 80)

    def test_a_terminal_without_utf8_gets_ascii(self):
        question = ("explain", DAS_4X4, "broadcast", "--bytes", "64Ki", "--quiet")
        plain = self.shown(*question, rows=True, LC_ALL="C")
        self.assertTrue(plain.isascii(), plain)
        self.assertIn("Bars: # latency, = wide area, - local, + processors, . waiting", plain)
        self.assertIn("c0 --> c", plain)
        self.assertIn("█", self.shown(*question, rows=True, LC_ALL="C.UTF-8"))
        self.assertIn("█", self.succeeds(*question, environment={"LC_ALL": "C"}))  # a file is UTF-8

    def test_quiet_programs_say_nothing(self):
        self.assertEqual(self.shown(*SIMULATE, "--quiet"), "")

    def test_a_quiet_experiment_says_nothing(self):
        experiment = self.folder / "small.json"
        experiment.write_text(
            json.dumps(
                {
                    "name": "small",
                    "title": "One point",
                    "question": "?",
                    "platforms": [DAS_4X4],
                    "algorithms": ["broadcast/binomial"],
                    "sizes": "8",
                    "sources": ["replay"],
                }
            )
        )
        self.assertIn("replay, das-4x4", self.shown("validate", str(experiment), "--store", "loud.sqlite"))
        self.assertEqual(self.shown("validate", str(experiment), "--store", "quiet.sqlite", "--quiet"), "")

    def test_rows_stand_on_lines_of_their_own_where_both_go_to_the_terminal(self):
        shown = self.shown(*VERIFY, rows=True)
        self.assertIn(" s left", shown)
        rows = [line for line in shown.splitlines() if "proved" in line]
        self.assertGreater(len(rows), 10)
        for row in rows:
            self.assertRegex(row.rsplit("\x1b[K", 1)[-1].rsplit("\r", 1)[-1], r"^broadcast/\S+ +\d+ proved")
