"""The models that the reports under test are about."""

from dataclasses import fields, replace

from sweepcheck import Array, Bag, Model, Report, require
from sweepcheck.core.plan import Outcome, Plan


def changed(report: Report, **values) -> Report:
    """The report as if its run had been planned otherwise, or had come out otherwise."""
    planned, came_out = ({one.name for one in fields(kind)} & values.keys() for kind in (Plan, Outcome))
    assert planned | came_out == values.keys()
    plan = replace(report.plan, **{name: values[name] for name in planned})
    outcome = replace(report.outcome, **{name: values[name] for name in came_out})
    return replace(report, plan=plan, outcome=outcome)


def ferry_model(capacity=2, wolf=True):
    """Passengers cross a river; the far bank must never be crowded."""
    m = Model("ferry", near=Bag(["goat", "goat", "wolf"] if wolf else ["goat"]), far=Bag(), seats=Array([0, 0]))

    @m.action
    def cross(s):
        passenger = s.near.take()
        s.far.add(passenger)
        s.seats[0] = s.seats[0] + 1

    @m.action
    def rest(s):
        require(len(s.near) == 0)
        s.seats[1] = s.seats[0]

    m.progress(lambda s: len(s.far), span=(0, 3))
    m.invariant("not crowded", lambda s: len(s.far) <= capacity)
    m.reachable("a wolf across", lambda s: "wolf" in s.far)
    m.deadlock()
    return m


def light_model(stuck=False):
    """A traffic light that never turns green: a lasso, or a state that lasts for ever."""
    m = Model("light", colour="red", asked=False)

    @m.action
    def ask(s):
        require(not s.asked)
        s.asked = True

    @m.action
    def flicker(s):
        require(s.colour == "red" and s.asked and not stuck)
        s.colour = "amber"

    @m.action
    def back(s):
        require(s.colour == "amber")
        s.colour = "red"

    m.always_eventually("green", lambda s: s.colour == "green")
    return m


def clock_model():
    """A clock whose `tick` looks at everything."""
    m = Model("clock", hour=0, minute=0, bells=Array([0, 0, 0]), log=())

    @m.action
    def tick(s):
        require(len(s.log) < 3 and sum(s.bells) <= s.hour)
        s.minute = (s.minute + 1) % 2
        s.hour += s.minute == 0
        s.log = (*s.log, s.minute)

    @m.action(bell=range(3))
    def strike(s, bell):
        require(s.bells[bell] < s.hour)
        s.bells[bell] += 1

    return m


def lamps():
    """Two lamps: a weak fairness that loops keep by a step, and a strong one that they keep by never coming near."""
    m = Model("lamps", red=0, green=0, mode="day")

    @m.action(fair=True)
    def blink(s):
        require(s.mode == "day")
        s.red = 1 - s.red

    @m.action(fair="strong")
    def serve(s):
        require(s.red == 1 and s.mode == "night")
        s.green = 1

    @m.action
    def night(s):
        s.mode = "night" if s.mode == "day" else "day"

    return m
