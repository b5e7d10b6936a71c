"""Symmetry: members of a set that nobody can tell apart, and one state that stands for all that differ in names only."""
