"""isthmus run, emulate, shell --rootfs: file systems that lack something, and OCI bundles."""

import json
import os
import shutil
import unittest

import root_file_system
from isthmus_program import DAS_4X1, EMULATE_8_BYTES, ISTHMUS, ProgramTest

VISITOR = os.path.join(os.environ["TEST_PROGRAMS"], "visitor")
WORKER = os.path.join(os.path.dirname(ISTHMUS), "../libexec/isthmus/isthmus-worker")
VIRTUAL = ("--substrate", "virtual")


class Rootfs(ProgramTest):
    def test_whatever_it_lacks_is_named(self):
        root = self.folder.parent / "root"
        root_file_system.make(root, *root_file_system.OPEN_MPI, "/bin/sh", VISITOR)
        self.is_refused(
            2,
            "shell",
            DAS_4X1,
            "c0-0",
            *VIRTUAL,
            "--rootfs",
            root,
            "--",
            "id",
            says=["no id in it that can be started"],
        )
        # Of the worker's libraries it contains only those that the MPI needs too.
        self.is_refused(
            2,
            *EMULATE_8_BYTES,
            *VIRTUAL,
            "--rootfs",
            root,
            says=["which isthmus-worker needs"],
        )
        for library in (root / "usr/lib/x86_64-linux-gnu").glob("libopen-rte.so*"):
            library.unlink()
        for library in (root / "lib/x86_64-linux-gnu").glob("libopen-rte.so*"):
            library.unlink()
        self.is_refused(
            2,
            "run",
            DAS_4X1,
            *VIRTUAL,
            "--rootfs",
            root,
            "--",
            "/visitor",
            says=["no libopen-rte.so.40 in it, which mpirun needs"],
        )

    def test_plans_run_in_it(self):
        root = self.folder.parent / "root"
        root_file_system.make(root, *root_file_system.OPEN_MPI, "/bin/sh", WORKER)
        shown = self.succeeds(
            "emulate", DAS_4X1, "broadcast/binomial", "--bytes", "8", *VIRTUAL, "--rootfs", root, "--format", "json"
        )
        self.assertEqual(json.loads(shown)["ranks"], 4)

    @unittest.skipUnless(shutil.which("crun"), "needs crun")
    def test_an_oci_bundle_is_run_by_crun(self):
        bundle = self.folder.parent / "bundle"
        files = bundle / "files"
        root_file_system.make(files, *root_file_system.OPEN_MPI, "/bin/sh", VISITOR)
        shutil.copy(VISITOR, files / "visitor")
        (bundle / "config.json").write_text(
            json.dumps(
                {
                    "ociVersion": "1.0.0",
                    "root": {"path": "files"},
                    "process": {"args": ["sh"], "cwd": "/", "env": ["PATH=/usr/bin:/bin", "MARK=of the bundle"]},
                    "linux": {"resources": {"devices": [{"allow": False, "access": "rwm"}]}},
                    "mounts": [
                        {"destination": "/proc", "type": "proc", "source": "proc"},
                        {"destination": "/dev", "type": "tmpfs", "source": "tmpfs"},
                        {"destination": "/dev/pts", "type": "devpts", "source": "devpts"},
                        {"destination": "/dev/shm", "type": "tmpfs", "source": "shm"},
                        {"destination": "/sys", "type": "sysfs", "source": "sysfs"},
                    ],
                }
            )
        )
        before = sorted(bundle.rglob("*"))
        fuse = {"type": "c", "major": 10, "minor": 229}
        for pointer, field, said in (
            (("linux", "seccomp"), {"defaultAction": "SCMP_ACT_ALLOW"}, "/linux/seccomp"),
            (("hooks",), {"prestart": [{"path": "/x"}]}, "/hooks"),
            (("linux", "resources"), {"memory": {"limit": 1}}, "/linux/resources/memory"),
            (
                ("linux", "resources"),
                {"devices": [{"allow": True, "type": "a"}, {"allow": False, **fuse}]},
                "/linux/resources/devices/1",
            ),
            (("linux", "devices"), [{"path": "/dev/fuse", **fuse}], "/linux/devices/0"),
            (("process", "capabilities"), {"bounding": ["CAP_FLY"]}, "/process/capabilities/bounding"),
            (("process", "capabilities"), {"permited": []}, "/process/capabilities/permited"),
            (
                ("process", "capabilities"),
                {"bounding": ["CAP_KILL"], "permitted": ["CAP_KILL"], "ambient": ["CAP_KILL"]},
                "/process/capabilities/ambient",
            ),
        ):
            config = json.loads((bundle / "config.json").read_text())
            inner = config
            for key in pointer[:-1]:
                inner = inner.setdefault(key, {})
            inner[pointer[-1]] = field
            refused = self.folder.parent / "refused"
            refused.mkdir(exist_ok=True)
            (refused / "config.json").write_text(json.dumps({**config, "root": {"path": str(files)}}))
            self.is_refused(2, "run", DAS_4X1, *VIRTUAL, "--rootfs", refused, "--", "/visitor", says=[said])
        done = self.run_program(
            "run", DAS_4X1, *VIRTUAL, "--rootfs", bundle, "--", "/bin/sh", "-c", 'echo "$MARK" >&2; exec /visitor 7'
        )
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertEqual(
            sorted(line for line in done.stdout.splitlines() if line.startswith("rank")),
            [f"rank {i} of 4 on c{i}-0" for i in range(4)],
        )
        self.assertEqual(done.stderr.splitlines().count("of the bundle"), 4)
        self.assertEqual(sorted(bundle.rglob("*")), before)

        config = json.loads((bundle / "config.json").read_text())
        config["process"].update(
            {
                "user": {"uid": 1234, "gid": 56, "additionalGids": [78]},
                "noNewPrivileges": True,
                "rlimits": [{"type": "RLIMIT_NOFILE", "soft": 300, "hard": 400}],
                "capabilities": {
                    "bounding": ["CAP_CHOWN", "CAP_KILL"],
                    "permitted": ["CAP_CHOWN", "CAP_KILL"],
                    "effective": ["CAP_KILL"],
                    "inheritable": ["CAP_KILL"],
                    "ambient": ["CAP_KILL"],
                },
            }
        )
        (bundle / "config.json").write_text(json.dumps(config))
        done = self.run_program(
            "run",
            DAS_4X1,
            *VIRTUAL,
            "--rootfs",
            bundle,
            "--",
            "/bin/sh",
            "-c",
            "while read name first rest; do "
            "case $name in Uid:|Gid:|Groups:|NoNewPrivs:|Cap*) echo $name $first;; esac; "
            "done </proc/self/status; echo $(ulimit -n)",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in (
            "Uid: 1234",
            "Gid: 56",
            "Groups: 78",
            "NoNewPrivs: 1",
            "CapBnd: 0000000000000021",
            "CapInh: 0000000000000020",
            "CapPrm: 0000000000000020",
            "CapEff: 0000000000000020",
            "CapAmb: 0000000000000020",
            "300",
        ):
            self.assertEqual(done.stdout.splitlines().count(line), 4, done.stdout)


if __name__ == "__main__":
    unittest.main()
