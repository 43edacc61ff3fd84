"""What models say about plans on a platform, in this process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from .. import _core
from .._core import BadInput, PLogP
from ..arguments import Sizes, What, list_of, one_of, whole
from ..comparisons import over_bound
from ..descriptions import described
from ..frames import records, table
from ..notes import warn
from ..sources import MODELS, SweepPoint
from .placed_network import PlacedNetwork
from .points import collective_named, points_of, sizes_of_each

if TYPE_CHECKING:
    import pandas


class Layers(NamedTuple):
    """The two layers of Kielmann 2000, section 2.1.

    Attributes
    ----------
    wan : PLogP
        The costs of a message between two clusters.
    lan : PLogP
        The costs of a message inside a cluster.
    clusters : int
        How many clusters there are.
    cluster_size : int
        How many ranks the largest cluster has.
    """

    wan: PLogP
    lan: PLogP
    clusters: int
    cluster_size: int


@described
class Predictions(PlacedNetwork):
    """The models of a Platform."""

    def plogp(self, from_rank: int, to_rank: int) -> PLogP:
        """Gives P-LogP of the route between two ranks.

        Parameters
        ----------
        from_rank, to_rank : int
            The ranks that send and receive.

        Returns
        -------
        PLogP
            The costs of a message on this route.

        Examples
        --------
        >>> das.plogp(0, 4).gap_s(1000)
        0.0011
        """
        last = self.ranks - 1
        return _core.plogp(self._core, whole("from_rank", from_rank, 0, last), whole("to_rank", to_rank, 0, last))

    def layers(self) -> Layers:
        """Gives the two layers of the platform: between clusters and inside one.

        Returns
        -------
        Layers
            The costs of the slowest route of each layer, and the shape of the platform.

        Examples
        --------
        >>> layers = das.layers()
        >>> layers.clusters, layers.wan.latency_s
        (4, 0.01002)
        """
        return Layers(*_core.two_layers(self._core))

    def bound(
        self, collective: str, bytes: Sizes | None = None, *, root: int = 0, element_bytes: int = 1
    ) -> pandas.DataFrame:
        """Gives the time that no schedule can beat.

        {Parameters: collective, bytes, root, element_bytes}

        Returns
        -------
        pandas.DataFrame
            One row a size: bytes, bound_seconds.

        {Raises BadInput: When no bound is known for the collective.}

        Examples
        --------
        >>> das.bound("broadcast", "1,64Ki")
           bytes  bound_seconds
        0      1       0.010080
        1  65536       0.038545
        """
        warn(_core.notes_of_models(self.network))
        collective = collective_named(collective)
        root, element_bytes = whole("root", root, 0, self.ranks - 1), whole("element_bytes", element_bytes, 1, 2**40)
        sizes = sizes_of_each([collective], bytes)[collective]
        return table(
            {
                "bytes": sizes,
                "bound_seconds": [
                    _core.lower_bound_s(self._core, collective, size, element_bytes, root) for size in sizes
                ],
            }
        )

    def explain(
        self,
        collective: str,
        bytes: Sizes | None = None,
        *,
        root: int = 0,
        element_bytes: int = 1,
        thorough: bool = False,
        parts: bool = False,
    ) -> pandas.DataFrame:
        """Lists the automatic choice and the plans that it is compared with.

        Parameters
        ----------
        {collective, bytes, root, element_bytes}
        thorough : bool
            Whether each algorithm is searched as far as if it were named alone; else parameters that cannot make an
            algorithm as quick as the choice are left out.
        parts : bool
            Whether each plan's time is split by cause, along the path of messages that takes longest.

        Returns
        -------
        pandas.DataFrame
            One row a plan: bytes, plan, seconds (by the replay), bound_seconds, over_bound (their ratio). The first of
            a size is the one of choose(), then the quickest come first. The search of this list is longer, and of
            plans within 1 % of the quickest choose() takes the one with the fewest messages: so others may be a little
            quicker. With `parts` also latency_seconds, wide_area_seconds, local_seconds, overhead_seconds (of
            processors) and contention_seconds (waiting), whose sum is seconds, and path_messages.

        {Raises BadInput: When the collective is unknown, or a size is out of range.}

        Examples
        --------
        >>> frame = das.explain("allgather", "1Ki")
        >>> bool(frame.seconds.iloc[0] == frame.seconds.min())
        True
        >>> split = das.explain("allgather", "1Ki", parts=True).iloc[0]
        >>> bool(split.latency_seconds > split.wide_area_seconds)
        True
        """
        warn(_core.notes_of_models(self.network))
        collective = collective_named(collective)
        root, element_bytes = whole("root", root, 0, self.ranks - 1), whole("element_bytes", element_bytes, 1, 2**40)
        rows = []
        for size in sizes_of_each([collective], bytes)[collective]:
            plans = _core.candidates(self._core, collective, size, element_bytes, root, bool(thorough))
            try:
                bound = _core.lower_bound_s(self._core, collective, size, element_bytes, root) or float("nan")
            except BadInput:  # none is known for this collective
                bound = float("nan")
            rows += [(size, plan, seconds, bound) for plan, seconds in plans]
        frame = table(
            {name: [row[i] for row in rows] for i, name in enumerate(("bytes", "plan", "seconds", "bound_seconds"))}
        )
        frame["over_bound"] = over_bound(frame)
        if parts:
            names = [f"{part}_seconds" for part in ("latency", "wide_area", "local", "overhead", "contention")]
            splits = [_core.cost_split(self._core, row[1], row[0], element_bytes, root) for row in rows]
            for i, name in enumerate([*names, "path_messages"]):
                frame[name] = [split[i] for split in splits]
        return frame

    def predict(
        self,
        what: What,
        bytes: Sizes | None = None,
        *,
        models: str | Sequence[str] | None = None,
        root: int = 0,
        element_bytes: int = 1,
    ) -> pandas.DataFrame:
        """Predicts the time of plans by models, in this process.

        Parameters
        ----------
        {what, bytes}
        models : str or list of str, optional
            Of isthmus.sources.MODELS: hockney, logp, loggp, plogp, replay; all of them when left out.
        {root, element_bytes}

        Returns
        -------
        pandas.DataFrame
            One row a record, with seconds, bound_seconds and over_bound (their ratio). `frame.attrs["left_out"]` lists
            the points that a model has no formula for.

        {Raises BadInput: When an argument is wrong, or no model has an answer.}

        Examples
        --------
        >>> das.predict("broadcast/magpie", "1,1Ki", models="replay")[["plan", "bytes", "seconds"]]
             plan  bytes   seconds
        0  magpie      1  0.010169
        1  magpie   1024  0.011274
        """
        warn(_core.notes_of_models(self.network))
        names = list(MODELS) if models is None else list_of("models", models, (str,), ", ".join(MODELS))
        points = points_of(self, what, bytes, element_bytes, root)
        settings = _core.Settings(1, 1, "fifo", "auto")
        texts: list[str] = []
        left_out = []
        for model in names:
            one_of("models", model, MODELS)
            questions = _core.questions(self._core, model, points, settings)
            answers = iter(
                _core.run_models(self._core, model, [point for point, question in zip(points, questions) if question])
            )
            for (plan, size, _, _), question in zip(points, questions):
                text = next(answers) if question else None
                if text is None:
                    left_out.append(SweepPoint(self.name, plan.partition("/")[0], plan, size, model, root, self.ranks))
                else:
                    texts.append(text)
        if not texts:
            raise BadInput(f"models: {', '.join(names)} has no answer for {what}; `replay` times any schedule")
        frame = records(texts)
        frame.attrs["left_out"] = left_out
        return frame
