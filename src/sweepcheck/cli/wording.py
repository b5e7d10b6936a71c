"""What the library says about its arguments, in the words of the command line: strategy="full" is --strategy full.

The library knows of no command line, so its errors name the arguments of `check` and `explore`. This table is the only
place where these become options.
"""

from __future__ import annotations

import re

_OPTIONS = (
    (r'\b(strategy|engine)="(\w+)"', r"--\1 \2"),
    (r"\bmeasure=\.\.\.", "--measure EXPR"),
    (r"\btrace_dir=\.\.\.", "--trace-dir DIR"),
    (r"\btrace=False", "--no-trace"),
    (r'\bcluster="(\w+)"', r"--cluster \1"),
    (r"\bcluster=", "--cluster"),
    (r"\bcluster_dir=\.\.\.", "--cluster-dir DIR"),
    (r"\bequivalence=False", "--no-equivalence"),
    (r'\bgc="(\w+)"', r"--gc \1"),
    (r"\bshorten=True", "--shorten"),
    (r'\bshorten="switches"', "--fewest-switches"),
    (r"\bkeep_going=True", "--keep-going"),
    (r'\bload\(\.\.\., \{"(\w+)": \.\.\.\}\)', r"-p \1=VALUE"),
    (r"\bDrawing\.dot\b", "--format dot, or FILE.dot"),
)


def in_options(advice: str | None) -> str | None:
    """The advice of an error, with options where it names arguments."""
    if advice is None:
        return None
    for argument, option in _OPTIONS:
        advice = re.sub(argument, option, advice)
    return advice
