"""Parameters, results and errors that several functions have, described once for all of their docstrings."""

from __future__ import annotations

import re
import textwrap
from types import FunctionType
from typing import TypeVar

Documented = TypeVar("Documented")

# Name and type, then the description. A key differs from the name where the name has another meaning elsewhere.
ENTRIES = {
    # Parameters.
    "ax": (
        "ax : matplotlib.axes.Axes or list or array of these, optional",
        "Where it is drawn, one for each panel; in a new figure when left out.",
    ),
    "one_ax": ("ax : matplotlib.axes.Axes, optional", "Where it is drawn; in a new figure when left out."),
    "by": (
        "by : str",
        'What a panel shows: "platform" (and collective; networks of one name, placements and roots that '
        'differ have panels of their own), or "plan", with the others in grey behind it.',
    ),
    "bytes": (
        "bytes : int, str or list of these, optional",
        'Sizes in bytes: 4096, "64Ki", "1,64Ki,4Mi", "1..4Mi" (doubling), or a list. What the MPI call passes for '
        "one buffer or block. A barrier has none.",
    ),
    "one_size": (
        "bytes : int or str, optional",
        'One size in bytes, as 4096 or "64Ki": what the MPI call passes for one buffer or block. A barrier has none.',
    ),
    "sizes": (
        "bytes : int, str or list of these",
        'Sizes in bytes: 4096, "64Ki", "1,64Ki,4Mi", "1..4Mi" (doubling), or a list.',
    ),
    "collective": ("collective : str", 'Its name, as "broadcast".'),
    "element_bytes": ("element_bytes : int", "The size of an element in bytes; every size is a multiple of it."),
    "written_file": ("file : str or os.PathLike", "The file; when it cannot be written whole the old one stays."),
    "frame": ("frame : pandas.DataFrame", "A table as sweep() and predict() return them."),
    "records": ("frame : pandas.DataFrame", "A table as sweep(), predict(), simulate() and emulate() return them."),
    "labels": (
        "labels : str",
        'How lines are named: "direct", where they end; "legend"; "none"; "auto" takes what is clear.',
    ),
    "max_ranks": ("max_ranks : int", "How many ranks are drawn at most."),
    "measured": ("measured : str", "The source that says how long the plans take."),
    "model": ("model : str", "The source that chooses."),
    "most": ("most : int or str", "The largest size that is measured, in bytes."),
    "name": ("name : str", "The name of the platform."),
    "any_placement": ("**placement", "Where the ranks are, as for Platform."),
    "placement": ("placement : str or list of str", '"block", "cyclic", or a host name for each rank.'),
    "platform": ("platform : Platform", "The platform that the table is for."),
    "ranks": (
        "ranks : int, optional",
        "How many ranks there are; as many as fit when left out. Of a list of hosts the first ones.",
    ),
    "ranks_per_host": ("ranks_per_host : int", "How many ranks a host takes; not beside a list of hosts."),
    "repetitions": ("repetitions : int", "How often each is run."),
    "root": ("root : int", "The rank of the root, for collectives that have one."),
    "roots": ("roots : int or list of int", "Ranks of the root, for collectives that have one."),
    "rows_by": ("rows_by : str", 'What the rows of the map are: "ranks" or "platform".'),
    "schedule": ("schedule : Schedule", "The schedule whose messages are drawn."),
    "substrate": ("substrate : str", 'Where the network is emulated; "auto" takes the best there is.'),
    "timeout_s": ("timeout_s : float", "Seconds that a run may take."),
    "one_plan": (
        "what : str or Algorithm",
        '"broadcast" (the plan of the automatic choice), "broadcast/kielmann" (its parameters chosen by model), '
        'or "broadcast/kielmann:segment=64Ki".',
    ),
    "what": (
        "what : str, Algorithm or list of these",
        '"broadcast" (the automatic choice), "broadcast/all" (every algorithm), "broadcast/kielmann" (its '
        'parameters chosen for each size), "broadcast/kielmann:segment=64Ki" (this plan), or Algorithms.',
    ),
    "width": (
        "width : str or float, optional",
        'Of the new figure: "column" (3.5 inches), "page" (7.16) or a number of inches.',
    ),
    # Results.
    "calibrated": ("platform : Platform", "The platform with the measured costs in place of its own."),
    "calibration": (
        "measured : dict of str to object",
        "Everything that was measured, as `isthmus calibrate` writes it.",
    ),
    "made_platform": ("Platform", "The platform, with its ranks in place."),
    "same_network": ("Platform", "A new platform; this one stays as it is."),
    "programs": ("Schedule", "The programs of all ranks."),
    "svg": ("Svg", "The text of an SVG file, which notebooks show."),
    "file_text": ("str", "The text of the file."),
    # Errors.
    "wrong_argument": ("BadInput", "Naming the argument that is wrong."),
    "wrong_input": ("BadInput", "When an argument is wrong."),
    "wrong_form": ("BadInput", "When `as_` is something else."),
    "unwritten": ("BadInput", "When the file cannot be written; Missing where the disk is full."),
    "failed_run": ("Refused", "When the run fails or takes longer."),
    "failed_runs": ("Refused", "When a run fails or takes longer."),
    "other_topology": ("Refused", "When the table is for another topology."),
}


_RAISED = r"\1Raises\n\1------\n\1\2\n\1    \3"


def described(documented: Documented) -> Documented:
    """A decorator: lines such as `{root, bytes}` in the docstring, of a class in its methods too, are filled in;
    `{Raises: wrong_form}` is a whole section, `{Raises BadInput: When there is none.}` one in words of its own."""
    members = vars(documented).values() if isinstance(documented, type) else ()
    for one in (documented, *members):
        one = getattr(one, "__func__", one)  # of a class method
        if isinstance(one, (type, FunctionType)) and one.__doc__:  # python -OO leaves none
            text = re.sub(r"^( *)\{(?:(\w+): )?([\w, ]+)\}$", _entries, one.__doc__, flags=re.MULTILINE)
            one.__doc__ = re.sub(r"^( *)\{Raises (\w+): (.*)\}$", _RAISED, text, flags=re.MULTILINE)
    return documented


def _entries(line: re.Match[str]) -> str:
    margin, section, keys = line.groups()
    lines = [margin + section, margin + "-" * len(section)] if section else []
    for key in keys.split(", "):
        name, description = ENTRIES[key]
        inner = margin + "    "
        lines += [margin + name, textwrap.fill(description, 120, initial_indent=inner, subsequent_indent=inner)]
    return "\n".join(lines)
