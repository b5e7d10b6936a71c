"""Explore random models with random numbers of workers, and compare all they find with what one worker finds that looks
every edge up.

python tests/soak/random_workers.py 10000           so many models
python tests/soak/random_workers.py 10000 1800      for at most so many seconds
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.native.test_workers import answer

from sweepcheck import Limits, check, deadlock, invariant
from sweepcheck.engines.native import description
from sweepcheck.testing import random_models, random_nets
from sweepcheck.testing.random_models import sources
from sweepcheck.testing.random_nets import nets
from sweepcheck.testing.random_networks import networks

BATCHES = (1, 2, 3, 7, 16, 64)
KINDS = ("model", "net", "timed net", "network")
REFUSED = "ended with an error, the same one"
STRATEGIES = ("full", "sweep", "generalised", "column", None)


def drawn_run(data: st.DataObject, kind: str) -> tuple[Any, list[Any], dict[str, Any]]:
    """A model, what is asked of it, and how it is explored."""
    limits = Limits(states=data.draw(st.sampled_from((50, 700, 3_000))))
    gc = data.draw(st.sampled_from(("layer", 30)))
    if kind == "network":
        strategy = data.draw(st.sampled_from((None, "full", "column", "generalised")))
        return data.draw(networks()).network, [deadlock()], {"strategy": strategy, "limits": limits, "gc": gc}
    order = data.draw(st.sampled_from((*(random_models if kind == "model" else random_nets).MEASURES, None)))
    if kind == "model":
        case = data.draw(sources(order, data.draw(st.booleans()), constrained=True)).case()
    else:
        case = data.draw(nets(timed=kind == "timed net", order=order)).case()
    strategy = data.draw(st.sampled_from(STRATEGIES)) if order else "full"
    asked = [invariant("true", case.kit["predicate"]), deadlock()]
    return case.kit["model"], asked, {"measure": case.kit["measure"], "strategy": strategy, "limits": limits, "gc": gc}


def compare(data: st.DataObject, done: Counter[str]) -> None:
    """One model, with one worker and with several."""
    kind = data.draw(st.sampled_from(KINDS))
    workers = data.draw(st.integers(2, 8))
    model, asked, options = drawn_run(data, kind)
    # Where a run stops may depend on the size of batches, so one worker has the same.
    settings_of_run = {"SHARE_AFTER": 0, "SHARE_LEAST": 0, "BATCH_SIZE": data.draw(st.sampled_from(BATCHES))}
    with patch.multiple(description, **settings_of_run):
        alone, closing, together = (
            answer(lambda count=count: check(model, asked, engine="native", workers=count, **options))
            for count, description.CLOSES_DIAMONDS in ((1, False), (1, True), (workers, True))
        )
    assert closing == together == alone, (kind, workers, options, settings_of_run)
    refused = isinstance(alone[0], str)
    done[REFUSED if refused else f"{kind}, {options['strategy'] or 'as chosen'}"] += 1


def main() -> None:
    """So many models, or until time is up; how many of which kind there were."""
    models, seconds = int(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else float("inf")
    done: Counter[str] = Counter()
    end = time.monotonic() + seconds

    @settings(
        max_examples=50,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def some(data: st.DataObject) -> None:
        compare(data, done)

    while done.total() - done[REFUSED] < models and time.monotonic() < end:
        some()
    for kind, count in sorted(done.items()):
        sys.stdout.write(f"{count:6} {kind}\n")
    sys.stdout.write(f"{done.total():6} in all, no difference\n")


if __name__ == "__main__":
    main()
