"""Colour for text that reads well without it."""

from __future__ import annotations

import re
import shutil

RULES = (
    (r"(?m)^✓ .*?(?=  |$)", "bold green"),
    (r"(?m)^✗ .*?(?=  |$)", "bold red"),
    (r"(?m)^\? inconclusive", "bold black on yellow"),
    (r"(?m)^warning:", "bold yellow"),
    (r"(?m)^error\[SC\d+\]:", "bold red"),
    (r"(?m)^  (help|docs)\b", "cyan"),
    (r"(?m)^  (stopped early|interrupted).*$", "yellow"),
    (r"(?m)^a (counter-example|witness|simulated run)\b.*$", "bold"),
    (r"(?m)^(state \d+|progress|enabled):", "bold"),
    (r"(?m)^ +\d+  (?P<step>[^\W\d][\w.]*(\(.*?\))?)(?=  |$)", "cyan"),
    (r"(?m)^(\d\. .*|Where next)$", "bold"),
    (r"(?m)^(what the actions cost, .*|advice)$", "bold"),
    (r"(?m)^   sweepcheck .*?(?=    |$)|^       --?p.*$", "cyan"),
    (r" -> ", "bright_black"),
    (r"(?m)^ +loop starts at step \d+", "bold magenta"),
    (r"[▁▂▃▄▅▆▇█]+", "cyan"),
    (r"(?m)^  (states|states found so far|peak)  +[\d,]+", "bold"),
)


def coloured(text: str) -> str:
    """The text with escape sequences for a terminal."""
    from rich.console import Console
    from rich.text import Text

    painted = Text(text)
    for pattern, style in RULES:
        for match in re.finditer(pattern, text):
            painted.stylize(style, *match.span("step" if "step" in match.groupdict() else 0))
    console = Console(force_terminal=True, highlight=False, width=max(map(len, text.split("\n"))) + 1)
    with console.capture() as capture:
        console.print(painted, end="", soft_wrap=True)
    return capture.get()


def terminal_width() -> int:
    """Columns of the terminal."""
    return shutil.get_terminal_size((100, 24)).columns
