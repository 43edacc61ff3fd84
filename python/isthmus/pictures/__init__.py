"""Pictures in one style: colours for every kind of colour vision, units on every axis.

Each function returns a matplotlib figure, which a notebook shows and `savefig` writes; none touches pyplot or its
state. With `ax` it draws into axes of yours and returns them. With `width="column"` or `"page"` the figure is as wide
as journals print it. What you have set in matplotlib's rcParams, and your colour cycle, come before the common
style.
"""

from ..needs import need

need("matplotlib", "a picture")
from .breakdown import breakdown, link_load  # noqa: E402
from .curves import completion_time, distance_to_bound, error, speed_up  # noqa: E402
from .maps import decision_map, penalties, penalty_map  # noqa: E402
from .networks import network_map, tree_on_map  # noqa: E402
from .parameters import parameter_curves  # noqa: E402
from .timeline import timeline  # noqa: E402

__all__ = [
    "breakdown",
    "completion_time",
    "decision_map",
    "distance_to_bound",
    "error",
    "link_load",
    "network_map",
    "parameter_curves",
    "penalties",
    "penalty_map",
    "speed_up",
    "timeline",
    "tree_on_map",
]
