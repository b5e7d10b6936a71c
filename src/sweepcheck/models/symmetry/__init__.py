"""Symmetry: members of a set that nobody can tell apart, and one state for all that differ in their names only."""
