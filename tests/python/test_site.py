"""The documentation site builds without a warning, which runs its examples (slow: its notebooks); pages can be read."""

import functools
import json
import os
import re
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from conftest import SOURCE

pytestmark = pytest.mark.site
SITE = SOURCE / "python/documentation"
# Claims of the papers' notebooks that did not come out, each with its reason in the notebook.
MISSED = {
    "kielmann2000": ["what the LAN phase adds to MagPIe at 4 MB"],
    "pjesivac2005": [
        "figure 3: measured, segments do help the binomial reduction",
        "figure 5: Hockney significantly underestimates it",
        "figure 6: Hockney takes the binomial tree for small messages at all sizes",
        "figure 6: measured, linear is best for small messages above 16 nodes",
        "figure 7: small messages: a wrong choice costs up to 300 %",
    ],
    "karonis2000": [],
}


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A function of whether notebooks run: the folder of the pages, built once."""
    for needed in ("sphinx", "myst_parser", "sphinx_copybutton", "nbclient"):
        pytest.importorskip(needed)
    environment = {name: value for name, value in os.environ.items() if name != "ISTHMUS_FULL"}

    @functools.cache
    def build(runs_notebooks):
        folder = tmp_path_factory.mktemp("site")
        words = [
            "-W",
            "--keep-going",
            "-q",
            "-b",
            "html",
            "-d",
            folder / "trees",
            "-D",
            f"run_notebooks={runs_notebooks:d}",
        ]
        done = subprocess.run(
            [sys.executable, "-m", "sphinx", *words, SITE, folder / "html"],
            capture_output=True,
            text=True,
            timeout=1500,
            env=environment,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return folder / "html"

    return build


@pytest.fixture(
    params=[pytest.param(False, id="notebooks-as-kept"), pytest.param(True, id="notebooks-run", marks=pytest.mark.slow)]
)
def site(built, request):
    return built(request.param)


class Links(HTMLParser):
    """What a page points at, and the places in it that others can point at."""

    def __init__(self, page):
        super().__init__()
        self.places, self.links, self.loaded = set(), [], []
        self.feed(page.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.places |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in ("script", "img", "link") and (values.get("src") or values.get("href")):
            self.loaded.append(values.get("src") or values["href"])


def test_every_link_leads_somewhere_and_no_page_loads_from_elsewhere(site):
    pages = {page.relative_to(site).as_posix(): Links(page) for page in site.rglob("*.html")}
    broken = []
    for name, page in pages.items():
        for link in page.links + page.loaded:
            if urlsplit(link).scheme in ("http", "https"):
                if link in page.loaded:
                    broken.append(f"{name} loads {link}")
                continue
            if urlsplit(link).scheme:
                continue
            file, place = urldefrag(urljoin(name, link))
            file = unquote(urlsplit(file).path)
            if not (site / file).is_file():
                broken.append(f"{name}: {link}")
            elif place and file in pages and unquote(place) not in pages[file].places:
                broken.append(f"{name}: {link}")
    assert broken == []


def test_nothing_is_cut_on_a_wide_and_on_a_narrow_screen(site):
    browser = pytest.importorskip("site_in_a_browser")
    if not os.path.exists(browser.BROWSER):
        pytest.skip("chromium is not there; scripts/setup installs it")
    assert browser.cuts(site) == []


def test_the_search_knows_no_page_twice(site):
    index = json.loads((site / "searchindex.js").read_text().partition("(")[2].rpartition(")")[0])
    names, titles = index["docnames"], index["titles"]
    assert [name for name in names if name.startswith("generated")] == []
    assert sorted({title for title in titles if titles.count(title) > 1}) == []


def test_formulas_are_set_and_terms_stand_there(site):
    theory = "".join(page.read_text() for page in (site / "theory").glob("*.html"))
    for formula in (
        r"\gamma = \max(g_w(m),",
        r"\sum_{f \in F} B_f \max(0,\, T - l_f) \ge M",
        r"( P + n_s - 2 ) P ( m_s )",
    ):
        assert formula in unescape(theory), formula
    assert "MathJax.js" in theory and (site / "_static/mathjax/MathJax.js").is_file()
    reference = (site / "reference/command-line.html").read_text()
    assert all(f"isthmus {command}" in reference for command in ("predict", "compare", "emulate", "validate", "trace"))


@pytest.mark.slow
@pytest.mark.parametrize("paper", MISSED)
def test_what_the_papers_claim_comes_out(built, paper):
    text = (built(True) / f"notebooks/{paper}.html").read_text()
    table = text.rpartition("<table")[2]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.S)
    cells = [
        [re.sub(r"<[^>]*>", "", cell).strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)] for row in rows
    ]
    claims = {unescape(row[0]): row[-1] for row in cells if row}
    assert len(claims) >= 5
    assert [claim for claim, answer in claims.items() if answer != "yes"] == MISSED[paper]


def test_notebooks_are_kept_without_outputs():
    for file in (SOURCE / "python/notebooks").glob("*.ipynb"):
        assert all(not cell.get("outputs") for cell in json.loads(file.read_text())["cells"]), file.name
