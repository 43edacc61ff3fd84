"""The documentation site: sphinx-build python/documentation OUT, with the built package on PYTHONPATH.

What the code says itself is taken from there when the site is built: formulas and formats from the comments of its
files, the command line from the program's own help.
"""

import re
import subprocess
from pathlib import Path
from typing import Any

import isthmus
from isthmus.programs import program

SOURCE = Path(__file__).absolute().parents[2]
GENERATED = Path(__file__).parent / "generated"

project = "isthmus"
author = "the authors of isthmus"
version = release = isthmus.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = f"isthmus {version}"
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072b2", "color-brand-content": "#0072b2"},
    "dark_css_variables": {"color-brand-primary": "#56b4e9", "color-brand-content": "#56b4e9"},
}
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]
exclude_patterns = ["README.md"]
default_role = "code"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_param = False
napoleon_preprocess_types = True
napoleon_use_ivar = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
add_module_names = False
nitpicky = False


def known_names(signature: str | None) -> str | None:
    """A signature of the module as one of Python: without self, its classes by the names that users know."""
    return signature and re.sub(r"self: [\w.]+(, )?", "", signature).replace("isthmus._core.", "")


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-signature", lambda *event: tuple(map(known_names, event[-2:])))


def comment_at_top(file: str) -> str:
    """The comment that a file begins with."""
    lines = []
    for line in (SOURCE / file).read_text().splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].removeprefix(" "))
    return "\n".join(lines)


def document(header: str, before: str) -> str:
    """The /// comment before a declaration that begins with the given text."""
    text = (SOURCE / header).read_text()
    found = re.search(r"((?:^ *///.*\n)+) *" + re.escape(before), text, re.M)
    if not found:
        raise RuntimeError(f"{header}: no comment before `{before}`")
    return "\n".join(re.sub(r"^ */// ?", "", line) for line in found[1].splitlines())


def closed_forms() -> str:
    """The comments of the rows of tables 1 to 4, one section a collective."""
    parts = []
    for file in ("barrier", "broadcast", "reduce", "alltoall_scatter"):
        text = (SOURCE / f"algorithms/models/{file}_forms.cpp").read_text()
        parts.append(
            f"### {comment_at_top(f'algorithms/models/{file}_forms.cpp')}\n".replace("\n", " ", 0)
            .split(". ")[0]
            .rstrip(".\n")
            + "\n"
        )
        for comment, collective, algorithm in re.findall(
            r"((?:^    //.*\n)+)    \{Collective::(\w+), \"([\w-]+)\"", text, re.M
        ):
            lines = "\n".join(re.sub(r"^    // ?", "", line) for line in comment.splitlines())
            parts.append(f"`{collective}/{algorithm}`\n```text\n{lines}\n```\n")
    return "\n".join(parts)


def generate() -> None:
    GENERATED.mkdir(exist_ok=True)

    def write(name: str, text: str) -> None:
        file = GENERATED / name
        if not file.is_file() or file.read_text() != text:
            file.write_text(text)

    def shown(*words: str) -> str:
        return subprocess.run([program(), *words], capture_output=True, text=True, check=True).stdout

    whole = shown("--help")
    commands = re.findall(r"^  ([a-z]+) {2,}", whole.partition("Subcommands:")[2], re.M)
    parts = [f"```text\n{whole}```\n"] + [
        f"## isthmus {command}\n```text\n{shown(command, '--help')}```\n" for command in commands
    ]
    write("command_line.md", "\n".join(parts))
    rows = ["| algorithm | what | parameters | paper |", "|---|---|---|---|"]
    rows += [
        f"| `{a.name}` | {a.summary} | {' '.join(f'`{p}`' for p in a.parameters)} | {a.paper} |"
        for collective in isthmus.collectives()
        for a in collective
    ]
    write("algorithms.md", "\n".join(rows) + "\n")
    write("closed_forms.md", closed_forms())
    for name, text in {
        "kielmann": comment_at_top("algorithms/models/kielmann.hpp"),
        "flat_tree": document("algorithms/models/kielmann.hpp", "TreeCost flat_tree_cost"),
        "tree": document("algorithms/models/kielmann.hpp", "TreeCost tree_cost(const"),
        "sequential": document("algorithms/models/kielmann.hpp", "struct LayerPlan"),
        "magpie": document("algorithms/models/kielmann.hpp", "double magpie_seconds"),
        "pipelined": document("algorithms/models/kielmann.hpp", "double pipelined_seconds"),
        "search": document("algorithms/tuning/search.hpp", "KielmannChoice search_kielmann(const"),
        "two_layers": comment_at_top("algorithms/models/two_layer_forms.hpp"),
        "two_layer_reduce": document("algorithms/models/two_layer_forms.hpp", "double reduce_seconds"),
        "two_layer_barrier": document("algorithms/models/two_layer_forms.hpp", "double barrier_seconds"),
        "two_layer_scatter": document("algorithms/models/two_layer_forms.hpp", "double scatter_seconds"),
        "two_layer_gather": document("algorithms/models/two_layer_forms.hpp", "double gather_seconds"),
        "forms": comment_at_top("algorithms/models/closed_forms.hpp"),
        "hockney": document("algorithms/models/parameters.hpp", "struct Hockney"),
        "loggp": document("algorithms/models/parameters.hpp", "struct LogGP"),
        "derived": document("algorithms/models/parameters.hpp", "Hockney hockney_of"),
        "plogp": document("algorithms/models/plogp.hpp", "PLogP plogp_of"),
        "layers": document("algorithms/models/plogp.hpp", "TwoLayers two_layers_of"),
        "replay": comment_at_top("algorithms/replay/replay.hpp"),
        "bounds": document("algorithms/bounds/lower_bound.hpp", "LowerBound find_lower_bound"),
        **{
            f"bounds_{file}": comment_at_top(f"algorithms/bounds/{file}.hpp")
            for file in ("host_pairs", "host_sets", "partitions", "detours", "spreading")
        },
        "choice": comment_at_top("algorithms/tuning/select.hpp"),
        "verify": comment_at_top("algorithms/schedule/verify.hpp"),
        "program": comment_at_top("algorithms/schedule/program.hpp"),
        "partition": comment_at_top("algorithms/measuring/partition.hpp"),
        "subnets": document("algorithms/measuring/partition.hpp", "std::vector<std::vector<int>> subnets"),
        "levels": document("algorithms/measuring/partition.hpp", "Partition partition"),
        "discovery": document("algorithms/measuring/discovery.hpp", "Network discover"),
        "measuring": document("algorithms/mpi/job/measure_pairs.hpp", "void measure_pairs"),
        "network_json": document("algorithms/network/network_json.hpp", "nlohmann::json to_json"),
        "decision_table": document("algorithms/tuning/decision_table.hpp", "const Decision* decision_for"),
        "problem": document("algorithms/collective/problem.hpp", "struct Problem"),
        "experiment": comment_at_top("validation/harness/experiment.hpp"),
        "schedule_json": document("algorithms/schedule/export_json.hpp", "std::string export_json"),
        "topology_file": document("algorithms/topology/topology_file.hpp", "Topology read_topology"),
    }.items():
        write(f"{name}.txt", text + "\n")


generate()
