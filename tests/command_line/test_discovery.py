"""isthmus discover: groups and links found by measuring, as a network that other commands read."""

import json
import os
import shutil
import signal
import subprocess
import unittest

from isthmus_program import DAS_4X1, DAS_4X4, ISTHMUS, PLATFORMS, ProgramTest

TEST_PROGRAMS = os.environ["TEST_PROGRAMS"]
THREE_MACHINES = str(PLATFORMS / "karonis2000/three-machines.xml")


class Discovery(ProgramTest):
    def zones(self, file):
        network = json.loads((self.folder / file).read_text())
        return {host["name"]: [(zone["level"], zone["name"]) for zone in host["zones"]] for host in network["hosts"]}

    def predicted(self, platform, what, sizes, *more):
        lines = self.succeeds(
            "predict", platform, what, "--bytes", sizes, "--model", "replay", "--format", "json", *more
        ).splitlines()
        return [json.loads(line)["seconds"] for line in lines]

    def expect_close(self, file, platform, what, sizes, percent):
        for one, other in zip(self.predicted(platform, what, sizes), self.predicted(file, what, sizes), strict=True):
            self.assertAlmostEqual(one, other, delta=percent / 100 * one)


class Simulated(Discovery):
    def test_writes_a_network_whose_predictions_are_those_of_the_platform(self):
        shown = self.succeeds("discover", DAS_4X4, "-o", "das.json", "--placement", "cyclic")
        self.assertIn("platform das: 16 hosts\n  all: 16 hosts\n    c0: 4 hosts\n", shown)
        self.assertEqual(self.zones("das.json")["c2-3"], [("site", "c2")])
        ranks = self.write("ranks", "".join(f"c{i // 4}-{i % 4}\n" for i in range(16)))
        for what in ("broadcast/kielmann:segment=4Ki,wan-degree=3,lan-degree=2", "allreduce/ring"):
            found = self.predicted("das.json", what, "1,64Ki,1Mi", "--placement", ranks)
            for one, other in zip(self.predicted(DAS_4X4, what, "1,64Ki,1Mi"), found, strict=True):
                self.assertAlmostEqual(one, other, delta=0.03 * one)

    def test_finds_levels_and_is_measured_again_by_calibrate(self):
        self.succeeds("discover", THREE_MACHINES, "-o", "karonis.json", "--most", "64Ki")
        zones = self.zones("karonis.json")
        self.assertEqual(zones["sdsc-sp-5"], [("site", "sdsc-sp")])
        self.assertEqual(zones["anl-o2k-5"], [("site", "anl"), ("machine", "anl-o2k")])
        self.expect_close("karonis.json", THREE_MACHINES, "broadcast/multilevel", "1,64Ki", 3)
        classes = [
            len(json.loads(self.succeeds("calibrate", platform, "--task", "--members", "1").splitlines()[-1])["pairs"])
            for platform in ("karonis.json", THREE_MACHINES)
        ]
        self.assertEqual(classes[0], classes[1])

    def test_lines_on_which_messages_do_not_queue_are_not_one_line_for_both_directions(self):
        cluster = (
            '<cluster id="{0}" prefix="{0}-" suffix="" radical="0-2" speed="1Gf" bw="1Gbps" lat="20us" '
            'router_id="{0}-gw"/>'
        )
        fatpipe = self.write(
            "fatpipe.xml",
            '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
            f'<zone id="fatpipe" routing="Full">{cluster.format("a")}{cluster.format("b")}'
            '<link id="wan" bandwidth="10MBps" latency="10ms" sharing_policy="FATPIPE"/>'
            '<zoneRoute src="a" dst="b" gw_src="a-gw" gw_dst="b-gw"><link_ctn id="wan"/></zoneRoute></zone></platform>',
        )
        self.succeeds("discover", fatpipe, "-o", "found.json", "--most", "64Ki")
        found = json.loads((self.folder / "found.json").read_text())
        self.assertTrue(all(load["rate_Bps"] > 0 for load in found["discovery"]["loads"]))
        self.assertIn("fatpipe", {link["sharing"] for link in found["links"]})
        self.expect_close("found.json", fatpipe, "broadcast/linear:segment=none", "64Ki", 10)

    def test_prints_the_network_where_no_file_is_given(self):
        network = json.loads(self.succeeds("discover", DAS_4X1, "--most", "64Ki"))
        self.assertEqual((network["name"], len(network["hosts"])), ("das-4x1-discovered", 4))
        self.assertEqual(len([link for link in network["links"] if abs(link["bandwidth_Bps"] / 1e6 - 1) < 0.01]), 12)

    def test_draws_the_network_and_how_far_it_is_from_each_measurement(self):
        self.succeeds("discover", DAS_4X1, "--most", "64Ki", "-o", "das.json", "--picture", "das.svg")
        svg = (self.folder / "das.svg").read_text()
        # Six round trips, each a cell both ways, and twelve rates.
        self.assertEqual(svg.count("<title>"), 24)
        self.assertRegex(svg, "<title>c1-0 to c3-0: 1 MB/s measured, 1 MB/s found")
        self.assertIn("off by less than 0.01 %", svg)

    def test_refuses_what_it_cannot_do(self):
        self.is_refused(2, "discover", says=["no PLATFORM; one, or --here"])
        self.is_refused(2, "discover", DAS_4X1, "--here", says=["both PLATFORM and --here"])
        lossy = self.write("lossy.json", '{"links": [{"link": "*", "loss": 0.001}]}')
        self.is_refused(2, "discover", DAS_4X1, "--conditions", lossy, says=["--in emulated would be right"])
        self.is_refused(2, "discover", "--here", "--conditions", lossy, says=["both --here and --conditions"])
        self.is_refused(2, "discover", DAS_4X4, "--answer", "5", says=["simulated ranks always answer"])
        self.is_refused(2, "discover", DAS_4X1, "--", "mpirun", says=["with --here it would be right"])
        self.is_refused(2, "discover", DAS_4X1, "--ranks", "1", says=["two hosts or more"])
        self.is_refused(2, "discover", DAS_4X1, "--most", "2Gi", says=["--max-bytes 2Gi: from 1Ki to 1Gi"])
        self.is_refused(2, "discover", DAS_4X1, "-o", "no/such/folder.json", says=["folder.json: cannot be written"])
        self.is_refused(2, "discover", "--here", "--", "no-such-launcher", says=["`no-such-launcher`: no such command"])
        self.is_refused(1, "discover", "--here", "--", "false", says=["false: ended with status 1"])
        self.is_refused(1, "discover", "--here", "--", "true", says=["true: ended with status 0"])
        self.is_refused(1, "discover", DAS_4X4, "--timeout", "0.01", says=["still running after 0.01 s"])

    def test_hosts_without_a_route_to_each_other_are_refused_by_name(self):
        two_networks = str(PLATFORMS / "aumage2003/sci-myrinet.xml")
        says = "sci-myrinet: no route from host foo0 to host goo0, nor between {} other pairs"
        self.is_refused(2, "discover", two_networks, says=[says.format(11)])
        self.is_refused(2, "discover", two_networks, "--in", "emulated", says=[says.format(11)])
        self.is_refused(2, "calibrate", two_networks, says=[says.format(7)])
        one_network = self.write("ranks", "foo0\nfoo1\nfoo2\n")
        self.succeeds("discover", two_networks, "--placement", one_network, "--most", "64Ki")


