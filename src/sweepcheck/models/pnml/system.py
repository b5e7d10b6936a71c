"""A PNML file as a model: a place/transition net, a coloured net as it is, or a coloured net unfolded."""

from __future__ import annotations

from pathlib import Path

from sweepcheck.core.limits import FileLimits
from sweepcheck.errors import ModelError
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.system import NetModel
from sweepcheck.models.pnml.document import PnmlNet, read_document
from sweepcheck.models.pnml.naming import names
from sweepcheck.models.pnml.plain import PlainModel, read_plain
from sweepcheck.models.pnml.positions import positions
from sweepcheck.models.pnml.translation import InexpressibleError, translated
from sweepcheck.models.pnml.unfolded import UnfoldedModel
from sweepcheck.models.pnml.unfolding import TooLargeError, unfold

# Measured on the coloured nets of the contest (decision 59): up to so many bindings of a transition, unfolding pays;
FEW_BINDINGS = 20
# and with so many colours on a place up to so many bindings, since bags of hundreds of tokens are slow.
COLOURS_BINDINGS = 100, 100


def read_pnml(path: Path, limits: FileLimits, unfolded: bool | None = None) -> NetModel:
    """The model in a PNML file. `unfolded`: whether a coloured net is unfolded; None is what is likely to be faster."""
    if (plain := read_plain(path, limits)) is not None:
        model: NetModel = PlainModel(path, plain)
    else:
        pnml = read_document(path, limits)
        nodes = {one: node.name for one, node in pnml.places.items()}
        called = names(nodes | {one: node.name for one, node in pnml.transitions.items()})
        model = _coloured(pnml, called, unfolded) if pnml.coloured else NetModel(translated(pnml, called))
        model.ids = called
    ids = model.ids
    model.drawn_in = lambda: {ids[node]: at for node, at in positions(path, limits).items() if node in ids}
    return model


def _coloured(pnml: PnmlNet, called: dict[str, str], unfolded: bool | None) -> NetModel:
    net: Net | None = None
    why = ""
    try:
        net = translated(pnml, called)
    except InexpressibleError as error:
        why = str(error)
    if unfolded is None and net is not None:
        return _likely_faster(pnml, called, net)
    if unfolded is False:
        if net is None:
            raise _unable(pnml, f"cannot run as it is: {why}", "leave out --no-unfold")
        return NetModel(net)
    try:
        return UnfoldedModel(pnml, called, unfold(pnml), net)
    except TooLargeError as error:
        suggestion = "make its sorts smaller" if net is None else "run the net as it is, without --unfold"
        raise _unable(
            pnml, f"cannot be unfolded: {error}" + (f"; nor run as it is: {why}" * bool(why)), suggestion
        ) from None


def _likely_faster(pnml: PnmlNet, called: dict[str, str], net: Net) -> NetModel:
    """The coloured net, or the unfolded one where that has few transitions, or places of very many colours."""
    try:
        found = unfold(pnml, COLOURS_BINDINGS[1] * max(1, len(net.transitions)))
    except TooLargeError:
        return NetModel(net)
    colours, bindings = (
        len(found.tokens) / max(1, len(net.places)),
        len(found.transitions) / max(1, len(net.transitions)),
    )
    pays = 0 < bindings <= FEW_BINDINGS or (bindings and colours >= COLOURS_BINDINGS[0])
    return UnfoldedModel(pnml, called, found, net) if pays else NetModel(net)


def _unable(pnml: PnmlNet, why: str, suggestion: str) -> ModelError:
    return ModelError("SC139", f"net {pnml.name!r} {why}", where=pnml.source.path.name, suggestion=suggestion)
