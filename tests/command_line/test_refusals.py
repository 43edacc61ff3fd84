"""What a platform file or an option says and isthmus would ignore, or cannot do, is refused before any work."""

import json
import subprocess
import unittest
from pathlib import Path

from isthmus_program import DAS_4X1, DAS_4X4, ISTHMUS, SANITIZED, ProgramTest
from test_bad_input import HEAD, two_hosts

BROADCAST = ("broadcast", "--bytes", "8")


def two_hosts_with(zone="", host="", link=""):
    """Two hosts with these properties of the zone, the first host and the link."""
    return (
        HEAD
        + f'<zone id="z" routing="Full">{zone}\n'
        + f'<host id="a" speed="1Gf">{host}</host><host id="b" speed="1Gf"/>\n'
        + f'<link id="l" bandwidth="1MBps" latency="1ms">{link}</link>\n'
        + '<route src="a" dst="b"><link_ctn id="l"/></route>\n</zone>\n</platform>\n'
    )


def prop(name, value):
    return f'<prop id="{name}" value="{value}"/>'


class Figures(ProgramTest):
    def test_of_links_are_those_of_networks(self):
        for latency, bandwidth, says in (
            ("1e12s", "1MBps", "a latency of 1e+12 s; 0 to 1000 s"),
            ("1001s", "1MBps", "a latency of 1001 s"),
            ("1ms", "1e-300Bps", "a bandwidth of 1e-300 B/s; 1e-09 to 1e+18 B/s"),
            ("1ms", "1e19Bps", "a bandwidth of 1e+19 B/s"),
        ):
            with self.subTest(says):
                link = f'bandwidth="{bandwidth}" latency="{latency}"'
                file = self.write("far.xml", two_hosts(link=link))
                self.is_refused(2, "predict", file, *BROADCAST, says=["far.xml:7: link l: " + says, "would be right"])
                split = two_hosts(
                    link=link + ' sharing_policy="SPLITDUPLEX"',
                    route='<route src="a" dst="b"><link_ctn id="l" direction="UP"/></route>',
                )
                self.is_refused(2, "platform", self.write("split.xml", split), says=["split.xml:7: link l_UP: " + says])
        cluster = HEAD + '<cluster id="c" prefix="h" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="1e12s"/>\n'
        file = self.write("cluster.xml", cluster + "</platform>\n")
        self.is_refused(2, "platform", file, says=["cluster.xml:4: link c_link_", "a latency of 1e+12 s"])

    def test_at_the_borders_have_times(self):
        for link in ('bandwidth="1e-9Bps" latency="1000s"', 'bandwidth="1e18Bps" latency="0s"'):
            file = self.write("far.xml", two_hosts(link=link))
            done = self.run_program("predict", file, "broadcast/all", "allreduce/all", "--bytes", "8,1Mi")
            self.assertEqual(done.returncode, 0, done.stderr)
            done = self.run_program("predict", file, "broadcast", "allreduce", "alltoall", "--bytes", "8,1Mi")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_of_networks_in_json_and_of_settings_are_the_same(self):
        text = self.succeeds("platform", DAS_4X1, "--format", "json").replace('"latency_s": 0.01', '"latency_s": 1e12')
        file = self.write("far.json", text)
        self.is_refused(2, "platform", file, says=["/latency_s: is 1000000000000.0; a number from 0 to 1000"])
        self.is_refused(
            2, "predict", DAS_4X1, *BROADCAST, "--set", "wan-*.bandwidth=x1e-18", says=["x1e-18", "link wan-", "B/s"]
        )

    def test_of_tables_are_the_same(self):
        latency = self.write("l.csv", "latency_s,a,b\na,,1001\nb,1,\n")
        bandwidth = self.write("b.csv", "bandwidth_MBps,a,b\na,,1\nb,1,\n")
        self.is_refused(
            2, "platform", "--from-table", latency, bandwidth, says=["l.csv:2", "out of range", "0 to 1000 s"]
        )


