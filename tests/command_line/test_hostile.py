"""Hostile and broken input from people, generators and disks: one line, the right exit status, no harm."""

import json
import os
import subprocess
import threading
import unittest

import hostile_files
from isthmus_program import DAS_4X1, DAS_4X4, ISTHMUS, SANITIZED, SOURCE, ProgramTest

BROADCAST = ("predict", DAS_4X1, "broadcast/binomial", "--bytes", "64", "--model", "replay")
NETWORK = (SOURCE / "tests/fuzz/corpus/network/classes.json").read_text()


class Sizes(ProgramTest):
    def test_what_64_bits_cannot_count(self):
        for arguments in (
            ("predict", DAS_4X4, "allreduce/ring", "--bytes", "2305843009213693952"),
            ("predict", DAS_4X4, "broadcast/all", "--bytes", "2305843009213693952"),
            ("tune", DAS_4X4, "broadcast", "--bytes", "4611686018427387904"),
            ("predict", DAS_4X4, "broadcast/kielmann", "--bytes", "9223372036854775807"),
            ("predict", DAS_4X4, "alltoall/linear", "--bytes", "500000000000000000"),
            ("simulate", DAS_4X4, "alltoall/linear", "--bytes", "500000000000000000"),
            ("emulate", DAS_4X4, "broadcast/chain", "--bytes", "9223372036854775807"),
            ("explain", DAS_4X4, "allgather", "--bytes", "4611686018427387904"),
            ("bound", DAS_4X4, "alltoall", "--bytes", "4611686018427387904"),
            ("trace", DAS_4X4, "scan/linear", "--bytes", "9223372036854775807", "-o", "t.json"),
        ):
            self.is_refused(2, *arguments, says=["2^6"])

    def test_the_largest_that_can_be_counted(self):
        self.succeeds("predict", DAS_4X4, "broadcast/binomial", "--bytes", str(2**57), "--model", "replay")
        self.is_refused(
            2, "predict", DAS_4X4, "broadcast/binomial", "--bytes", str(2**59), "--model", "replay", says=["2^62"]
        )

    def test_segments_and_elements_of_any_size(self):
        for segment in ("9223372036854775807", "4611686018427387905"):
            self.is_refused(
                2,
                "predict",
                DAS_4X4,
                "broadcast/chain",
                "--bytes",
                "1Ki",
                "--segment",
                segment,
                says=["segment", "2^62"],
            )
        self.is_refused(
            2,
            "predict",
            DAS_4X4,
            "broadcast/kielmann",
            "--bytes",
            "0",
            "--element-bytes",
            "9223372036854775807",
            says=["2^62"],
        )

    def test_more_operations_than_a_schedule_can_have(self):
        for what in ("broadcast/chain:segment=1", "allreduce/multilevel:segment=1"):
            self.is_refused(
                2,
                "predict",
                DAS_4X4,
                what,
                "--bytes",
                "1Ti",
                "--model",
                "replay",
                says=["operations", "larger segments"],
            )

    @unittest.skipIf(SANITIZED, "the address sanitizer maps terabytes")
    def test_memory_is_estimated_before_it_is_taken(self):
        limited = ["sh", "-c", 'ulimit -v 4000000; exec "$@"', "sh", ISTHMUS]
        for command in (
            ["explain", DAS_4X4, "broadcast", "--bytes", "8"],
            ["predict", DAS_4X4, "barrier/dissemination"],
            ["simulate", DAS_4X4, "barrier/flat"],
        ):
            done = subprocess.run(
                [*limited, *command, "--ranks-per-host", "1000000"], text=True, capture_output=True, timeout=60
            )
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn("16000000 ranks would take some 9.6 GB of memory", done.stderr)


