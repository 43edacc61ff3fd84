"""Loss, links that fail, ambient traffic and captures on the emulated network."""

import json
import os
import struct
import unittest

from isthmus_program import DAS_4X1, EMULATE_8_BYTES, ProgramTest

VISITOR = os.path.join(os.environ["TEST_PROGRAMS"], "visitor")
VIRTUAL = ("--substrate", "virtual")


class Conditions(ProgramTest):
    def conditions(self, **what):
        return "--conditions", self.write("conditions.json", json.dumps(what))

    def record(self, *arguments):
        return json.loads(
            self.succeeds(
                "emulate", DAS_4X1, "broadcast/binomial", "--bytes", "256Ki", "--format", "json", *VIRTUAL, *arguments
            )
        )

    def seconds(self, *arguments):
        return self.record(*arguments)["seconds"]

    def simulated(self, *arguments):
        shown = self.succeeds(
            "simulate", DAS_4X1, "broadcast/binomial", "--bytes", "256Ki", "--format", "json", *arguments
        )
        return json.loads(shown)["seconds"]

    def test_a_seed_gives_the_same_seconds_twice(self):
        lossy = {
            "links": [{"link": "wan-*", "loss": 0.01, "jitter_s": 0.001, "duplicate": 0.01}],
            "traffic": [
                {"from": "c0-0", "to": "c1-0", "kind": "bursty", "rate_Bps": 400000, "on_s": 0.05, "off_s": 0.05}
            ],
        }
        one, again = (self.seconds(*self.conditions(seed=3, **lossy)) for _ in range(2))
        self.assertEqual(one, again)
        self.assertNotEqual(one, self.seconds(*self.conditions(seed=4, **lossy)))

    def test_parallel_streams_are_quicker_where_frames_are_lost(self):
        lossy = {"seed": 3, "links": [{"link": "wan-*", "loss": 0.05}]}
        one = self.record(*self.conditions(**lossy))
        several = self.record(*self.conditions(**lossy, tcp={"streams": "auto"}))
        self.assertEqual(one["provenance"]["streams"], "1")
        self.assertEqual(several["provenance"]["streams"], "3")  # 396 kB/s each, for 0.9 of 1 MB/s
        self.assertLess(several["seconds"], one["seconds"])
        shown = self.succeeds("platform", DAS_4X1, "--emulation", *self.conditions(**lossy, tcp={"streams": "auto"}))
        self.assertIn("streams: 3 TCP connections", shown)
        self.is_refused(2, "platform", DAS_4X1, *self.conditions(**lossy), says=["--emulation"])

    def test_an_outage_is_outlived_and_one_that_lasts_names_the_link(self):
        outage = [{"at_s": 0.1, "link": "wan-c0-c1", "rate": 0}, {"at_s": 2.1, "link": "wan-c0-c1"}]
        self.assertGreater(self.seconds(*self.conditions(changes=outage)), 2)
        line = self.is_refused(
            1,
            "emulate",
            DAS_4X1,
            "broadcast/binomial",
            "--bytes",
            "256Ki",
            *VIRTUAL,
            "--timeout",
            "60",
            *self.conditions(changes=outage[:1]),
            says=["link `wan-c0-c1` has been cut since 0.1 s"],
        )
        self.assertNotIn("isthmus-emulator", line)
        self.is_refused(
            1,
            "simulate",
            DAS_4X1,
            "broadcast/binomial",
            "--bytes",
            "256Ki",
            *self.conditions(changes=outage[:1]),
            says=["link `wan-c0-c1` has been cut since 0.1 s"],
        )

    def test_the_simulation_and_the_emulation_follow_one_file(self):
        file = self.conditions(
            changes=[{"at_s": 0.1, "link": "wan-*", "rate": 0.1}, {"at_s": 1.1, "link": "wan-*", "rate": 0.5}],
            traffic=[{"from": "c0-0", "to": "c1-0", "kind": "on-off", "rate_Bps": 300000, "on_s": 0.05, "off_s": 0.05}],
            tcp={"congestion_control": "reno", "send_buffer_bytes": 8388608},
        )
        record = self.record(*file)
        self.assertAlmostEqual(self.simulated(*file) / record["seconds"], 1, delta=0.03)
        self.assertEqual(record["settings"]["conditions"]["tcp"]["congestion_control"], "reno")
        self.assertIn("tcp_congestion_control=reno", record["provenance"]["tcp"])
        self.assertIn("tcp_wmem=4096 8388608 8388608", record["provenance"]["tcp"])
        unheard_of = self.conditions(tcp={"congestion_control": "unheard-of"})
        refusal = self.is_refused(2, *EMULATE_8_BYTES, *VIRTUAL, *unheard_of, says=["`unheard-of`", "reno"])
        self.is_refused(2, "platform", DAS_4X1, "--emulation", *VIRTUAL, *unheard_of, says=[refusal])
        self.is_refused(
            2,
            "simulate",
            DAS_4X1,
            "broadcast/binomial",
            "--bytes",
            "8",
            *self.conditions(links=[{"link": "wan-*", "loss": 0.01}]),
            says=["`wan-*`", "loss"],
        )

    def test_a_capture_holds_the_frames_of_one_link(self):
        done = self.run_program("capture", DAS_4X1, "wan-c0-c1", "-o", "c.pcap", *VIRTUAL, "--", VISITOR, "0")
        self.assertEqual(done.returncode, 0, done.stderr)
        data = (self.folder / "c.pcap").read_bytes()
        self.assertEqual(struct.unpack("<IHHIIII", data[:24]), (0xA1B23C4D, 2, 4, 0, 0, 65536, 1))
        at, hosts = 24, set()
        while at < len(data):
            _, _, kept, length = struct.unpack("<IIII", data[at : at + 16])
            self.assertLessEqual(kept, length)
            frame = data[at + 16 : at + 16 + kept]
            hosts.add(".".join(map(str, frame[26:30])))
            at += 16 + kept
        self.assertEqual(at, len(data))
        self.assertEqual(len(hosts), 2)

    def test_mistakes_are_said_before_anything_starts(self):
        for what, says in (
            ({"links": [{"link": "wan-c0-c9", "loss": 0.1}]}, "`wan-c0-c9`"),
            ({"links": [{"link": "wan-*", "loss": 1.5}]}, "/links/0/loss"),
            ({"changes": [{"link": "wan-*", "rate": 0}]}, "at_s"),
            ({"changes": [{"at_s": 1, "link": "wan-*", "speed": 0}]}, "speed"),
            ({"traffic": [{"from": "c0-0", "to": "nobody", "rate_Bps": 1}]}, "`nobody`"),
            ({"traffic": [{"from": "c0-0", "to": "c1-0", "kind": "on-off", "rate_Bps": 1}]}, "on_s"),
            ({"traffic": {}}, "list"),
            ({"tcp": {"congestion_control": "../x"}}, "/tcp/congestion_control"),
            ({"tcp": {"initial_window_frames": 0}}, "initial_window_frames"),
            ({"tcp": {"streams": 0}}, "/tcp/streams"),
            ({"tcp": {"streams": "many"}}, "auto"),
        ):
            with self.subTest(what):
                file = self.conditions(**what)
                self.is_refused(2, "emulate", DAS_4X1, "broadcast/binomial", "--bytes", "8", *file, says=[says])
        self.is_refused(2, "capture", DAS_4X1, "nothing", "-o", "c.pcap", "--", "true", says=["`nothing`"])


if __name__ == "__main__":
    unittest.main()