@unittest.skipUnless(shutil.which("mpirun"), "no mpirun")
class Here(Discovery):
    """Ranks on this machine, each of which acts as a host."""

    mpirun = (
        "mpirun",
        "--oversubscribe",
        "-n",
        "2",
        "--mca",
        "mpi_yield_when_idle",
        "1",
        "--mca",
        "btl",
        "self,tcp",
        "--mca",
        "btl_tcp_if_include",
        "lo",
        "bash",
        "-c",
        'ISTHMUS_HOST=node-$OMPI_COMM_WORLD_RANK exec "$@"',
        "bash",
    )
    environment = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def test_finds_the_hosts_that_a_command_starts_ranks_on(self):
        done = self.run_program(
            "discover", "--here", "-o", "here.json", "--", *self.mpirun, environment=self.environment
        )
        # On a busy machine a note may say that the measurements contradict each other.
        self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")
        self.assertEqual(self.zones("here.json"), {"node-0": [], "node-1": []})
        self.assertGreater(self.predicted("here.json", "broadcast/binomial", "64Ki")[0], 0)

    def with_rank_2_stopped(self, after_ms, *options):
        """`discover` with four ranks, of which rank 2 gets a SIGSTOP so many milliseconds after its MPI_Init."""
        ranks = (
            "ISTHMUS_HOST=node-$OMPI_COMM_WORLD_RANK STOPPED_RANK=2 "
            f"STOPPED_AFTER_MS={after_ms} LD_PRELOAD={TEST_PROGRAMS}/libstopped_rank.so exec " + '"$@"'
        )
        command = [ranks if word == self.mpirun[-2] else "4" if word == "2" else word for word in self.mpirun]
        # So many trips that no pair is done when the rank stops.
        trips = "5000" if after_ms > 0 else "10"
        return self.run_program(
            "discover", "--here", "-o", "here.json", "--answer", "5", "--repetitions", trips, *options, "--", *command,
            environment=self.environment,
        )  # fmt: skip

    def test_a_rank_that_is_stopped_ends_the_discovery_and_is_named(self):
        for after_ms, rank in ((0, "rank 2"), (300, "rank 2 (node-2)")):
            done = self.with_rank_2_stopped(after_ms)
            self.assertEqual(done.returncode, 1, f"{done.stdout}\n{done.stderr}")
            self.assertIn(f"no answer from {rank} within 5 s; ", done.stderr)
            self.assertFalse((self.folder / "here.json").exists())

    def test_the_rest_goes_on_without_a_rank_that_is_stopped(self):
        for after_ms, rank in ((0, "rank 2"), (300, "rank 2 (node-2)")):
            done = self.with_rank_2_stopped(after_ms, "--without-silent")
            self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")
            self.assertIn(f"no answer from {rank} within 5 s; the rest was measured without", done.stderr)
            self.assertEqual(sorted(self.zones("here.json")), ["node-0", "node-1", "node-3"])
            self.assertEqual(json.loads((self.folder / "here.json").read_text())["discovery"]["silent"], [rank])

    def test_one_host_is_refused(self):
        self.is_refused(
            1,
            "discover",
            "--here",
            "--",
            "mpirun",
            "--oversubscribe",
            "-n",
            "2",
            environment=self.environment,
            says=["two hosts or more would be right"],
        )


