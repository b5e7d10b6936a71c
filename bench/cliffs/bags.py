"""Models whose bags hold, or are asked about, more and more different tokens."""

from __future__ import annotations

from sweepcheck import Array, Bag, Model, require


def holding(tokens: int, missing: int = 3, turns: int = 6) -> Model:
    """A bag that holds all but a few of so many tokens, each once, beside a clock hand.

    The sum of C(tokens, k) states for k <= missing, each with every turn.
    """
    m = Model("holding", turn=0, here=Bag(range(tokens)), away=Bag())

    @m.action
    def tick(s):
        s.turn = (s.turn + 1) % turns

    @m.action
    def lend(s):
        require(len(s.away) < missing)
        s.away.add(s.here.take())

    @m.action
    def give_back(s):
        s.here.add(s.away.take())

    return m


def asked(tokens: int, held: int = 11) -> Model:
    """A bag that holds some of a few tokens, and is asked about many more. 2^held * tokens states."""
    m = Model("asked", turn=0, bag=Bag())

    @m.action(token=range(held))
    def put(s, token):
        require(token not in s.bag)
        s.bag.add(token)

    @m.action
    def look(s):
        require(s.turn + held not in s.bag)
        s.turn = (s.turn + 1) % tokens

    return m


def repeated(tokens: int, most: int = 2) -> Model:
    """A bag that holds each of some tokens several times. (most + 1)^tokens states."""
    m = Model("repeated", bag=Bag())

    @m.action(token=range(tokens))
    def put(s, token):
        require(s.bag.count(token) < most)
        s.bag.add(token)

    @m.action(token=range(tokens))
    def drop(s, token):
        s.bag.take(token)

    return m


def repeated_as_array(tokens: int, most: int = 2) -> Model:
    """The same graph: a number for each token."""
    m = Model("repeated, as an array", count=Array([0] * tokens))

    @m.action(token=range(tokens))
    def put(s, token):
        require(s.count[token] < most)
        s.count[token] += 1

    @m.action(token=range(tokens))
    def drop(s, token):
        require(s.count[token] > 0)
        s.count[token] -= 1

    return m


def window(length: int, wide: int = 9) -> Model:
    """A bag whose tokens come and go: any of the next few may be there, older ones never again.

    (length + 1) * 2^wide states.
    """
    m = Model("window", at=0, bag=Bag())

    @m.action(offset=range(wide))
    def put(s, offset):
        token = s.at + offset
        require(token not in s.bag)
        s.bag.add(token)

    @m.action
    def advance(s):
        require(s.at < length and s.at in s.bag)
        s.bag.take(s.at)
        s.at += 1

    m.progress(lambda s: s.at)
    return m


def window_as_array(length: int, wide: int = 9) -> Model:
    """The same graph: for each of the next few tokens whether it is there, in a ring."""
    m = Model("window, as an array", at=0, there=Array([False] * wide))

    @m.action(offset=range(wide))
    def put(s, offset):
        place = (s.at + offset) % wide
        require(not s.there[place])
        s.there[place] = True

    @m.action
    def advance(s):
        require(s.at < length and s.there[s.at % wide])
        s.there[s.at % wide] = False
        s.at += 1

    m.progress(lambda s: s.at)
    return m
