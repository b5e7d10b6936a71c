"""A spanning tree of every graph (Lamport): nodes come nearer to the root until nobody can.

After the specification SpanTreeTest in the TLA+ examples (github.com/tlaplus/Examples). The graph is part of the state:
there is an initial state for each set of edges. A node with a neighbour that is nearer to the root may take it as its
parent, at any distance between the neighbour's and its own.

    sweepcheck check examples/ports/spanning_tree.py

finds 3,984 states, as TLC does for all 64 graphs with four nodes, and that every run ends with a spanning tree. With
five nodes and one graph, as in the specification SpanTree, there are 1,236:

    sweepcheck check examples/ports/spanning_tree.py -p n=5 -p "graph=((0,1),(0,2),(1,2),(1,3),(2,3),(2,4),(3,4))"
"""

from itertools import combinations

from sweepcheck import Array, Model, Record, Set, choose


def spanning_tree(n=4, graph: tuple | None = None):
    """All graphs with `n` nodes, of which 0 is the root; or one `graph`, a tuple of edges (i, j) with i < j."""
    far = n + 1  # the distance of what was never reached
    pairs = list(combinations(range(n), 2))
    m = Model(
        "spanning tree",
        edges=Set(),
        node=Array([Record(parent=i, distance=far if i else 0) for i in range(n)], shape=n),
    )

    @m.start
    def any_graph(s):
        for pair in pairs:
            if choose(False, True) if graph is None else pair in graph:
                s.edges.add(pair)

    def neighbours(s, i):
        return [j for j in range(n) if (min(i, j), max(i, j)) in s.edges]

    @m.action(i=range(n), fair=True)
    def come_nearer(s, i):
        parent = choose(neighbours(s, i))
        distance = choose(range(s.node[parent].distance + 1, s.node[i].distance))
        s.node[i] = Record(parent=parent, distance=distance)

    def in_place(s, i):
        """Whether a node is the root, cut off, or one step behind its parent."""
        parent, distance = s.node[i].parent, s.node[i].distance
        if i == 0 or distance == far:
            return parent == i and all(distance == 0 or s.node[j].distance == far for j in neighbours(s, i))
        return parent in neighbours(s, i) and distance == s.node[parent].distance + 1

    def is_tree(s):
        return all(in_place(s, i) for i in range(n))

    m.progress(lambda s: -sum(one.distance for one in s.node))
    m.deadlock(final=is_tree)
    m.always_eventually("a spanning tree", is_tree)
    return m
