"""Twelve states, drawn as a graph, with two propositions: figure 1 of paper 4.

Lilleskare, Kristensen, Høyland: CTL model checking with the sweep-line method, 2017. Of the figure only the text could
be read: the edges are chosen so that every sentence about it is true (layers, components, the states that are met
when a layer is processed, the four verdicts).

    sweepcheck check examples/kripke_structure.py --keep-going
    sweepcheck report examples/kripke_structure.py
"""

from sweepcheck import Model, choose

EDGES = {0: (1, 2), 1: (5,), 2: (3,), 3: (4,), 4: (2, 7), 5: (6,)}
EDGES |= {6: (8,), 7: (9,), 8: (8,), 9: (10,), 10: (7, 11), 11: (7,)}
LAYERS = {1: {0}, 2: {1, 2, 3, 4, 5}, 3: {6, 7, 8, 9, 10, 11}}
PROGRESS = {state: value for value, states in LAYERS.items() for state in states}
P, Q = {8, 11}, {3, 9}

m = Model("Kripke structure", at=0)


@m.action
def step(s):
    s.at = choose(EDGES[s.at])


m.progress(lambda s: PROGRESS[s.at])
m.always_possible("AG EF p", lambda s: s.at in P)
m.always_eventually("AG AF (p or q)", lambda s: s.at in P | Q)
m.always_possible("AG EF q", lambda s: s.at in Q)
m.always_eventually("AG AF p", lambda s: s.at in P)
