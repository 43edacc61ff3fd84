"""isthmus run --rootfs: hosts with a file system of their own."""

import json
import os
import shutil
import unittest

import root_file_system
from isthmus_program import DAS_4X1, ProgramTest

VISITOR = os.path.join(os.environ["TEST_PROGRAMS"], "visitor")
VIRTUAL = ("--substrate", "virtual")


class Rootfs(ProgramTest):
    def setUp(self):
        super().setUp()
        self.root = self.folder.parent / "root,with:odd=characters"
        self.root.mkdir()

    def contents(self):
        return sorted(self.root.rglob("*"))

    def test_what_it_lacks_is_named(self):
        root_file_system.make(self.root, "/usr/bin/true")
        before = self.contents()
        self.is_refused(
            2,
            "run",
            DAS_4X1,
            *VIRTUAL,
            "--rootfs",
            self.root,
            "--ranks",
            "2",
            "--",
            "true",
            says=["--rootfs", "no mpirun in it that can be started"],
        )
        self.assertEqual(self.contents(), before)
        self.is_refused(2, "run", DAS_4X1, "--rootfs", "nowhere", "--", "true", says=["--rootfs nowhere"])
        self.is_refused(2, "run", DAS_4X1, "--rootfs", "/run", "--", "true", says=["--rootfs /run"])

    def test_a_program_sees_it_as_its_file_system(self):
        root_file_system.make(self.root, *root_file_system.OPEN_MPI, "/bin/sh", "/usr/bin/cat", VISITOR)
        shutil.copy(VISITOR, self.root / "visitor")
        (self.root / "mark").write_text("of this root\n")
        before = self.contents()
        script = "read mark </mark; echo $(cat /etc/hostname) $mark >&2; echo gone >/mark; exec /visitor 7"
        (self.root / "etc").mkdir(exist_ok=True)
        (self.root / "etc/hostname").write_text("hello")
        before = self.contents()
        done = self.run_program(
            "run", DAS_4X1, *VIRTUAL, "--rootfs", self.root, "--record", "run.json", "--", "/bin/sh", "-c", script
        )
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertEqual(
            sorted(line for line in done.stdout.splitlines() if line.startswith("rank")),
            [f"rank {i} of 4 on c{i}-0" for i in range(4)],
        )
        self.assertEqual(done.stderr.splitlines().count("hello of this root"), 4)
        self.assertEqual((self.folder / "visited.txt").read_text(), "visited\n")
        self.assertEqual((self.root / "mark").read_text(), "of this root\n")
        self.assertEqual(self.contents(), before)
        record = json.loads((self.folder / "run.json").read_text())
        self.assertEqual(record["provenance"]["rootfs"], str(self.root.resolve()))
        self.assertIn("Open MPI", record["provenance"]["mpi"])


if __name__ == "__main__":
    unittest.main()
