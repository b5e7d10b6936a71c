"""Temporal logic: formulas as text and their meaning on runs, as automata, and on graphs. It knows no model."""
