"""Checks of the arguments that users pass: every error names the argument and what would be right."""

import functools
import inspect
import math
import os
import re
from collections.abc import Callable, Iterable, Sequence
from numbers import Integral, Real
from typing import Any, ParamSpec, Protocol, SupportsIndex, TypeVar, cast

from . import _core
from ._core import Algorithm, BadInput


class Array(Protocol):
    """An array of numpy, or a DataFrame."""

    def __array__(self) -> Any:
        ...


Size = SupportsIndex | str  # whole numbers of numpy too
Sizes = Size | Iterable[Size]
Matrix = Sequence[Sequence[float]] | Array
What = str | Algorithm | Iterable[str | Algorithm]
PathLike = str | os.PathLike[str]
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def with_old_names(**new_names: str) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """A decorator: the function also takes keyword arguments by their old names, `most_ranks="max_ranks"`."""

    def decorated(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        @functools.wraps(function)
        def called(*arguments: Parameters.args, **keywords: Parameters.kwargs) -> Result:
            for old, new in new_names.items():
                if old in keywords and new not in keywords:
                    keywords[new] = keywords.pop(old)
            return function(*arguments, **keywords)

        return called

    return decorated


def wrong_type(name: str, value: object, right: str) -> TypeError:
    shown = " ".join(repr(value).split())  # arrays and tables have several lines
    shown = shown if len(shown) <= 80 else f"{shown[:80]}..."
    return TypeError(f"{name}: {shown} is {type(value).__name__}; {right} would be right")


def sizes_of(sizes: Sizes, name: str = "bytes") -> list[int]:
    """`4096`, `"64 Ki"`, `"1..4Mi"`, `[1, "64Ki"]` as whole numbers of bytes, ascending, each once."""
    right = "a whole number, a text such as '1,64Ki,4Mi' or '1..4Mi', or a list of these"
    if isinstance(sizes, (bool, bytes, bytearray)):
        raise wrong_type(name, sizes, right)
    if isinstance(sizes, str):
        text = re.sub(r"\s*(,|\.\.)\s*", r"\1", sizes.strip())
        try:
            return list(_core.parse_sizes(re.sub(r"(\d)\s+(?=[A-Za-z])", r"\1", text)))
        except BadInput as error:
            raise BadInput(f"{name}: {error}") from None
    if isinstance(sizes, (int, Integral)):
        number = int(sizes)
        if not 0 <= number < 2**63:
            raise BadInput(f"{name}: {number}; 0 to 2^63 - 1 bytes would be right")
        return [number]
    try:
        parts = list(cast(Iterable[Size], sizes))
    except TypeError:
        raise wrong_type(name, sizes, right) from None
    if any(not isinstance(part, (str, Integral)) for part in parts):
        raise wrong_type(name, sizes, right)
    if not parts:
        raise BadInput(f"{name}: is empty; {right} would be right")
    return sorted({size for part in parts for size in sizes_of(part, name)})


def one_size(size: Size, name: str = "bytes") -> int:
    found = sizes_of(size, name)
    if len(found) != 1:
        raise BadInput(f"{name}: {size!r} is {len(found)} sizes; one would be right")
    return found[0]


def whole(name: str, value: object, least: int, most: int = 2**31 - 1) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise wrong_type(name, value, f"a whole number from {least} to {most}")
    number = int(value)
    if not least <= number <= most:
        raise BadInput(f"{name}: {number}; a whole number from {least} to {most} would be right")
    return number


def seconds(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise wrong_type(name, value, "a number of seconds")
    if not float(value) > 0:
        raise BadInput(f"{name}: {value}; a number of seconds above 0 would be right")
    return float(value)


def number(name: str, value: object, zero: bool = False, infinite: bool = False) -> float:
    """A number above 0, or with `zero` of 0 or more; finite unless `infinite`."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise wrong_type(name, value, "a number")
    found = float(value)
    if not (found >= 0 if zero else found > 0) or not (infinite or math.isfinite(found)):
        finite = "" if math.isfinite(found) else "finite "
        raise BadInput(f"{name}: {value}; a {finite}number {'of 0 or more' if zero else 'above 0'} would be right")
    return found


def one_of(name: str, value: object, legal: Sequence[str]) -> str:
    if value not in legal:
        raise BadInput(f"{name}: {value!r}; {', '.join(legal)} would be right")
    return str(value)


def list_of(name: str, value: Any, kinds: tuple[type, ...], right: str, empty: bool = False) -> list[Any]:
    """One of `kinds` or an iterable of them, as a list that is not empty unless `empty`."""
    try:
        values: list[Any] = [value] if isinstance(value, kinds) else list(value)
    except TypeError:
        raise wrong_type(name, value, right) from None
    for one in values:
        if not isinstance(one, kinds):
            raise wrong_type(name, one, right)
    if not values and not empty:
        raise BadInput(f"{name}: is empty; {right} would be right")
    return values


def plans_of(what: What, name: str = "what") -> dict[str, bool]:
    """Checked plans as text: the automatic choice `broadcast`, all algorithms `broadcast/all`, one plan
    `broadcast/kielmann:segment=64Ki`, or several. True marks plans from `/all`: they are skipped at points that they
    cannot serve.
    """
    right = (
        "a collective ('broadcast', the automatic choice), all of its algorithms ('broadcast/all'), a plan "
        "('broadcast/kielmann:segment=64Ki'), an Algorithm, or a list of these"
    )
    plans: dict[str, bool] = {}
    for one in list_of(name, what, (str, Algorithm), right):
        for plan, one_of_all in _core.named_plans(one.name if isinstance(one, Algorithm) else one):
            plans[plan] = one_of_all and plans.get(plan, True)
    return plans


def only_placement(function: Callable[..., Any], more: Iterable[str]) -> None:
    """Refuses names of further arguments that do not say where ranks are."""
    placement = ("placement", "ranks_per_host", "ranks")
    if unknown := sorted(set(more) - set(placement)):
        names = [*inspect.signature(function).parameters][:-1]
        right = ", ".join([*names, *placement])
        raise TypeError(f"{unknown[0]}: no argument of {function.__name__}(); {right} would be right")


def file_stem(name: str, value: object) -> str:
    """What a file is called, without folder and ending."""
    if not isinstance(value, str):
        raise wrong_type(name, value, "a file name without ending")
    if not value or "/" in value or "\0" in value or value.startswith("."):
        raise BadInput(f"{name}: {value!r}; a file name without ending would be right")
    return value


def path_of(name: str, value: PathLike | None) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise wrong_type(name, value, "the path of a file")
    return os.fspath(value)


def substrate_words(world: str, substrate: str) -> list[str]:
    """The program's option for a substrate, which it takes for the emulated network alone."""
    return ["--substrate", substrate] if world == "emulated" else []
