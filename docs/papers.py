"""Fills in the tables of papers.md: `python docs/papers.py`, about a minute. The test of the page reads it as well.

A table stands between `<!-- paper 0, table 1 -->` and `<!-- end -->`.
"""

import re
from pathlib import Path

from sweepcheck.papers import TABLES, Bench, made
from sweepcheck.papers.writing import table_to_markdown

PAGE = Path(__file__).parent / "papers.md"
BLOCK = re.compile(r"(?<=<!-- )(paper \d(?:, [\w, ]+)?)( -->\n\n)(.*?)(\n\n<!-- end -->)", re.DOTALL)


def blocks(page: str) -> dict[str, str]:
    """The tables of a page by their names."""
    return {block[1]: block[3] for block in BLOCK.finditer(page)}


def filled(page: str, tables: dict[str, str]) -> str:
    """A page with new tables."""
    return BLOCK.sub(lambda block: block[1] + block[2] + tables[block[1]] + block[4], page)


if __name__ == "__main__":
    bench = Bench()
    written = {table.full_name.lower(): table_to_markdown(made(table, bench, small=False)) for table in TABLES}
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), written), encoding="utf-8")
