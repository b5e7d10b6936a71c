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
# up to so many where they are few for each colour of a place, since a state looks at few of them then;
MOST_BINDINGS, BINDINGS_EACH = 100, 15
# and with so many colours on a place up to so many in all, since bags of hundreds of tokens are slow.
MANY_COLOURS, MOST_IN_ALL = 100, 4_000


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
    places, transitions = max(1, len(net.places)), max(1, len(net.transitions))
    most, in_all = MOST_BINDINGS * transitions, sum(place.sort.size for place in pnml.places.values())
    if in_all >= MANY_COLOURS * places:
        most = max(most, min(MOST_IN_ALL, BINDINGS_EACH * in_all))
    try:
        found = unfold(pnml, most)
    except TooLargeError:
        return NetModel(net)
    number, colours = len(found.transitions), len(found.tokens)
    is_sparse = number <= BINDINGS_EACH * colours
    many_colours = colours >= MANY_COLOURS * places and (is_sparse or number <= MOST_BINDINGS * transitions)
    few = number <= FEW_BINDINGS * transitions or (is_sparse and number <= MOST_BINDINGS * transitions)
    pays = number and (few or many_colours)
    return UnfoldedModel(pnml, called, found, net) if pays else NetModel(net)


def _unable(pnml: PnmlNet, why: str, suggestion: str) -> ModelError:
    return ModelError("SC139", f"net {pnml.name!r} {why}", where=pnml.source.path.name, suggestion=suggestion)
