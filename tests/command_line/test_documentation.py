"""README.md is right: its commands run and print what it shows, its example compiles and proves."""

import os
import re
import shlex
import subprocess
import unittest
from pathlib import Path

from isthmus_program import SOURCE, ProgramTest

README = (SOURCE / "README.md").read_text()
# These need minutes and the emulated network; test_emulation and scripts/demo run similar ones.
NOT_HERE = ("emulate", "validate", "run", "capture", "shell")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)


class Readme(ProgramTest):
    def test_its_commands_run_and_print_what_it_shows(self):
        ran = 0
        for block in blocks("console"):
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, *shown = part.rstrip("\n").split("\n")
                words = shlex.split(command)
                self.assertEqual(words[0], "build/bin/isthmus")
                if words[1] in NOT_HERE:
                    continue
                for name in ("platforms", "validation"):
                    link = self.folder / name
                    if not link.exists():
                        link.symlink_to(SOURCE / name)
                with self.subTest(command=command):
                    printed = self.succeeds(*words[1:]).splitlines()
                    for line in shown:
                        if line != "...":
                            self.assertIn(line, printed)
                ran += 1
        self.assertGreaterEqual(ran, 5)

    def test_its_example_compiles_and_proves(self):
        (code,) = blocks("cpp")
        source = Path(self.write("example.cpp", code))
        library = Path(os.environ["ISTHMUS_LIBRARY"])
        program = self.folder / "example"
        flags = os.environ.get("CXXFLAGS", "").split()
        subprocess.run(
            [
                "c++",
                *flags,
                "-std=c++20",
                "-I",
                SOURCE,
                "-I",
                SOURCE / "algorithms",
                source,
                library,
                "-lfmt",
                "-o",
                program,
            ],
            check=True,
            timeout=120,
        )
        self.assertEqual(subprocess.run([program], check=False, timeout=60).returncode, 0)

    def test_every_file_that_it_names_exists(self):
        for name in re.findall(r"\]\(([^)#:]+)\)", README):
            self.assertTrue((SOURCE / name).exists(), name)
        for name in re.findall(r"^(scripts/\w+)", README, re.M):
            self.assertTrue(os.access(SOURCE / name, os.X_OK), name)

    def test_scripts_that_pages_call_by_their_path_can_be_run(self):
        folders = ("algorithms", "emulator", "platforms", "python", "sim", "tests", "validation")
        pages = [*SOURCE.glob("*.md"), *(page for folder in folders for page in (SOURCE / folder).rglob("*.md"))]
        called = re.compile(
            r"(?:`|^)((?:scripts|tests|validation|platforms)/[\w/-]+(?:\.py)?)(?= [^`\n]+(?:`|$))", re.M
        )
        found = 0
        for page in pages:
            for name in called.findall(page.read_text()):
                if (SOURCE / name).is_file():
                    found += 1
                    with self.subTest(page=str(page), name=name):
                        self.assertTrue(os.access(SOURCE / name, os.X_OK))
        self.assertGreaterEqual(found, 15)


if __name__ == "__main__":
    unittest.main()
