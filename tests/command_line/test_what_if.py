"""Changes of links by --set, in every world; which link pays most."""

import json
import unittest

from isthmus_program import DAS_4X1, DAS_4X4, PLATFORMS, ProgramTest

FIVE_SITES = str(PLATFORMS / "plain/five-sites.xml")
BROADCAST = ("broadcast/linear:segment=none", "--bytes", "1Mi")


class Set(ProgramTest):
    def seconds(self, command, platform, *arguments):
        lines = self.succeeds(command, platform, *BROADCAST, "--format", "json", *arguments).splitlines()
        return json.loads(lines[-1])["seconds"]

    def test_twice_the_bandwidth_takes_about_half_the_time_in_models_and_in_simulations(self):
        for command in (("predict", "--source", "replay"), ("simulate",), ("simulate", "--queueing", "fluid")):
            with self.subTest(command=command):
                before = self.seconds(command[0], DAS_4X1, *command[1:])
                after = self.seconds(command[0], DAS_4X1, *command[1:], "--set", "wan*.bandwidth=x2")
                self.assertAlmostEqual(after / before, 0.5, delta=0.03)

    def test_models_and_simulations_agree_on_what_if(self):
        for setting in ("wan*.latency=50ms", "wan*.bandwidth=2MBps", "wan*.bandwidth=-10%"):
            with self.subTest(setting=setting):
                model = self.seconds("predict", DAS_4X1, "--source", "replay", "--set", setting)
                simulation = self.seconds("simulate", DAS_4X1, "--set", setting)
                self.assertAlmostEqual(simulation / model, 1, delta=0.01)

    def test_several_settings_apply_one_after_the_other(self):
        once = self.seconds("predict", DAS_4X1, "--set", "wan*.bandwidth=x4")
        twice = self.seconds("predict", DAS_4X1, "--set", "wan*.bandwidth=x2", "--set", "wan*.bandwidth=x2")
        self.assertEqual(once, twice)

    def test_a_record_and_a_heading_say_what_was_changed(self):
        arguments = ("predict", DAS_4X1, *BROADCAST, "--set", "wan*.bandwidth=x2")
        record = json.loads(self.succeeds(*arguments, "--format", "json").splitlines()[-1])
        self.assertEqual(record["settings"]["set"], ["wan*.bandwidth=x2"])
        plain = json.loads(self.succeeds(*arguments[:-2], "--format", "json").splitlines()[-1])
        self.assertNotIn("set", plain["settings"])
        self.assertNotEqual(record["network_digest"], plain["network_digest"])
        self.assertIn("das-4x1 with wan*.bandwidth=x2", self.succeeds(*arguments))

    def test_other_commands_take_it_too(self):
        setting = ("--set", "lyon-nice.bandwidth=1GBps")
        self.assertIn("1 GB/s", self.succeeds("platform", FIVE_SITES, *setting))
        self.assertIn("with lyon-nice", self.succeeds("bound", FIVE_SITES, "allreduce", "--bytes", "1Mi", *setting))
        self.assertIn("with lyon-nice", self.succeeds("explain", FIVE_SITES, "gather", "--bytes", "64Ki", *setting))
        self.assertIn("with lyon-nice", self.succeeds("tune", FIVE_SITES, "gather", "--bytes", "64Ki", *setting))
        self.succeeds("trace", FIVE_SITES, "gather/linear", "--bytes", "64Ki", "-o", "t.json", *setting)

    def test_a_link_that_does_not_exist_is_refused_with_those_that_do(self):
        line = self.is_refused(
            2,
            "predict",
            FIVE_SITES,
            "allreduce",
            "--bytes",
            "1Ki",
            "--set",
            "lion-nice.bandwidth=x2",
            says=["link `lion-nice`", "did you mean `lyon-nice`?", "known: `rennes-nice`"],
        )
        self.assertNotIn("rennes-0", line)

    def test_bad_settings_are_refused(self):
        for setting, says in (
            ("lyon-nice", "LINK.bandwidth=VALUE"),
            ("lyon-nice.bandwith=x2", "did you mean `bandwidth`?"),
            ("lyon-nice.bandwidth=x-2", "no factor above 0"),
            ("lyon-nice.bandwidth=quick", "like 10Gbps"),
        ):
            self.is_refused(2, "bound", FIVE_SITES, "scan", "--bytes", "8", "--set", setting, says=[says])
        self.is_refused(2, "platform", "--from-table", "a", "b", "--set", "a.latency=x2", says=["--set"])


class Sensitivity(ProgramTest):
    def gains(self, *arguments):
        return [json.loads(line) for line in self.succeeds("sensitivity", *arguments, "--format", "json").splitlines()]

    def test_the_link_that_pays_most_is_the_first(self):
        gains = self.gains(FIVE_SITES, "gather/linear", "--bytes", "1Mi")
        saved = [max(gain["bandwidth_saves_s"], gain["latency_saves_s"]) for gain in gains]
        self.assertEqual(saved, sorted(saved, reverse=True))
        best = gains[0]
        setting = f"{best['link']}.bandwidth=+10%"
        arguments = (FIVE_SITES, "gather/linear", "--bytes", "1Mi", "--source", "replay", "--format", "json")
        before = json.loads(self.succeeds("predict", *arguments))["seconds"]
        after = json.loads(self.succeeds("predict", *arguments, "--set", setting))["seconds"]
        self.assertAlmostEqual(before - after, best["bandwidth_saves_s"], delta=1e-9)
        self.assertEqual(best["seconds"], before)

    def test_the_table_names_it(self):
        shown = self.succeeds("sensitivity", FIVE_SITES, "allreduce", "--bytes", "64Ki")
        self.assertIn("pays most: 10 % ", shown)
        self.assertIn("new plan", shown)
        self.assertLessEqual(max(map(len, shown.splitlines())), 80)

    def test_the_mpis_own_is_refused(self):
        self.is_refused(2, "sensitivity", DAS_4X4, "reduce/mpi", "--bytes", "8", says=["no schedule"])


if __name__ == "__main__":
    unittest.main()
