"""The pictures of nets in the documentation show what `draw` draws now.

Coordinates depend on the fonts of a machine, so that only the words are compared. To draw a picture anew: save the
block of the page as letters.py and run `sweepcheck draw letters.py -o docs/how-to/letters.svg`; the one of the tutorial
is drawn with `--direction right`.
"""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from sweepcheck import draw

DOCS = Path(__file__).parents[2] / "docs"


def words(svg):
    """All words in a picture, and how many shapes it has."""
    found = list(ET.fromstring(svg).iter())
    names = [element.tag.rpartition("}")[2] for element in found]
    return sorted(element.text or "" for element in found if element.tag.endswith("}text")), sorted(names)


@pytest.mark.parametrize(
    ("page", "picture", "factory", "module"),
    [
        ("how-to/draw-a-net.md", "letters.svg", "letters", None),
        ("how-to/draw-a-net.md", "channel.svg", "letters", "There"),
        ("tutorial/first-net.md", "stop-and-wait.svg", "protocol", None),
    ],
)
def test_pictures_are_up_to_date(page, picture, factory, module):
    text = (DOCS / page).read_text(encoding="utf-8")
    names = {}
    exec(re.search(r"```python\n(# \w+\.py\n.*?)```", text, re.DOTALL)[1], names)
    drawn = draw(names[factory](), module).svg()
    assert words(drawn) == words((DOCS / page).with_name(picture).read_text(encoding="utf-8"))
