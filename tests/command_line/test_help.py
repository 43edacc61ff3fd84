"""Help, completion, manual pages, version, doctor: all made from one description of the commands."""

import re
import shutil
import subprocess
import unittest

from isthmus_program import DAS_4X4, ProgramTest


class Help(ProgramTest):
    def commands(self):
        shown = self.succeeds("--help")
        return re.findall(r"^  ([a-z]+)(?: |$)", shown.split("Subcommands:")[1], re.M)

    def test_the_help_of_every_command_fits_80_columns(self):
        commands = self.commands()
        self.assertGreaterEqual(len(commands), 20)
        for command in commands:
            shown = self.succeeds(command, "--help")
            with self.subTest(command=command):
                self.assertLessEqual(max(map(len, shown.splitlines())), 80)
        self.assertLessEqual(max(map(len, self.succeeds("--help").splitlines())), 80)

    def test_help_is_a_word_too(self):
        self.assertEqual(self.succeeds("help"), self.succeeds("--help"))
        self.assertEqual(self.succeeds("help", "help"), self.succeeds("--help"))
        self.assertEqual(self.succeeds("help", "run"), self.succeeds("run", "--help"))
        self.is_refused(2, "help", "vaildate", says=["no command `vaildate`", "did you mean `validate`?"])
        self.is_refused(2, "hlep", says=["did you mean `help`?"])
        self.is_refused(2, says=["a command is missing; isthmus --help lists all"])

    def test_every_command_and_option_has_a_description(self):
        for command in self.commands():
            shown = self.succeeds("man", command)
            entries = re.findall(r"^\.TP\n\.B (.*)\n(.*)\n", shown, re.M)
            self.assertTrue(entries)
            for name, text in entries:
                with self.subTest(command=command, option=name):
                    self.assertTrue(text.strip())

    def test_the_example_of_a_topology_is_one(self):
        shown = " ".join(self.succeeds("predict", "--help").split())
        example = re.search(r"JSON: the groups of each rank.*?e\.g\. (\{.*?\})", shown)[1]
        options = ("--bytes", "8", "--ranks", "3", "--topology", self.write("groups.json", example))
        self.assertIn("3 ranks", self.succeeds("predict", DAS_4X4, "broadcast/magpie", *options))

    def test_manual_pages_have_no_mistakes(self):
        if shutil.which("groff") is None:
            self.skipTest("groff checks manual pages")
        self.succeeds("man", "-o", "pages")
        pages = sorted((self.folder / "pages").glob("*.1"))
        self.assertEqual(len(pages), len(self.commands()) + 1)
        for page in pages:
            done = subprocess.run(
                ["groff", "-man", "-ww", "-z", "-Tascii", page], capture_output=True, text=True, check=False, timeout=60
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)

    def complete(self, *words):
        self.succeeds("man", "-o", "pages")
        script = (
            "source pages/isthmus.bash; COMP_WORDS=("
            + " ".join(f"'{word}'" for word in words)
            + f"); COMP_CWORD={len(words) - 1}; _isthmus; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        )
        done = subprocess.run(
            ["bash", "-c", script], cwd=self.folder, capture_output=True, text=True, check=True, timeout=60
        )
        return done.stdout.split()

    def test_bash_completes_commands_options_words_and_plans(self):
        self.assertEqual(self.complete("isthmus", "sens"), ["sensitivity"])
        self.assertEqual(self.complete("isthmus", "emulate", "--subst"), ["--substrate"])
        self.assertEqual(self.complete("isthmus", "simulate", "--queueing", "fl"), ["fluid"])
        self.assertIn("broadcast/binomial", self.complete("isthmus", "predict", "p.xml", "broadcast/bin"))

    def test_scripts_for_other_shells_name_all_commands(self):
        for shell in ("zsh", "fish"):
            script = self.succeeds("completion", shell)
            for command in self.commands():
                self.assertIn(command, script)
            if shutil.which(shell):
                subprocess.run([shell, "-n"], input=script, text=True, check=True, timeout=60)
        self.is_refused(2, "completion", "bsh", says=["did you mean `bash`"])

    def test_the_version_says_what_it_works_with(self):
        lines = self.succeeds("--version").splitlines()
        self.assertRegex(lines[0], r"^isthmus \d+\.\d+\.\d+")
        self.assertEqual([line.split(":")[0] for line in lines[1:]], ["SimGrid", "Open MPI", "MPICH", "substrates"])

    def test_doctor_says_what_there_is_and_how_to_get_the_rest(self):
        done = self.run_program("doctor")
        self.assertIn(done.returncode, (0, 3))
        for text in ("SimGrid", "Open MPI", "virtual", "delay-line", "--substrate"):
            self.assertIn(text, done.stdout)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80)


class NearMisses(ProgramTest):
    def test_of_options_and_their_words(self):
        self.is_refused(
            2, "predict", "p.xml", "scan", "--byte", "8", says=["predict: no option `--byte`", "`--bytes`?"]
        )
        self.is_refused(2, "predict", "p.xml", "scan", "--source", "replaay", says=["did you mean `replay`?"])
        self.is_refused(2, "list", "allredce", says=["did you mean `allreduce`?"])

    def test_a_program_without_its_dashes(self):
        self.is_refused(2, "run", "p.xml", "./prog", "-x", says=["put -- before it", "run ... -- ./prog"])
        self.is_refused(2, "shell", "p.xml", "host", "./prog", says=["put -- before it"])


if __name__ == "__main__":
    unittest.main()
