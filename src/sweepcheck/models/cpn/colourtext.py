"""Colour sets, which a file has as elements, as the text of a declaration in CPN ML."""

from __future__ import annotations

from collections.abc import Callable

from sweepcheck.models.markup import Element

SIMPLE = ("unit", "bool", "int", "intinf", "real", "string", "time", "char")
KINDS = (*SIMPLE, "enum", "index", "product", "record", "list", "union", "subset", "alias")
Unknown = Callable[[Element, str, tuple[str, ...]], Exception]


def colour_text(element: Element, name: str, unknown: Unknown) -> str:
    """The declaration of a colour set; `unknown` gives the error for an element that is not known."""
    timed, declares, text = "", "", ""
    for one in element:
        if one.tag == "timed":
            timed = " timed"
        elif one.tag == "declare":
            declares = f" declare {', '.join(_names(one))}"
        elif one.tag in KINDS:
            text = _kind(one)
        elif one.tag not in ("id", "ml"):
            raise unknown(one, "kind of colour set", KINDS)
    if not text:
        raise unknown(element, "colour set with a kind", KINDS)
    return f"colset {name} = {text}{timed}{declares};"


def _names(element: Element) -> list[str]:
    return [one.text.strip() for one in element if one.tag == "id"]


def _texts(element: Element) -> list[str]:
    return [one.text.strip() for one in element if one.tag == "ml"]


def _kind(element: Element) -> str:
    given = element.child("with")
    names = _names(element)
    match element.tag:
        case "enum":
            return f"with {' | '.join(names)}"
        case "index":
            return f"index {' '.join(names[:1])} with {'..'.join(_texts(element))}"
        case "product":
            return f"product {' * '.join(names)}"
        case "record":
            fields = [_names(one) for one in element if one.tag == "recordfield"]
            return f"record {' * '.join(' : '.join(one) for one in fields)}"
        case "union":
            return f"union {' + '.join(_alternative(one) for one in element if one.tag == 'unionfield')}"
        case "list":
            return f"list {' '.join(names)}" + (f" with {'..'.join(_texts(given))}" if given is not None else "")
        case "subset":
            by = element.child("by")
            held = f" by {' '.join(_texts(by))}" if by is not None else ""
            return f"subset {' '.join(names)}{held}" + (f" with {' '.join(_texts(given))}" if given is not None else "")
        case "alias":
            return " ".join(names)
        case _:
            return _simple(element.tag, given)


def _simple(kind: str, given: Element | None) -> str:
    if given is None:
        return kind
    names, texts = _names(given), _texts(given)
    if kind == "bool":
        return f"bool with ({', '.join(names)})"
    if kind == "unit":
        return f"unit with {' '.join(names)}"
    also = given.child("and")
    length = f" and {'..'.join(_texts(also))}" if also is not None else ""
    return f"{kind} with {'..'.join(texts)}{length}"


def _alternative(element: Element) -> str:
    kind = element.child("type")
    typed = [] if kind is None else _names(kind)
    return " : ".join([*_names(element)[:1], *typed])
