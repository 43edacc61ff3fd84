"""isthmus run, emulate, shell --rootfs: hosts with a file system of their own, from a folder or an OCI bundle."""

import json
import os
import shutil
import unittest
from pathlib import Path

import root_file_system
from isthmus_program import DAS_4X1, ISTHMUS, ProgramTest

VISITOR = os.path.join(os.environ["TEST_PROGRAMS"], "visitor")
WORKER = os.path.join(os.path.dirname(ISTHMUS), "../libexec/isthmus/isthmus-worker")
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
        self.is_refused(2, "run", DAS_4X1, *VIRTUAL, "--rootfs", self.root, "--ranks", "2", "--", "true",
                        says=["--rootfs", "no mpirun in it that can be started"])
        self.is_refused(2, "shell", DAS_4X1, "c0-0", *VIRTUAL, "--rootfs", self.root, "--", "id",
                        says=["no id in it that can be started"])
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
        done = self.run_program("run", DAS_4X1, *VIRTUAL, "--rootfs", self.root, "--record", "run.json", "--", "/bin/sh",
                                "-c", script)
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertEqual(sorted(line for line in done.stdout.splitlines() if line.startswith("rank")),
                         [f"rank {i} of 4 on c{i}-0" for i in range(4)])
        self.assertEqual(done.stderr.splitlines().count("hello of this root"), 4)
        self.assertEqual((self.folder / "visited.txt").read_text(), "visited\n")
        self.assertEqual((self.root / "mark").read_text(), "of this root\n")
        self.assertEqual(self.contents(), before)
        record = json.loads((self.folder / "run.json").read_text())
        self.assertEqual(record["provenance"]["rootfs"], str(self.root.resolve()))
        self.assertIn("Open MPI", record["provenance"]["mpi"])
        # The same without one of the MPI's libraries, and without one of the program's.
        for library in (self.root / "usr/lib/x86_64-linux-gnu").glob("libopen-rte.so*"):
            library.unlink()
        self.is_refused(2, "run", DAS_4X1, *VIRTUAL, "--rootfs", self.root, "--", "/visitor",
                        says=["no libopen-rte.so.40 in it, which mpirun needs"])

    @unittest.skipUnless(shutil.which("crun"), "needs crun")
    def test_an_oci_bundle_is_run_by_crun(self):
        bundle = self.folder.parent / "bundle"
        files = bundle / "files"
        root_file_system.make(files, *root_file_system.OPEN_MPI, "/bin/sh", VISITOR)
        shutil.copy(VISITOR, files / "visitor")
        (bundle / "config.json").write_text(json.dumps(
            {"ociVersion": "1.0.0", "root": {"path": "files"},
             "process": {"args": ["sh"], "cwd": "/", "env": ["PATH=/usr/bin:/bin", "MARK=of the bundle"]},
             "mounts": [{"destination": "/proc", "type": "proc", "source": "proc"},
                        {"destination": "/dev", "type": "tmpfs", "source": "tmpfs"},
                        {"destination": "/dev/pts", "type": "devpts", "source": "devpts"},
                        {"destination": "/dev/shm", "type": "tmpfs", "source": "shm"},
                        {"destination": "/sys", "type": "sysfs", "source": "sysfs"}]}))
        before = sorted(bundle.rglob("*"))
        done = self.run_program("run", DAS_4X1, *VIRTUAL, "--rootfs", bundle, "--", "/bin/sh", "-c",
                                'echo "$MARK" >&2; exec /visitor 7')
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertEqual(sorted(line for line in done.stdout.splitlines() if line.startswith("rank")),
                         [f"rank {i} of 4 on c{i}-0" for i in range(4)])
        self.assertEqual(done.stderr.splitlines().count("of the bundle"), 4)
        self.assertEqual(sorted(bundle.rglob("*")), before)


if __name__ == "__main__":
    unittest.main()
