"""The schedules of plans on a platform."""

from __future__ import annotations

from .. import _core
from ..arguments import Size, whole, wrong_type
from ..descriptions import described
from ..schedule import Schedule
from .placed_network import PlacedNetwork
from .points import collective_named, size_of


@described
class Schedules(PlacedNetwork):
    """The schedules of a Platform."""

    def schedule(
        self, what: str | _core.Algorithm, bytes: Size | None = None, *, element_bytes: int = 1, root: int = 0
    ) -> Schedule:
        """Writes the schedule of one plan.

        {Parameters: one_plan, one_size, element_bytes, root}

        {Returns: programs}

        {Raises BadInput: When there is no such plan, or it does not serve this call.}

        Examples
        --------
        >>> das.schedule("broadcast/binomial:segment=16Ki", "64Ki")
        <isthmus.Schedule broadcast/binomial:segment=16Ki, 64 KiB, 16 ranks>
        """
        if not isinstance(what, (str, _core.Algorithm)):
            raise wrong_type("what", what, "a plan ('broadcast/kielmann:segment=64Ki') or an Algorithm")
        plan = _core.checked_plan(str(what))
        return Schedule(
            _core.Schedule(
                self._core,
                plan,
                size_of(plan, bytes),
                whole("element_bytes", element_bytes, 1, 2**40),
                whole("root", root, 0, self.ranks - 1),
            )
        )

    def choose(self, collective: str, bytes: Size | None = None, *, root: int = 0, element_bytes: int = 1) -> Schedule:
        """Writes the schedule of the plan that the automatic choice takes.

        {Parameters: collective, one_size, root, element_bytes}

        {Returns: programs}

        Examples
        --------
        >>> das.choose("broadcast", "1Mi").replay() < das.schedule("broadcast/magpie", "1Mi").replay()
        True
        """
        return self.schedule(f"{collective_named(collective)}/auto", bytes, root=root, element_bytes=element_bytes)
