"""P-LogP's parameters as curves: send overhead, receive overhead and gap over the message size."""


from .._core import BadInput, PLogP
from ..arguments import Sizes, sizes_of
from ..descriptions import described
from ..platform import Platform
from .layout import AxesLike, Drawn, Width, sheet
from .scales import seconds_axis, size_axis
from .style import PALETTE, SOFT, in_look

CURVES = {"send overhead os": "send_overhead_s", "receive overhead or": "receive_overhead_s", "gap g": "gap_s"}


@in_look
@described
def parameter_curves(
    layers: Platform | dict[str, PLogP], bytes: Sizes = "1..4Mi", *, ax: AxesLike = None, width: Width = None
) -> Drawn:
    """Draws the parameters of P-LogP over the message size.

    Parameters
    ----------
    layers : Platform or dict of str to PLogP
        A platform, whose two layers are drawn, or layers by name.
    {sizes, ax, width}

    Returns
    -------
    Picture
        A figure with one panel a layer, or `ax`: os, or and g in seconds; the dotted line is the latency L.

    {Raises BadInput: When there is no layer.}

    Examples
    --------
    >>> isthmus.pictures.parameter_curves(das, "1..64Ki").savefig("parameters.svg")
    """
    if isinstance(layers, Platform):
        two = layers.layers()
        layers = {f"{layers.name}, between sites": two.wan, f"{layers.name}, inside a site": two.lan}
    if not layers:
        raise BadInput("layers: is empty; a Platform or a dict of PLogP would be right")
    sizes = sizes_of(bytes)
    drawn = sheet(len(layers), ax, width, sharey=True)
    for axis, (name, layer) in zip(drawn.axes, layers.items()):
        for (label, method), colour, style in zip(CURVES.items(), PALETTE, ("-", (0, (6, 2)), "-")):
            values = [getattr(layer, method)(size) for size in sizes]
            if max(values) == 0:
                axis.plot([], [], color=colour, linestyle=style, label=f"{label}: 0")
            else:
                axis.plot([max(size, 0.5) for size in sizes], values, color=colour, linestyle=style, label=label)
        if layer.latency_s > 0:
            axis.axhline(layer.latency_s, color=SOFT, linestyle=":", label="latency L")
        axis.set_title(name)
        size_axis(axis, sizes, room=drawn.panel_inches[0])
        seconds_axis(axis, "time")
        axis.legend(loc="upper left")
    drawn.outer_labels_only()
    return drawn.result()
