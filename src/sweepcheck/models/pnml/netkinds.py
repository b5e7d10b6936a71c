"""The types of nets that PNML files have, as files name them."""

from __future__ import annotations

PLAIN = ("ptnet", "ptnetb", "p/t net", "pt net", "pnmlcoremodel", "coremodel")
COLOURED = ("symmetricnet", "highlevelnet", "pt-hlpng", "hlcorestructure")


def is_plain(kind: str) -> bool:
    """Whether a net of this type is a place/transition net."""
    return kind_of(kind) in PLAIN


def kind_of(text: str) -> str:
    """The last part of the name that a file gives to the type of its net."""
    kind = text.rstrip("/").rpartition("grammar/")[2].lower()
    return kind if kind in PLAIN else kind.rpartition("/")[2]
