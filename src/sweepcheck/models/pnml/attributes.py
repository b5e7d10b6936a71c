"""What some tools, TAPAAL among them, say in attributes of nodes and arcs, and others in elements inside these.

Attributes that only tell how to draw a net are passed over; one that could change what it does is read or refused.
"""

from __future__ import annotations

from sweepcheck.errors import SweepcheckError, shown
from sweepcheck.models.markup import Element, Source
from sweepcheck.models.pnml.declarations import whole_number

MARKING = ("initialMarking", "marking", "tokens")  # each a number, in the place of an element
WEIGHT = ("weight", "multiplicity", "inscription")
REFUSED = {"place": ("capacity", "invariant"), "transition": ("guard", "priority"), "arc": ("capacity", "guard")}
HARMLESS = ("", "0", "true", "<inf")  # what says nothing: no bound, no condition that has to hold
ANY_TIME = ("", "[0,inf)")


def check_attributes(source: Source, element: Element) -> None:
    """Refuse what an attribute says and no net of this kind can."""
    for name in REFUSED.get(element.tag, ()):
        if _squeezed(element.attributes.get(name, "")) not in HARMLESS:
            raise _refused(source, element, name)


def number_in(source: Source, element: Element, names: tuple[str, ...]) -> int | None:
    """The number in the first of the attributes that has one; None where there is none.

    An arc may have the interval of time in which it takes, which must be every time.
    """
    found = None
    for name in names:
        text = element.attributes.get(name)
        if text is None or (name == "inscription" and _squeezed(text) in ANY_TIME):
            continue
        if name == "inscription" and text.strip()[:1] in ("[", "("):
            raise _refused(source, element, name)
        count = whole_number(source, element, text)
        found = count if found is None else found
    return found


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _refused(source: Source, element: Element, name: str) -> SweepcheckError:
    what = f"<{element.tag}> has the attribute {name}={shown(element.attributes[name])}"
    return source.wrong("SC135", what, element.line, "write the net without time, capacities, guards and priorities")
