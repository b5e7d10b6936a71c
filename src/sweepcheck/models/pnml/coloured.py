"""A coloured net of a PNML file as a model: as it is, or unfolded."""

from __future__ import annotations

from sweepcheck.errors import ModelError
from sweepcheck.models.net.net import Net
from sweepcheck.models.net.system import NetModel
from sweepcheck.models.pnml.document import PnmlNet
from sweepcheck.models.pnml.translation import InexpressibleError, translated
from sweepcheck.models.pnml.unfolded import UnfoldedModel
from sweepcheck.models.pnml.unfolding import TooLargeError, unfold

# Measured on the coloured nets of the contest (decision 59): up to so many bindings of a transition, unfolding pays;
FEW_BINDINGS = 20
# and with so many colours on a place up to so many bindings, since bags of hundreds of tokens are slow.
COLOURS_BINDINGS = 100, 100


def coloured(pnml: PnmlNet, called: dict[str, str], unfolded: bool | None) -> NetModel:
    """The model. `unfolded`: whether it is; None is what is likely to be faster."""
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