class Numbers(ProgramTest):
    def test_are_finite(self):
        for *command, option in (
            ("sensitivity", DAS_4X1, *BROADCAST, "--change"),
            ("calibrate", DAS_4X1, "--member-tolerance"),
            ("simulate", DAS_4X1, *BROADCAST, "--confidence-interval"),
            ("simulate", DAS_4X1, *BROADCAST, "--timeout"),
            ("discover", DAS_4X1, "--alike"),
            ("tune", DAS_4X1, *BROADCAST, "--close"),
            ("tune", DAS_4X1, *BROADCAST, "--source", "smpi", "--budget"),
            ("compare", DAS_4X1, *BROADCAST, "--tolerance"),
        ):
            with self.subTest(option):
                self.is_refused(2, *command, option, "nan", says=[option, "nan is no finite number"])


class Properties(ProgramTest):
    def test_that_would_be_ignored_are_refused(self):
        for place, name, value, says in (
            (
                "zone",
                "isthmus.header_byte",
                "0",
                "file.xml:4: no property `isthmus.header_byte` of isthmus; did you mean `header_bytes`",
            ),
            (
                "zone",
                "isthmus.levels",
                "site",
                "file.xml:4: no property `isthmus.levels` of isthmus; did you mean `level`?",
            ),
            (
                "link",
                "isthmus.price_per_TB",
                "5",
                "file.xml:6: no property `isthmus.price_per_TB` of isthmus; did you mean `price_per_GB`",
            ),
            ("host", "isthmus.role", "gatway", 'file.xml:5: isthmus.role: "gatway"; "gateway" would be right'),
            ("host", "isthmus.frame_bytes", "0", "file.xml:5: host a has `isthmus.frame_bytes`; in the outermost zone"),
            ("zone", "isthmus.price_per_GB", "5", "file.xml:4: zone z has `isthmus.price_per_GB`; in a <link>"),
            ("zone", "isthmus.frame_bytes", "0x10", 'file.xml:4: isthmus.frame_bytes: "0x10" is not right'),
        ):
            with self.subTest(name):
                file = self.write("file.xml", two_hosts_with(**{place: prop(name, value)}))
                self.is_refused(2, "platform", file, says=[says])
        inner = two_hosts_with(zone=prop("isthmus.header_bytes", "0")).replace(
            "<zone", '<zone id="o" routing="Full"><zone'
        )
        file = self.write("inner.xml", inner.replace("</zone>", "</zone></zone>"))
        self.is_refused(
            2, "platform", file, says=["inner.xml:4: zone z has", "in the outermost zone it would be right"]
        )

    def test_of_other_programs_are_theirs(self):
        file = self.write("file.xml", two_hosts_with(zone=prop("watts", "7"), host=prop("rack", "3")))
        self.succeeds("platform", file)


class Links(ProgramTest):
    def test_are_used_in_the_directions_that_they_have(self):
        shared = 'bandwidth="1MBps" latency="1ms"'
        for policy, direction, says in (
            (
                "SPLITDUPLEX",
                "",
                'file.xml:8: link l of line 7 is SPLITDUPLEX and is used without a direction; direction="UP"',
            ),
            ("SHARED", 'direction="UP"', 'file.xml:8: link l of line 7 is used with direction="UP" and has none'),
            (
                "FULLDUPLEX",
                "",
                'file.xml:7: link l: sharing policy "FULLDUPLEX"; SHARED, SPLITDUPLEX or FATPIPE would be',
            ),
        ):
            with self.subTest(says):
                route = f'<route src="a" dst="b"><link_ctn id="l" {direction}/></route>'
                text = two_hosts(link=f'{shared} sharing_policy="{policy}"', route=route)
                self.is_refused(2, "platform", self.write("file.xml", text), says=[says])

    def test_of_a_dragonfly_have_a_router_for_each_group(self):
        cluster = (
            '<cluster id="c" prefix="n" suffix="" radical="0-7" speed="1Gf" bw="1MBps" lat="1ms" topology="DRAGONFLY" '
            'topo_parameters="2,2;2,1;1,1;2"/>\n'
        )
        file = self.write("dragonfly.xml", HEAD + cluster + "</platform>\n")
        self.is_refused(2, "platform", file, says=["dragonfly.xml:4: cluster c:", "would be right"])

    def test_of_a_file_with_a_byte_order_mark_are_not_read(self):
        self.is_refused(
            2, "platform", self.write("bom.xml", "\ufeff" + two_hosts()), says=["bom.xml:1:", "(BOM) of UTF-8"]
        )

    def test_with_names_of_another_encoding_than_utf8_are_not_read(self):
        file = self.folder / "latin.xml"
        comment = "<!-- \xfc in a comment does no harm -->"
        file.write_bytes((two_hosts(second="\xe4") + comment).encode("latin-1"))
        self.is_refused(2, "platform", file, says=['latin.xml:6: id "\\xe4" is not in UTF-8; ', "`iconv -f ISO-8859-1"])
        file.write_bytes((two_hosts() + comment).encode("latin-1"))
        self.succeeds("platform", file)


