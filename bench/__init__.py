"""Yardsticks for the engines: hand-written C++, SPIN and the reference engine, as ratios of CPU time in one run."""
