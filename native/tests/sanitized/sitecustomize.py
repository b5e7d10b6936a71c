"""Python finds the package that `make sanitize` has put on its path, not the one that is installed for editing."""

import sys

sys.meta_path[:] = [finder for finder in sys.meta_path if not type(finder).__name__.startswith("ScikitBuild")]
