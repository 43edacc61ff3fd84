"""The notebooks run from top to bottom; those of papers end with a table of claims and their outcome."""

import os
import re
from pathlib import Path

import pytest
from conftest import SOURCE

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

NOTEBOOKS = sorted((SOURCE / "python/notebooks").glob("*.ipynb"))
# Claims that did not come out, each with its reason in the notebook.
MISSED = {
    "kielmann2000": ["what the LAN phase adds to MagPIe at 4 MB"],
    "pjesivac2005": [
        "figure 3: measured, segments do help the binomial reduction",
        "figure 5: Hockney significantly underestimates it",
        "figure 6: Hockney takes the binomial tree for small messages at all sizes",
        "figure 6: measured, linear is best for small messages above 16 nodes",
        "figure 7: small messages: a wrong choice costs up to 300 %",
    ],
}


def executed(file, timeout):
    notebook = nbformat.read(file, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "notebooks are kept without outputs"
    client = nbclient.NotebookClient(
        notebook, timeout=timeout, kernel_name="python3", resources={"metadata": {"path": str(file.parent)}}
    )
    client.execute()
    if "ISTHMUS_NOTEBOOKS" in os.environ:  # a folder for those who want to look at them
        nbformat.write(notebook, Path(os.environ["ISTHMUS_NOTEBOOKS"]) / file.name)
    return notebook


def claims_of(notebook):
    (output,) = notebook.cells[-1].outputs
    rows = re.findall(r"<tr>(.*?)</tr>", output["data"]["text/html"], re.S)
    table = [
        [re.sub(r"<[^>]*>", "", cell).strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)] for row in rows
    ]
    return {cells[0]: cells[-1] for cells in table if cells}


@pytest.mark.notebook
@pytest.mark.parametrize("file", NOTEBOOKS, ids=[file.stem for file in NOTEBOOKS])
def test_it_runs_from_top_to_bottom(file, monkeypatch):
    monkeypatch.delenv("ISTHMUS_FULL", raising=False)
    notebook = executed(file, 300)
    if re.search(r"\d{4}$", file.stem):
        came_out = claims_of(notebook)
        assert len(came_out) >= 5
        assert [claim for claim, answer in came_out.items() if answer != "yes"] == MISSED.get(file.stem, [])
