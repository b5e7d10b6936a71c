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
sweepcheck check examples/peterson.py --ltl "F G {s.turn == 1}" --html "$pages/formula.html"
sweepcheck check examples/communication_protocol_net.py --invariant "len(AckIn) < 1" --html "$pages/lanes.html"
sweepcheck check examples/protocol.cpn --reachable "hd (Mark.Receiver'NextRec 1 n) = 5" --html "$pages/net.html"
sweepcheck check examples/communication_protocol.py -p packets=20 --keep-going --html "$pages/sweep.html"
sweepcheck tradeoff examples/stop_and_wait.py -p packets=5 --html "$pages/tradeoff.html"
cd web
picture() { node pictures.mjs "$browser" "../docs/how-to/page-$1.png" "$pages/$2.html" "$3"; }
picture trace trace trace
picture formula formula trace
picture lanes lanes lanes
picture net net net
picture sweep sweep sweep
picture graph trace graph
picture tradeoff tradeoff tradeoff
