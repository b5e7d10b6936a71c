"""The pictures of nets in the documentation show what `draw` draws now.

Coordinates depend on the fonts of a machine, so that only the words are compared. To draw a picture anew: save the
block of the page as letters.py and run `sweepcheck draw letters.py -o docs/how-to/letters.svg`.
"""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from sweepcheck import draw

FOLDER = Path(__file__).parents[2] / "docs" / "how-to"


def words(svg):
    """All words in a picture, and how many shapes it has."""
    found = list(ET.fromstring(svg).iter())
    names = [element.tag.rpartition("}")[2] for element in found]
    return sorted(element.text or "" for element in found if element.tag.endswith("}text")), sorted(names)


@pytest.mark.parametrize(("picture", "module"), [("letters.svg", None), ("channel.svg", "There")])
def test_pictures_are_up_to_date(picture, module):
    page = (FOLDER / "draw-a-net.md").read_text(encoding="utf-8")
    names = {}
    exec(re.search(r"```python\n(# letters\.py\n.*?)```", page, re.DOTALL)[1], names)
    drawn = draw(names["letters"](), module).svg()
    assert words(drawn) == words((FOLDER / picture).read_text(encoding="utf-8"))