class Options(ProgramTest):
    def test_that_have_no_effect_are_refused(self):
        for *command, needs in (
            ("verify", "barrier", "--ranks-per-host", "2", "--platform"),
            ("platform", DAS_4X1, "--substrate", "uml", "--emulation"),
            ("calibrate", DAS_4X1, "--smpi-class", "node", "--smpi"),
            ("calibrate", DAS_4X1, "--substrate", "uml", "--source emulated"),
            ("discover", DAS_4X1, "--common-clock", "--here"),
            ("discover", DAS_4X1, "--tolerance", "0.1", "--source emulated"),
            ("compare", DAS_4X1, *BROADCAST, "--source", "model", "--rootfs", "/", "--source emulated"),
            ("compare", DAS_4X1, *BROADCAST, "--source", "smpi", "--force", "--source emulated"),
            ("tune", DAS_4X1, *BROADCAST, "--repetitions", "3", "--source smpi or emulated"),
            ("tune", DAS_4X1, *BROADCAST, "--plans", "3", "--source smpi or emulated"),
            ("tune", DAS_4X1, *BROADCAST, "--source", "smpi", "--substrate", "uml", "--source emulated"),
        ):
            with self.subTest(command):
                self.is_refused(2, *command, says=[needs])


class ConditionsOfAPlan(ProgramTest):
    def refusal_of(self, status, conditions, says):
        file = self.write("conditions.json", json.dumps(conditions))
        self.is_refused(status, "platform", DAS_4X1, "--emulation", "--conditions", file, says=says)

    def test_name_a_congestion_control_that_the_kernel_has(self):
        says = ["conditions: tcp: congestion control `unheard-of`: this kernel has reno, "]
        self.refusal_of(2, {"tcp": {"congestion_control": "unheard-of"}}, says)

    def test_lose_few_enough_frames_for_the_model_of_tcp(self):
        for loss in (0.5, 1):
            conditions = {"links": [{"link": "wan-*", "loss": loss}], "tcp": {"streams": "auto"}}
            self.refusal_of(2, conditions, ["streams `auto`", "over link wan-c0-c1", "a number would be right"])


class FilesToWrite(ProgramTest):
    def test_are_checked_before_the_work(self):
        for *command, option in (
            ("tune", DAS_4X4, "alltoall", "--bytes", "1Gi", "--effort", "1000000000", "-o"),
            ("tune", DAS_4X4, "alltoall", "--bytes", "1Gi", "--effort", "1000000000", "--export"),
            ("calibrate", DAS_4X4, "--repetitions", "10000", "-o"),
            ("calibrate", DAS_4X4, "--repetitions", "10000", "--smpi"),
            ("discover", DAS_4X4, "--repetitions", "10000", "--max-bytes", "1Gi", "--picture"),
        ):
            with self.subTest(command):
                file = "none/x.svg"
                says = ["none/x.svg: cannot be written", "a folder that is there"]
                value = f"openmpi={file}" if option == "--export" else file
                self.is_refused(2, *command, option, value, says=says, timeout=20)


