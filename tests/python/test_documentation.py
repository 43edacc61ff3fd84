"""The documentation site builds without a warning, and the commands and examples on its pages work."""

import os
import re
import shlex
import subprocess
import sys

import pytest
from conftest import SOURCE

SITE = SOURCE / "python/documentation"
PAGES = sorted(
    page
    for page in [*SITE.rglob("*.md"), SOURCE / "README.md", SOURCE / "python/README.md"]
    if "generated" not in page.parts
)


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.M | re.S)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "platforms").symlink_to(SOURCE / "platforms")
    return tmp_path


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: f"{page.parent.name}/{page.stem}"
)
def test_its_python_runs(page, folder):
    if page.name == "README.md":
        code = blocks(page, "python")[0]
    else:
        code = "\n".join(blocks(page, "python"))
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "page", [page for page in PAGES if SITE in page.parents and blocks(page, "console")], ids=lambda page: page.stem
)
def test_its_commands_print_what_it_shows(page, folder):
    for part in re.split(r"^\$ ", "\n".join(blocks(page, "console")), flags=re.M)[1:]:
        command, *shown = part.rstrip("\n").split("\n")
        words = shlex.split(command)
        assert words[0] == "build/bin/isthmus"
        done = subprocess.run(
            [os.environ["ISTHMUS"], *words[1:]], cwd=folder, capture_output=True, text=True, timeout=120
        )
        assert (done.returncode, done.stderr) == (0, "")
        squeezed = [" ".join(line.split()) for line in done.stdout.splitlines()]
        for line in shown:
            if line not in ("...", ""):
                assert " ".join(line.split()) in squeezed


def test_the_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("sphinx")
    pytest.importorskip("myst_parser")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "sphinx",
            "-W",
            "--keep-going",
            "-q",
            "-b",
            "html",
            "-d",
            tmp_path / "trees",
            SITE,
            tmp_path / "html",
        ],
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    theory = (tmp_path / "html/theory.html").read_text()
    for formula in (
        "gamma = max(g_w(m), or_w(m) + d_w s_w(m) + d_l s_l(m))",
        "P L + N g(m_s)",
        "sum over f in F of B_f max(0, T - l_f) &gt;= M",
    ):
        assert formula in theory, formula
    reference = (tmp_path / "html/reference/command-line.html").read_text()
    assert all(f"isthmus {command}" in reference for command in ("predict", "simulate", "emulate", "validate", "trace"))
    for loaded in re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?://[^"]+)"', theory):
        pytest.fail(f"the site loads {loaded}")
