"""Plans side by side on the emulated network and in simulations."""

import json
import unittest

from isthmus_program import DAS_4X1, PLATFORMS, ProgramTest


class Simulated(ProgramTest):
    def test_the_choice_and_the_mpis_own_stand_beside_the_bound_with_ratios(self):
        shown = self.succeeds("compare", DAS_4X1, "MPI_Allreduce", "--bytes", "1KiB,64Ki", "--source", "smpi")
        lines = shown.splitlines()
        self.assertEqual(lines[0], "allreduce on das-4x1, 4 ranks, by smpi")
        for text in ("auto: ", "mpi", "lower bound", "speed-up", "over mpi", "in the geometric mean of 2 sizes"):
            self.assertIn(text, shown)
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_ratios_are_those_of_the_records(self):
        arguments = ("compare", DAS_4X1, "bcast/linear", "bcast/binomial", "--bytes", "64Ki", "--source", "smpi")
        seconds = {}
        for line in self.succeeds(*arguments, "--format", "json").splitlines():
            record = json.loads(line)
            seconds[record["algorithm"]] = record["seconds"]
        ratio = seconds["linear"] / seconds["binomial"]
        rows = [line for line in self.succeeds(*arguments, "--baseline", "linear").splitlines() if "binomial" in line]
        self.assertEqual(rows[0].split()[-1], f"{ratio:.2f}")

    def test_the_mpis_own_is_not_known_to_models(self):
        done = self.run_program("compare", DAS_4X1, "allreduce", "--bytes", "64Ki", "--source", "model,smpi")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("replay has no answer for allreduce/mpi", done.stderr)

    def test_bad_requests_are_refused(self):
        arguments = ("compare", DAS_4X1, "allreduce", "--bytes", "64Ki")
        self.is_refused(2, *arguments, "--source", "simpi", says=["did you mean `smpi`?"])
        self.is_refused(2, *arguments, "--source", "smpi", "--baseline", "rign", says=["--baseline rign", "`mpi`"])
        self.is_refused(2, "compare", DAS_4X1, "allreduce/mpi:selector=mpich", "--bytes", "8", says=["tuned, han"])


class AnExperiment(ProgramTest):
    def test_is_written_in_lines_as_long_as_those_of_other_commands(self):
        experiment = {
            "name": "small",
            "title": "Three algorithms",
            "question": "Which is the fastest?",
            "platforms": [DAS_4X1],
            "algorithms": ["broadcast/binomial", "broadcast/magpie", "allreduce/multilevel", "allreduce/rabenseifner"],
            "sizes": "8,4Mi",
            "sources": ["plogp", "replay"],
            "reference": "replay",
            "tolerances": [{"source": "plogp", "against": "replay", "bytes": "4Mi", "percent": 100}],
        }
        arguments = ("validate", self.write("small.json", json.dumps(experiment)), "--store", "s.sqlite", "--quiet")
        for columns, most in (({}, 80), ({"COLUMNS": "70"}, 70)):
            lines = self.succeeds(*arguments, environment=columns).splitlines()
            self.assertLessEqual(max(map(len, lines)), most)
            self.assertIn("comparisons are within their tolerance", " ".join(lines))
            self.assertIn("is the fastest", " ".join(lines))


class SeveralPlansAndPlatforms(ProgramTest):
    def test_in_one_call(self):
        other = str(PLATFORMS / "kielmann2000/das-2x1.xml")
        if not (PLATFORMS / "kielmann2000/das-2x1.xml").exists():
            other = str(PLATFORMS / "plain/five-sites.xml")
        whats = ("bcast/binomial", "MPI_Reduce/binomial", "barrier", "broadcast/binomial")
        lines = self.succeeds("simulate", DAS_4X1, other, *whats, "--bytes", "8", "--format", "json").splitlines()
        records = [json.loads(line) for line in lines]
        self.assertEqual([record["collective"] for record in records], ["broadcast", "reduce", "barrier"] * 2)
        self.assertEqual(len({record["platform"] for record in records}), 2)
        self.assertEqual({record["bytes"] for record in records if record["collective"] == "barrier"}, {0})

    def test_platforms_alone_are_refused(self):
        self.is_refused(2, "simulate", DAS_4X1, DAS_4X1, "--bytes", "8", says=["a collective after them"])

    def test_explain_and_bound_take_several_collectives(self):
        for command in ("explain", "bound"):
            shown = self.succeeds(command, DAS_4X1, "bcast", "MPI_Gather", "--bytes", "8")
            self.assertIn("broadcast of 8 B on das-4x1", shown)
            self.assertIn("gather of 8 B on das-4x1", shown)
        self.is_refused(
            2, "explain", DAS_4X1, "bcast/linear", "--bytes", "8", says=["bcast/linear", "`bcast` would be"]
        )

    def test_tables_leave_out_what_is_the_same_on_every_line(self):
        shown = self.succeeds("simulate", DAS_4X1, "broadcast/linear", "broadcast/binomial", "--bytes", "8,64KB")
        lines = shown.splitlines()
        self.assertEqual(lines[0], "broadcast on das-4x1, 4 ranks, root 0, by smpi")
        self.assertEqual(lines[1].split(), ["algorithm", "bytes", "time", "bound", "time/bound"])
        repeated = self.succeeds("simulate", DAS_4X1, "broadcast/linear", "--bytes", "8", "--repetitions", "5")
        self.assertIn("least  median  +-", " ".join(repeated.split("\n")[1].split()).replace(" ", "  "))

    def test_osu_has_sizes_and_microseconds(self):
        shown = self.succeeds(
            "predict", DAS_4X1, "bcast/linear", "--bytes", "1,8", "--source", "replay", "--format", "osu"
        )
        lines = shown.splitlines()
        self.assertTrue(lines[0].startswith("# broadcast/linear on das-4x1, 4 ranks"))
        self.assertEqual(lines[1].split(), ["#", "Size", "Avg", "Latency(us)"])
        self.assertEqual([line.split()[0] for line in lines[2:]], ["1", "8"])
        self.is_refused(
            2,
            "explain",
            DAS_4X1,
            "bcast",
            "--bytes",
            "8",
            "--format",
            "osu",
            says=["`osu`", "known: `table`, `csv`, `json`)"],
        )


class Emulated(ProgramTest):
    def test_the_choice_and_open_mpis_own_on_five_sites(self):
        five_sites = str(PLATFORMS / "plain/five-sites.xml")
        shown = self.succeeds("compare", five_sites, "allreduce", "--bytes", "64Ki", "--substrate", "virtual")
        self.assertIn("allreduce on five-sites, 20 ranks, by emulated", shown)
        for text in ("auto: ", "mpi", "lower bound", "times faster than mpi"):
            self.assertIn(text, shown)


if __name__ == "__main__":
    unittest.main()
