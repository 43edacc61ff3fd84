"""isthmus calibrate and isthmus tune: what they write is what others read."""

import glob
import json
import subprocess
import unittest

from isthmus_program import DAS_4X4, ISTHMUS, PLATFORMS, SOURCE, ProgramTest

BOBA = str(PLATFORMS / "pjesivac2005/boba.xml")


class Calibration(ProgramTest):
    def test_measures_the_classes_of_a_platform_and_writes_a_network(self):
        shown = self.succeeds("calibrate", DAS_4X4, "-o", "network.json", "--smpi", "config.xml", "--fit", "--most", "64Ki")
        self.assertIn("wide area", shown)
        network = json.loads((self.folder / "network.json").read_text())
        self.assertEqual([one["name"] for one in network["classes"]], ["site", "wide area"])
        site = network["calibration"]["classes"][0]
        self.assertAlmostEqual(site["measured"]["latency"][0], 20e-6, delta=0.2e-6)
        self.assertAlmostEqual(site["loggp"]["gap_s_per_byte"], 20e-9, delta=0.2e-9)
        self.assertAlmostEqual(site["hockney"]["alpha_s"], 22e-6, delta=0.22e-6)
        fit = network["calibration"]["fit"]
        self.assertAlmostEqual(fit["latency_s"] + fit["gap"][0][1], 22.02e-6, delta=0.22e-6)
        self.assertIn("smpi/bw-factor", (self.folder / "config.xml").read_text())

        arguments = ("broadcast/kielmann:segment=4Ki,wan-degree=3,lan-degree=2", "--bytes", "1,4Ki,64Ki", "--format", "json")
        known, found = ([json.loads(line)["seconds"] for line in self.succeeds("predict", platform, *arguments).splitlines()]
                        for platform in (DAS_4X4, "network.json"))
        for one, other in zip(known, found, strict=True):
            self.assertAlmostEqual(one, other, delta=0.01 * one)

    def test_takes_what_was_measured_elsewhere(self):
        task = self.succeeds("calibrate", BOBA, "--task", "--members", "1")
        self.assertEqual(task.splitlines()[:2], ["# node-0", "# node-1"])
        pair = json.loads(task.splitlines()[-1])["pairs"][0]
        self.assertEqual((pair["from"], pair["to"]), (0, 1))
        sizes = [{"bytes": size, "gap": [1e-5 + 1e-8 * size, 1e-7], "send_overhead": [1e-6, 0], "receive_overhead": [2e-6, 0]}
                 for size in (0, 1, 1000)]
        self.write("pairs.jsonl", json.dumps({"from": 0, "to": 1, "latency": [3e-5, 1e-7], "sizes": sizes}) + "\n")
        network = json.loads(self.succeeds("calibrate", BOBA, "--members", "1", "--from", "pairs.jsonl"))
        self.assertEqual(network["classes"][0]["gap"][2], [1000, 2e-5])
        self.is_refused(2, "calibrate", BOBA, "--members", "1", "--from", "absent.jsonl")
        self.write("broken.jsonl", '{"from": 0}\n')
        self.assertIn("broken.jsonl:1", self.is_refused(2, "calibrate", BOBA, "--members", "1", "--from", "broken.jsonl"))

    def test_warns_of_units_that_look_mixed_up(self):
        network = json.loads(self.succeeds("platform", BOBA, "--format", "json"))
        network["links"][0]["latency_s"] = 10
        file = self.write("slow.json", json.dumps(network))
        result = self.run_program("predict", file, "broadcast/linear", "--bytes", "1")
        self.assertEqual(result.returncode, 0)
        self.assertIn("milliseconds", result.stderr)


class Tuning(ProgramTest):
    def tune(self, *arguments):
        return self.succeeds("tune", DAS_4X4, "broadcast", "allreduce", "alltoall", "barrier", "reduce", "--bytes",
                             "8,64Ki", "--effort", "100000", *arguments)

    def test_exports_rules_that_open_mpi_reads(self):
        components = glob.glob("/usr/lib/*/openmpi/lib/openmpi3/mca_coll_tuned.so")
        self.assertTrue(components, "Open MPI's component coll/tuned is needed")
        self.tune("-o", "table.json", "--export", "openmpi=rules.txt", "--export", "mpich=mpich.json",
                  "--export", "openmpi-json=rules.json", "--export", "nccl=nccl.csv")
        self.assertEqual(json.loads((self.folder / "table.json").read_text())["ranks"], 16)
        for file in ("rules.json", "mpich.json"):
            json.loads((self.folder / file).read_text())
        # In a process of its own: a broken reader would take this one along.
        reader = ("import ctypes, sys; ctypes.CDLL('libmpi.so.40', ctypes.RTLD_GLOBAL);"
                  "rules = ctypes.c_void_p(); tuned = ctypes.CDLL(sys.argv[1]);"
                  "print(tuned.ompi_coll_tuned_read_rules_config_file(sys.argv[2].encode(), ctypes.byref(rules), 22))")

        def rules_read(file):
            return int(subprocess.run(["/usr/bin/python3", "-c", reader, components[0], str(file)], capture_output=True,
                                      text=True, check=True, timeout=60).stdout.split()[-1])

        self.assertEqual(rules_read(self.folder / "rules.txt"), 5)
        short = self.write("short.txt", "\n".join((self.folder / "rules.txt").read_text().splitlines()[:-1]))
        self.assertEqual(rules_read(short), -1)

    def test_refines_the_choice_of_the_model(self):
        table = json.loads(self.succeeds("tune", DAS_4X4, "broadcast", "--bytes", "64Ki", "--by", "smpi", "--plans", "3", "--effort", "100000",
                                         "--format", "json"))
        decision = table["decisions"][0]
        self.assertEqual(decision["by"], "smpi")
        self.assertEqual(decision["plans"][0]["seconds"], min(plan["seconds"] for plan in decision["plans"][:3]))

    def test_says_what_is_wrong(self):
        self.assertIn("FORM=FILE", self.is_refused(2, "tune", DAS_4X4, "broadcast", "--export", "rules.txt"))
        self.assertIn("0..15", self.is_refused(2, "tune", DAS_4X4, "broadcast", "--roots", "16"))
        self.is_refused(2, "tune", DAS_4X4, "brodcast")


class Reproductions(ProgramTest):
    def test_the_figures_of_pjesivac_grbovic_2005(self):
        shown = subprocess.run(["/usr/bin/python3", str(SOURCE / "validation/reproductions/pjesivac2005.py"), "--program",
                                ISTHMUS, "figure2", "figure4"], capture_output=True, text=True, timeout=120)
        self.assertEqual(shown.stderr, "")
        self.assertIn("| 32 |", shown.stdout)
        self.assertIn("Figure 4", shown.stdout)


if __name__ == "__main__":
    unittest.main()
