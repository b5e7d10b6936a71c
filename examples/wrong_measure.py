"""A wrong progress measure: the sweep notices, says which step goes back, and refuses to answer.

Jobs wait, run and are done; a job that fails waits again. Somebody declared that a running job is halfway there. But
the step `fail` undoes this half.

    sweepcheck check examples/wrong_measure.py

ends with error SC301, which names the step and both progress values; the exit code is 2. Nothing is claimed about
the properties. What is never undone is a job that is done:

    sweepcheck check examples/wrong_measure.py --measure done

checks the model with that measure, and everything holds. So does

    sweepcheck check examples/wrong_measure.py --strategy full

which stores every state and needs no measure.
"""

from sweepcheck import Model, require


def wrong_measure(jobs=5):
    """`jobs` jobs, all waiting at first."""
    m = Model("jobs that may fail", waiting=jobs, running=0, done=0)

    @m.action
    def start(s):
        require(s.waiting > 0)
        s.waiting -= 1
        s.running += 1

    @m.action
    def finish(s):
        require(s.running > 0)
        s.running -= 1
        s.done += 1

    @m.action
    def fail(s):
        require(s.running > 0)
        s.running -= 1
        s.waiting += 1

    m.progress(lambda s: s.running + 2 * s.done)  # wrong: `fail` lowers it
    m.invariant("no job is lost", lambda s: s.waiting + s.running + s.done == jobs)
    m.deadlock(final=lambda s: s.done == jobs)
    m.always_possible("all done", lambda s: s.done == jobs)
    return m
