"""Calls of the module with arguments that it cannot take: the error names the argument and what would be right."""

from __future__ import annotations

import functools
import inspect
import os
import typing
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from pathlib import Path
from types import UnionType, WrapperDescriptorType
from typing import Any

from . import _core
from .arguments import wrong_type

OF_PYBIND11 = "arguments. The following argument types are supported:"
NUMBERS = {int: Integral, float: Real, bool: bool}
MADE_ELSEWHERE = {"Algorithm": "isthmus.collective('broadcast')['chain'], for instance,"}
WORDS: dict[Any, str] = {int: "whole number", float: "number", str: "text", os.PathLike: "path"}


@functools.cache
def _stub() -> dict[str, Any]:
    """The names of the module as _core.pyi declares them, with their types."""
    text = (Path(__file__).parent / "_core.pyi").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(compile(f"from __future__ import annotations\n{text}", "_core.pyi", "exec", dont_inherit=True), names)
    return names


def _fits(value: Any, kind: Any) -> bool:
    origin, of = typing.get_origin(kind), typing.get_args(kind)
    if origin is UnionType:
        return any(_fits(value, one) for one in of)
    if origin in (list, Sequence, tuple):
        is_list = (
            hasattr(value, "__getitem__") and hasattr(value, "__len__") and not isinstance(value, (str, bytes, dict))
        )
        if origin is tuple:
            return is_list and len(value) == len(of) and all(map(_fits, value, of))
        return is_list and all(_fits(one, of[0]) for one in value)
    kind = origin or kind
    known: Any = NUMBERS.get(kind) or getattr(_core, getattr(kind, "__name__", ""), kind)
    return not isinstance(known, type) or isinstance(value, known)


def _right(kind: Any, several: bool = False) -> str:
    origin, of = typing.get_origin(kind), typing.get_args(kind)
    if origin is UnionType:
        return " or ".join(_right(one, several) for one in of)
    if origin is tuple:
        return f"{'tuples' if several else 'a tuple'} ({', '.join(_right(one) for one in of)})"
    if origin in (list, Sequence):
        return f"{'lists' if several else 'a list'} of {_right(of[0], several=True)}"
    if kind in (bool, type(None)):
        return "True or False" if kind is bool else "None"
    word = str(WORDS.get(origin or kind) or getattr(kind, "__name__", kind))
    return f"{word}s" if several else f"{'an' if word[0] in 'AEIOaeio' else 'a'} {word}"


def _error(names: tuple[str, ...], arguments: Any, keywords: Any, found: TypeError) -> Exception:
    """What is wrong with a call of the function of these names: of the module, or of a class in it."""
    declared: Any = functools.reduce(lambda within, name: vars(within)[name], names[1:], _stub()[names[0]])
    declared = getattr(declared, "__func__", declared)
    try:
        given = inspect.signature(declared).bind(*arguments, **keywords).arguments
    except TypeError as error:  # too many, too few, or by a name that there is not
        return TypeError(f"{names[-1]}(): {error}")
    kinds = {"self": _stub()[names[0]], **typing.get_type_hints(declared, _stub())}
    for name, value in given.items():
        if name in kinds and not _fits(value, kinds[name]):
            return wrong_type(name, value, _right(kinds[name]))
    whole = {name: int(value) for name, value in given.items() if isinstance(value, Integral)}
    if whole:
        name = max(whole, key=lambda name: abs(whole[name]))
        return _core.BadInput(f"{name}: {whole[name]}; a whole number nearer to 0 would be right")
    return found


def _explained(function: Callable[..., Any], *names: str) -> Callable[..., Any]:
    @functools.wraps(function)
    def called(*arguments: Any, **keywords: Any) -> Any:
        try:
            return function(*arguments, **keywords)
        except TypeError as error:
            if OF_PYBIND11 not in str(error):
                raise
            raise _error(names, arguments, keywords, error) from None

    return called


def _made_by(name: str) -> str:
    """The calls that make objects of a class without a constructor."""
    makers = [
        f"{name}.{member}({', '.join(inspect.signature(function.__func__).parameters)})"
        for member, function in vars(_stub()[name]).items()
        if isinstance(function, staticmethod) and function.__func__.__annotations__.get("return") == name
    ]
    return " or ".join(makers) or MADE_ELSEWHERE.get(name, "what a function of isthmus gives")


def _without_constructor(name: str) -> Callable[..., None]:
    def refused(self: Any, *args: Any, **kwargs: Any) -> None:
        raise TypeError(f"{name}(): makes no {name}; {_made_by(name)} would be right")

    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    setattr(refused, "__signature__", inspect.Signature([itself]))
    return refused


def explain_errors() -> None:
    """Puts the errors of this package into all functions and classes of the module."""
    for name, value in list(vars(_core).items()):
        if inspect.isbuiltin(value):
            setattr(_core, name, _explained(value, name))
        elif isinstance(value, type) and not issubclass(value, Exception):
            for member, function in list(vars(value).items()):
                if isinstance(function, staticmethod):
                    setattr(value, member, staticmethod(_explained(function.__func__, name, member)))
                elif type(function).__name__ == "instancemethod" and (member == "__init__" or member[0] != "_"):
                    setattr(value, member, _explained(function, name, member))
            if isinstance(vars(value).get("__init__"), WrapperDescriptorType):  # pybind11's, which only refuses
                setattr(value, "__init__", _without_constructor(name))
