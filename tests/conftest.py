"""Hypothesis profiles: the same examples on every run, as many times more of them as SWEEPCHECK_EXAMPLES says.

With SWEEPCHECK_WORKERS, so many workers share the work of every run that does not say how many, from its first states
on. With SWEEPCHECK_REHEARSED beside it they run the functions of the model before their turn, too, on every Python.

Signals that end a command are heeded, also where the tests were started in a way that ignores them: in the background
of a shell, or so that they outlive a terminal.
"""

import os
import signal

from hypothesis import HealthCheck, settings

EXAMPLES = 10 * int(os.environ.get("SWEEPCHECK_EXAMPLES", "1"))
SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.filter_too_much]

settings.register_profile(
    "repeatable",
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=SLOW_IS_FINE,
)
settings.register_profile("random", max_examples=EXAMPLES, deadline=None, suppress_health_check=SLOW_IS_FINE)
settings.load_profile(os.environ.get("SWEEPCHECK_PROFILE", "repeatable"))

for ignored, heeded in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(ignored) is signal.SIG_IGN:
        signal.signal(ignored, heeded)

if "SWEEPCHECK_WORKERS" in os.environ:
    from sweepcheck import planner
    from sweepcheck.engines.native import description

    planner.ENOUGH_PROCESSORS = 1
    planner.processors = lambda: int(os.environ["SWEEPCHECK_WORKERS"])
    description.SHARE_AFTER = 0
    description.SHARE_LEAST = 0
    description.BATCH_SIZE = 2
    if "SWEEPCHECK_REHEARSED" in os.environ:
        description.REHEARSE_FROM = 0.0
