"""Bad requests and bad files: one line that helps, the right exit status, nothing left behind."""

import os
import subprocess
import unittest

from isthmus_program import DAS_4X1, DAS_4X4, ISTHMUS, SANITIZED, ProgramTest

HEAD = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">\n'


def two_hosts(
    link='bandwidth="1MBps" latency="1ms"', route='<route src="a" dst="b"><link_ctn id="l"/></route>', second="b"
):
    """A platform of two hosts with one link, line 4 on."""
    return (
        HEAD
        + '<zone id="z" routing="Full">\n'
        + '<host id="a" speed="1Gf"/>\n'
        + f'<host id="{second}" speed="1Gf"/>\n'
        + f'<link id="l" {link}/>\n'
        + route
        + "\n</zone>\n</platform>\n"
    )


class BadPlatforms(ProgramTest):
    def test_a_missing_file_is_named(self):
        self.is_refused(2, "platform", "nowhere.xml", says=["nowhere.xml"])

    def test_a_gateway_that_names_nothing_is_told_from_one_that_does(self):
        # SimGrid says "does name a node", and prints all nodes. A cluster with a topology has no router.
        clusters = "".join(
            f'<cluster id="{name}" prefix="{name}" suffix="" radical="0-3" speed="1Gf" bw="1Gbps" lat="20us" '
            f'router_id="r{name}" topology="TORUS" topo_parameters="2,2,1"/>\n'
            for name in "ab"
        )
        route = '<zoneRoute src="a" dst="b" gw_src="ra" gw_dst="rb"><link_ctn id="l"/></zoneRoute>\n'
        link = '<link id="l" bandwidth="1MBps" latency="1ms"/>\n'
        text = HEAD + '<zone id="z" routing="Full">\n' + clusters + link + route + "</zone>\n</platform>\n"
        file = self.write("gateway.xml", text)
        self.is_refused(2, "platform", file, says=["gateway.xml:8", "gw_src='ra'", "names no host or router"])

    def test_a_platform_without_document_type(self):
        text = two_hosts()
        missing = 'no DOCTYPE; `<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">` '
        for start, line, where in ((1, 2, "after the first line would be right"), (2, 1, "before it would be right")):
            lines = text.splitlines(keepends=True)
            file = self.write("plain.xml", "".join(lines[0 : 2 - start] + lines[2:]))
            self.is_refused(2, "platform", file, says=[f"plain.xml:{line}: {missing}{where}"])

    def test_malformed_xml_is_reported_with_its_line(self):
        file = self.write("broken.xml", HEAD + '<zone id="z" routing="Full">\n<host id="a" speed="1Gf">\n</zone>\n')
        self.is_refused(2, "platform", file, says=["broken.xml:6"])

    def test_a_file_that_is_no_xml(self):
        file = self.write("noise.xml", "\x01\x02 not a platform\n")
        self.is_refused(2, "platform", file, says=["noise.xml:1"])

    def test_a_host_without_route(self):
        file = self.write("unreachable.xml", two_hosts(route=""))
        self.is_refused(2, "platform", file, says=["unreachable.xml", "route", "a", "b"])

    def test_a_link_with_zero_bandwidth(self):
        file = self.write("zero.xml", two_hosts(link='bandwidth="0MBps" latency="1ms"'))
        self.is_refused(2, "platform", file, says=["zero.xml:7", "bandwidth"])

    def test_a_link_with_negative_bandwidth(self):
        file = self.write("negative.xml", two_hosts(link='bandwidth="-1MBps" latency="1ms"'))
        self.is_refused(2, "platform", file, says=["negative.xml:7", "bandwidth"])

    def test_a_link_with_an_unknown_unit(self):
        file = self.write("unit.xml", two_hosts(link='bandwidth="1MBpsec" latency="1ms"'))
        self.is_refused(2, "platform", file, says=["unit.xml:7"])

    def test_a_host_named_twice(self):
        file = self.write("twice.xml", two_hosts(second="a", route=""))
        self.is_refused(2, "platform", file, says=["twice.xml", "a"])

    def test_other_commands_say_the_same(self):
        file = self.write("zero.xml", two_hosts(link='bandwidth="0MBps" latency="1ms"'))
        for command in ("predict", "simulate", "emulate"):
            self.is_refused(2, command, file, "broadcast/binomial", "--bytes", "1", says=["zero.xml:7"])


