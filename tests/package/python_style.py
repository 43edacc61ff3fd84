#!/usr/bin/python3
"""Checks the style of all Python files: black and isort format them, flake8 checks them.

Usage: python_style.py SOURCE_FOLDER [--fix] | --self-test. With --fix, black and isort write the files anew. Their
settings stand in pyproject.toml, flake8's in setup.cfg. Exit status 1 when something is wrong.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

TOPS = ("algorithms", "cmake", "emulator", "platforms", "python", "scripts", "sim", "tests", "validation")
MAX_LINE = 120
SETTINGS = Path(__file__).absolute().parents[2]


def is_python(file: Path) -> bool:
    """By its ending, or by the first line of a script that has none."""
    if file.suffix in (".py", ".pyi", ".ipynb"):
        return True
    if file.suffix or not file.is_file():
        return False
    with file.open("rb") as start:
        first = start.readline(80)
    return first.startswith(b"#!") and b"python" in first


def python_files(source: Path) -> list[Path]:
    found = (file for top in TOPS for file in (source / top).rglob("*") if is_python(file))
    return sorted(file for file in found if ".ipynb_checkpoints" not in file.parts)


def run(tool: str, arguments: list[str], files: list[Path]) -> str:
    """The complaints of a tool."""
    done = subprocess.run([sys.executable, "-m", tool, *arguments, *map(str, files)], capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


def long_lines(notebook: Path) -> list[str]:
    """The lines of code that are too long, which flake8 does not read in a notebook."""
    cells = [cell for cell in json.loads(notebook.read_text())["cells"] if cell["cell_type"] == "code"]
    lines = [line for cell in cells for line in "".join(cell["source"]).splitlines()]
    return [f"{notebook}: {len(line)} characters, at most {MAX_LINE}: {line}" for line in lines if len(line) > MAX_LINE]


def complaints(source: Path, fix: bool = False) -> list[str]:
    files = python_files(source)
    scripts = [file for file in files if file.suffix != ".ipynb"]
    look = [] if fix else ["--check", "--diff"]
    settings = str(SETTINGS / "pyproject.toml")
    found = [
        run("isort", [*look, "--quiet", "--settings-file", settings], scripts),
        run("black", [*look, "--quiet", "--config", settings], files),
        run("flake8", ["--config", str(SETTINGS / "setup.cfg")], scripts),
    ]
    for notebook in (file for file in files if file.suffix == ".ipynb"):
        found += long_lines(notebook)
    return [said for said in found if said]


def self_test() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        (source / "scripts").mkdir()
        planted = {
            "order.py": "import sys\nimport os\n\nprint(os, sys)\n",
            "form.py": "print( 'two' )\n",
            "tool": "#!/usr/bin/env python3\nimport os\n",
            "long.ipynb": '{"cells": [{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], '
            f'"source": ["word = \'{"a" * MAX_LINE}\'"]}}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 4}}\n',
            "notebook.ipynb": '{"cells": [{"cell_type": "code", "execution_count": null, "metadata": {}, '
            '"outputs": [], "source": ["f( 1 )"]}], "metadata": {"language_info": {"name": "python"}}, '
            '"nbformat": 4, "nbformat_minor": 4}\n',
        }
        for name, text in planted.items():
            (source / "scripts" / name).write_text(text)
        found = "".join(complaints(source))
    return [f"nothing is said of {name}, which is not in the style" for name in planted if f"/{name}" not in found]


def main() -> int:
    if sys.argv[1] == "--self-test":
        problems = self_test()
    else:
        problems = complaints(Path(sys.argv[1]).absolute(), "--fix" in sys.argv[2:])
        if problems:
            print("tests/package/python_style.py . --fix forms the files anew")
    print("\n".join(problems) or "everything in Python is in one style")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
