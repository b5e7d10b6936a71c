"""Yardsticks for the engines: hand-written C++, SPIN and the reference engine, as ratios of CPU time in one run."""

from sweepcheck import planner

# CPU time is compared: runs have one worker, unless a benchmark says how many.
planner.processors = lambda: 1
