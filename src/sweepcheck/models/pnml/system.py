"""A PNML file as a model: a place/transition net, a coloured net as it is, or a coloured net unfolded.

Most files are plain nets, and small ones are explored in milliseconds: what only others need is imported for them.
"""

from __future__ import annotations

from pathlib import Path

from sweepcheck.core.limits import FileLimits
from sweepcheck.models.net.system import NetModel
from sweepcheck.models.pnml.plain import PlainModel, read_plain


def read_pnml(path: Path, limits: FileLimits, unfolded: bool | None = None) -> NetModel:
    """The model in a PNML file. `unfolded`: whether a coloured net is unfolded; None is what is likely to be faster."""
    plain = read_plain(path, limits)
    model: NetModel = PlainModel(path, plain) if plain is not None else _carefully_read(path, limits, unfolded)

    def drawn() -> dict[str, tuple[float, float]]:
        from sweepcheck.models.pnml.positions import positions

        return {model.ids[node]: at for node, at in positions(path, limits).items() if node in model.ids}

    model.drawn_in = drawn
    return model


def _carefully_read(path: Path, limits: FileLimits, unfolded: bool | None) -> NetModel:
    from sweepcheck.models.pnml.coloured import coloured
    from sweepcheck.models.pnml.document import read_document
    from sweepcheck.models.pnml.naming import names
    from sweepcheck.models.pnml.translation import translated

    pnml = read_document(path, limits)
    nodes = {one: node.name for one, node in pnml.places.items()}
    called = names(nodes | {one: node.name for one, node in pnml.transitions.items()})
    model = coloured(pnml, called, unfolded) if pnml.coloured else NetModel(translated(pnml, called))
    model.ids = called
    return model
