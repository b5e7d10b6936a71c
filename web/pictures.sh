#!/bin/sh
# Makes the pictures of docs/how-to/look-into-a-result.md and of the README again. Needs Chromium, and `npm ci` in web/.
set -eu
cd "$(dirname "$0")"
browser=$(command -v chromium)
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
sweepcheck() { .venv/bin/sweepcheck "$@" -q >/dev/null 2>&1 || true; }
cd ..
sweepcheck check examples/peterson_broken.py --html "$pages/trace.html"
sweepcheck check examples/stop_and_wait_net.py --invariant "len(AckIn) < 1" --html "$pages/net.html"
sweepcheck check examples/communication_protocol.py -p packets=20 --keep-going --html "$pages/sweep.html"
cd web
node pictures.mjs "$browser" ../docs/how-to/page-trace.png "$pages/trace.html" trace
node pictures.mjs "$browser" ../docs/how-to/page-net.png "$pages/net.html" net
node pictures.mjs "$browser" ../docs/how-to/page-sweep.png "$pages/sweep.html" sweep