class Emulated(Discovery):
    what = "broadcast/kielmann:segment=4Ki,wan-degree=3,lan-degree=2"

    def discover(self, platform):
        self.succeeds(
            "discover",
            platform,
            "--in",
            "emulated",
            "--substrate",
            "virtual",
            "-o",
            "das.json",
            "--most",
            "64Ki",
            "--repetitions",
            "2",
            "--in-full",
            "8",
        )

    def test_finds_the_clusters_of_the_emulated_network(self):
        self.discover(DAS_4X4)
        self.assertEqual(self.zones("das.json"), {f"c{i}-{j}": [("site", f"c{i}")] for i in range(4) for j in range(4)})
        self.expect_close("das.json", DAS_4X4, self.what, "1,64Ki", 3)

    def test_ctrl_c_ends_it_and_leaves_nothing(self):
        program = subprocess.Popen(
            [ISTHMUS, "discover", DAS_4X1, "--in", "emulated", "--verbose", "-o", "das.json"],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(self.temporary)},
        )
        self.addCleanup(program.kill)
        self.assertIn("isthmus: starting the program\n", iter(program.stderr.readline, ""))
        program.send_signal(signal.SIGINT)
        self.assertNotIn("ended with", program.stderr.read())
        program.stderr.close()
        self.assertEqual(program.wait(timeout=20), -signal.SIGINT)
        self.assertEqual([*self.folder.iterdir(), *self.temporary.iterdir()], [])

    def test_hosts_that_are_all_far_apart_are_sites_of_their_own(self):
        self.discover(DAS_4X1)
        self.assertEqual(self.zones("das.json"), {f"c{i}-0": [("site", f"c{i}-0")] for i in range(4)})
        # A root's own link, fifty times as fast as those between sites, is not seen from outside.
        self.expect_close("das.json", DAS_4X1, "broadcast/binomial", "1,64Ki", 3)