class BadRequests(ProgramTest):
    def test_an_unknown_collective_with_the_near_match(self):
        self.is_refused(2, "predict", DAS_4X4, "brodcast/binomial", "--bytes", "1", says=["brodcast", "broadcast"])

    def test_an_unknown_algorithm_with_the_near_match(self):
        self.is_refused(2, "simulate", DAS_4X4, "broadcast/binomal", "--bytes", "1", says=["binomal", "binomial"])

    def test_an_unknown_parameter(self):
        self.is_refused(2, "predict", DAS_4X4, "broadcast/chain:segmnt=1Ki", "--bytes", "1", says=["segmnt", "segment"])

    def test_a_word_that_is_one_letter_off_with_what_was_meant(self):
        allreduce = ("allreduce", "--bytes", "8")
        for meant, *arguments in (
            ("compare", "comprae", DAS_4X1, *allreduce),
            ("sensitivity", "sensitivty", DAS_4X1, *allreduce),
            ("doctor", "doctr"),
            ("completion", "completoin", "zsh"),
            ("zsh", "completion", "zhs"),
            ("compare", "man", "comparre"),
            ("bcast", "predict", DAS_4X1, "bcst", "--bytes", "8"),
            ("allreduce", "predict", DAS_4X1, "MPI_Allreduc", "--bytes", "8"),
            ("multilevel", "list", "broadcast/multilevl"),
            ("smpi", "compare", DAS_4X1, *allreduce, "--source", "smpii"),
            ("replay", "predict", DAS_4X1, *allreduce, "--source", "replai"),
            ("ring", "compare", DAS_4X1, "allreduce/ring", *allreduce, "--source", "model", "--baseline", "rng"),
            ("han", "compare", DAS_4X1, "allreduce/mpi:selector=hann", *allreduce),
            ("osu", "predict", DAS_4X1, *allreduce, "--format", "ous"),
            ("virtual", "emulate", DAS_4X1, *allreduce, "--substrate", "virtul"),
            ("--drop-in", "run", DAS_4X1, "--dropin", "--", "ls"),
            ("--change", "sensitivity", DAS_4X1, *allreduce, "--chnge", "5"),
            ("bandwidth", "predict", DAS_4X1, *allreduce, "--set", "wan-c0-c1.bandwith=x2"),
            ("wan-c0-c1", "predict", DAS_4X1, *allreduce, "--set", "wan-c0-cl.bandwidth=x2"),
        ):
            with self.subTest(arguments):
                self.is_refused(2, *arguments, says=[f"did you mean `{meant}`"])

    def test_a_root_out_of_range(self):
        for root in ("16", "-1"):
            self.is_refused(
                2, "predict", DAS_4X4, "broadcast/chain", "--bytes", "1", "--root", root, says=["root", root]
            )

    def test_a_segment_that_is_no_multiple_of_the_element(self):
        self.is_refused(
            2,
            "predict",
            DAS_4X4,
            "broadcast/chain",
            "--bytes",
            "64",
            "--element-bytes",
            "8",
            "--segment",
            "12",
            says=["segment", "12", "8"],
        )

    def test_a_size_that_is_no_multiple_of_the_element(self):
        self.is_refused(
            2, "predict", DAS_4X4, "broadcast/chain", "--bytes", "63", "--element-bytes", "8", says=["63", "8"]
        )

    def test_more_ranks_than_fit(self):
        self.is_refused(2, "predict", DAS_4X4, "broadcast/chain", "--bytes", "1", "--ranks", "17", says=["17", "16"])

    def test_a_size_that_is_no_size(self):
        for size in ("64Kx", "", "-1", "4..1", "99999999999999999999"):
            self.is_refused(2, "predict", DAS_4X4, "broadcast/chain", "--bytes", size)

    def test_what_a_collective_does_not_have(self):
        self.is_refused(
            2, "simulate", DAS_4X4, "allgather/ring", "--bytes", "8", "--root", "3", says=["root 3", "allgather"]
        )
        self.is_refused(2, "simulate", DAS_4X4, "barrier/flat", "--bytes", "8", says=["barrier", "no data"])
        self.is_refused(
            2, "simulate", DAS_4X4, "alltoall/bruck", "--bytes", "8", "--non-commutative", says=["alltoall", "operator"]
        )
        self.is_refused(
            2,
            "simulate",
            DAS_4X4,
            "reduce/binary",
            "--bytes",
            "8",
            "--non-commutative",
            says=["reduce/binary", "commute"],
        )
        self.is_refused(2, "simulate", DAS_4X4, "reduce/binary", says=["--bytes"])
        self.is_refused(2, "predict", DAS_4X4, "barrier", "--bytes", "8", says=["--bytes 8", "no data"])

    def test_the_mpis_own_collectives_have_no_schedule(self):
        self.is_refused(2, "verify", "broadcast/mpi", says=["broadcast/mpi", "no schedule"])
        self.is_refused(2, "predict", DAS_4X4, "barrier/mpi", says=["barrier/mpi", "no schedule"])
        self.is_refused(
            2, "trace", DAS_4X4, "reduce/mpi", "--bytes", "8", "-o", "t.json", says=["reduce/mpi", "no schedule"]
        )
        self.is_refused(
            2, "simulate", DAS_4X4, "reduce/mpi:selector=openmpi", "--bytes", "8", says=["openmpi", "`ompi`"]
        )
        self.is_refused(2, "simulate", DAS_4X4, "reduce/mpi:selector=han", "--bytes", "8", says=["SMPI", "mvapich2"])
        self.is_refused(
            2, "emulate", DAS_4X4, "reduce/mpi:selector=ompi", "--bytes", "8", says=["Open MPI", "tuned, han"]
        )

    def test_an_unknown_option_or_command(self):
        self.is_refused(2, "predict", DAS_4X4, "broadcast/chain", "--bytes", "1", "--ranx", "3", says=["--ranx"])
        self.is_refused(2, "brodcast", says=["brodcast"])
        self.is_refused(2)

    def test_a_placement_file_with_an_unknown_host(self):
        file = self.write("hosts", "c0-0\nc9-9\n")
        self.is_refused(
            2, "predict", DAS_4X4, "broadcast/chain", "--bytes", "1", "--placement", file, says=["hosts:2", "c9-9"]
        )

    def test_more_ranks_than_a_placement_file_has_hosts(self):
        file = self.write("hosts", "c0-0\nc1-0\nc2-0\n")
        what = ("predict", DAS_4X4, "broadcast/chain", "--bytes", "1", "--placement", file)
        self.is_refused(2, *what, "--ranks", "9", says=["--ranks 9", "hosts has 3 hosts; at most 3 would be right"])

    def test_a_topology_file_of_another_size(self):
        file = self.write("groups.json", '{"ranks": [["a"], ["b"]]}')
        self.is_refused(
            2,
            "predict",
            DAS_4X4,
            "broadcast/magpie",
            "--bytes",
            "1",
            "--topology",
            file,
            says=["2 ranks", "groups of 16 ranks"],
        )

    def test_an_experiment_with_an_unknown_key(self):
        file = self.write("e.json", '{"name": "x", "titel": "y"}')
        self.is_refused(2, "validate", file, "--store", "s.sqlite", says=["e.json", "titel"])


