"""Collective operations for clusters of clusters, from Python.

Models, schedules and proofs run in this process; simulation and emulation run in the program `isthmus`. Tables are
pandas DataFrames with units in their columns' names; pandas and matplotlib are imported when they are first needed.

Examples
--------
>>> import isthmus
>>> das = isthmus.Platform("platforms/kielmann2000/das-4x4.xml")
>>> times = das.predict("broadcast", bytes="1..64Ki")
>>> both = isthmus.sweep(das, "broadcast", bytes="1,64Ki", sources=["replay", "smpi"], progress=False)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import programs as _programs  # first: the module needs to know where the helper programs are
from . import refused_calls as _refused_calls
from . import values as _values
from ._core import Algorithm, BadInput, Error, Missing, Network, PLogP, Refused, Topology
from ._core import version as __version__
from .collectives import Collective, collective, collectives
from .notes import IsthmusWarning
from .platform import Platform
from .schedule import Schedule

if TYPE_CHECKING:
    from . import models, papers, pictures
    from .channels import Channels
    from .comparisons import best, regret, speed_up
    from .decisions import DecisionTable, tune
    from .designs import clusters, wide_area
    from .measuring import Calibration, calibrate, discover, discover_with_routes, residuals_svg
    from .slurm import collect, slurm_array
    from .store import Store
    from .sweeps import sweep

__all__ = [
    "Algorithm",
    "BadInput",
    "Calibration",
    "Channels",
    "Collective",
    "DecisionTable",
    "Error",
    "IsthmusWarning",
    "Missing",
    "Network",
    "PLogP",
    "Platform",
    "Refused",
    "Schedule",
    "Store",
    "Topology",
    "__version__",
    "best",
    "calibrate",
    "clusters",
    "collect",
    "collective",
    "collectives",
    "discover",
    "discover_with_routes",
    "models",
    "papers",
    "pictures",
    "regret",
    "residuals_svg",
    "slurm_array",
    "speed_up",
    "sweep",
    "tune",
    "wide_area",
]

_LATER = {
    "Calibration": "measuring",
    "Channels": "channels",
    "DecisionTable": "decisions",
    "Store": "store",
    "best": "comparisons",
    "calibrate": "measuring",
    "clusters": "designs",
    "collect": "slurm",
    "discover": "measuring",
    "discover_with_routes": "measuring",
    "residuals_svg": "measuring",
    "regret": "comparisons",
    "slurm_array": "slurm",
    "speed_up": "comparisons",
    "sweep": "sweeps",
    "tune": "decisions",
    "wide_area": "designs",
}

_refused_calls.explain_errors()
del _programs, _refused_calls, _values


def __getattr__(name: str) -> Any:
    if name in ("models", "papers", "pictures"):
        return import_module("." + name, __name__)
    if name in _LATER:
        value = getattr(import_module("." + _LATER[name], __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'isthmus' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