LINE = '<link id="{0}-{1}" bandwidth="{2}MBps" latency="100ms" sharing_policy="SHARED"/>'
ROUTE = (
    '<zoneRoute src="{0}" dst="{1}" gw_src="{0}-router" gw_dst="{1}-router" symmetrical="NO">'
    '<link_ctn id="{0}-{1}"/></zoneRoute>'
)


class LostFrames(Discovery):
    """Two sites of two hosts, 100 ms apart, whose lines carry 5 and 20 MB/s and lose a frame of a thousand."""

    def setUp(self):
        super().setUp()
        sites = "".join(
            f'<cluster id="{site}" prefix="{site}-" suffix="" radical="0-1" speed="10Gf" bw="125MBps" lat="15us" '
            f'router_id="{site}-router"><prop id="isthmus.level" value="site"/></cluster>'
            for site in ("near", "far")
        )
        self.platform = self.write(
            "two.xml",
            '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
            f'<platform version="4.1"><zone id="two" routing="Full">{sites}'
            + LINE.format("near", "far", 5)
            + LINE.format("far", "near", 20)
            + ROUTE.format("near", "far")
            + ROUTE.format("far", "near")
            + "</zone></platform>",
        )
        self.lossy = self.write("lossy.json", '{"seed": 1, "links": [{"link": "*-*ar", "loss": 0.001}]}')
        self.emulated = ("--substrate", "virtual", "--conditions", self.lossy)

    def expect_lines(self, file):
        network = json.loads((self.folder / file).read_text())
        links = {link["name"]: link for link in network["links"]}
        for name, rate in (("near:far", 5e6), ("far:near", 20e6)):
            self.assertAlmostEqual(links[name]["bandwidth_Bps"] / rate, 1, delta=0.02)
            self.assertAlmostEqual(links[name]["latency_s"] / 0.1, 1, delta=0.02)
        self.assertEqual({zones[0][1] for zones in self.zones(file).values()}, {"near", "far"})
        return network["discovery"]

    def test_do_not_hide_what_lines_carry(self):
        done = self.run_program("discover", self.platform, "--in", "emulated", "-o", "found.json", *self.emulated)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.expect_lines("found.json")
        self.assertRegex(done.stderr, "one message gets less than half of what the line carries")
        slow = [route for route in found["routes"] if route.get("message_Bps", 1e9) < 0.5 * route.get("rate_Bps", 0)]
        self.assertGreaterEqual(len(slow), 1)

    def test_do_not_hide_it_from_a_program_that_discovers_its_network_at_its_start(self):
        (self.folder / "cache").mkdir()
        settings = ("-u", "ISTHMUS_NETWORK", "ISTHMUS_DISCOVER=1", f"ISTHMUS_DISCOVER_CACHE={self.folder}/cache")
        programs = f"{TEST_PROGRAMS}/drop_in"  # shown even where they lie in /tmp
        run = ("run", self.platform, "--drop-in", "--writable", programs, *self.emulated)
        program = ("--", "env", *settings, f"{programs}/random_calls", "2")
        done = self.run_program(*run, *program)
        self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")
        (file,) = (self.folder / "cache").iterdir()
        self.expect_lines(f"cache/{file.name}")
        kept = file.read_text()
        # The next job takes it from there: it has no time to measure.
        done = self.run_program(*run, *program[:-2], "ISTHMUS_DISCOVER_SECONDS=0.000001", *program[-2:])
        self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")
        self.assertNotIn("not done within", done.stderr)
        self.assertEqual(file.read_text(), kept)
        file.unlink()
        done = self.run_program(*run, *program[:-2], "ISTHMUS_DISCOVER_SECONDS=0.5", *program[-2:])
        self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")
        self.assertIn("not done within 0.5 s", done.stderr)


if __name__ == "__main__":
    unittest.main()
