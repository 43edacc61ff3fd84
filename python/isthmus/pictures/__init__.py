"""Pictures in one style: colours for every kind of colour vision, units on every axis.

Each function returns a matplotlib figure, which a notebook shows and `savefig` writes; none touches pyplot or its
state.
"""

from .curves import completion_time, distance_to_bound, error, speed_up
from .maps import decision_map, penalties, penalty_map
from .networks import network_map, tree_on_map
from .parameters import parameter_curves
from .timeline import timeline

__all__ = [
    "completion_time",
    "decision_map",
    "distance_to_bound",
    "error",
    "network_map",
    "parameter_curves",
    "penalties",
    "penalty_map",
    "speed_up",
    "timeline",
    "tree_on_map",
]
