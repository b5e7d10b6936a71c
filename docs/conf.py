"""How the documentation is built: `make docs`."""

import subprocess
import sys
from pathlib import Path

from pygments.lexers.special import TextLexer

import sweepcheck
from sweepcheck.cli.main import COMMANDS

HERE = Path(__file__).parent

project = "sweepcheck"
author = "the sweepcheck authors"
copyright = "the sweepcheck authors"  # noqa: A001 - the name Sphinx reads
version = release = sweepcheck.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build", "reference/generated"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
nitpicky = False

html_theme = "furo"
html_title = f"sweepcheck {version}"
html_static_path = ["_static"]
html_css_files = ["sweepcheck.css"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2a6fb0", "color-brand-content": "#2a6fb0"},
    "dark_css_variables": {"color-brand-primary": "#7db4e6", "color-brand-content": "#7db4e6"},
}


def write_help(_app: object) -> None:
    """Ask the command line for its help texts, so that the reference never lags behind."""
    folder = HERE / "reference" / "generated"
    folder.mkdir(exist_ok=True)
    for command in ("", *COMMANDS):
        arguments = [sys.executable, "-m", "sweepcheck", *command.split(), "--help"]
        ran = subprocess.run(arguments, capture_output=True, text=True, check=True, env={"COLUMNS": "100"})
        name = command or "sweepcheck"
        (folder / f"{name}.txt").write_text(ran.stdout, encoding="utf-8")


def setup(app: object) -> None:
    """Called by Sphinx."""
    app.connect("builder-inited", write_help)  # type: ignore[attr-defined]
    for name in ("psl", "aut", "trace"):  # languages without colours
        app.add_lexer(name, TextLexer)  # type: ignore[attr-defined]
