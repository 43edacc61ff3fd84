"""Sweeps: the Cartesian product of platforms, plans, sizes and sources, each point run once and kept."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

from . import _core
from ._core import Algorithm, BadInput, Missing, Refused
from .arguments import PathLike, Sizes, What, list_of, one_of, plans_of, seconds, sizes_of, whole, wrong_type
from .batches import Answer, Batch, batches_of
from .descriptions import described
from .executors import on_dask, on_processes
from .frames import records
from .needs import need
from .notes import warn, warn_about
from .platform import Platform
from .sources import MODELS, SOURCES, Point, SweepPoint
from .store import Store

if TYPE_CHECKING:
    import pandas

PlatformLike = Platform | PathLike
NO_ANSWER = "no answer: the algorithm does not serve this call, or the source has no formula for it"
ERRORS = {"BadInput": BadInput, "Missing": Missing, "Refused": Refused}


@dataclass(frozen=True)
class FailedPoint:
    """A point that has no row, and why."""

    point: SweepPoint
    why: str

    def __str__(self) -> str:
        at = self.point
        return f"{at.platform}, {at.algorithm}, {_core.format_bytes(at.bytes)}, {at.source}: {self.why}"


@dataclass
class Question:
    """The points of a sweep, each with its question(), the text by which the store finds its record."""

    platforms: dict[str, Platform]
    points: list[tuple[str, str, Point]]  #: platform, source, point
    texts: list[str]
    shown: list[SweepPoint]  #: the same points
    left_out: list[SweepPoint]  #: the algorithm does not serve them, or the source has no answer
    order: list[tuple[str, SweepPoint, int | None]]  #: platform and number of all points, in order; none: left out
    settings: dict[str, Any]
    element_bytes: int


def _no_algorithm(text: str, known: dict[str, set[str]]) -> str:
    if not known:
        return (
            f"algorithms: {text!r} is no algorithm of any collective given; "
            "a name with its collective, as 'broadcast/kielmann', would be right"
        )
    every = list(dict.fromkeys(id for ids in known.values() for id in sorted(ids)))
    return (
        f"algorithms: {text!r} is no algorithm of {', '.join(known)}{_core.near_matches(text.partition(':')[0], every)}"
    )


def _plans(collectives: Any, algorithms: Any) -> list[str]:
    """The automatic choice of each collective; or the algorithms named: `kielmann` in every collective that has it."""
    if collectives is None and algorithms is None:
        raise BadInput("collectives: neither they nor algorithms are given; 'broadcast', for example, would be right")
    names = (
        [str(name) for name in list_of("collectives", collectives, (str,), "'broadcast' or a list")]
        if collectives is not None
        else []
    )
    if algorithms is None:
        return list(plans_of(names, "collectives"))
    for name in names:
        if "/" in name:
            raise BadInput(
                f"collectives: {name!r} names an algorithm, and algorithms are given too; "
                f"{name.partition('/')[0]!r} would be right"
            )
    known = {name: {"all", "auto", "mpi", *(algorithm.id for algorithm in _core.algorithms_of(name))} for name in names}
    plans: list[str] = []
    for one in list_of("algorithms", algorithms, (str, Algorithm), "'all', 'broadcast/kielmann', 'kielmann' or a list"):
        text = one.name if isinstance(one, Algorithm) else str(one)
        if "/" in text.partition(":")[0]:
            if known and text.partition("/")[0] not in known:
                raise BadInput(f"algorithms: {text!r} is none of {', '.join(names)}")
            plans.append(text)
            continue
        served = [name for name in names if text.partition(":")[0] in known[name]]
        if not served:
            raise BadInput(_no_algorithm(text, known))
        plans += [f"{name}/{text}" for name in served]
    return list(plans_of(plans, "algorithms"))


def ask(
    platforms: PlatformLike | Iterable[PlatformLike],
    collectives: str | Sequence[str] | None = None,
    algorithms: What | None = None,
    bytes: Sizes = "1..4Mi",
    sources: str | Sequence[str] = ("replay",),
    *,
    roots: int | Iterable[int] = 0,
    element_bytes: int = 1,
    where: Callable[[SweepPoint], bool] | None = None,
    repetitions: int = 1,
    warm_up: int = 1,
    queueing: str = "fifo",
    substrate: str = "auto",
    timeout_s: float = 600,
    left_out_is_enough: bool = False,
) -> Question:
    """The points of a sweep; see sweep() for the arguments."""
    right = "a Platform, the path of a platform file, or a list of these"
    placed: dict[str, Platform] = {}
    for one in list_of("platforms", platforms, (Platform, str, os.PathLike), right):
        platform = one if isinstance(one, Platform) else Platform(one)
        placed.setdefault(f"{platform._core.digest} {json.dumps(platform._core.hosts)}", platform)
    if where is not None and not callable(where):
        raise wrong_type("where", where, "a function of a SweepPoint")
    plans, sizes = _plans(collectives, algorithms), sizes_of(bytes)
    element_bytes = whole("element_bytes", element_bytes, 1, 2**40)
    wanted = [one_of("sources", source, SOURCES) for source in list_of("sources", sources, (str,), ", ".join(SOURCES))]
    starts = [whole("roots", root, 0) for root in list_of("roots", roots, (Integral,), "a rank or a list of ranks")]
    repetitions, warm_up = whole("repetitions", repetitions, 1), whole("warm_up", warm_up, 0)
    settings = {
        "repetitions": repetitions,
        "warm_up": warm_up,
        "queueing": one_of("queueing", queueing, ("fifo", "fluid")),
        "substrate": substrate,
        "timeout_s": seconds("timeout_s", timeout_s),
    }
    core_settings = _core.Settings(repetitions, warm_up, queueing, substrate)

    question = Question(placed, [], [], [], [], [], settings, element_bytes)
    seen = set()
    for key, platform in placed.items():
        for source in wanted:
            points: list[Point] = []
            shown: list[SweepPoint] = []
            for plan in plans:
                collective = plan.partition("/")[0]
                for root in starts if _core.has_root(collective) else starts[:1]:
                    rooted = root if _core.has_root(collective) else 0
                    if rooted >= platform.ranks:
                        raise BadInput(f"roots: {rooted}; ranks of {platform.name} are 0 to {platform.ranks - 1}")
                    for size in sizes if collective != "barrier" else [0]:
                        candidate = SweepPoint(platform.name, collective, plan, size, source, rooted, platform.ranks)
                        if where is None or where(candidate):
                            points.append((plan, size, element_bytes, rooted))
                            shown.append(candidate)
            for point, as_shown, text in zip(
                points, shown, _core.questions(platform._core, source, points, core_settings)
            ):
                if text is None:
                    question.left_out.append(as_shown)
                    question.order.append((key, as_shown, None))
                elif text not in seen:
                    seen.add(text)
                    question.order.append((key, as_shown, len(question.points)))
                    question.points.append((key, source, point))
                    question.texts.append(text)
                    question.shown.append(as_shown)
    if not question.order or (not question.points and not left_out_is_enough):
        raise BadInput(
            "where: no point is left" if where is not None else "sources: none of them has an answer for any point"
        )
    return question


def missing_batches(question: Question, have: dict[str, str], workers: int) -> list[Batch]:
    """Batches of the points that the store does not hold yet."""
    asked = [
        (number, *point)
        for number, (point, text) in enumerate(zip(question.points, question.texts))
        if text not in have
    ]
    ranks = {key: platform.ranks for key, platform in question.platforms.items()}
    return batches_of(asked, question.settings, ranks, workers)


def _bar(total: int, done: int, progress: bool) -> Any:
    if not progress:
        return None
    tqdm = need("tqdm.auto", "a progress bar (progress=False does without)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without ipywidgets gets the plain bar
        try:
            return tqdm.tqdm(total=total, initial=done, unit="point", smoothing=0.05)
        except ImportError:
            from tqdm.std import tqdm as plain

            return plain(total=total, initial=done, unit="point", smoothing=0.05)


@described
def sweep(
    platforms: PlatformLike | Iterable[PlatformLike],
    collectives: str | Sequence[str] | None = None,
    algorithms: What | None = None,
    bytes: Sizes = "1..4Mi",
    sources: str | Sequence[str] = ("replay",),
    *,
    roots: int | Iterable[int] = 0,
    element_bytes: int = 1,
    where: Callable[[SweepPoint], bool] | None = None,
    store: Store | PathLike | None = None,
    executor: Any = None,
    workers: int | None = None,
    progress: bool = True,
    repetitions: int = 1,
    warm_up: int = 1,
    queueing: str = "fifo",
    substrate: str = "auto",
    timeout_s: float = 600,
    errors: str = "warn",
) -> pandas.DataFrame:
    """Runs every point of the product that the store does not hold yet.

    Parameters
    ----------
    platforms : Platform, str, os.PathLike or list of these
        Platforms, or files of platforms.
    collectives : str or list of str, optional
        "broadcast" or a list; the automatic choice runs unless `algorithms` names others.
    algorithms : str, Algorithm or list of these, optional
        "auto", the automatic choice, and "all" algorithms of every collective given; "kielmann" of those that have it,
        "broadcast/kielmann:segment=64Ki", or Algorithms. An algorithm that is named alone has its parameters chosen for
        every point.
    {bytes}
    sources : str or list of str
        Of isthmus.sources.SOURCES: models run in worker processes, "smpi" and "emulated" by the program isthmus.
    {roots, element_bytes}
    where : callable, optional
        A filter: it is called with each SweepPoint, and keeps those for which it is true.
    store : Store, str or os.PathLike, optional
        An SQLite file that stores every record as it comes; an interrupted sweep continues where it stopped. Without
        one only the result is returned.
    executor : dask.distributed.Client or str, optional
        A client of Dask, or the address of a scheduler; when left out, processes of this machine do the work.
    workers : int, optional
        How many processes; as many as there are processors when left out.
    progress : bool
        Whether a bar shows the time that is left.
    repetitions, warm_up : int
        How often each point that is run (smpi, emulated) counts, and how often it is run before.
    queueing : str
        How links share their bandwidth under SMPI: "fifo" or "fluid".
    {substrate}
    timeout_s : float
        Seconds for each run of a simulator or an emulator, and for each point of a model.
    errors : str
        What a point that fails does. "warn": it has no row, and a warning names the first such point; "keep": it has a
        row with seconds NaN and the reason in the column error, and so has each point without an answer; "raise": the
        first one raises its error, when all others are done and stored.

    Returns
    -------
    pandas.DataFrame
        One row a point, those of the store included, in the order of the product. `frame.attrs["left_out"]` lists the
        points that have no answer (an algorithm that does not serve them, a model without a formula),
        `frame.attrs["failed"]` those that failed, each with platform, plan, size and source, and the reason.

    Raises
    ------
    {wrong_argument}
    Error
        That of the first point that failed, when every point did, unless `errors` is "keep", or it is "raise".

    Examples
    --------
    >>> frame = isthmus.sweep(das, "broadcast", ["magpie", "binomial"], bytes="1,64Ki", progress=False)
    >>> frame[["algorithm", "bytes", "seconds"]]
      algorithm  bytes   seconds
    0    magpie      1  0.010169
    1    magpie  65536  0.080947
    2  binomial      1  0.020286
    3  binomial  65536  0.091869
    """
    one_of("errors", errors, ("warn", "keep", "raise"))
    question = ask(
        platforms,
        collectives,
        algorithms,
        bytes,
        sources,
        roots=roots,
        element_bytes=element_bytes,
        where=where,
        repetitions=repetitions,
        warm_up=warm_up,
        queueing=queueing,
        substrate=substrate,
        timeout_s=timeout_s,
        left_out_is_enough=errors == "keep",
    )
    count = whole("workers", workers if workers is not None else len(os.sched_getaffinity(0)), 1, 4096)
    if store is not None and not isinstance(store, Store):
        store = Store(store)
    have = store.by_question() if store is not None else {}
    batches = missing_batches(question, have, count)
    found = {number: have[text] for number, text in enumerate(question.texts) if text in have}
    failures: dict[int, Answer] = {}
    left_out = list(question.left_out)
    bar = _bar(len(question.points), len(found), progress)
    outcomes = _executed(executor, batches, question, count)
    try:
        for batch, answers in outcomes:
            got = {number: answer["record"] for number, answer in zip(batch.numbers, answers) if "record" in answer}
            if store is not None and got:
                store.put(list(got.values()))
            found.update(got)
            failures.update((number, answer) for number, answer in zip(batch.numbers, answers) if "error" in answer)
            left_out += [question.shown[number] for number, answer in zip(batch.numbers, answers) if not answer]
            if bar is not None:
                bar.update(len(answers))
    finally:
        outcomes.close()
        if bar is not None:
            bar.close()
    failed = [FailedPoint(question.shown[number], failures[number]["message"]) for number in sorted(failures)]
    if failed:
        what = f"{len(failed)} of {len(question.points)} points failed; the first: {failed[0]}"
        if errors == "raise" or (errors == "warn" and not found):
            raise ERRORS[failures[min(failures)]["error"]](what)
        place = "the column error" if errors == "keep" else "frame.attrs['failed']"
        warn([("failed_points", f"{what} (all of them: {place})")])
    warn_about([found[number] for number in sorted(found) if question.points[number][1] not in MODELS])
    if errors == "keep":
        reasons = {number: failures[number]["message"] for number in failures}
        frame = _whole_frame(question, found, reasons)
    else:
        frame = records(found[number] for number in sorted(found))
    frame.attrs["left_out"] = left_out
    frame.attrs["failed"] = failed
    return frame


def _whole_frame(question: Question, found: dict[int, str], reasons: dict[int, str]) -> pandas.DataFrame:
    """A row for every point of the product, and why there is no time in the column error."""
    placed = {key: _where(platform) for key, platform in question.platforms.items()}
    texts: list[str] = []
    errors: list[str | None] = []
    for key, point, number in question.order:
        if number is not None and number in found:
            texts.append(found[number])
            errors.append(None)
            continue
        plan = point.algorithm.partition("/")[2] or "auto"
        row = {
            "source": point.source,
            "platform": point.platform,
            "collective": point.collective,
            "algorithm": plan.partition(":")[0],
            "bytes": point.bytes,
            "ranks": point.ranks,
            "root": point.root,
            "repetitions": question.settings["repetitions"],
            "requested": plan,
            "element_bytes": question.element_bytes,
            **placed[key],
        }
        texts.append(json.dumps({**row, "seconds": None, "bound_seconds": None, "segment_bytes": None, "plan": None}))
        errors.append(reasons.get(number, NO_ANSWER) if number is not None else NO_ANSWER)
    return records(texts).assign(error=errors)


def _where(platform: Platform) -> dict[str, str]:
    """Network and placement as every record of the platform has them."""
    (text,) = _core.questions(platform._core, "replay", [("barrier", 0, 1, 0)], _core.Settings(1, 1, "fifo", "auto"))
    about = json.loads(text or "{}")
    return {"network_digest": about["network"], "placement": about["placement"]}


def _executed(executor: Any, batches: list[Batch], question: Question, workers: int) -> Any:
    platforms = {key: json.dumps(platform.as_data()) for key, platform in question.platforms.items()}
    if executor is None:
        return on_processes(batches, platforms, min(workers, max(1, len(batches))))
    return on_dask(batches, platforms, executor)
