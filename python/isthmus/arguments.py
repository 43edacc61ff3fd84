"""Checks of the arguments that users pass: every error names the argument and what would be right."""

import functools
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ParamSpec, SupportsIndex, TypeVar

from . import _core
from ._core import Algorithm, BadInput

Sizes = int | str | Iterable[int | str]
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
    return TypeError(f"{name}: {value!r} is {type(value).__name__}; {right} would be right")


def sizes_of(sizes: Sizes, name: str = "bytes") -> list[int]:
    """`4096`, `"64Ki"`, `"1..4Mi"`, `[1, "64Ki"]` as whole numbers of bytes, ascending, each once."""
    right = "a whole number, a text such as '1,64Ki,4Mi' or '1..4Mi', or a list of these"
    if isinstance(sizes, bool):
        raise wrong_type(name, sizes, right)
    if isinstance(sizes, str):
        try:
            return list(_core.parse_sizes(sizes))
        except BadInput as error:
            raise BadInput(f"{name}: {error}") from None
    if isinstance(sizes, SupportsIndex):
        number = int(sizes)
        if not 0 <= number < 2**63:
            raise BadInput(f"{name}: {number}; 0 to 2^63 - 1 bytes would be right")
        return [number]
    try:
        parts = list(sizes)
    except TypeError:
        raise wrong_type(name, sizes, right) from None
    if any(not isinstance(part, (str, SupportsIndex)) for part in parts):
        raise wrong_type(name, sizes, right)
    return sorted({size for part in parts for size in sizes_of(part, name)})


def one_size(size: int | str, name: str = "bytes") -> int:
    found = sizes_of(size, name)
    if len(found) != 1:
        raise BadInput(f"{name}: {size!r} is {len(found)} sizes; one would be right")
    return found[0]


def whole(name: str, value: object, least: int, most: int = 2**31 - 1) -> int:
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise wrong_type(name, value, f"a whole number from {least} to {most}")
    number = int(value)
    if not least <= number <= most:
        raise BadInput(f"{name}: {number}; a whole number from {least} to {most} would be right")
    return number


def seconds(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise wrong_type(name, value, "a number of seconds")
    if not value > 0:
        raise BadInput(f"{name}: {value}; a number of seconds above 0 would be right")
    return float(value)


def one_of(name: str, value: object, legal: Sequence[str]) -> str:
    if value not in legal:
        raise BadInput(f"{name}: {value!r}; {', '.join(legal)} would be right")
    return str(value)


def list_of(name: str, value: Any, kinds: tuple[type, ...], right: str) -> list[Any]:
    """One of `kinds` or an iterable of them, as a list that is not empty."""
    try:
        values: list[Any] = [value] if isinstance(value, kinds) else list(value)
    except TypeError:
        raise wrong_type(name, value, right) from None
    for one in values:
        if not isinstance(one, kinds):
            raise wrong_type(name, one, right)
    if not values:
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


def path_of(name: str, value: PathLike | None) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise wrong_type(name, value, "the path of a file")
    return os.fspath(value)
