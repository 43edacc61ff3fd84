"""isthmus calibrate and isthmus tune: other programs read the files that they write."""

import glob
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from isthmus_program import DAS_4X4, ISTHMUS, PLATFORMS, SOURCE, ProgramTest

BOBA = str(PLATFORMS / "pjesivac2005/boba.xml")


class Calibration(ProgramTest):
    def test_measures_the_classes_of_a_platform_and_writes_a_network(self):
        shown = self.succeeds(
            "calibrate", DAS_4X4, "-o", "network.json", "--smpi", "config.xml", "--fit", "--most", "64Ki"
        )
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

        arguments = (
            "broadcast/kielmann:segment=4Ki,wan-degree=3,lan-degree=2",
            "--bytes",
            "1,4Ki,64Ki",
            "--format",
            "json",
        )
        for command in ("predict", "simulate"):
            known, found = (
                [json.loads(line)["seconds"] for line in self.succeeds(command, platform, *arguments).splitlines()]
                for platform in (DAS_4X4, "network.json")
            )
            for one, other in zip(known, found, strict=True):
                self.assertAlmostEqual(one, other, delta=0.01 * one)

    @unittest.skipUnless(shutil.which("smpirun"), "SimGrid's smpirun is needed")
    def test_makes_smpi_match_what_was_measured(self):
        self.succeeds(
            "calibrate",
            DAS_4X4,
            "-o",
            "network.json",
            "--smpi",
            "config.xml",
            "--smpi-class",
            "site",
            "--members",
            "1",
            "--most",
            "64Ki",
        )
        config = (self.folder / "config.xml").read_text()
        config = config[config.index("<config>") :]
        platform = pathlib.Path(DAS_4X4).read_text()
        start = platform.index(">", platform.index("<platform")) + 1
        self.write("platform.xml", platform[:start] + config + platform[start:])
        self.write("hosts", "c0-0\nc0-1\n")
        sizes = [0, 1, 15, 16, 17, 64, 250, 1000, 1024, 1025, 4000, 10000, 65536]
        self.write(
            "ping.c",
            """#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
static char data[65536];
int main(int argc, char** argv) {
  int rank, sizes[] = {%s};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (unsigned i = 0; i < sizeof(sizes) / sizeof(int); ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      usleep(1000); /* the receive stands by then */
      printf("%%.12f\\n", MPI_Wtime());
      MPI_Send(data, sizes[i], MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    } else {
      MPI_Recv(data, sizes[i], MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      printf("%%.12f\\n", MPI_Wtime());
    }
  }
  MPI_Finalize();
  return 0;
}
"""
            % ", ".join(map(str, sizes)),
        )
        subprocess.run(
            ["smpicc", "-O1", "ping.c", "-o", "ping"], cwd=self.folder, check=True, capture_output=True, timeout=60
        )
        shown = subprocess.run(
            [
                "smpirun",
                "-np",
                "2",
                "-hostfile",
                "hosts",
                "-platform",
                "platform.xml",
                "--cfg=smpi/wtime:0",
                "--cfg=smpi/simulate-computation:no",
                "--log=root.thres:critical",
                "./ping",
            ],
            cwd=self.folder,
            check=True,
            capture_output=True,
            text=True,
            timeout=60,
        ).stdout
        moments = [float(moment) for moment in shown.split()]
        for size, start, end in zip(sizes, moments[::2], moments[1::2], strict=True):
            seconds = end - start
            self.assertAlmostEqual(seconds, 20e-6 + (size + 100) / 50e6, delta=0.002 * seconds, msg=f"{size} B")

    def test_takes_what_was_measured_elsewhere(self):
        task = self.succeeds("calibrate", BOBA, "--task", "--members", "1")
        self.assertEqual(task.splitlines()[:2], ["# node-0", "# node-1"])
        pair = json.loads(task.splitlines()[-1])["pairs"][0]
        self.assertEqual((pair["from"], pair["to"]), (0, 1))
        sizes = [
            {
                "bytes": size,
                "gap": [1e-5 + 1e-8 * size, 1e-7],
                "send_overhead": [1e-6, 0],
                "receive_overhead": [2e-6, 0],
            }
            for size in (0, 1, 1000)
        ]
        self.write("pairs.jsonl", json.dumps({"from": 0, "to": 1, "latency": [3e-5, 1e-7], "sizes": sizes}) + "\n")
        network = json.loads(self.succeeds("calibrate", BOBA, "--members", "1", "--from", "pairs.jsonl"))
        self.assertEqual(network["classes"][0]["gap"][2], [1000, 2e-5])
        self.is_refused(2, "calibrate", BOBA, "--members", "1", "--from", "absent.jsonl")
        self.write("broken.jsonl", '{"from": 0}\n')
        self.assertIn(
            "broken.jsonl:1", self.is_refused(2, "calibrate", BOBA, "--members", "1", "--from", "broken.jsonl")
        )

    def test_refuses_what_varies_too_much(self):
        def pair(to, latency):
            sizes = [
                {"bytes": size, "gap": [1e-5, 0], "send_overhead": [0, 0], "receive_overhead": [0, 0]}
                for size in (0, 64)
            ]
            return json.dumps({"from": 0 if to == 1 else 2, "to": to, "latency": [latency, 0], "sizes": sizes}) + "\n"

        self.write("alike.jsonl", pair(1, 1e-4) + pair(3, 1.04e-4))
        self.succeeds("calibrate", BOBA, "--members", "2", "--from", "alike.jsonl", "-o", "network.json")
        self.write("unlike.jsonl", pair(1, 1e-4) + pair(3, 1.2e-4))
        self.is_refused(
            1,
            "calibrate",
            BOBA,
            "--members",
            "2",
            "--from",
            "unlike.jsonl",
            says=("node-2 to node-3 differs from node-0 to node-1 by 18.2 %", "at most 5.0 %"),
        )

        task = json.loads(self.succeeds("calibrate", BOBA, "--task", "--members", "1").splitlines()[-1])
        task.update(noise=1e-12, accuracy=1e-12, repetitions=5)
        helper = pathlib.Path(ISTHMUS).parent.parent / "libexec/isthmus/isthmus-measure"
        result = subprocess.run(
            ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", str(helper), json.dumps(task)],
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        self.assertEqual(result.returncode, 1)
        self.assertRegex(
            result.stderr, r"rank 0 to 1: .* is too noisy to use: [\d.]+ us \+-[\d.]+ us after 5 repetitions"
        )

    def test_warns_of_units_that_look_mixed_up(self):
        network = json.loads(self.succeeds("platform", BOBA, "--format", "json"))
        network["links"][0]["latency_s"] = 10
        file = self.write("slow.json", json.dumps(network))
        result = self.run_program("predict", file, "broadcast/linear", "--bytes", "1")
        self.assertEqual(result.returncode, 0)
        self.assertIn("milliseconds", result.stderr)


class Tuning(ProgramTest):
    COLLECTIVES = ("broadcast", "allreduce", "alltoall", "barrier", "reduce")
    TUNE = ("tune", DAS_4X4, *COLLECTIVES, "--bytes", "8,64Ki", "--effort", "100000")

    def tune(self, *arguments):
        return self.succeeds(*self.TUNE, *arguments)

    def test_exports_rules_that_open_mpi_reads(self):
        components = glob.glob("/usr/lib/*/openmpi/lib/openmpi3/mca_coll_tuned.so")
        self.assertTrue(components, "Open MPI's component coll/tuned is needed")
        exports = ("openmpi=rules.txt", "mpich=mpich.json", "openmpi-json=rules.json")
        self.tune("-o", "table.json", *(word for export in exports for word in ("--export", export)))
        self.run_program(*self.TUNE, "--export", "nccl=nccl.csv")  # which has no place for some
        self.assertEqual(json.loads((self.folder / "table.json").read_text())["ranks"], 16)
        for file in ("rules.json", "mpich.json"):
            json.loads((self.folder / file).read_text())
        # In a separate process, since a broken reader would crash this one.
        reader = (
            "import ctypes, sys; ctypes.CDLL('libmpi.so.40', ctypes.RTLD_GLOBAL);"
            "rules = ctypes.c_void_p(); tuned = ctypes.CDLL(sys.argv[1]);"
            "print(tuned.ompi_coll_tuned_read_rules_config_file(sys.argv[2].encode(), ctypes.byref(rules), 22))"
        )

        def rules_read(file):
            return int(
                subprocess.run(
                    ["/usr/bin/python3", "-c", reader, components[0], str(file)],
                    capture_output=True,
                    text=True,
                    check=True,
                    timeout=60,
                ).stdout.split()[-1]
            )

        self.assertEqual(rules_read(self.folder / "rules.txt"), 5)
        short = self.write("short.txt", "\n".join((self.folder / "rules.txt").read_text().splitlines()[:-1]))
        self.assertEqual(rules_read(short), -1)

    @unittest.skipUnless(shutil.which("mpirun.mpich"), "MPICH is needed")
    def test_exports_a_selection_that_mpich_uses(self):
        self.tune("--export", "mpich=mpich.json")
        self.write(
            "calls.c",
            """#include <mpi.h>
static int in[90000], out[90000];
int main(int argc, char** argv) {
  int rank, size, wrong = 0, counts[] = {1, 7, 20000};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = 0; k < 3; ++k) {
    const int count = counts[k];
    for (int i = 0; i < count * size; ++i) in[i] = 1000 * rank + i;
    MPI_Alltoall(in, count, MPI_INT, out, count, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < count * size; ++i) wrong += out[i] != 1000 * (i / count) + rank * count + i % count;
    MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) wrong += out[i] != 500 * size * (size - 1) + size * i;
    MPI_Reduce(in, out, count, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    for (int i = 0; i < count && rank == 0; ++i) wrong += out[i] != 1000 * (size - 1) + i;
    MPI_Bcast(in, count, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) wrong += in[i] != i;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return wrong > 0;
}
""",
        )
        subprocess.run(
            ["mpicc.mpich", "calls.c", "-o", "calls"], cwd=self.folder, check=True, capture_output=True, timeout=60
        )

        def status(file):
            environment = {**os.environ, "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(self.folder / file)}
            return subprocess.run(
                ["mpirun.mpich", "-n", "4", "./calls"],
                cwd=self.folder,
                env=environment,
                capture_output=True,
                timeout=100,
                check=False,
            ).returncode

        self.assertEqual(status("mpich.json"), 0)
        selection = (self.folder / "mpich.json").read_text()
        self.write("broken.json", selection.replace("Barrier_intra_dissemination", "Barrier_intra_unheard_of"))
        self.assertNotEqual(status("broken.json"), 0)

    def test_refines_the_choice_of_the_model(self):
        table = json.loads(
            self.succeeds(
                "tune",
                DAS_4X4,
                "broadcast",
                "--bytes",
                "64Ki",
                "--by",
                "smpi",
                "--plans",
                "3",
                "--effort",
                "100000",
                "--format",
                "json",
            )
        )
        decision = table["decisions"][0]
        self.assertEqual(decision["by"], "smpi")
        measured = decision["plans"][:3]
        min_s = min(plan["seconds"] for plan in measured)
        as_quick = [plan for plan in measured if plan["seconds"] <= 1.01 * min_s]
        self.assertEqual(measured[0]["messages"], min(plan["messages"] for plan in as_quick))
        self.assertIn(measured[0], as_quick)

    def test_says_what_is_wrong(self):
        self.assertIn("FORM=FILE", self.is_refused(2, "tune", DAS_4X4, "broadcast", "--export", "rules.txt"))
        self.assertIn("0..15", self.is_refused(2, "tune", DAS_4X4, "broadcast", "--roots", "16"))
        self.is_refused(2, "tune", DAS_4X4, "brodcast")


class Reproductions(ProgramTest):
    def test_the_figures_of_pjesivac_grbovic_2005(self):
        shown = subprocess.run(
            [
                "/usr/bin/python3",
                str(SOURCE / "validation/results/pjesivac2005.py"),
                "--program",
                ISTHMUS,
                "figure2",
                "figure4",
            ],
            capture_output=True,
            text=True,
            timeout=120,
        )
        self.assertEqual(shown.stderr, "")
        self.assertIn("| 32 |", shown.stdout)
        self.assertIn("Figure 4", shown.stdout)


if __name__ == "__main__":
    unittest.main()