class Advice(ProgramTest):
    def test_for_files_of_the_wrong_kind(self):
        self.is_refused(2, "discover", DAS_4X1, "--picture", "x.png", says=["x.png", "x.svg would be right"])
        file = self.write("wrong", "nothing\n")
        self.is_refused(2, "calibrate", DAS_4X1, "--from", file, says=["wrong: 0 pairs of ranks", "isthmus-measure"])
        self.is_refused(2, "tune", DAS_4X1, "broadcast", "--export", "openmpi=", says=["no file; openmpi=FILE"])

    def test_for_values_is_what_would_be_right(self):
        self.is_refused(
            2, "predict", DAS_4X1, "broadcast", "--bytes", "1000", "--element-bytes", "3", says=["; 999 would"]
        )
        self.is_refused(2, "predict", DAS_4X1, *BROADCAST, "--element-bytes", "16", says=["bytes 8: ", "; 16 would"])
        self.is_refused(2, "predict", DAS_4X1, *BROADCAST, "--non-commutative", says=["broadcast", "would be right"])
        self.assertNotIn("did you mean", self.is_refused(2, "discover", DAS_4X1, "--rule", "foo"))


class Outputs(ProgramTest):
    def test_do_not_replace_what_is_read(self):
        xml = self.write("p.xml", two_hosts())
        table = self.write("lat.csv", "source,destination,latency_ms\na,b,1\nb,a,1\n")
        rates = self.write("thr.csv", "source,destination,throughput_Gbps\na,b,1\nb,a,1\n")
        for command in (
            ("tune", xml, "broadcast", "--bytes", "8", "-o", "./p.xml"),
            ("tune", xml, "broadcast", "--bytes", "8", "--export", f"mpich={xml}"),
            ("trace", xml, *BROADCAST, "--as", "goal", "-o", xml),
            ("calibrate", xml, "-o", xml),
            ("discover", xml, "-o", xml),
            ("platform", xml, "--format", "json", "-o", xml),
            ("platform", "--from-table", table, rates, "-o", table),
            ("run", xml, "--record", xml, "--", "true"),
        ):
            with self.subTest(command[0]):
                self.is_refused(2, *command, says=["would be replaced", "another file would be right"])
        self.assertEqual(Path(xml).read_text(), two_hosts())
        network = self.write("n.json", self.succeeds("platform", xml, "--format", "json"))
        self.succeeds("platform", network, "--set", "l.bandwidth=x2", "--format", "json", "-o", network)


class Memory(ProgramTest):
    def test_is_estimated_before_a_simulation(self):
        line = self.is_refused(2, "simulate", DAS_4X4, "broadcast/binomial", "--bytes", "16Ti", timeout=20)
        for text in ("broadcast/binomial", "16 ranks, root 0 would take some 2.8e+05 GB of memory", "would be right"):
            self.assertIn(text, line)

    @unittest.skipIf(SANITIZED, "the address sanitizer maps terabytes")
    def test_of_a_simulation_is_also_that_of_messages_on_their_way(self):
        # Blocks take 1.07 GB; all of linear's messages are on their way at once, one a rank of pairwise's.
        limited = ["sh", "-c", 'ulimit -v 1400000; exec "$@"', "sh", ISTHMUS, "simulate", DAS_4X4, "--bytes", "2Mi"]
        for plan, status, says in (("linear", 2, "would take some 1.6 GB of memory"), ("pairwise", 0, "")):
            done = subprocess.run([*limited, f"alltoall/{plan}"], capture_output=True, text=True, timeout=100)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(says, done.stderr)


class Exports(ProgramTest):
    def test_say_which_decisions_they_leave_out(self):
        done = self.run_program("tune", DAS_4X1, "alltoallw", "--bytes", "8", "--export", "nccl=f")
        self.assertEqual(done.returncode, 0)
        self.assertIn("isthmus: note: nccl=f has no place for alltoallw, 8 B, root 0", done.stderr)


class StandardFiles(ProgramTest):
    def test_that_are_closed_or_full_change_the_status_alone(self):
        for closed, status in ((">&-", 3), (">&- 2>&-", 3), ("2>&-", 0), ("</dev/null >/dev/full 2>/dev/full", 3)):
            with self.subTest(closed):
                done = subprocess.run(
                    ["sh", "-c", f'"$1" list {closed}', "sh", ISTHMUS],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                self.assertEqual(done.returncode, status)


if __name__ == "__main__":
    unittest.main()
