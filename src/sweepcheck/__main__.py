"""`python -m sweepcheck` is the same as `sweepcheck`."""

import sys

from sweepcheck.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