class BadEnvironment(ProgramTest):
    @unittest.skipUnless(os.geteuid() == 0, "mounting a small file system needs root")
    def test_a_full_disk_under_the_store(self):
        disk = self.folder / "disk"
        disk.mkdir()
        script = (
            'mount -t tmpfs -o size=64k tmpfs "$1" && head -c 1000000 /dev/zero > "$1/ballast" 2>/dev/null;'
            '"$2" predict "$3" broadcast/chain --bytes 1..4Mi --store "$1/s.sqlite"'
        )
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", script, "sh", str(disk), ISTHMUS, DAS_4X4],
            text=True,
            capture_output=True,
            timeout=60,
        )
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("s.sqlite", done.stderr)

    def test_a_helper_program_that_is_missing(self):
        self.is_refused(
            3, "platform", DAS_4X4, environment={"ISTHMUS_LIBEXEC": str(self.folder)}, says=["isthmus-platform"]
        )

    @unittest.skipIf(SANITIZED, "there is no virtual kernel for sanitized programs")
    @unittest.skipUnless(os.geteuid() == 0, "hiding a program needs root")
    def test_neither_netem_nor_user_mode_linux(self):
        native = self.run_program("emulate", DAS_4X1, "broadcast/binomial", "--bytes", "1", "--substrate", "native")
        if native.returncode == 0:
            self.skipTest("this kernel has netem: nothing is missing")
        done = subprocess.run(
            [
                "unshare",
                "-m",
                "sh",
                "-c",
                'mount --bind /dev/null /usr/bin/linux.uml && exec "$@"',
                "sh",
                ISTHMUS,
                "emulate",
                DAS_4X1,
                "broadcast/binomial",
                "--bytes",
                "1",
            ],
            text=True,
            capture_output=True,
            timeout=60,
            env={**os.environ, "XDG_CACHE_HOME": str(self.folder)},
        )
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("scripts/setup --virtual", done.stderr)

    @unittest.skipIf(SANITIZED, "there is no virtual kernel for sanitized programs")
    def test_a_substrate_that_is_not_to_be_had(self):
        self.is_refused(
            3,
            "emulate",
            DAS_4X1,
            "broadcast/binomial",
            "--bytes",
            "1",
            "--substrate",
            "virtual",
            says=["scripts/setup --virtual"],
            environment={"XDG_CACHE_HOME": str(self.folder)},
        )

    @unittest.skipIf(SANITIZED, "there is no virtual kernel for sanitized programs")
    def test_a_host_name_with_shell_characters(self):
        trap = self.folder / "trap"
        file = self.write(
            "names.xml",
            two_hosts(second="b;touch trap", route='<route src="a" dst="b;touch trap"><link_ctn id="l"/></route>'),
        )
        self.is_refused(2, "emulate", file, "broadcast/binomial", "--bytes", "1", says=["b;touch trap"])
        self.assertFalse(trap.exists())


if __name__ == "__main__":
    unittest.main()
