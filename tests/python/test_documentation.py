"""The examples of the README files run, and those of the site that need the emulated network; a first day stays short.

All other examples of the site run when it is built (test_site.py).
"""

import re
import shutil
import subprocess
import sys

import pytest
from conftest import SOURCE

SITE = SOURCE / "python/documentation"
sys.path.insert(0, str(SITE / "extensions"))
import pages  # noqa: E402

PAGES = sorted(page for page in SITE.rglob("*.md") if "generated" not in page.parts)


@pytest.fixture
def folder(tmp_path):
    pages.prepare(tmp_path)
    return tmp_path


def run_python(code, folder):
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", ["README.md", "python/README.md"])
def test_the_first_python_example_runs(page, folder):
    examples = [block.text for block in pages.blocks_of((SOURCE / page).read_text()) if block.language == "python"]
    for code in examples[:1]:
        run_python(code, folder)


@pytest.mark.emulated
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(block.emulated for block in pages.blocks_of(page.read_text()))],
    ids=lambda page: page.stem,
)
def test_its_emulated_examples_print_what_it_shows(page, folder):
    printed = {}
    for block in pages.blocks_of(page.read_text()):
        if block.emulated and block.language == "python":
            run_python(block.text, folder)
        elif block.emulated:
            for command in pages.commands_of(block):
                printed[command.line] = pages.run(command, folder, timeout_s=300, any_numbers=True)
        elif block.file:
            (folder / block.file).write_text(block.text)
    if page.stem == "first-day":
        assert (folder / "allreduce.pdf").stat().st_size > 1000
        for program in ("./sum", "/usr/bin/python3 sum.py"):
            run = "isthmus run platforms/kielmann2000/das-4x1.xml"
            alone, with_it = (
                float(re.search(r"([\d.]+) s a step", printed[f"{run}{option} -- {program}"])[1])
                for option in ("", " --drop-in")
            )
            assert with_it < 0.7 * alone


def tasks():
    """The five tasks of the first day, each with its lines of Python and its commands."""
    for section in re.split(r"^## ", (SITE / "first-day.md").read_text(), flags=re.M)[1:]:
        title, _, text = section.partition("\n")
        yield pytest.param(list(pages.blocks_of(text)), id=title)


@pytest.mark.parametrize("blocks", tasks())
def test_a_task_of_the_first_day_takes_three_commands_or_eight_lines(blocks):
    by_hand = [block for block in blocks if not block.file]
    commands = [command for block in by_hand if block.language == "console" for command in pages.commands_of(block)]
    programs = {command.line.split()[-1] for command in commands if "isthmus run" in command.line}
    assert len(commands) <= 3 * max(1, len(programs))  # the own C program and that in mpi4py are a task each
    for emulated in (False, True):
        parts = [block.text for block in by_hand if block.language == "python" and block.emulated is emulated]
        lines = [line for line in "".join(parts).splitlines() if line.strip()]
        assert not lines or lines[0] == "import isthmus"  # it needs nothing of another task
        assert len(lines) <= 8


def test_the_first_day_has_five_tasks():
    assert len(list(tasks())) == 5


# What is no text of a page: blocks, formulas, code, addresses.
NO_TEXT = r"^(`{3,}).*?^\1 *$|\$\$.*?\$\$|`[^`\n]*`|\$[^$\n]*\$|\]\([^)]*\)|<[^>]*>|https?://\S+"


def test_words_are_spelt_right():
    for program in ("hunspell", "codespell"):
        if not shutil.which(program):
            pytest.skip(f"{program} is not there; scripts/setup installs it")
    text = "\n".join(re.sub(NO_TEXT, " ", page.read_text(), flags=re.M | re.S) for page in PAGES)
    words = ["hunspell", "-d", "en_GB", "-p", SITE / "words.txt", "-l"]
    done = subprocess.run(words, input=text, capture_output=True, text=True, timeout=60, check=True)
    assert sorted({word for word in done.stdout.split() if not re.search(r"[\d_]", word)}) == []
    others = [SOURCE / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff")]
    done = subprocess.run(["codespell", *PAGES, *others], capture_output=True, text=True, timeout=60)
    assert done.stdout == ""
