"""Simulation and emulation, by the program `isthmus`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..arguments import Sizes, What, seconds, whole
from ..descriptions import described
from ..frames import records
from ..notes import warn_about
from ..sources import run_program
from .placed_network import PlacedNetwork
from .points import points_of

if TYPE_CHECKING:
    import pandas


@described
class Runs(PlacedNetwork):
    """The runs of a Platform."""

    def simulate(
        self,
        what: What,
        bytes: Sizes | None = None,
        *,
        root: int = 0,
        element_bytes: int = 1,
        repetitions: int = 1,
        queueing: str = "fifo",
        timeout_s: float = 600,
    ) -> pandas.DataFrame:
        """Times plans under SimGrid's SMPI.

        Parameters
        ----------
        {what, bytes, root, element_bytes, repetitions}
        queueing : str
            How links share their bandwidth: "fifo" or "fluid".
        {timeout_s}

        Returns
        -------
        pandas.DataFrame
            One row a record, with simulated seconds; per size the maximum over the ranks, of repetitions the median.

        {Raises: failed_runs, wrong_input}

        Examples
        --------
        >>> das.simulate("broadcast/magpie", "1Ki")[["source", "bytes", "seconds"]]
          source  bytes   seconds
        0   smpi   1024  0.011274
        """
        texts = run_program(
            self,
            "smpi",
            points_of(self, what, bytes, element_bytes, root),
            {
                "repetitions": whole("repetitions", repetitions, 1),
                "queueing": queueing,
                "timeout_s": seconds("timeout_s", timeout_s),
            },
        )
        warn_about(texts)
        return records(texts)

    def emulate(
        self,
        what: What,
        bytes: Sizes | None = None,
        *,
        root: int = 0,
        element_bytes: int = 1,
        repetitions: int = 1,
        warm_up: int = 1,
        substrate: str = "auto",
        timeout_s: float = 600,
    ) -> pandas.DataFrame:
        """Times plans with a real MPI on the emulated network.

        Parameters
        ----------
        {what, bytes, root, element_bytes, repetitions}
        warm_up : int
            How many runs come before, which do not count.
        {substrate, timeout_s}

        Returns
        -------
        pandas.DataFrame
            One row a record, with measured seconds; per size the maximum over the ranks, of repetitions the median.

        Raises
        ------
        Missing
            When this machine lacks what the substrate needs.
        {failed_runs, wrong_input}

        Examples
        --------
        >>> das.emulate("broadcast/magpie", "64Ki", repetitions=5)  # doctest: +SKIP
        """
        texts = run_program(
            self,
            "emulated",
            points_of(self, what, bytes, element_bytes, root),
            {
                "repetitions": whole("repetitions", repetitions, 1),
                "warm_up": whole("warm_up", warm_up, 0),
                "substrate": substrate,
                "timeout_s": seconds("timeout_s", timeout_s),
            },
        )
        warn_about(texts)
        return records(texts)
