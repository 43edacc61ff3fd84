"""Modules that are imported when they are first needed."""

from importlib import import_module
from typing import Any

from ._core import Missing

# Module -> the Debian package that contains it.
PACKAGES = {
    "pandas": "python3-pandas",
    "numpy": "python3-numpy",
    "matplotlib": "python3-matplotlib",
    "networkx": "python3-networkx",
    "tqdm": "python3-tqdm",
    "distributed": "python3-distributed",
}


def need(module: str, what: str) -> Any:
    """The module, or Missing with the package that brings it. `what` needs it, e.g. `a table`."""
    try:
        return import_module(module)
    except ImportError as error:
        package = PACKAGES[module.partition(".")[0]]
        raise Missing(f"{what} needs the Python module {module}; `apt install {package}` brings it ({error})") from None
