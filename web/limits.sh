#!/bin/sh
# Measures the page with long traces and large drawings; prints times, asserts none. Needs Chromium, and `npm ci` in web/.
set -eu
cd "$(dirname "$0")"
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
../.venv/bin/python limits.py "$pages"
node limits.mjs "$(command -v chromium)" "$pages"
