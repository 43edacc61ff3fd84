"""Runs the program `isthmus` in a new empty folder and checks that it leaves nothing behind."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ISTHMUS = os.environ["ISTHMUS"]
SOURCE = Path(os.environ["SOURCE"])
# The address sanitizer maps terabytes, so that memory cannot be limited.
SANITIZED = os.environ.get("ISTHMUS_SANITIZE") == "1"
PLATFORMS = SOURCE / "platforms"
DAS_4X4 = str(PLATFORMS / "kielmann2000/das-4x4.xml")
DAS_4X1 = str(PLATFORMS / "kielmann2000/das-4x1.xml")
EMULATE_8_BYTES = ("emulate", DAS_4X1, "broadcast/binomial", "--bytes", "8")


class ProgramTest(unittest.TestCase):
    """`self.folder` is the working folder, `self.temporary` the TMPDIR of what is run; both end with the test."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "work"
        self.temporary = Path(folder.name) / "tmp"
        self.folder.mkdir()
        self.temporary.mkdir()

    def run_program(self, *arguments, environment=None, timeout=300):
        return subprocess.run(
            [ISTHMUS, *map(str, arguments)],
            cwd=self.folder,
            timeout=timeout,
            text=True,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": str(self.temporary), **(environment or {})},
        )

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def succeeds(self, *arguments, **options):
        """Runs, expects exit status 0 and no complaint; returns what was printed."""
        done = self.run_program(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{arguments}\n{done.stdout}")
        return done.stdout

    def is_refused(self, status, *arguments, says=(), **options):
        """Runs, expects the exit status, one line on stderr with all of `says` in it, and nothing left behind."""
        before = sorted(self.folder.rglob("*"))
        done = self.run_program(*arguments, **options)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}\n{done.stderr}")
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("isthmus: "), lines[0])
        for text in says:
            self.assertIn(text, lines[0])
        self.assertEqual(list(self.temporary.iterdir()), [], "temporary files were left behind")
        self.assertEqual(sorted(self.folder.rglob("*")), before, "files were left behind")
        return lines[0]