class Json(ProgramTest):
    def deep(self, name, text="%s"):
        return self.write(name, text % ("[" * 100000 + "]" * 100000))

    def test_nested_a_hundred_thousand_deep(self):
        deep = self.deep("deep.json")
        inside = self.deep("inside.json", '{"name": %s}')
        for file in (deep, inside):
            for arguments in (
                ("platform", file),
                (*BROADCAST, "--topology", file),
                ("validate", file, "--store", "s"),
                ("simulate", *BROADCAST[1:5], "--conditions", file),
                ("predict", file, "barrier"),
            ):
                self.is_refused(2, *arguments, says=["levels"])

    def test_values_are_cut_in_messages(self):
        file = self.write("long.json", NETWORK.replace('"latency_s": 0.01', '"latency_s": "%s"' % ("x" * 100000)))
        self.assertLess(len(self.is_refused(2, "platform", file, says=["xxx", "..."])), 300)
        self.assertLess(len(self.is_refused(2, "predict", DAS_4X1, "broadcast/" + "x" * 100000, "--bytes", "1")), 1000)
        self.assertLess(len(self.is_refused(2, "predict", DAS_4X1, "broadcast/chain", "--bytes", "9" * 100000)), 300)

    def test_names_reach_a_terminal_as_text_alone(self):
        evil = "\x1b]0;owned\x07\x1b[2J"
        network = json.loads(NETWORK)
        for host in network["hosts"]:
            host["name"] += evil
            for zone in host["zones"]:
                zone["name"] += evil
        for link in network["links"]:
            link.update(name=link["name"] + evil, latency_s=2)
        network["name"] += evil
        file = self.write("evil.json", json.dumps(network))
        for arguments in (
            ("platform", file),
            ("platform", file, "--emulation"),
            ("predict", file, "allgather/ring", "--bytes", "8"),
            ("predict", file, "allgather/ring", "--bytes", "8", "--format", "csv"),
            ("explain", file, "barrier"),
            ("emulate", file, "barrier/flat", "--bytes", "0", "--substrate", "native"),
            ("platform", evil + ".xml"),
        ):
            done = self.run_program(*arguments)
            self.assertNotIn("\x1b", done.stdout + done.stderr, arguments)
            self.assertNotIn("\x07", done.stdout + done.stderr, arguments)
            self.assertIn("\\x1b", done.stdout + done.stderr, arguments)

    def test_one_warning_of_a_kind(self):
        network = json.loads(NETWORK)
        network["links"] = [
            {"name": f"l{i}", "bandwidth_Bps": 1e6, "latency_s": 2, "sharing": "shared"} for i in range(100)
        ]
        done = self.run_program("platform", self.write("slow.json", json.dumps(network)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("link l0", done.stderr)
        self.assertIn("and 99 more", done.stderr)


class Files(ProgramTest):
    def test_what_is_no_file(self):
        for wrong in ("/tmp", "/dev/zero", "/dev/null"):
            for arguments in (
                ("platform", wrong),
                (*BROADCAST, "--topology", wrong),
                (*BROADCAST, "--placement", wrong),
                ("validate", wrong, "--store", "s"),
                ("calibrate", DAS_4X1, "--from", wrong),
                ("simulate", *BROADCAST[1:5], "--conditions", wrong),
            ):
                self.is_refused(2, *arguments, says=[wrong], timeout=20)
        for name, target in (("folder.json", "/tmp"), ("endless.json", "/dev/zero"), ("endless.xml", "/dev/zero")):
            (self.folder / name).symlink_to(target)
            self.is_refused(2, "platform", name, says=[name], timeout=20)

    def test_names_that_are_too_long(self):
        for name in ("x" * 5000, "x" * 5000 + ".json", "x/" * 3000):
            self.is_refused(2, "platform", name, says=["xxx"] if "/" not in name else ["x/x"])
        xml = (
            (SOURCE / "platforms/samples/asymmetric.xml")
            .read_text()
            .replace("<link ", '<link bandwidth_file="%s" ' % ("x" * 5000), 1)
        )
        self.is_refused(2, "platform", self.write("p.xml", xml), says=["p.xml:", "xxx"])
        done = self.run_program(
            "validate", self.write("e.json", hostile_files.experiment_on("x" * 5000)), "--store", "s"
        )
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
        (self.folder / "s").unlink()
        good = self.write("good.json", hostile_files.experiment_on(DAS_4X1))
        self.is_refused(2, "validate", good, "--store", "/dev/null/s", says=["/dev/null/s"])

    def test_an_endless_profile(self):
        self.write(
            "p.xml",
            (SOURCE / "platforms/samples/asymmetric.xml")
            .read_text()
            .replace("<link ", '<link bandwidth_file="/dev/zero" ', 1),
        )
        self.is_refused(2, "platform", "p.xml", says=["p.xml:", "/dev/zero", "device"], timeout=20)

    def test_a_pipe_is_read_as_a_file(self):
        os.mkfifo(self.folder / "hosts")
        writer = threading.Thread(target=lambda: (self.folder / "hosts").write_text("c0-0\nc1-0\n"))
        writer.start()
        self.assertIn("broadcast/binomial", self.succeeds(*BROADCAST, "--placement", "hosts"))
        writer.join()

    def test_nobody_writes_to_the_pipe(self):
        os.mkfifo(self.folder / "hosts")
        self.is_refused(
            2, *BROADCAST, "--placement", "hosts", says=["hosts", "nothing comes through this pipe"], timeout=20
        )

    def test_a_radical_that_falls_or_is_none(self):
        for radical in ("3-0", "1-2,4-3", "1.5", "0-3,x", "0-99999999999", "", "1,,2"):
            file = self.write(
                "cluster.xml",
                '<?xml version="1.0"?>\n<platform version="4.1">\n<cluster id="a" prefix="a" suffix="" '
                f'radical="{radical}" speed="1Gf" bw="1GBps" lat="10us"/>\n</platform>\n',
            )
            self.is_refused(2, "platform", file, says=["cluster.xml:3", "radical", f'"{radical}"'])

    def test_a_profile_of_two_links(self):
        self.write("wan.bw", "0 1000000\n10 500000\n")
        links = "".join(
            f'<link id="l{i}" bandwidth="1MBps" latency="1ms" bandwidth_file="wan.bw"/>\n' for i in range(2)
        )
        file = self.write(
            "two.xml",
            '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
            '<platform version="4.1">\n<zone id="z" routing="Full">\n'
            f'<host id="a" speed="1Gf"/>\n<host id="b" speed="1Gf"/>\n{links}'
            '<route src="a" dst="b"><link_ctn id="l0"/></route>\n</zone>\n</platform>\n',
        )
        self.is_refused(2, "platform", file, says=["two.xml:7", "wan.bw", "line 6"])


class Output(ProgramTest):
    def test_a_full_disk_under_the_standard_output(self):
        experiment = self.write("e.json", hostile_files.experiment_on(DAS_4X1))
        for arguments in (
            ("list",),
            ("--help",),
            ("--version",),
            ("platform", DAS_4X1),
            ("platform", DAS_4X4, "--format", "json"),
            BROADCAST,
            ("explain", DAS_4X1, "broadcast", "--bytes", "8"),
            ("verify", "broadcast/chain", "--ranks", "3"),
            ("tune", DAS_4X1, "broadcast", "--bytes", "8"),
            ("simulate", *BROADCAST[1:5]),
            ("calibrate", DAS_4X1, "--task"),
            ("discover", DAS_4X1),
            ("validate", experiment, "--store", "s"),
        ):
            with open("/dev/full", "w") as full:
                done = subprocess.run(
                    [ISTHMUS, *arguments], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120
                )
            self.assertEqual(done.returncode, 3, f"{arguments}: {done.stderr}")
            self.assertIn("isthmus: the standard output could not be written", done.stderr.splitlines()[-1])

    @unittest.skipUnless(os.geteuid() == 0, "mounting a small file system needs root")
    def test_a_full_disk_leaves_the_old_file(self):
        """If writing fails, the old file stays, and nothing is left beside it."""
        disk = self.folder / "disk"
        disk.mkdir()
        script = (
            'mount -t tmpfs -o size=64k tmpfs "$1" && echo old > "$1/old" && '
            'head -c 1000000 /dev/zero > "$1/ballast" 2>/dev/null; shift;'
            '"$@"; status=$?; ls "$DISK"; cat "$DISK/old"; exit $status'
        )
        old = str(disk / "old")
        for arguments in (
            ("tune", DAS_4X4, "broadcast", "--bytes", "1,8,64,1Ki", "-o", old),
            ("tune", DAS_4X4, "broadcast", "--bytes", "1,8", "--export", f"openmpi={old}"),
            ("trace", DAS_4X4, "broadcast/binomial", "--bytes", "8", "--as", "timeline", "-o", old),
            ("discover", DAS_4X4, "-o", old),
        ):
            done = subprocess.run(
                ["unshare", "-m", "sh", "-c", script, "sh", str(disk), ISTHMUS, *arguments],
                text=True,
                capture_output=True,
                timeout=120,
                env={**os.environ, "DISK": str(disk)},
            )
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn("cannot be written: No space left on device", done.stderr)
            self.assertEqual(done.stdout.split(), ["ballast", "old", "old"])


class SpoiltFiles(ProgramTest):
    def test_a_few_hundred(self):
        self.assertEqual(hostile_files.throw(ISTHMUS, SOURCE, seed=1, first=0, files=300), [])


class Slow(ProgramTest):
    def test_three_thousand(self):
        self.assertEqual(hostile_files.throw(ISTHMUS, SOURCE, seed=1, first=300, files=3000), [])


if __name__ == "__main__":
    unittest.main()
