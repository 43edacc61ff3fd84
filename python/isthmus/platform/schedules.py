"""The schedules of plans on a platform."""

from __future__ import annotations

from .. import _core
from ..arguments import one_size, whole, wrong_type
from ..schedule import Schedule
from .placed_network import PlacedNetwork
from .points import collective_named


class Schedules(PlacedNetwork):
    """The schedules of a Platform."""

    def schedule(
        self, what: str | _core.Algorithm, bytes: int | str, *, element_bytes: int = 1, root: int = 0
    ) -> Schedule:
        """Writes the schedule of one plan.

        Parameters
        ----------
        what : str or Algorithm
            "broadcast" (the plan of the automatic choice), "broadcast/kielmann" (its parameters chosen by model), or
            "broadcast/kielmann:segment=64Ki".
        bytes : int or str
            One size in bytes, as 4096 or "64Ki": what the MPI call passes for one buffer or block.
        element_bytes : int
            The size of an element in bytes; every size is a multiple of it.
        root : int
            The rank of the root, for collectives that have one.

        Returns
        -------
        Schedule
            The programs of all ranks.

        Raises
        ------
        BadInput
            When there is no such plan, or it does not serve this call.

        Examples
        --------
        >>> das.schedule("broadcast/binomial:segment=16Ki", "64Ki")
        <isthmus.Schedule broadcast/binomial:segment=16Ki, 64 KiB, 16 ranks>
        """
        if not isinstance(what, (str, _core.Algorithm)):
            raise wrong_type("what", what, "a plan ('broadcast/kielmann:segment=64Ki') or an Algorithm")
        return Schedule(
            _core.Schedule(
                self._core,
                _core.checked_plan(str(what)),
                one_size(bytes),
                whole("element_bytes", element_bytes, 1, 2**40),
                whole("root", root, 0, self.ranks - 1),
            )
        )

    def choose(self, collective: str, bytes: int | str, *, root: int = 0, element_bytes: int = 1) -> Schedule:
        """Writes the schedule of the plan that the automatic choice takes.

        Parameters
        ----------
        collective : str
            Its name, as "broadcast".
        bytes : int or str
            One size in bytes, as 4096 or "64Ki": what the MPI call passes for one buffer or block.
        root : int
            The rank of the root, for collectives that have one.
        element_bytes : int
            The size of an element in bytes; every size is a multiple of it.

        Returns
        -------
        Schedule
            The programs of all ranks.

        Examples
        --------
        >>> das.choose("broadcast", "1Mi").replay() < das.schedule("broadcast/magpie", "1Mi").replay()
        True
        """
        return self.schedule(f"{collective_named(collective)}/auto", bytes, root=root, element_bytes=element_bytes)
