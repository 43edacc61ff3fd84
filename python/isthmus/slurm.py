"""Sweeps under Slurm: a job array; batches are dealt round-robin to its tasks, and each task has its own store."""

import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import _core
from ._core import BadInput
from .arguments import PathLike, list_of, path_of, whole
from .batches import run_batch
from .notes import warn
from .store import Store
from .sweeps import ask, missing_batches

SCRIPT = """#!/bin/bash
#SBATCH --job-name=isthmus
#SBATCH --array=0-{last}
#SBATCH --ntasks=1
#SBATCH --output={folder}/task-%a.log
{options}
export PYTHONPATH={path}${{PYTHONPATH:+:$PYTHONPATH}}
exec {python} -P -m isthmus.slurm {folder} "$SLURM_ARRAY_TASK_ID"
"""


def slurm_array(
    folder: PathLike,
    *question: Any,
    tasks: int = 16,
    options: Sequence[str] = (),
    store: PathLike | None = None,
    **more: Any,
) -> str:
    """Writes a job array for a sweep into a folder that all nodes see.

    Submit the script with sbatch; afterwards collect() brings the records into a store. A task that is submitted again
    continues where it stopped.

    Parameters
    ----------
    folder : str or os.PathLike
        Where the script and the records of the tasks are.
    *question
        The platforms, collectives and so on, as sweep() takes them.
    tasks : int
        The length of the array.
    options : list of str
        Options of sbatch, as `--partition=long` and `--time=1:00:00`.
    store : str or os.PathLike, optional
        Points that this store already holds are left out.
    **more
        The other arguments of sweep() that say what is asked.

    Returns
    -------
    str
        The path of the script.

    Raises
    ------
    BadInput
        Naming the argument that is wrong; when the store holds every point already, or the folder another question.

    Examples
    --------
    >>> script = isthmus.slurm_array("array", das, "broadcast", bytes="1,64Ki", options=["--time=1:00:00"])
    >>> script.endswith("array/array.sh")
    True
    """
    whole("tasks", tasks, 1, 100000)
    lines = []
    for option in list_of("options", options, (str,), "options of sbatch, as '--time=1:00:00'") if options else []:
        if not re.fullmatch(r"--[a-z][a-z-]*(=[^\s'\"\\$`;&|<>]*)?", option):
            raise BadInput(f"options: {option!r}; an option of sbatch such as '--time=1:00:00' would be right")
        if option.startswith("--ar"):  # sbatch takes abbreviations
            raise BadInput(f"options: {option!r}; `tasks` is the length of the array")
        lines.append(f"#SBATCH {option}")
    asked = ask(*question, **more)
    have = Store(store).by_question() if store is not None else {}
    batches = missing_batches(asked, have, tasks)
    if not batches:
        raise BadInput("store: holds every point already")
    tasks = min(tasks, len(batches))
    place = Path(os.path.abspath(path_of("folder", folder)))
    if re.search(r"[\s%\\]", str(place)):
        raise BadInput(f"folder: {str(place)!r}; a path without blanks, % and backslashes would be right for Slurm")
    texts = [asked.texts[number] for batch in batches for number in batch.numbers]
    if not set(texts) <= set(_texts(place) or texts):
        raise BadInput(f"folder: {place} holds the job array of another question; another folder would be right")
    place.mkdir(parents=True, exist_ok=True)
    platforms = {key: json.dumps(platform.as_data()) for key, platform in asked.platforms.items()}
    text = json.dumps(
        {
            "tasks": tasks,
            "platforms": platforms,
            "batches": [{**batch.data(), "texts": [asked.texts[n] for n in batch.numbers]} for batch in batches],
        }
    )
    _core.write_whole_file(str(place / "batches.json"), text)
    script = place / "array.sh"
    _core.write_whole_file(
        str(script),
        SCRIPT.format(
            last=tasks - 1,
            folder=shlex.quote(str(place)),
            options="\n".join(lines),
            path=shlex.quote(str(Path(__file__).absolute().parent.parent)),
            python=shlex.quote(sys.executable),
        ),
    )
    script.chmod(0o755)
    return str(script)


def _texts(place: Path) -> list[str]:
    """What the job array in a folder asks, as question(); empty if there is none."""
    file = place / "batches.json"
    if not file.is_file():
        return []
    return [text for batch in json.loads(file.read_text(encoding="utf-8"))["batches"] for text in batch["texts"]]


def collect(folder: PathLike, store: Store | PathLike) -> int:
    """Takes the records of all tasks of a job array into a store.

    An IsthmusWarning tells how many points have no record: those of tasks that have not run or not ended, and those
    that failed, of which the logs beside the script tell.

    Parameters
    ----------
    folder : str or os.PathLike
        The folder that slurm_array() filled.
    store : Store, str or os.PathLike
        Where the records go.

    Returns
    -------
    int
        How many records there are.

    Raises
    ------
    BadInput
        When the folder holds no job array.

    Examples
    --------
    >>> script = isthmus.slurm_array("array", das, "broadcast", bytes="1,64Ki")
    >>> isthmus.collect("array", "all.sqlite")
    0
    """
    place = Path(path_of("folder", folder))
    if not (place / "batches.json").is_file():
        raise BadInput(f"folder: {place} holds no job array of isthmus (batches.json)")
    into = store if isinstance(store, Store) else Store(store)
    texts = _texts(place)
    found: dict[str, str] = {}
    for part in sorted(place.glob("task-*.sqlite")):
        found.update(Store(part).by_question())
    records = [found[text] for text in texts if text in found]
    into.put(records)
    have = into.by_question()
    if missing := [json.loads(text) for text in texts if text not in have]:
        size = _core.format_bytes(missing[0]["bytes"])
        first = "{platform}, {collective}/{requested}, {size}, {source}".format(size=size, **missing[0])
        note = f"{len(missing)} of {len(texts)} points have no record; the first: {first} ({place}/task-*.log)"
        warn([("missing_points", note)])
    return len(records)


def run_task(folder: str, task: int) -> int:
    """One task of the array: its batches that are not done yet. Returns the exit status."""
    work = json.loads((Path(folder) / "batches.json").read_text(encoding="utf-8"))
    store = Store(Path(folder) / f"task-{task}.sqlite")
    have = store.by_question()
    failures = 0
    for batch in work["batches"][task :: work["tasks"]]:
        batch["points"] = [point for point, text in zip(batch["points"], batch["texts"]) if text not in have]
        if not batch["points"]:
            continue
        answers = run_batch(work["platforms"][batch["platform"]], batch)
        store.put([answer["record"] for answer in answers if "record" in answer])
        for (plan, size, *_), answer in zip(batch["points"], answers):
            if "error" in answer:
                failures += 1
                name = json.loads(json.loads(work["platforms"][batch["platform"]])["network"])["name"]
                print(f"isthmus: {name}, {plan}, {size} bytes, {batch['source']}: {answer['message']}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(run_task(sys.argv[1], int(sys.argv[2])))
